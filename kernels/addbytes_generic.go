package kernels

func addBytesGeneric(dst []float64, values []byte) {
	for i, v := range values {
		dst[i] += float64(v)
	}
}
