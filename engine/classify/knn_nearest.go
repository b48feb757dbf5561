package classify

import "cmp"

// A Neighbour is a training row with its cosine to a row.
type Neighbour struct {
	Row    int
	Cosine float64
}

// nearer compares neighbours for sorting the nearest first, by cosine, then by row.
func nearer(a, b Neighbour) int {
	return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.Row, b.Row))
}

// nearest is a heap of neighbours with the farthest at its root.
type nearest []Neighbour

// offer adds n to the heap if it is among the k nearest so far.
func (h *nearest) offer(n Neighbour, k int) {
	s := *h
	if len(s) < k {
		s = append(s, n)
		*h = s
		for i := len(s) - 1; i > 0; {
			up := (i - 1) / 2
			if nearer(s[i], s[up]) <= 0 {
				return
			}
			s[i], s[up] = s[up], s[i]
			i = up
		}
		return
	}
	if n.Cosine < s[0].Cosine || nearer(n, s[0]) >= 0 {
		return
	}
	s[0] = n
	for i := 0; ; {
		far, left := i, 2*i+1
		for _, down := range [2]int{left, left + 1} {
			if down < k && nearer(s[down], s[far]) > 0 {
				far = down
			}
		}
		if far == i {
			return
		}
		s[i], s[far] = s[far], s[i]
		i = far
	}
}
