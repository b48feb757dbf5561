package naive

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// remarks are the leaves that are prose.
var remarks = []string{
	"about", "single_label/direct_global/_note", "multi_label/direct_global/_note", "iir_published/note", "two_class_projection/note",
}

// A golden holds the file and, by path, the leaves that nothing has checked yet.
type golden struct {
	*testing.T
	root    map[string]any
	left    map[string]any
	checked int
}

// loadGolden loads a file of testdata.
func loadGolden(t *testing.T, name string) *golden {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(moduleRoot(t), "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	g := &golden{T: t, left: map[string]any{}}
	if err := json.Unmarshal(data, &g.root); err != nil {
		t.Fatal(err)
	}
	g.walk("", g.root)
	return g
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	t.Fatal("no go.mod above the test")
	return ""
}

// walk lists the leaves. An empty list or object is one too.
func (g *golden) walk(path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			g.left[path] = v
		}
		for key, value := range v {
			g.walk(join(path, key), value)
		}
	case []any:
		if len(v) == 0 {
			g.left[path] = v
		}
		for i, value := range v {
			g.walk(join(path, strconv.Itoa(i)), value)
		}
	default:
		g.left[path] = v
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "/" + key
}

// take strikes a leaf off.
func (g *golden) take(path string) any {
	g.Helper()
	v, ok := g.left[path]
	if !ok {
		g.Fatalf("no leaf %s, or checked twice", path)
	}
	delete(g.left, path)
	g.checked++
	return v
}

// number checks one number, numbers a list of them.
func (g *golden) number(path string, got float64) {
	g.Helper()
	g.numberWithin(path, got, 1e-12)
}

// numberWithin is number with a relative tolerance.
func (g *golden) numberWithin(path string, got, relative float64) {
	g.Helper()
	want, err := parse(g.take(path))
	if err != nil {
		g.Fatalf("%s: %v", path, err)
	}
	if !within(got, want, relative, 1e-15) {
		g.Errorf("%s = %v, want %v", path, got, want)
	}
}

func (g *golden) numbers(path string, got []float64) {
	g.Helper()
	g.length(path, len(got))
	for i, v := range got {
		g.number(join(path, strconv.Itoa(i)), v)
	}
}

func (g *golden) words(path string, got []string) {
	g.Helper()
	g.length(path, len(got))
	if len(got) == 0 {
		g.take(path)
	}
	for i, v := range got {
		at := join(path, strconv.Itoa(i))
		if want := g.take(at); want != v {
			g.Errorf("%s = %q, want %q", at, v, want)
		}
	}
}

func (g *golden) length(path string, got int) {
	g.Helper()
	if want := len(g.at(path).([]any)); want != got {
		g.Fatalf("%s: %d values, want %d", path, got, want)
	}
}

// at gives the value of a path.
func (g *golden) at(path string) any {
	g.Helper()
	v := find(g.root, path)
	if v == nil {
		g.Fatalf("no %s", path)
	}
	return v
}

// find gives nil where nothing has the path. A key may have a slash in it: 1/4.
func find(v any, path string) any {
	if path == "" {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			rest, ok := strings.CutPrefix(path+"/", key+"/")
			if !ok {
				continue
			}
			if found := find(value, strings.TrimSuffix(rest, "/")); found != nil {
				return found
			}
		}
	case []any:
		key, rest, _ := strings.Cut(path, "/")
		if i, err := strconv.Atoi(key); err == nil && i < len(v) {
			return find(v[i], rest)
		}
	}
	return nil
}

func (g *golden) keys(path string) []string {
	g.Helper()
	return slices.Sorted(maps.Keys(g.at(path).(map[string]any)))
}

func (g *golden) strings(path string) []string {
	g.Helper()
	out := []string{}
	for _, v := range g.at(path).([]any) {
		out = append(out, v.(string))
	}
	return out
}

// parse reads a number, "inf", "-inf", "nan", or a fraction or decimal exactly. null, undefined, is NaN.
func parse(v any) (float64, error) {
	if v == nil {
		return math.NaN(), nil
	}
	if f, ok := v.(float64); ok {
		return f, nil
	}
	s, _ := v.(string)
	switch s {
	case "inf":
		return math.Inf(1), nil
	case "-inf":
		return math.Inf(-1), nil
	case "nan":
		return math.NaN(), nil
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return 0, fmt.Errorf("%v is no number", v)
	}
	f, _ := r.Float64()
	return f, nil
}

