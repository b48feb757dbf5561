package kernels

// Repeat sets dst to each of values as often as its segment has elements: values[i] is that
// of the elements [start[i]-start[0], start[i+1]-start[0]). start has one element more than
// values, ascends, and its last segment ends with dst.
func Repeat(dst, values []float64, start []int) {
	if len(start) != len(values)+1 || start[len(values)]-start[0] != len(dst) {
		panic("kernels: Repeat: the segments do not cover the destination")
	}
	if len(values) > 0 && !repeat(dst, values, start) {
		panic("kernels: Repeat: the segments do not ascend")
	}
}
