package formula

import (
	"math"

	"github.com/termsift/termsift/kernels"
)

// An operation computes a number of one or two.
type operation uint8

const (
	add operation = iota
	subtract
	multiply
	divide
	power
	negate
	less
	lessOrEqual
	equal
	unequal
	smaller
	larger
	logarithm
	logarithm2
	exponential
	root
	absolute
	errorFunction
	normal
)

// apply sets to to the results of an operation, element by element.
func apply(op operation, to, x, y []float64) {
	switch op {
	case add:
		for i, v := range x {
			to[i] = v + y[i]
		}
	case subtract:
		for i, v := range x {
			to[i] = v - y[i]
		}
	case multiply:
		for i, v := range x {
			to[i] = times(v, y[i])
		}
	case divide:
		for i, v := range x {
			to[i] = over(v, y[i])
		}
	case smaller:
		for i, v := range x {
			to[i] = min(v, y[i])
		}
	case larger:
		for i, v := range x {
			to[i] = max(v, y[i])
		}
	case power:
		of2(to, x, y, kernels.Pow)
	case less:
		of2(to, x, y, func(x, y float64) float64 { return truth(x < y, x, y) })
	case lessOrEqual:
		of2(to, x, y, func(x, y float64) float64 { return truth(x <= y, x, y) })
	case equal:
		of2(to, x, y, func(x, y float64) float64 { return truth(x == y, x, y) })
	case unequal:
		of2(to, x, y, func(x, y float64) float64 { return truth(x != y, x, y) })
	case negate:
		of1(to, x, func(x float64) float64 { return -x })
	case logarithm:
		of1(to, x, ofPositive(kernels.Log))
	case logarithm2:
		of1(to, x, ofPositive(kernels.Log2))
	case exponential:
		of1(to, x, kernels.Exp)
	case root:
		of1(to, x, math.Sqrt)
	case absolute:
		of1(to, x, math.Abs)
	case errorFunction:
		of1(to, x, kernels.Erf)
	case normal:
		of1(to, x, kernels.Phi)
	}
}

func of1(to, x []float64, f func(x float64) float64) {
	for i, v := range x {
		to[i] = f(v)
	}
}

func of2(to, x, y []float64, f func(x, y float64) float64) {
	for i, v := range x {
		to[i] = f(v, y[i])
	}
}

// value returns the result of an operation on one number or two.
func value(op operation, x, y float64) float64 {
	var to [1]float64
	apply(op, to[:], []float64{x}, []float64{y})
	return to[0]
}

// times returns x·y, and 0 for 0 times infinity.
func times(x, y float64) float64 {
	product := float64(x * y)
	if product != product && x == x && y == y {
		return 0
	}
	return product
}

// over returns x/y, 0 for 0/0, and infinity with the sign of x for any other x/0.
func over(x, y float64) float64 {
	switch {
	case y != 0:
		return x / y
	case x == 0:
		return 0
	}
	return x * math.Inf(1)
}

// truth returns 1 or 0 for a comparison of x and y, and NaN if one of them is.
func truth(is bool, x, y float64) float64 {
	switch {
	case x != x || y != y:
		return math.NaN()
	case is:
		return 1
	}
	return 0
}

// ofPositive returns a function that is undefined for numbers below 0 and for NaN.
func ofPositive(f func(x float64) float64) func(x float64) float64 {
	return func(x float64) float64 {
		if !(x >= 0) {
			return math.NaN()
		}
		return f(x)
	}
}