// near allows 1e-12 relative and 1e-15 absolute; infinities and NaN must agree.
func near(got, want float64) bool { return within(got, want, 1e-12, 1e-15) }

func within(got, want, relative, absolute float64) bool {
	if math.IsNaN(want) || math.IsInf(want, 0) || math.IsInf(got, 0) {
		return got == want || math.IsNaN(want) && math.IsNaN(got)
	}
	return math.Abs(got-want) <= math.Max(relative*math.Abs(want), absolute)
}

// A form is a measure with its options.
type form struct {
	measure string
	opt     Options
}

// forms maps every key of scores and global.
var forms = map[string]form{
	"df_count": {"df", Options{}}, "cf": {"cf", Options{}}, "dia": {"dia", Options{}},
	"mi_nats": {"mi", Options{}}, "mi_bits": {"mi", Options{Base: 2}}, "mi_nats_zero_if_A0": {"mi", Options{zero: true}},
	"emi_nats": {"emi", Options{}}, "emi_bits": {"emi", Options{Base: 2}},
	"chi": {"chi", Options{}}, "ngl": {"ngl", Options{}}, "gss": {"gss", Options{}},
	"ece_nats": {"ece", Options{}}, "ig_part_nats": {"ig", Options{}},
	"or_raw": {"or", Options{raw: true}}, "or_half": {"or", Options{}},
	"ln_or_half": {"lor", Options{}}, "rs_sebastiani_d1_6": {"rs", Options{}}, "rs_sebastiani_d0_001": {"rs", Options{RSD: .001}},
	"rs_wiener_d1_6": {"rsw", Options{}}, "bns_0_0005": {"bns", Options{}}, "acc2": {"acc2", Options{}}, "ndm_eps_1_over_N": {"ndm", Options{}},
	"pr_half_if_B0": {"pr", Options{}}, "rf": {"rf", Options{}},
	"g2_doc": {"g2", Options{}}, "g2_token": {"g2tf", Options{}}, "chi_tf": {"chitf", Options{}},
	"t_signed": {"ttest", Options{Signed: true}}, "t_abs": {"ttest", Options{}},
	"logodds_dirichlet_a0_10": {"logodds", Options{}}, "logodds_dirichlet_z_a0_10": {"logoddsz", Options{}},
}

// direct maps the keys of direct_global.
var direct = map[string]form{
	"ig_nats": {"ig", Options{}}, "ig_bits": {"ig", Options{Base: 2}}, "ece_nats": {"ece", Options{}}, "ece_bits": {"ece", Options{Base: 2}},
	"gini": {"gini", Options{}}, "dfs": {"dfs", Options{}}, "anova_f": {"anova", Options{}},
}

// otherForms are forms of measures and of weights that papers have and the engine does not give.
var otherForms = []string{
	"*/scores/df_p_t_given_c", "*/scores/df_p_t_given_c_exact", "*/scores/mi_half_nats", "*/scores/kl_part_nats", "*/scores/or_mladenic",
	"*/scores/or_mladenic_exact", "*/scores/pr_raw", "*/scores/t_abs_no_root_in_m", "*/global/df_p_t_given_c", "*/global/mi_half_nats", "*/global/kl_part_nats",
	"*/global/or_mladenic", "*/global/pr_raw", "*/global/t_abs_no_root_in_m", "*/global/mi_nats", "*/global/mi_bits",
	"*/direct_global/*/kl_nats", "*/direct_global/*/chi_2xK", "*/weights/ltc", "*/weights/thuctc",
}

var goldenWeights = map[string]string{
	"tf": "tf", "ltc_unit": "ltc", "tfidf": "tfidf", "tfidf_unit": "tfidf-unit",
}

// TestGolden checks every leaf of the golden file.
func TestGolden(t *testing.T) {
	g := loadGolden(t, "golden_small.json")
	for _, part := range []string{"single_label", "multi_label"} {
		c := g.corpus(part)
		p := goldenPart{g, part, c, Tabulate(c)}
		p.inputs()
		p.counts()
		p.scores()
		p.global()
		p.direct()
		p.weights()
		p.ocfs()
		p.bestTerms()
		p.projection()
		p.defaults()
	}
	g.words("terms", g.strings("terms"))
	g.words("categories", g.strings("categories"))
	g.documents()
	g.clusters()
	g.twoClasses()
	g.iris()
	g.published()
	g.classifiers()
	g.evaluation()
	g.forget(otherForms)
	g.finish(remarks)
}

