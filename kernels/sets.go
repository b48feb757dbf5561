package kernels

// SetClasses is the number of classes that a set has bits for. Kernels over sets take tables of
// so many numbers by class, whatever the number of classes.
const SetClasses = 64

// fitSets reports whether so many sets of so many classes may be there with columns of these
// lengths by class.
func fitSets(classes int, columns ...[]float64) bool {
	for _, c := range columns {
		if len(c) != SetClasses {
			return false
		}
	}
	return uint(classes) <= SetClasses
}

// beyondClasses returns the set of the classes that are none of so many.
func beyondClasses(classes int) uint64 { return ^uint64(0) << classes }

// HasSets reports whether the kernels over sets have a form on the path taken that
// is faster than those over segments. Their pure Go forms take more time.
func HasSets() bool { return hasSets() }
