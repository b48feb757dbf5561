package bestterms

import "github.com/termsift/termsift/engine/rank"

// Defaults gives the options of the paper, written out: chi, the interpolated rule with
// p = 0, negative terms of the reduced documents by the counts of the training. A field
// that is "" or 0 in other options means the same as here.
func Defaults() Options {
	return Options{Function: string(rank.Chi), Rule: RuleInterpolated, Scope: ScopeReduced, Counts: CountsTraining}
}
