// Package score holds the measures of text feature selection as formulas over
// one contingency table, a registry of them, and the evaluator that turns a
// sparse row of counts into one value for a term.
//
// Import package engine instead, unless you add a measure of your own: a type
// with two methods, see [Measure].
//
// Every measure is declared as a formula in the language of package formula, which writes it in Go for the evaluator
// and in JavaScript for pages ([Registry.Script]). A few have functions of the same values as well, each for a reason:
//
//	chi ngl gss acc2 zeta zetacraig  the largest value over the classes, by kernels of deviations
//	ttest anova ocfs                 sums of squares, whose differences need care
//	ig                               sums that cancel nearly all of their digits; a table of n ln n has them
//	ctfidf, measures of a target     they read all classes of a term
//
// Counts are held in float64, exact up to 2^53. Every product that feeds a sum
// is converted explicitly, float64(x*y) + z, so that no compiler contracts it
// to a fused operation: the same bits come out on every CPU.
//
// # Large values
//
// Measures of values (ttest, anova and their p-values) take the variance within classes of
// counts from sums and sums of squares, ΣQ - ΣS²/n, and class by class, n·Q - S², where little is
// left of that; these are exact up to 2^53. Of larger counts, and of real
// values they take it from the squared distances M2 of the values of a cell from their mean (see
// [table.Form]), so that nothing cancels: with A of the n documents of a class, it is the sum of
// M2 + S²/A - S²/n = M2 + S²(n-A)/(A·n). With m documents of a class with the term
// at most, N documents in all, K classes, and u = 2^-53,
//
//	Λ = (N·S + n·cf) / |N·S - n·cf|
//	κ = √(ΣQ / Σ(Q - S²/n))
//
// the relative error is at most
//
//	(m + K + 8)·u·(2 + Λ + κ)    of t
//
// as long as that is below 1/10, and twice as much of F with the mean of Λ over the
// classes, each with the weight (N·S - n·cf)²/n: 1e-9 where values differ by a millionth of their size.
// Where documents have several labels, m is the number of
// all with the term. Distances whose squares are below
// 10^-308 count as none.
//
// Measures of tokens (chitf, g2tf, logodds and logoddsz) of real values read sums in float64. Where one value is V
// times as large as those of a cell, the sums have lost V·u of these.
//
// Parts add up to the whole with as many roundings more as there are parts. A part that is
// subtracted leaves an error in M2 that is relative to the whole: what is left has it
// multiplied by the share of its variance.
package score
