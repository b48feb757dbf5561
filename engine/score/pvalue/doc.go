// Package pvalue gives the probabilities behind selection by error rate: the
// upper tails of the distributions that the measures' values have when term and
// class are independent, Fisher's exact test of a table of counts, and what
// passes at a rate of false positives, of false discoveries or of any error. Of the beta
// distribution there is the quantile, by which the bounds of a share are found.
//
// Every probability that comes out is a natural logarithm, so that the order of the best terms
// survives: p = 1e-10000 is -23025.85, where p itself would be 0 like all its
// neighbours. It has 12 digits both there and where p is near 1 and its logarithm
// near 0. Divide by ln 10 for powers of ten.
//
// NaN never comes out: where an argument makes no sense (NaN, fewer than one
// degree of freedom or more than 2^32, a negative count) nothing speaks against
// independence, p = 1 and the result is 0. An infinite statistic has p = 0, the
// result -Inf.
//
// As in package score every product that feeds a sum is converted explicitly (also
// one that is assigned first, which alone does not keep it from being fused), and
// logarithm and exponential are our own: the same bits on every CPU.
package pvalue
