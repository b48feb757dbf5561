package kernels

func addBytesGeneric(dst, x []float64, values []byte) {
	for i, v := range values {
		dst[i] = x[i] + float64(v)
	}
}
