// Package score holds the measures of text feature selection as formulas over
// one contingency table, a registry of them, and the evaluator that turns a
// sparse row of counts into one value for a term.
//
// Import package engine instead, unless you add a measure of your own: a type
// with two methods, see [Measure].
//
// Counts are held in float64, exact up to 2^53. Every product that feeds a sum
// is converted explicitly, float64(x*y) + z, so that no compiler contracts it
// to a fused operation: the same bits come out on every CPU.
package score