// finish fails for every leaf that was not checked, but for remarks.
func (g *golden) finish(remarks []string) {
	g.Helper()
	for _, path := range remarks {
		if _, ok := g.left[path].(string); !ok {
			g.Errorf("no remark %s", path)
		}
		delete(g.left, path)
	}
	for _, path := range slices.Sorted(maps.Keys(g.left)) {
		if strings.HasPrefix(path, "classifiers_single/svm_") {
			continue // engine/learn compares with these
		}
		g.Errorf("nothing checks %s", path)
	}
	g.Logf("%d leaves checked, %d remarks", g.checked, len(remarks))
}

// corpus reads the documents with the labels of a part.
func (g *golden) corpus(part string) Corpus {
	c := Corpus{Terms: g.strings("terms"), Classes: g.strings("categories")}
	for d, row := range g.at("counts").([]any) {
		doc := Doc{Counts: map[int]float64{}}
		for t, tf := range row.([]any) {
			if tf.(float64) > 0 {
				doc.Counts[t] = tf.(float64)
			}
		}
		for _, label := range g.strings(fmt.Sprintf("%s/labels/%d", part, d)) {
			doc.Labels = append(doc.Labels, slices.Index(c.Classes, label))
		}
		c.Docs = append(c.Docs, doc)
	}
	return c
}

// documents checks the counts against those that the corpus holds.
func (g *golden) documents() {
	for d, doc := range g.corpus("single_label").Docs {
		row := make([]float64, len(g.strings("terms")))
		for t, tf := range doc.Counts {
			row[t] = tf
		}
		g.numbers(fmt.Sprintf("counts/%d", d), row)
	}
}

// A goldenPart is the corpus with one of its two labellings.
type goldenPart struct {
	*golden
	name string
	c    Corpus
	tb   *Tables
}

func (p goldenPart) path(keys ...string) string { return p.name + "/" + strings.Join(keys, "/") }

// byTerm checks an object with a list for each term.
func (p goldenPart) byTerm(path string, got func(t int) []float64) {
	p.Helper()
	for t, term := range p.c.Terms {
		p.numbers(join(path, term), got(t))
	}
}

// oneByTerm checks an object with a number for each term.
func (p goldenPart) oneByTerm(path string, got []float64) {
	p.Helper()
	for t, term := range p.c.Terms {
		p.number(join(path, term), got[t])
	}
}

func (p goldenPart) inputs() {
	for d, labels := range p.tb.labels {
		names := []string{}
		for _, c := range labels {
			names = append(names, p.c.Classes[c])
		}
		p.words(p.path("labels", strconv.Itoa(d)), names)
	}
}

func (p goldenPart) counts() {
	p.number(p.path("N"), p.tb.N)
	p.number(p.path("tokens"), p.tb.T)
	p.numbers(p.path("n_c"), p.tb.NC)
	p.numbers(p.path("df"), p.tb.DF)
	p.numbers(p.path("cf"), p.tb.CF)
	p.byTerm(p.path("S"), func(t int) []float64 { return p.tb.S[t] })
	p.byTerm(p.path("Q"), func(t int) []float64 { return p.tb.Q[t] })
	for t, term := range p.c.Terms {
		for c, class := range p.c.Classes {
			x, y := p.tb.documents(t, c), p.tb.tokens(t, c)
			p.numbers(p.path("cells", term, class), []float64{x.a, x.b, x.c, x.d})
			p.numbers(p.path("token_cells", term, class), []float64{y.a, y.b, y.c, y.d})
		}
	}
	p.oneByTerm(p.path("pooled_s2"), p.tb.PooledS2())
	p.oneByTerm(p.path("pooled_s2_exact"), p.tb.PooledS2())
}

func (p goldenPart) scores() {
	for _, key := range p.keys(p.path("scores")) {
		f, ok := forms[strings.TrimSuffix(key, "_exact")]
		if !ok {
			continue // finish reports it
		}
		values := p.tb.Class(f.measure, f.opt)
		p.byTerm(p.path("scores", key), func(t int) []float64 { return values[t] })
	}
}

