package cells

// Ordered returns the cells of the terms of c in another order: order has for each term of
// the result its number in c. The result shares the margins, and has no sums of weights.
func (c *Cells) Ordered(order []uint32) *Cells {
	o := &Cells{Margins: c.Margins}
	o.Reserve(len(order), 0)
	terms, n := len(order), len(c.Class)
	o.DF, o.CF.low, o.Start = o.DF[:terms], o.CF.low[:terms], o.Start[:terms+1]
	o.Class = make([]uint32, n)
	for _, column := range []*Column{&o.A, &o.S, &o.Q} {
		column.low = make([]uint8, n)
	}
	o.CF.copyOrdered(&c.CF, order)
	class, a, s, q := c.Class, c.A.low[:n], c.S.low[:n], c.Q.low[:n]
	toClass, toA, toS, toQ := o.Class, o.A.low[:n], o.S.low[:n], o.Q.low[:n]
	df, start, toDF, toStart := c.DF, c.Start, o.DF, o.Start[1:]
	k := 0
	for t, from := range order {
		toDF[t] = df[from]
		for i, end := start[from], start[from+1]; i < end; i++ {
			x, y, z := a[i], s[i], q[i]
			toClass[k], toA[k], toS[k], toQ[k] = class[i], x, y, z
			if x == Escape || y == Escape || z == Escape {
				o.copyEscapes(c, k, i)
			}
			k++
		}
		toStart[t] = k
	}
	if c.Centred != nil {
		o.orderCentred(c, order)
	}
	return o
}

// copyEscapes gives cell k the numbers of cell i of c that are in lists.
func (c *Cells) copyEscapes(o *Cells, k, i int) {
	for _, x := range [...]struct{ to, from *Column }{{&c.A, &o.A}, {&c.S, &o.S}, {&c.Q, &o.Q}} {
		if x.from.low[i] == Escape {
			x.to.escape(k, x.from.At(i, 0))
		}
	}
}

// orderCentred sets what [Centred] holds to that of o in another order of the terms.
func (c *Cells) orderCentred(o *Cells, order []uint32) {
	f := &Centred{CF: make([]float64, 0, len(order)), S: make([]float64, 0, len(o.Class)), M2: make([]float64, 0, len(o.Class))}
	for _, t := range order {
		f.CF = append(f.CF, o.Centred.CF[t])
		f.S = append(f.S, o.Centred.S[o.Start[t]:o.Start[t+1]]...)
		f.M2 = append(f.M2, o.Centred.M2[o.Start[t]:o.Start[t+1]]...)
	}
	c.Centred = f
}

// copyOrdered sets c to o in another order.
func (c *Column) copyOrdered(o *Column, order []uint32) {
	low, to := o.low, c.low[:len(order)]
	for t, from := range order {
		to[t] = low[from]
		if low[from] == Escape {
			c.escape(t, o.At(int(from), 0))
		}
	}
}
