package classify

import "math"

// length returns the Euclidean length of a row.
func length(value []float32) float64 {
	sum := 0.0
	for _, v := range value {
		sum += float64(float64(v) * float64(v))
	}
	return math.Sqrt(sum)
}

// inverse returns 1/x, and 0 for 0.
func inverse(x float64) float64 {
	if x == 0 {
		return 0
	}
	return 1 / x
}

func toUnit(values []float64) {
	sum := 0.0
	for _, v := range values {
		sum += float64(v * v)
	}
	scale := inverse(math.Sqrt(sum))
	for i := range values {
		values[i] *= scale
	}
}

// dot is the sum of the products, in two chains by the parity of the place: one
// alone waits for its own additions.
func dot(w []float64, index []uint32, value []float32) float64 {
	var even, odd float64
	value = value[:len(index)]
	i := 0
	for ; i+1 < len(index); i += 2 {
		even += float64(w[index[i]] * float64(value[i]))
		odd += float64(w[index[i+1]] * float64(value[i+1]))
	}
	if i < len(index) {
		even += float64(w[index[i]] * float64(value[i]))
	}
	return even + odd
}

// add adds step times the row to w.
func add(w []float64, index []uint32, value []float32, step float64) {
	value = value[:len(index)]
	for i, column := range index {
		w[column] += float64(step * float64(value[i]))
	}
}

// halfSquare is w·w/2.
func halfSquare(w []float64) float64 {
	sum := 0.0
	for _, x := range w {
		sum += float64(x * x)
	}
	return sum / 2
}

// squares gives x·x + B² of every row.
func squares(m *Matrix, bias float64) []float64 {
	squares := make([]float64, m.Rows())
	for i := range squares {
		squares[i] = float64(bias * bias)
		_, value := m.Row(i)
		for _, v := range value {
			squares[i] += float64(float64(v) * float64(v))
		}
	}
	return squares
}
