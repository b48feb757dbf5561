package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// sample is a report with everything: curves that rise and cross, lists, heat maps.
func sample(methods []string) *Report {
	rng := rand.New(rand.NewPCG(8, 21))
	r := &Report{
		Title:    "Five measures on twenty newsgroups",
		Headline: "2,000 terms do as well as 10,000, by chi with svm: micro-F1 0.8512 is within one standard deviation, 0.0100, of the best, 0.8601",
		Findings: []string{"ig, svm: 5,000 terms are best: micro-F1 0.8540, and no fewer come within 1 % of it"},
		Command:  "termsift evaluate --train train.idx --test test.idx --by chi,ig,ttest,bns,df -k 10,20,50,100,200,500,1000,2000,5000,10000 --classifier svm,nb,knn --seed 1",
		Facts: []Fact{
			{"Corpus", "twenty newsgroups, by date"},
			{"Documents", "11,314 to train, 7,532 to test"},
			{"Terms", "130,107"},
			{"Settings", "--tokens words --stop none --weight ltc"},
			{"Version", "termsift (test)"},
		},
		Timings: []Timing{{"read and index", 2140 * time.Millisecond}, {"rank", 61 * time.Millisecond}, {"train", 9310 * time.Millisecond}, {"predict", 730 * time.Millisecond}},
	}
	ks := []int{10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000}
	for c, classifier := range []string{"svm", "naive Bayes", "nearest neighbours"} {
		for m, method := range methods {
			for _, k := range ks {
				top := .86 - .05*float64(c) - .006*float64(m%5)
				f1 := top * (1 - math.Exp(-math.Log(float64(k)+2)/(2+.25*float64(m%7)))) * (1 + .01*rng.Float64())
				p := Point{
					Method: method, Classifier: classifier, K: k, MicroF1: f1, MacroF1: f1 * (.93 + .02*rng.Float64()),
					Select: time.Duration(5+rng.IntN(20)) * time.Millisecond, Train: time.Duration(k) * 90 * time.Microsecond, Predict: time.Duration(20+k/100) * time.Millisecond,
				}
				if c == 0 && m == 0 {
					p.MicroSpread, p.MacroSpread = .01, .014
				}
				r.Points = append(r.Points, p)
			}
		}
	}
	words := map[string][]string{
		"alt.atheism": {"atheism", "islam", "keith", "livesey", "atheists"}, "comp.graphics": {"graphics", "image", "polygon", "3d", "images"},
		"misc.forsale": {"sale", "shipping", "offer", "condition", "obo"}, "rec.autos": {"car", "cars", "engine", "toyota", "dealer"},
		"rec.sport.hockey": {"hockey", "nhl", "team", "playoff", "goalie"}, "sci.crypt": {"clipper", "encryption", "key", "nsa", "escrow"},
		"sci.space": {"space", "orbit", "nasa", "shuttle", "launch"}, "talk.politics.guns": {"gun", "guns", "firearms", "weapons", "batf"},
	}
	for _, class := range []string{"alt.atheism", "comp.graphics", "misc.forsale", "rec.autos", "rec.sport.hockey", "sci.crypt", "sci.space", "talk.politics.guns"} {
		k := Keyness{Class: class, Measure: "g2tf"}
		for _, method := range methods {
			l := TermList{Class: class, Method: method}
			for i := range 10 {
				a := 400 - 30*i + rng.IntN(20)
				l.Terms = append(l.Terms, Term{Term: words[class][(i+len(method))%5] + fmt.Sprintf("%.*s", i/5*2, "er"), Score: 1000 / float64(i+1) * (1 + rng.Float64()), DF: a + 17*i, A: a, B: 17 * i})
			}
			r.TopTerms = append(r.TopTerms, l)
		}
		for i, w := range words[class] {
			k.Terms = append(k.Terms, Bar{Term: w, Value: 5200 / float64(i+1) * (1 + .1*rng.Float64())})
		}
		for i, w := range []string{"the", "windows", "god", "dod", "people"} {
			k.Terms = append(k.Terms, Bar{Term: w, Value: -300 * float64(5-i)})
		}
		r.Keyness = append(r.Keyness, k)
	}
	for _, k := range []int{100, 1000, 10000} {
		o := Overlap{K: k, Methods: methods}
		for i := range methods {
			row := make([]int, len(methods))
			for j := range row {
				row[j] = k * (10 - 2*max(i-j, j-i)) / 10
				row[j] = max(row[j], k/50)
			}
			o.Shared = append(o.Shared, row)
		}
		r.Overlaps = append(r.Overlaps, o)
	}
	return r
}

func fiveMethods() []string { return []string{"chi", "ig", "ttest", "bns", "df"} }

// hostile is a report whose names try to get out of where they stand.
func hostile() *Report {
	attacks := attacks()
	r := &Report{Title: attacks[0], Facts: []Fact{{attacks[1], attacks[2]}}}
	for i, a := range attacks {
		r.Points = append(r.Points,
			Point{Method: a, Classifier: attacks[i%3], K: 10, MicroF1: .5, MacroF1: math.NaN()},
			Point{Method: a, Classifier: attacks[i%3], K: 100, MicroF1: .6 + .01*float64(i), MacroF1: math.Inf(1)},
			Point{Method: a, Classifier: attacks[i%3], K: 0, MicroF1: .6, MacroF1: -1},
			Point{Method: a, Classifier: attacks[i%3], K: 100, MicroF1: .7, MacroF1: .2, MicroSpread: math.NaN(), MacroSpread: math.Inf(1)})
		r.TopTerms = append(r.TopTerms, TermList{Class: a, Method: a, Terms: []Term{{Term: a, Score: math.Inf(-1), DF: 1, A: 1}, {Term: a, Score: math.NaN(), DF: 1, B: 1}}}, TermList{Class: a, Method: "none"})
		r.Keyness = append(r.Keyness, Keyness{Class: a, Measure: a, Terms: []Bar{{a, math.Inf(1)}, {a, -3}, {a, math.NaN()}}}, Keyness{Class: a})
		r.Timings = append(r.Timings, Timing{a, time.Duration(i)})
	}
	r.Headline, r.Findings, r.Command = attacks[0], attacks, attacks[3]
	r.Tables = []Table{{Title: attacks[4], Head: []string{attacks[1], attacks[2]}, Words: []int{0}, Rows: [][]string{attacks[:2], attacks[3:5], {attacks[10], attacks[11], attacks[12]}}}, {}}
	r.Warnings = attacks
	r.Tables = append(r.Tables, Table{Title: attacks[0], Head: attacks[:2], Words: []int{1}, Rows: [][]string{attacks[2:4]}})
	r.Overlaps = []Overlap{{K: -1, Methods: attacks, Shared: [][]int{{1, 2}, {}, {5}}}, {}}
	return r
}

func attacks() []string {
	long := "x"
	for range 14 {
		long += long
	}
	return []string{
		"</script><script>window.ran=1</script>", `" onmouseover="window.ran=2" onfocus="window.ran=2" autofocus x="`, "' onerror='window.ran=3",
		"<img src=x onerror=window.ran=4>", "</title></svg></style><svg onload=window.ran=5>", "<a href=javascript:window.ran=6>x</a>",
		"]]><!--", "{{.Style}}", "a\x00b\x1b[31m\x7f\u0085", "\xff\xfe not UTF-8", "\u202eright to left\u2066", "العربية", "汉字很多汉字很多汉字很多", long, "", "a\uffffb\ufffdc", "line\nbreak\u2028",
	}
}
