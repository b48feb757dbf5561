package analysis

import "github.com/termsift/termsift/engine/analysis/sample"

// Auto is the value of Options.Tokens of a corpus whose texts decide: zh-bigrams if Han
// letters prevail in a [Sample] of them, else words. An [Analyzer] needs the decision, and takes ""
// for words.
const Auto = "auto"

// SampleBytes is how much text decides for [Auto]: the first bytes of the texts of the
// first documents, as many documents as it takes, but at most SampleDocuments.
const (
	SampleBytes     = sample.Bytes
	SampleDocuments = sample.Documents
)

// A Sample counts letters in the texts that decide for [Auto], and what else they look like. The zero
// value is empty.
type Sample = sample.Sample
