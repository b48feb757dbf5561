package naive

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
)

// keyDocuments checks the measures of key words that look at every document.
func (g *golden) keyDocuments() {
	var documents Texts
	for _, text := range g.strings("corpus_a/documents") {
		documents = append(documents, strings.Fields(text))
	}
	in := make([]bool, len(documents))
	for _, d := range g.at("keyness/target").([]any) {
		in[int(d.(float64))] = true
	}
	target, reference := documents.Divide(in)
	terms := g.keys("keyness/terms")
	for _, term := range terms {
		path := "keyness/terms/" + term
		shares := [2][]*big.Rat{target.Shares(term), reference.Shares(term)}
		g.rankTest(path+"/wilcoxon", RankTest{shares[0], shares[1]})
		g.meanTest(path+"/welch", MeanTest{shares[0], shares[1]})
		g.number(path+"/eta_absent_1", rounded(wide(Eta(target, reference, term))))
		g.number(path+"/rrf", MeanRatio(target, reference, term, new(big.Rat)))
		g.number(path+"/rrf_pydistinto", MeanRatio(target, reference, term, big.NewRat(1, 100_000_000_000)))
	}
	g.segments(target.Segments(5), reference.Segments(5), terms)
	for name, samples := range describedSamples {
		path := "corner_cases/rank_sum/" + name
		if find(g.root, path) != nil {
			g.rankTest(path, RankTest{samples[0], samples[1]})
		} else {
			g.meanTest("corner_cases/welch/"+name, MeanTest{samples[0], samples[1]})
		}
	}
}

// fraction checks a fraction to the digit.
func (g *golden) fraction(path string, got *big.Rat) {
	g.Helper()
	want, ok := new(big.Rat).SetString(fmt.Sprint(g.take(path)))
	if !ok || want.Cmp(got) != 0 {
		g.Errorf("%s = %v, want %v", path, got, want)
	}
}

func (g *golden) rankTest(path string, r RankTest) {
	g.Helper()
	g.number(path+"/U", rounded(wide(r.U())))
	g.fraction(path+"/U_exact", r.U())
	g.fraction(path+"/var_exact", r.Variance())
	g.fraction(path+"/ps_exact", r.Superiority())
	g.number(path+"/rank_biserial", rounded(wide(sub(mul(fraction(2, 1), r.Superiority()), fraction(1, 1)))))
	g.number(path+"/z", r.Z())
	g.numberWithin(path+"/lnp", LnP(r.Z()), 1e-10)
}

func (g *golden) meanTest(path string, w MeanTest) {
	g.Helper()
	t, squared, degrees := w.T()
	g.number(path+"/t", t)
	g.number(path+"/df", degrees)
	g.numberWithin(path+"/lnp", w.LnP(), 1e-10)
	for i, sample := range [][]*big.Rat{w.First, w.Second} {
		if key := fmt.Sprintf("%s/mean%d_exact", path, i+1); g.left[key] != nil {
			g.fraction(key, meanOf(sample))
		}
	}
	if key := path + "/t_squared_exact"; g.left[key] != nil {
		g.fraction(key, squared)
	}
}

// segments checks zeta over segments.
func (g *golden) segments(target, reference Texts, terms []string) {
	g.Helper()
	g.numbers("keyness/segments_of_5", []float64{float64(len(target)), float64(len(reference))})
	for _, term := range terms {
		path := "keyness/terms/" + term + "/zeta_segments_5"
		p1, p2 := fraction(target.Range(term), int64(len(target))), fraction(reference.Range(term), int64(len(reference)))
		g.fraction(path+"/p1_exact", p1)
		g.fraction(path+"/p2_exact", p2)
		zeta := sub(p1, p2)
		g.fraction(path+"/zeta_exact", zeta)
		g.number(path+"/zeta", rounded(wide(zeta)))
		g.number(path+"/zeta_craig", rounded(wide(add(zeta, fraction(1, 1)))))
		eder := math.NaN()
		if sum := add(p1, p2); sum.Sign() > 0 {
			eder = rounded(wide(quo(zeta, sum)))
		}
		g.number(path+"/zeta_eder", eder)
		c := fraction(11, 10)
		l := lnWide(quo(add(p1, c), add(p2, c)))
		g.number(path+"/zeta_log2", rounded(l.Quo(l, ln2)))
	}
}

// describedSamples are those of the corner cases, whose names describe them.
var describedSamples = map[string][2][]*big.Rat{
	"large: 1..1500 against 2000 zeros":       {counting(1500), slices.Repeat(whole(0), 2000)},
	"all tied: 3 zeros against 2":             {whole(0, 0, 0), whole(0, 0)},
	"one against one":                         {whole(1), whole(0)},
	"half a rank: 1,4 against 2,3,3":          {whole(1, 4), whole(2, 3, 3)},
	"equal: 1,2 against 1,2":                  {whole(1, 2), whole(1, 2)},
	"constant and equal: 1,1 against 1,1":     {whole(1, 1), whole(1, 1)},
	"constant and different: 1,1 against 0,0": {whole(1, 1), whole(0, 0)},
	"one constant: 1,1 against 0,1,3":         {whole(1, 1), whole(0, 1, 3)},
	"one document: 1 against 0,1":             {whole(1), whole(0, 1)},
}

func whole(values ...int64) (all []*big.Rat) {
	for _, v := range values {
		all = append(all, fraction(v, 1))
	}
	return all
}

func counting(n int64) (all []*big.Rat) {
	for v := range n {
		all = append(all, fraction(v+1, 1))
	}
	return all
}
