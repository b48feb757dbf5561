// Package workload makes corpora of a known shape, as large as asked for and the
// same in every run: the inputs of the benchmarks, in memory, and documents in a
// stream for the command.
//
// The model is a text with Zipf's law and topics. A class k is drawn with a
// probability proportional to 1/(k+5), so that of 20 classes the largest has five
// times the documents of the smallest; the length of a document from a bell between
// a quarter and seven quarters of the mean. A token takes a rank by the law of the
// words; three tokens in ten take the term that this rank
// has in the document's class, the others the one it has in the whole corpus.
//
// Nothing depends on the machine: the generator is PCG, one a block of documents;
// logarithms and exponentials are our own; and no product is fused with a sum.
package workload

// Params are the shape of a corpus. The same Params give the same corpus on any
// machine and any number of threads.
type Params struct {
	Name      string  // of the set, for reports
	Documents int     // each gets at least one label and three tokens
	Tokens    int     // mean number of a document; its postings are fewer
	Terms     int     // size of the vocabulary; rare ones may not occur
	Classes   int     // size of the label set; rare ones may not occur
	Labels    float64 // mean number of labels of a document; 0 or 1: exactly one
	Kernel    int     // ranks that Zipf's law holds for; behind them the exponent is one more; 0: all
	Seed      uint64
}

// topical is the share of tokens that follow a class of their document.
const topical = 0.3

// OfText is the kernel of real text. In large texts Zipf's law holds for the few thousand words that everybody knows;
// the others fall off by about one power more (Ferrer i Cancho and Solé 2001). The bend makes nearly half of the terms
// that occur occur once, and lets their number grow by a power of the tokens. Without it a vocabulary is soon
// exhausted.
//
// With the vocabulary of [Heaps] and 20 classes, 11,314 documents of 298 tokens have 131,000 terms, of which 46.2 %
// occur in one document and 14 % in two; those of 20 Newsgroups, as many and as long, have 130,107, of which it is 46 %
// and 14.5 %.
const OfText = 1500

// Heaps is the vocabulary for a corpus of so many tokens: by Heaps' law a power of
// them. The exponent is that of 20 Newsgroups, whose first documents in a random
// order have 28,000 terms in 265,000 tokens, and all 130,000 in 3.4 million.
func Heaps(tokens float64) int {
	return int(72 * power(max(tokens, 1), 0.6))
}

// Sets are the corpora that the benchmarks name.
//
//	name     documents  terms    classes  labels     tokens    postings
//	S           11,300  100,000       20  1       1,656,434   1,412,315
//	M          100,000  200,000       50  1      13,255,559  11,563,806
//	L        1,000,000  500,000       50  1     116,478,824 104,108,719
//	X          200,000  200,000      100  2.94   23,297,368  20,809,345
//	Classes    500,000  200,000  100,000  1      21,252,643  19,949,527
//
// Chance leaves out 2,069 terms of S and 32,619 classes of Classes, the rare
// ones; all other terms and classes occur.
func Sets() []Params {
	return []Params{
		{Name: "S", Documents: 11_300, Tokens: 147, Terms: 100_000, Classes: 20, Seed: 1},
		{Name: "M", Documents: 100_000, Tokens: 133, Terms: 200_000, Classes: 50, Seed: 1},
		{Name: "L", Documents: 1_000_000, Tokens: 117, Terms: 500_000, Classes: 50, Seed: 1},
		{Name: "X", Documents: 200_000, Tokens: 117, Terms: 200_000, Classes: 100, Labels: 2.94, Seed: 1},
		{Name: "Classes", Documents: 500_000, Tokens: 43, Terms: 200_000, Classes: 100_000, Seed: 1},
	}
}

// Named gives the set of this name.
func Named(name string) (Params, bool) {
	for _, p := range Sets() {
		if p.Name == name {
			return p, true
		}
	}
	return Params{}, false
}
