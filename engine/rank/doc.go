// Package rank scores terms by measures and ranks them.
//
// It takes statistics, those of a corpus or of a file, and [Options]. It returns a
// [Ranking], with the best terms, the class with the largest value of each, p-values if
// the measure has a known distribution, and warnings where these are unreliable. Begin
// reading at [Terms].
//
// Values are computed from the counts of terms in classes, but for those of measures with a source of
// their own, which may read posting lists in another package. The formulas are those of package score.
package rank
