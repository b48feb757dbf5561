package naive

import (
	"math"
	"math/big"
	"strings"
)

// tokens are the documents of corpus_a as words.
func (g *golden) tokens() (docs [][]string) {
	for _, d := range g.at("corpus_a/documents").([]any) {
		docs = append(docs, strings.Fields(d.(string)))
	}
	return docs
}

// cvalues checks C-values, those that were published too.
func (g *golden) cvalues() {
	at := "collocations/cvalue/"
	least, most := int(g.take(at+"lengths/0").(float64)), int(g.take(at+"lengths/1").(float64))
	minFreq := g.take(at + "min_freq").(float64)
	frequency := map[string]float64{}
	for _, doc := range g.tokens() {
		for n := least; n <= most; n++ {
			for i := 0; i+n <= len(doc); i++ {
				frequency[strings.Join(doc[i:i+n], " ")]++
			}
		}
	}
	for term, f := range frequency {
		if f < minFreq {
			delete(frequency, term)
		}
	}
	g.candidates(at+"candidates/", frequency)
	published := map[string]float64{}
	for term, values := range g.at("collocations/cvalue_published").(map[string]any) {
		published[term] = values.(map[string]any)["f"].(float64)
	}
	g.candidates("collocations/cvalue_published/", published)
}

func (g *golden) candidates(at string, frequency map[string]float64) {
	for term, c := range CValues(frequency) {
		for key, got := range map[string]float64{
			"f": c.F, "longer": c.Longer, "nested": c.Nested, "cvalue": c.CValue, "cvalue_plus_1": c.PlusWords,
		} {
			g.number(at+term+"/"+key, got)
		}
	}
}

// windows checks what stands near a word. Only words with a value are there.
func (g *golden) windows() {
	docs := g.tokens()
	for name := range g.at("collocations/window").(map[string]any) {
		at := "collocations/window/" + name + "/"
		node, w := g.take(at+"node").(string), int(g.take(at+"w").(float64))
		counts := Window(docs, []string{node}, w, w)
		right := Window(docs, []string{node}, 0, w)
		for _, c := range counts {
			g.number(at+"node_freq", c.F)
			g.number(at+"span_tokens", c.R1)
			g.number(at+"N", c.N)
			break
		}
		for word := range g.at(at + "span").(map[string]any) {
			g.pair(at+"span/"+word+"/", counts[word].pair())
		}
		for word := range g.at(at + "pairs").(map[string]any) {
			c, path := counts[word], at+"pairs/"+word+"/"
			e := 2 * float64(w) * c.F * c.All / c.T
			g.exact(path+"E_exact", new(big.Rat).SetFrac64(int64(2*float64(w)*c.F*c.All), int64(c.T)))
			for key, got := range map[string]float64{
				"O": c.Pairs, "O_right": right[word].Pairs, "pmi": math.Log2(c.Pairs / e), "mi3": math.Log2(c.Pairs * c.Pairs * c.Pairs / e),
				"t": (c.Pairs - e) / math.Sqrt(c.Pairs), "z": (c.Pairs - e) / math.Sqrt(e), "logdice": 14 + math.Log2(2*c.Pairs/(c.F+c.All)),
			} {
				g.number(path+key, got)
			}
		}
	}
}

// pair is the table of a word and the places near a node.
func (c WindowCounts) pair() Collocation {
	return Collocation{
		O: int64(c.O), N: int64(c.N), Marginals: []int64{int64(c.R1), int64(c.C1)},
		Cells: []int64{int64(c.N - c.R1 - c.C1 + c.O), int64(c.R1 - c.O), int64(c.C1 - c.O), int64(c.O)},
	}
}
