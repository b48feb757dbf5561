package naive

import (
	"math/big"
	"strings"
)

// collocations checks pairs and n-grams of three words.
func (g *golden) collocations() {
	const at = "collocations/"
	documents := g.strings("corpus_a/documents")
	words, pairs, triples := Grams(documents, 1), Grams(documents, 2), Grams(documents, 3)
	types := map[string]bool{}
	for _, word := range words {
		types[word[0]] = true
	}
	g.number(at+"tokens", float64(len(words)))
	g.number(at+"bigrams", float64(len(pairs)))
	g.number(at+"trigrams", float64(len(triples)))
	g.number(at+"types", float64(len(types)))
	for _, term := range g.keys(at + "pairs") {
		g.pair(at+"pairs/"+term+"/", Collocate(strings.Fields(term), pairs))
	}
	for _, term := range g.keys(at + "pairs_word_marginals") {
		g.pair(at+"pairs_word_marginals/"+term+"/", CollocateWords(strings.Fields(term), documents))
	}
	for _, term := range g.keys(at + "trigram") {
		at := at + "trigram/" + term + "/"
		c := Collocate(strings.Fields(term), triples)
		g.number(at+"O", float64(c.O))
		g.numbers(at+"marginals", asFloats(c.Marginals))
		g.numbers(at+"cells", asFloats(c.Cells))
		values := c.Measures()
		for _, name := range []string{"pmi", "t", "npmi", "mi3", "ll", "dice", "lambda", "lambda_z"} {
			g.number(at+name, values[name])
		}
	}
}

// pair checks a pair of words, or a word in a window.
func (g *golden) pair(at string, c Collocation) {
	g.Helper()
	g.number(at+"O", float64(c.O))
	g.number(at+"R1", float64(c.Marginals[0]))
	g.number(at+"C1", float64(c.Marginals[1]))
	g.number(at+"N", float64(c.N))
	g.exact(at+"E_exact", c.Expected())
	cube := new(big.Rat).Mul(fraction(c.O*c.O, 1), fraction(c.O, c.Marginals[0]*c.Marginals[1]))
	g.number(at+"nltk_mi_like", rounded(wide(cube)))
	for name, value := range c.Measures() {
		g.number(at+name, value)
	}
}

func asFloats(values []int64) (all []float64) {
	for _, v := range values {
		all = append(all, float64(v))
	}
	return all
}