// bestTerms checks both rules of Best Terms for every function, class and p.
func (p goldenPart) bestTerms() {
	b := BinaryOf(p.c)
	for _, rule := range p.keys(p.path("best_terms")) {
		for _, function := range p.keys(p.path("best_terms", rule)) {
			for c, class := range p.c.Classes {
				for share, path := range p.shares(p.path("best_terms", rule, function, class)) {
					got := b.BestTerms(c, BestTermsOptions{Function: function, P: share, Max: rule == "max"})
					p.words(path+"/F_plus", named(p.c.Terms, got.Positive))
					p.words(path+"/F_minus", named(p.c.Terms, got.Negative))
					p.places(path+"/D_F", got.Kept)
					p.places(path+"/docs_with_tied_top", got.Tied)
					p.number(path+"/D_C_size", p.tb.NC[c])
				}
			}
		}
	}
}

func named(names []string, places []int) []string {
	out := []string{}
	for _, i := range places {
		out = append(out, names[i])
	}
	return out
}

// places checks a list of numbers that may be empty.
func (p goldenPart) places(path string, got []int) {
	p.Helper()
	if len(got) == 0 {
		p.take(path)
	}
	values := []float64{}
	for _, v := range got {
		values = append(values, float64(v))
	}
	p.numbers(path, values)
}

func (p goldenPart) global() {
	combinations := map[string]string{"max": "max", "sum": "sum", "mean": "mean", "wavg": "avg"}
	for _, key := range p.keys(p.path("global")) {
		for _, how := range p.keys(p.path("global", key)) {
			f, ok := forms[key]
			if !ok || f.measure == "mi" && how != "max" && !f.opt.zero {
				continue // as in scores; no sum of mi takes -inf
			}
			p.oneByTerm(p.path("global", key, how), p.tb.Global(f.measure, combinations[how], f.opt))
		}
	}
}

func (p goldenPart) direct() {
	for t, term := range p.c.Terms {
		for _, key := range p.keys(p.path("direct_global", term)) {
			path := p.path("direct_global", term, key)
			if f, ok := direct[key]; ok {
				p.number(path, p.tb.Global(f.measure, "", f.opt)[t])
			}
		}
	}
}

func (p goldenPart) weights() {
	for key := range goldenWeights {
		if key == "tf" {
			continue // they are the counts
		}
		for d, row := range p.tb.Weights(goldenWeights[key]) {
			p.numbers(p.path("weights", key, strconv.Itoa(d)), row)
		}
	}
}

func (p goldenPart) ocfs() {
	for _, key := range p.keys(p.path("ocfs")) {
		x := p.tb.Centroids(goldenWeights[key])
		p.numbers(p.path("ocfs", key, "score"), x.Score)
		p.numbers(p.path("ocfs", key, "mean"), x.Mean)
		p.numbers(p.path("ocfs", key, "energy"), x.Energy)
		for c, row := range x.Centroids {
			p.numbers(p.path("ocfs", key, "centroids", strconv.Itoa(c)), row)
		}
		order := []string{}
		for _, t := range x.Order {
			order = append(order, p.c.Terms[t])
		}
		p.words(p.path("ocfs", key, "order"), order)
		for share, path := range p.shares(p.path("ocfs", key, "p_star")) {
			p.number(path, float64(x.PStar(share)))
		}
	}
}

// shares gives the keys of p_star, fractions, with their paths.
func (p goldenPart) shares(path string) map[float64]string {
	out := map[float64]string{}
	for _, key := range p.keys(path) {
		share, err := parse(key)
		if err != nil {
			p.Fatal(err)
		}
		out[share] = join(path, key)
	}
	return out
}

// defaults checks the measures' defaults on leaves that were checked before by
// their own names: what a measure gives without options.
func (p goldenPart) defaults() {
	for _, measure := range Measures() {
		got := p.tb.Global(measure, "", Options{})
		for t, term := range p.c.Terms {
			path, ok := p.defaultPath(measure, t, term)
			if !ok {
				continue
			}
			if want, err := parse(p.at(path)); err != nil || !near(got[t], want) {
				p.Errorf("%s of %s = %v, want %v of %s (%v)", measure, term, got[t], want, path, err)
			}
		}
	}
}

func (p goldenPart) defaultPath(measure string, t int, term string) (path string, ok bool) {
	switch measure {
	case "df", "cf":
		return p.path(measure, strconv.Itoa(t)), true
	case "ig", "ece":
		return p.path("direct_global", term, measure+"_nats"), true
	case "gini", "dfs":
		return p.path("direct_global", term, measure), true
	case "ocfs":
		return p.path("ocfs", "tf", "score", strconv.Itoa(t)), true
	case "anova":
		return p.path("direct_global", term, "anova_f"), p.name == "single_label"
	case "mi":
		return p.path("global", "mi_nats", "max", term), true
	}
	for key, f := range forms {
		if reflect.DeepEqual(f, form{measure, Options{}}) {
			return p.path("global", key, "max", term), true
		}
	}
	p.Errorf("no key for %s", measure)
	return "", false
}

