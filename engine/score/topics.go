package score

import (
	"math"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// This family takes each class for one document, as models of topics do: c-TF-IDF.

// topics are the variants of c-TF-IDF.
type topics struct{ bm25, root bool }

func ofTopics(o Options) []*definition {
	of := topics{o.BM25, o.ReduceFrequent}
	d := define("ctfidf", "class-based tf-idf", of.formula(), "Grootendorst 2022", of.declared())
	d.across, d.presentOnly = true, true
	d.value, d.largest = of.value, of.largest
	return []*definition{d.ofTokens().sparse().tells("which terms is the class made of, if each class is one text?", "0 and more; with `--bm25` also below 0",
		"frequent words are not low enough: take stop words out; the share of a small class is coarse; with `--bm25` the order of the most frequent terms is turned round", "grootendorst2022")}
}

func (of topics) formula() string {
	share, rarity := "S/T_c", "ln(1 + M/cf')"
	if of.root {
		share = "√(S/T_c)"
	}
	if of.bm25 {
		rarity = "ln(1 + (M-cf'+½)/(cf'+½))"
	}
	return share + "·" + rarity + ", cf' = Σ_c S, M = ⌊Σ_c T_c/K⌋"
}

// declared is the same formula for pages.
func (of topics) declared() string {
	const tokens = "floor(sum(T_c)/sum(1))"
	share, rarity := "S/T_c", "log1p("+tokens+"/sum(S))"
	if of.root {
		share = "sqrt(S/T_c)"
	}
	if of.bm25 {
		rarity = "lnratio(" + tokens + "+1,sum(S)+.5," + tokens + "+.5-sum(S))"
	}
	return share + "*" + rarity
}

// value is 0 for a class without the term.
func (of topics) value(t *Table) float64 {
	if t.S == 0 {
		return 0
	}
	return float64(of.share(float64(t.S*inverse(t.TC))) * of.rarity(t.inClasses, t.tokensOfClass))
}

// share returns what of a class is the term, by its share of the tokens.
func (of topics) share(x float64) float64 {
	if of.root {
		return math.Sqrt(x)
	}
	return x
}

// rarity returns the weight of a term that occurs so often in all classes, which have so many tokens
// on average. By BM25 it is negative for one that occurs more often than that.
func (of topics) rarity(occurrences, tokens float64) float64 {
	switch {
	case occurrences == 0:
		return 0
	case of.bm25:
		return kernels.LogRatio(tokens+1, occurrences+.5, tokens+.5-occurrences)
	}
	return kernels.Log1p(tokens / occurrences)
}

// largest sets dst to the largest values of the terms of a tile. It is a [tileFunc].
func (of topics) largest(p *Panel, t *table.Tile, dst []float64) {
	for i := range dst {
		from, to := t.Range(i)
		weight, most := of.rarity(sumOf(t.S[from:to]), p.margins.tokensOfClass), 0.
		for k := from; k < to; k++ {
			most = max(most, p.shareOf(t, k))
		}
		if weight < 0 {
			most = p.leastShare(t, from, to)
		}
		dst[i] = float64(of.share(most) * weight)
	}
}

// leastShare returns the least share of the tokens of a class that the term with the cells [from, to) has.
func (p *Panel) leastShare(t *table.Tile, from, to int) float64 {
	if to-from < p.Classes() {
		return 0
	}
	least := math.Inf(1)
	for k := from; k < to; k++ {
		least = min(least, p.shareOf(t, k))
	}
	return least
}

// shareOf returns the share of the tokens of its class that a cell of a tile is.
func (p *Panel) shareOf(t *table.Tile, cell int) float64 {
	return float64(t.S[cell] * inverse(p.margins.TC[t.Class[cell]]))
}

// tokensOfClasses returns the tokens of a class on average, rounded down.
func tokensOfClasses(tc []float64) float64 {
	if len(tc) == 0 {
		return 0
	}
	return math.Floor(sumOf(tc) / float64(len(tc)))
}

func sumOf(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}
