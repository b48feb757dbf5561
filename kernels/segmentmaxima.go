package kernels

// SegmentMaxima sets dst[i] to the largest of least and the values of segment i, which are
// the elements [start[i]-start[0], start[i+1]-start[0]). start has one element more than
// dst, ascends, and its last segment ends with values.
func SegmentMaxima(dst, values []int64, start []int, least int64) {
	if len(start) != len(dst)+1 || start[len(dst)]-start[0] != len(values) {
		panic("kernels: SegmentMaxima: the segments do not cover the values")
	}
	if len(dst) > 0 && !segmentMaxima(dst, values, start, least) {
		panic("kernels: SegmentMaxima: the segments do not ascend")
	}
}
