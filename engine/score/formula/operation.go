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
	quantile
	logarithm1p
	excess
	logRatio
	determinant
	floor
)

// mostOperands is how many numbers an operation takes at most.
const mostOperands = 4

// operands are the columns of those of an operation.
type operands [mostOperands][]float64

// apply sets to to the results of an operation, element by element. The operands are as long as it.
func apply(op operation, to []float64, of operands) {
	x, y := of[0], of[1]
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
	case logRatio:
		for i, v := range x {
			to[i] = logOfRatio(v, y[i], of[2][i])
		}
	case determinant:
		for i, v := range x {
			to[i] = differenceOfProducts(v, y[i], of[2][i], of[3][i])
		}
	default:
		if f := functionsOfTwo[op]; f != nil {
			for i, v := range x {
				to[i] = f(v, y[i])
			}
			return
		}
		f := functionsOfOne[op]
		for i, v := range x {
			to[i] = f(v)
		}
	}
}

// functionsOfOne are the operations on one number, functionsOfTwo those on two that have no loop of their own.
var (
	functionsOfOne = map[operation]func(x float64) float64{
		negate: negative, absolute: math.Abs, root: math.Sqrt, floor: math.Floor, logarithm: ln, logarithm2: log2, exponential: kernels.Exp,
		logarithm1p: log1p, excess: excessOf, errorFunction: kernels.Erf, normal: kernels.Phi, quantile: kernels.Probit,
	}
	functionsOfTwo = map[operation]func(x, y float64) float64{
		power: kernels.Pow, smaller: smallerOf, larger: largerOf, less: isLess, lessOrEqual: isLessOrEqual, equal: isEqual, unequal: isUnequal,
	}
)

// value returns the result of an operation on numbers.
func value(op operation, numbers ...float64) float64 {
	var of operands
	for i := range numbers {
		of[i] = numbers[i : i+1]
	}
	var to [1]float64
	apply(op, to[:], of)
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

func negative(x float64) float64 { return -x }

func smallerOf(x, y float64) float64 { return min(x, y) }
func largerOf(x, y float64) float64  { return max(x, y) }

func isLess(x, y float64) float64        { return truth(x < y, x, y) }
func isLessOrEqual(x, y float64) float64 { return truth(x <= y, x, y) }
func isEqual(x, y float64) float64       { return truth(x == y, x, y) }
func isUnequal(x, y float64) float64     { return truth(x != y, x, y) }

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

func ln(x float64) float64       { return from(0, x, kernels.Log) }
func log2(x float64) float64     { return from(0, x, kernels.Log2) }
func log1p(x float64) float64    { return from(-1, x, kernels.Log1p) }
func excessOf(x float64) float64 { return from(-1, x, kernels.Excess) }

// from returns f(x), which is undefined for numbers below the least and for NaN.
func from(least, x float64, f func(x float64) float64) float64 {
	if !(x >= least) {
		return math.NaN()
	}
	return f(x)
}

// logOfRatio returns ln(x/y) of numbers that are not negative, where difference is x - y, and 0 where they do not
// differ.
func logOfRatio(x, y, difference float64) float64 {
	switch {
	case !(x >= 0 && y >= 0) || difference != difference:
		return math.NaN()
	case difference == 0:
		return 0
	case y == 0:
		return math.Inf(1)
	}
	return kernels.LogRatio(x, y, difference)
}

// differenceOfProducts returns a·b - c·d.
func differenceOfProducts(a, b, c, d float64) float64 {
	if v := kernels.DiffOfProducts(a, b, c, d); v-v == 0 {
		return v
	}
	return times(a, b) - times(c, d)
}
