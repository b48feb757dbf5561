// Package twosample tests whether the values of two samples differ: by their ranks
// ([RankSum], the test of Wilcoxon and of Mann and Whitney) and by their means ([Welch]'s t).
//
// The caller gives what the tests need and no more. A RankSum takes the values in ascending
// order as groups of equal ones, so that a group of a million zeros costs what one value
// costs; its sums are whole numbers, and exact. A [Sample] is a sample's size, its mean and
// its squared distances from the mean. P-values are natural logarithms, as in package pvalue.
package twosample
