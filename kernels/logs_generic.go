package kernels

func logsGeneric(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = Log(x)
	}
}
