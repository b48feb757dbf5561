package classify

// encode writes the classes without training rows and the centroids.
func (x *Centroid) encode(e *encoder) {
	e.uint32s(x.empty)
	x.cells.encode(e)
}

func (x *Centroid) decode(d *decoder) {
	if x.empty = d.uint32s(); len(x.empty) == 0 {
		x.empty = nil
	}
	if !ascend(x.empty, len(x.classes)) {
		d.fail("classes without rows that are not in order")
	}
	x.cells = decodeCells(d, &x.header)
}
