package naive

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
)

// keyCells checks the measures of keyness that read counts of tokens or of documents.
func (g *golden) keyCells() {
	g.termCounts("keyness/")
	for _, term := range g.keys("keyness/terms") {
		at := "keyness/terms/" + term + "/"
		tokens, documents := g.countsOf(term)
		g.number(at+"a", float64(tokens.A))
		g.number(at+"b", float64(tokens.B))
		g.number(at+"df1", float64(documents.A))
		g.number(at+"df2", float64(documents.B))
		g.number(at+"ll", tokens.LL())
		g.ofCounts(at, tokens)
		g.exact(at+"simplemaths_1_exact", tokens.SimpleMaths(fraction(1, 1)))
		conf, tested := fraction(95, 100), int64(13)
		g.numberWithin(at+"lrc_95_bonferroni", tokens.LRC(conf, tested), 1e-9)
		g.numberWithin(at+"lrc_95_uncorrected", tokens.LRC(conf, 1), 1e-9)
		g.numberWithin(at+"lrc_positive_95_bonferroni", tokens.LRCPos(conf, tested), 1e-9)
		g.number(at+"tdk", documents.LL())
		g.number(at+"tdk_4_cells", documents.G2())
		g.numberWithin(at+"tdk_lnp", lnChiSquare(max(documents.G2(), -documents.G2()), 1), 1e-10)
		g.zeta(at+"zeta_documents/", documents)
		g.number(at+"jlh", rounded(wide(documents.JLH())))
		g.exact(at+"jlh_exact", documents.JLH())
		g.number(at+"gnd", documents.GND())
	}
	for i := range g.at("keyness_counts").([]any) {
		at := fmt.Sprintf("keyness_counts/%d/", i)
		count := func(key string) int64 { return int64(g.take(at + key).(float64)) }
		k := Keyness{A: count("a"), B: count("b"), T1: count("T1"), T2: count("T2")}
		g.ofCounts(at, k)
		for _, of := range []struct {
			conf  *big.Rat
			tests int64
		}{{fraction(95, 100), 1}, {fraction(95, 100), 20000}, {fraction(999, 1000), 500}} {
			key := fmt.Sprintf("%s_m%d", strings.TrimRight(of.conf.FloatString(3), "0"), of.tests)
			g.numberWithin(at+"lrc_"+key, k.LRC(of.conf, of.tests), 1e-9)
			g.numberWithin(at+"lrc_positive_"+key, k.LRCPos(of.conf, of.tests), 1e-9)
		}
	}
}

// termCounts checks the sizes of both corpora.
func (g *golden) termCounts(at string) {
	documents := g.strings("corpus_a/documents")
	terms := map[string]bool{}
	for i, text := range documents {
		words := strings.Fields(text)
		g.number(fmt.Sprintf("%slengths/%d", at, i), float64(len(words)))
		for _, w := range words {
			terms[w] = true
		}
	}
	tokens, all := g.countsOf("")
	g.number(at+"T1", float64(tokens.T1))
	g.number(at+"T2", float64(tokens.T2))
	g.number(at+"n1", float64(all.T1))
	g.number(at+"n2", float64(all.T2))
	g.number(at+"tested", float64(len(terms)))
	for i := range g.at(at + "target").([]any) {
		g.number(fmt.Sprintf("%starget/%d", at, i), float64(i))
	}
}

// countsOf counts a term in the target, the first documents, and in the others.
func (g *golden) countsOf(term string) (tokens, documents Keyness) {
	target := len(g.at("keyness/target").([]any))
	for i, text := range g.strings("corpus_a/documents") {
		words, tf := strings.Fields(text), int64(0)
		for _, w := range words {
			if w == term {
				tf++
			}
		}
		if i < target {
			tokens.A, tokens.T1 = tokens.A+tf, tokens.T1+int64(len(words))
			documents.A, documents.T1 = documents.A+min(1, tf), documents.T1+1
		} else {
			tokens.B, tokens.T2 = tokens.B+tf, tokens.T2+int64(len(words))
			documents.B, documents.T2 = documents.B+min(1, tf), documents.T2+1
		}
	}
	return tokens, documents
}

// ofCounts checks the measures that both parts have.
func (g *golden) ofCounts(at string, k Keyness) {
	for _, smooth := range []int64{1, 100} {
		g.number(fmt.Sprint(at, "simplemaths_", smooth), rounded(wide(k.SimpleMaths(fraction(smooth, 1)))))
	}
}

// zeta checks the forms of zeta of documents, or of segments.
func (g *golden) zeta(at string, k Keyness) {
	p1, p2 := k.Shares()
	g.exact(at+"p1_exact", p1)
	g.exact(at+"p2_exact", p2)
	g.number(at+"zeta", rounded(wide(k.Zeta())))
	g.exact(at+"zeta_exact", k.Zeta())
	g.number(at+"zeta_craig", rounded(wide(k.ZetaCraig())))
	g.number(at+"zeta_eder", rounded(wide(k.ZetaEder())))
	g.number(at+"zeta_log2", k.ZetaLog(fraction(11, 10)))
}

// exact checks a fraction to the digit.
func (g *golden) exact(path string, got *big.Rat) {
	g.Helper()
	want, ok := new(big.Rat).SetString(g.take(path).(string))
	if !ok || want.Cmp(got) != 0 {
		g.Errorf("%s = %v, want %v", path, got, want)
	}
}

// The odds at a bound have a closed form where all successes, or at least one, are asked for.
func TestBoundsInClosedForm(t *testing.T) {
	for _, c := range []struct {
		k    Keyness
		risk *big.Rat
		want *big.Rat // odds
	}{
		{Keyness{A: 1, B: 0, T1: 10, T2: 10}, fraction(1, 40), fraction(1, 39)},          // τ = risk
		{Keyness{A: 1, B: 0, T1: 10, T2: 40}, fraction(1, 40), fraction(4, 39)},          // of four times the tokens
		{Keyness{A: 2, B: 0, T1: 10, T2: 10}, fraction(1, 9), fraction(1, 2)},            // τ² = risk
		{Keyness{A: 1, B: 1, T1: 10, T2: 10}, fraction(19, 100), fraction(1, 9)},         // 1-(1-τ)² = risk
		{Keyness{A: 1, B: 2, T1: 10, T2: 10}, fraction(271, 1000), fraction(1, 9)},       // 1-(1-τ)³
		{Keyness{A: 3, B: 0, T1: 1000, T2: 10}, fraction(1, 64000), fraction(1, 39*100)}, // τ³
	} {
		if got, want := c.k.LowerLogRatio(c.risk), rounded(logTwo(c.want)); !within(got, want, 1e-14, 1e-14) {
			t.Errorf("%+v: %v, want %v", c.k, got, want)
		}
	}
}
