package naive

import (
	"math"
	"testing"
)

// The values of R 4.2.2 with the formulas of quanteda.textstats' textstat_keyness without
// correction (chi2, lr, pmi), its fisher.test being that of package pvalue, and those that
// the papers print.
func TestKeynessOfQuanteda(t *testing.T) {
	for _, c := range []struct {
		k            Keyness
		chi, lr, pmi float64
	}{
		{Keyness{100, 10, 10000, 10000}, 74.043603455368157, 85.879679515050313, 0.59783700075562041},
		{Keyness{3, 2, 17, 12}, 0.0047385620915032676, 0.0047514087063405819, 0.023256862164267398},
		{Keyness{6, 2, 17, 12}, 1.2218720821661999, 1.2742380095525059, 0.2464004134784771},
		{Keyness{1, 4, 17, 12}, -3.7150326797385622, -3.7794405328592444, -1.0753554265038423},
		{Keyness{0, 7, 50, 40}, -9.4879518072289155, -12.097342492885243, math.Inf(-1)},
		{Keyness{5, 0, 50, 40}, 4.2352941176470589, 6.1123505926080934, 0.58778666490211906},
		{Keyness{69, 68, 12000, 11900}, 0.0013371748835180146, 0.0013371885866321209, 0.0030973879185989669},
		{Keyness{1234, 56, 2000000, 1000000}, 488.14943914255218, 663.06019311964815, 0.36108381521777971},
	} {
		for _, v := range []struct {
			name      string
			got, want float64
		}{{"chi", c.k.Chi(false), c.chi}, {"G2", c.k.G2(), c.lr}, {"PMI", c.k.PMI(), c.pmi}} {
			if v.got != v.want && !(math.Abs(v.got-v.want) <= 1e-9*math.Abs(v.want)) { // R cancels digits
				t.Errorf("%+v: %s is %v, R gives %v", c.k, v.name, v.got, v.want)
			}
		}
	}
}

// Values that follow by hand from the definitions.
func TestKeynessByHand(t *testing.T) {
	k := Keyness{A: 100, B: 10, T1: 10000, T2: 10000}
	for _, v := range []struct {
		name      string
		got, want float64
	}{
		{"LL", k.LL(), 85.47},
		{"LogRatio", k.LogRatio(), math.Log2(10)},
		{"LogRatio of 0", Keyness{A: 4, T1: 1000, T2: 2000}.LogRatio(), 4},
		{"Diff", k.Diff(), 900},
		{"OddsRatio", k.OddsRatio(), 100. * 9990 / (10 * 9900)},
		{"BIC", k.BIC(), k.LL() - math.Log(20000)},
		{"ELL", k.ELL(), k.LL() / 20000 / math.Log(55)},
		{"Yates", Keyness{6, 2, 17, 12}.Chi(true), 0.4672984},
		{"DP", Spread{[]int64{2, 1, 0}, []int64{10, 10, 20}}.DP(), (2./3 - .25 + 1./3 - .25 + .5) / 2},
		{"DPNorm", Spread{[]int64{0, 0, 1}, []int64{10, 10, 10}}.DPNorm(), 1},
		{"D", Spread{[]int64{1, 1, 1}, []int64{10, 10, 10}}.JuillandD(), 1},
		{"D of one", Spread{[]int64{0, 4, 0}, []int64{10, 10, 10}}.JuillandD(), 0},
	} {
		if !(math.Abs(v.got-v.want) <= 1e-3*math.Abs(v.want)+1e-15) {
			t.Errorf("%s is %v, want %v", v.name, v.got, v.want)
		}
	}
}
