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

// fitRows reports whether a table of so many numbers has whole rows by class, one at least.
func fitRows(numbers int) bool {
	return numbers%SetClasses == 0 && numbers > 0 && numbers <= 256*SetClasses
}

// HasSets reports whether the kernels over sets, but for SetMaxima, have a form on the path taken that
// is faster than those over segments: with AVX-512 they take a quarter to eight tenths of the time,
// with AVX2 a third to eight tenths, conversion of bytes included. Their pure Go forms take more.
func HasSets() bool { return hasSets }

// HasSetMaxima reports the same of [SetMaxima], which has no form for AVX2.
func HasSetMaxima() bool { return hasSetMaxima }
