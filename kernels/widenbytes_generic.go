package kernels

func widenBytesGeneric(dst []uint32, values []byte) {
	dst = dst[:len(values)]
	for i, v := range values {
		dst[i] = uint32(v)
	}
}
