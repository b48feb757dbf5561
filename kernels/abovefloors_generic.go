package kernels

func aboveFloorsGeneric(dst []float64, floors []uint32, over []byte) {
	floors, over = floors[:len(dst)], over[:len(dst)]
	for i := range dst {
		dst[i] = float64(floors[i]) + float64(over[i])
	}
}
