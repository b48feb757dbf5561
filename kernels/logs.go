package kernels

// Logs sets dst[i] = [Log](src[i]), the same bits. dst must have len(src)
// elements; it may be src itself.
func Logs(dst, src []float64) {
	if len(dst) < len(src) {
		panic("kernels: Logs: the destination is too short")
	}
	if len(src) > 0 {
		logs(dst, src)
	}
}
