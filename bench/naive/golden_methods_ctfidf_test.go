package naive

import (
	"fmt"
	"slices"
	"strings"
)

// topicKeys are the variants of c-TF-IDF in golden_methods.json.
var topicKeys = map[string]Options{
	"plain": {}, "bm25": {BM25: true}, "plain_sqrt": {ReduceFrequent: true}, "bm25_sqrt": {BM25: true, ReduceFrequent: true},
}

// topics checks c-TF-IDF, with one label a document and with several.
func (g *golden) topics() {
	g.words("ctfidf/classes", []string{"a", "b", "c"})
	for part, labels := range map[string]string{"single": "labels", "multi": "labels_multi"} {
		c := g.methodsCorpus(labels)
		tb, path := Tabulate(c), "ctfidf/"+part
		g.numbers(path+"/T_c", tb.TC)
		g.number(path+"/A", tb.tokensOfClasses())
		for t, term := range c.Terms {
			g.numbers(path+"/S/"+term, tb.S[t])
			for key, o := range topicKeys {
				g.numbers(path+"/"+key+"/"+term, tb.Class("ctfidf", o)[t])
			}
		}
		fox := slices.Index(c.Terms, "fox")
		g.numbers(path+"/plain_seed_fox_multiplier_2/fox", tb.Class("ctfidf", Options{Seeds: []int{fox}, SeedMultiplier: 2})[fox])
	}
}

// methodsCorpus reads corpus_a with its labels, or with labels_multi.
func (g *golden) methodsCorpus(labels string) (c Corpus) {
	for d, text := range g.strings("corpus_a/documents") {
		doc := Doc{Counts: map[int]float64{}}
		for _, word := range strings.Fields(text) {
			t := slices.Index(c.Terms, word)
			if t < 0 {
				t = len(c.Terms)
				c.Terms = append(c.Terms, word)
			}
			doc.Counts[t]++
		}
		for _, label := range g.strings(fmt.Sprintf("corpus_a/%s/%d", labels, d)) {
			k := slices.Index(c.Classes, label)
			if k < 0 {
				k = len(c.Classes)
				c.Classes = append(c.Classes, label)
			}
			doc.Labels = append(doc.Labels, k)
		}
		c.Docs = append(c.Docs, doc)
	}
	return c
}
