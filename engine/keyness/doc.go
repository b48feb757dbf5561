// Package keyness tells which terms one corpus uses more, or less, than another: its key
// words.
//
// It takes two corpora without regard to their classes ([Compare]) and gives a
// [Comparison]: the positive and the negative keys by a [Measure], each a [Key] with the
// frequencies in both corpora, all measures and effect sizes, the p-value, and the
// dispersion over the documents of either corpus. [Comparison.Of] gives the same of any
// term.
//
// Begin reading with Compare in keyness.go. count.go joins the two vocabularies, measure.go
// says of each measure what it reads, how it orders keys and how it is tested, registered.go
// takes those of package score, frequencylist.go corpora that are not at hand. shares.go has the
// measures that look at every document; Options.Permutations draws documents (draws.go).
//
// The package never joins the postings of the corpora. It reads those of the keys only, unless a
// measure looks at every document.
package keyness
