// Package score holds the measures of text feature selection as formulas over
// one contingency table, a registry of them, and the evaluator that turns a
// sparse row of counts into one value for a term.
//
// Import package engine instead, unless you add a measure of your own: a type
// with two methods, see [Measure].
//
// Every measure is declared as a formula in the language of package formula, which writes it in Go for the evaluator and in
// JavaScript for pages ([Registry.Script]). A few have functions of the same values as well, each for a reason:
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
// values they take it from the squared distances M2 of the values of a cell from their mean,
// so that nothing cancels: with A of the n documents of a class, it is the sum of
// M2 + S²/A - S²/n = M2 + S²(n-A)/(A·n). Differences of means are those of sums with what
// rounding has cut off them; see [table.Centred]. With m documents of a class with the term
// at most, N documents in all, K classes, u = 2^-53, and d for Σ |x - mean| over the documents
// of the class with the term, D for the sum of d over all classes, the documents without a
// label among them,
//
//	λ = (N·d + n·D) / |N·S - n·cf|
//	Λ = (N·S + n·cf) / |N·S - n·cf|
//
// the relative error is at most
//
//	h·(2 + λ + h·Λ), h = (m + K + 8)·u,    of t
//
// as long as that is below 1/10, and twice as much of F with the means of λ and of Λ over the
// classes, each with the weight (N·S - n·cf)²/n. λ does not change if the same is added to
// all values, and Λ is multiplied by h twice: values of v + .1 to v + .4 in two classes of two
// documents, as they are stored, have 12 digits of t and more up to v = 10^15, soon after
// which they are stored as the same. Where documents have several labels, m is the number of
// all with the term, and D comes from the mean of all. Distances whose squares are below
// 10^-308 count as none.
//
// Measures of tokens (chitf, g2tf, logodds and logoddsz) of real values read sums in float64. Where one value is V
// times as large as those of a cell, the sums have lost V·u of these.
//
// Parts add up to the whole with as many roundings more as there are parts. A part that is
// subtracted leaves an error in M2 that is relative to the whole: what is left has it
// multiplied by the share of its variance.
package score