// iris has one document a class that holds the class means: with 50 flowers in
// each, that gives the same centroids, mean and weights.
func (g *golden) iris() {
	c := Corpus{Terms: make([]string, 4), Classes: []string{"setosa", "versicolor", "virginica"}}
	for k, class := range c.Classes {
		doc := Doc{Labels: []int{k}, Counts: map[int]float64{}}
		for i, text := range g.strings("iris_ocfs/class_means/" + class) {
			mean, err := parse(text)
			if err != nil {
				g.Fatal(err)
			}
			doc.Counts[i] = mean
		}
		c.Docs = append(c.Docs, doc)
	}
	x := Tabulate(c).Centroids("tf")
	for k, class := range c.Classes {
		g.numbers("iris_ocfs/class_means/"+class, x.Centroids[k])
	}
	unweighted, places := []float64{}, []float64{}
	for i := range 4 {
		unweighted = append(unweighted, 3*x.Score[i])
		places = append(places, float64(x.Order[i]+1))
	}
	g.numbers("iris_ocfs/mean", x.Mean)
	g.numbers("iris_ocfs/mean_exact", x.Mean)
	g.numbers("iris_ocfs/score", x.Score)
	g.numbers("iris_ocfs/score_exact", x.Score)
	g.numbers("iris_ocfs/score_times_3", unweighted)
	g.numbers("iris_ocfs/order_1based", places)
	g.numbers("iris_ocfs/energy", x.Energy)
	g.number("iris_ocfs/p_star_T_0.8", float64(x.PStar(.8)))
}

// published checks the example of IIR 13.5 from its table, and 13.1 and 13.2.
func (g *golden) published() {
	n := []float64{}
	for _, v := range g.at("iir_published/cells_A_B_C_D").([]any) {
		n = append(n, v.(float64))
	}
	tb := &Tables{
		A: [][]float64{{n[0]}}, DF: []float64{n[0] + n[1]}, NC: []float64{n[0] + n[2]},
		N: n[0] + n[1] + n[2] + n[3],
	}
	x := tb.documents(0, 0)
	g.numbers("iir_published/cells_A_B_C_D", []float64{x.a, x.b, x.c, x.d})
	for key, f := range map[string]form{
		"emi_bits": {"emi", Options{Base: 2}}, "chi": {"chi", Options{}}, "chi_exact": {"chi", Options{}}, "mi_bits": {"mi", Options{Base: 2}},
		"ngl": {"ngl", Options{}}, "or": {"or", Options{raw: true}}, "bns": {"bns", Options{}}, "g2": {"g2", Options{}},
	} {
		g.number("iir_published/"+key, tb.Class(f.measure, f.opt)[0][0])
	}
	g.bayes()
}

// bayes computes the joint probabilities of IIR 13.1 and 13.2 from their four
// documents: the test document is Chinese three times, Tokyo, Japan.
func (g *golden) bayes() {
	tb := Tabulate(Corpus{
		Terms: []string{"Chinese", "Beijing", "Shanghai", "Macao", "Tokyo", "Japan"}, Classes: []string{"China", "other"},
		Docs: []Doc{
			{[]int{0}, map[int]float64{0: 2, 1: 1}},
			{[]int{0}, map[int]float64{0: 2, 2: 1}},
			{[]int{0}, map[int]float64{0: 1, 3: 1}},
			{[]int{1}, map[int]float64{0: 1, 4: 1, 5: 1}},
		},
	})
	multinomial, bernoulli := make([]float64, 2), make([]float64, 2)
	for c := range 2 {
		multinomial[c], bernoulli[c] = tb.NC[c]/tb.N, tb.NC[c]/tb.N
		for t, tf := range []float64{3, 0, 0, 0, 1, 1} {
			multinomial[c] *= math.Pow((1+tb.S[t][c])/(6+tb.TC[c]), tf)
			theta := (1 + tb.A[t][c]) / (2 + tb.NC[c])
			if tf == 0 {
				theta = 1 - theta
			}
			bernoulli[c] *= theta
		}
	}
	g.numbers("iir_published/nb_china_multinomial_joint", multinomial)
	g.numbers("iir_published/nb_china_bernoulli_joint", bernoulli)
}
