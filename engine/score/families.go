package score

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// This file declares the registered measures, but for those with functions of their own: information gain is declared
// in gain.go, the means of term frequency in moments.go and the measures of a target in target.go.

// scoring are the families of the registered measures, in the order of the page of the measures.
var scoring = []struct {
	title    string
	measures func(o Options) []*definition
}{
	{"Counts", ofCounts},
	{"Share of the class", ofShares},
	{"Deviation from chance", ofDeviations},
	{"Rates", ofRates},
	{"Odds", ofOdds},
	{"Information", ofInformation},
	{"Means of term frequency", ofMeans},
	{"Occurrences", ofOccurrences},
	{"Purity", ofPurity},
	{"Topics", ofTopics},
	{"Shares of documents", ofDocumentShares},
	{"The class before the background", ofBackground},
	{"Targets", ofTargets},
}

// usual are the measures that "all" stands for, in the order of results that were published, and newer the others but
// for those of a target.
const (
	usual = "df cf dia mi emi ig ece chi ngl gss or lor rs rsw bns ttest ocfs chitf g2 g2tf anova gini dfs ndm acc2 rf pr " +
		"logodds logoddsz"
	newer = "jlh gnd zeta zetacraig zetaeder zetalog simplemaths ctfidf"
)

// standard returns the measures: the usual ones, the newer ones, and those of a target.
func standard(o Options) (all []*definition) {
	names := strings.Fields(usual + " " + newer)
	for _, family := range scoring {
		for _, d := range family.measures(o) {
			d.FamilyOf, d.New = family.title, slices.Contains(strings.Fields(newer), d.Info.Name)
			all = append(all, d)
		}
	}
	place := func(d *definition) int {
		if d.Target {
			return len(names)
		}
		return slices.Index(names, d.Info.Name)
	}
	slices.SortStableFunc(all, func(a, b *definition) int { return place(a) - place(b) })
	return all
}

// Some formulas have parts in common. gapFormula is AD - BC; perSizesFormula and scaleFormula are the weights of the
// class and of the term in chi-square. Factors stand in the order of the operations of deviation.go, so that both have
// the same bits.
const (
	gapFormula      = "det(N,A,df,n_c)"
	perSizesFormula = "(1/(n_c*(N-n_c)))"
	scaleFormula    = "(N/(df*(N-df)))"

	chiFormula      = gapFormula + "*(" + gapFormula + "*" + perSizesFormula + ")*" + scaleFormula
	ratesGapFormula = gapFormula + "*" + perSizesFormula // A/n_c - B/(N-n_c)

	// wienerFormula lacks what it is damped by.
	wienerFormula = "lnratio(A/n_c+%[1]v,B/(N-n_c)+%[1]v," + ratesGapFormula + ")"
)

// Formulas of O/E, what is observed over what independence expects. det(N,A,df,n_c) is N·(O-E) of the documents of the
// class with the term and of those outside it without it, and -N·(O-E) of the others. Sums of E·excess((O-E)/E), here
// times N, are those of O·ln(O/E), for the deviations cancel. Of real values O-E may be rounded to more than E. A/df is
// 1 for all terms that only the class has: they tie.
const (
	liftFormula = "lnratio(A/df,n_c/N,det(N,A,df,n_c)/(df*N))"

	withInside     = "df*n_c*excess(max(-1,det(N,A,df,n_c)/(df*n_c)))"
	withOutside    = "df*(N-n_c)*excess(max(-1,-det(N,A,df,n_c)/(df*(N-n_c))))"
	withoutInside  = "(N-df)*n_c*excess(max(-1,-det(N,A,df,n_c)/((N-df)*n_c)))"
	withoutOutside = "(N-df)*(N-n_c)*excess(max(-1,det(N,A,df,n_c)/((N-df)*(N-n_c))))"

	divergenceFormula = withInside + "+" + withOutside + "+" + withoutInside + "+" + withoutOutside
)

// inTokens returns a formula of documents as one of tokens.
func inTokens(text string) string {
	return strings.NewReplacer(strings.Fields("df cf n_c T_c N T A S")...).Replace(text)
}

func ofCounts(Options) []*definition {
	df := define("df", "document frequency", "A; total: documents with the term", "Yang & Pedersen 1997", "A").tells(
		"in how many documents is it?", "0 to N",
		"function words come first; class plays no part in the total", "yang1997")
	cf := define("cf", "collection frequency", "S(t,c); total: occurrences of the term", "Manning et al. 2008, ch. 13", "S").ofTokens().tells(
		"how often is it used?", "0 to T",
		"one long document is enough", "manning2008")
	df.Default, df.own, df.whole = "total", "df", func(_ *Panel, t *table.Tile, dst []float64) {
		for i, n := range t.DF {
			dst[i] = float64(n)
		}
	}
	cf.Default, cf.own, cf.whole = "total", "cf", func(_ *Panel, t *table.Tile, dst []float64) { copy(dst, t.CF) }
	return []*definition{df, cf}
}

func ofShares(o Options) []*definition {
	mi := define("mi", "pointwise mutual information", "ln(N·A/((A+B)(A+C)))", "Yang & Pedersen 1997", "(min(df,n_c)>0)*"+liftFormula+o.perLogFormula()).tells(
		"how many times more often than by chance?", "-inf to -ln P(c)",
		"largest for every term of a single document; small classes win", "yang1997", "church1990")
	mi.presentOnly = true
	damping := cmp.Or(o.RSD, 1./6)
	return []*definition{
		define("dia", "DIA association factor", "P(c|t) = A/(A+B)", "Fuhr et al. 1991", "A/df").tells(
			"what share of its documents is in the class?", "0 to 1",
			"1 for every term of a single document; large classes win", "fuhr1991"),
		mi,
		define("rs", "relevancy score, Sebastiani's form", "ln((A/n_c + d)/(D/(N-n_c) + d)), d = 1/6", "Sebastiani 2002, Table 1",
			fmt.Sprintf("lnratio(A/n_c+%[1]v,D/(N-n_c)+%[1]v,det(A,N-n_c,D,n_c)/(n_c*(N-n_c)))", damping)+o.perLogFormula()).tells(
			"what share of the class has it?", "ln(d/(1+d)) to ln((1+d)/d)",
			"D/(N-n_c) is near 1 for nearly all terms, so this is nearly df within the class", "sebastiani2002"),
		define("rsw", "relevancy score, Wiener's form", "ln((A/n_c + d)/(B/(N-n_c) + d)), d = 1/6", "Wiener, Pedersen & Weigend 1995",
			fmt.Sprintf(wienerFormula, damping)+o.perLogFormula()).sparse().tells(
			"how much more often than in the rest, damped by d?", "±ln((1+d)/d), ±1.95 for d = 1/6",
			"d decides between rare and frequent", "wiener1995"),
		define("rf", "relevance frequency", "log2(2 + A/max(1,B))", "Lan et al. 2009", "log2(2+A/max(1,B))").tells(
			"how much more often than in the rest, as a weight of terms?", "1 to log2(2+n_c)",
			"ignores how large the rest is; large classes win", "lan2009"),
		define("pr", "probability ratio", "A(N-n_c)/(B·n_c), ½ for B = 0", "Li & Sun 2007", "(A*(N-n_c)/(max(B,.5)*n_c))^(min(n_c,N-n_c,df,N-df)>0)").tells(
			"how much more often than in the rest?", "0 to 2(N-n_c)",
			"where B is 0 it takes ½ for it, so that order depends on A", "li2007"),
	}
}

func ofDeviations(o Options) []*definition {
	chi := define("chi", "chi-square", "N(AD-BC)²/((A+B)(C+D)(A+C)(B+D))", "Yang & Pedersen 1997", chiFormula)
	chi.deviation = &deviation{form: kernels.Squared, table: inverses, factor: scaleOf}
	if o.Yates { // no kernel finds its maximum: a deviation below ½ counts as none
		chi = define("chi", "chi-square, corrected by Yates", "N·max(0, |AD-BC| - N/2)²/((A+B)(C+D)(A+C)(B+D))", "Yates 1934",
			"N*max(0,abs(det(A,D,B,C))-N/2)^2/(df*(N-df)*n_c*(N-n_c))")
	}
	chi.tells("is it independent of the class?", "0 to N",
		"unsigned: a term that the class avoids counts as much; unreliable where fewer than 5 documents are expected; with a large N everything is significant", "yang1997", "yates1934")
	ngl := define("ngl", "NGL coefficient", "√N(AD-BC)/√((A+B)(C+D)(A+C)(B+D))", "Ng, Goh & Low 1997",
		gapFormula+"*sqrt"+perSizesFormula+"*sqrt"+scaleFormula).tells(
		"is it more frequent here than chance allows?", "-√N to √N",
		"unreliable where fewer than 5 documents are expected; with a large N everything is significant", "ng1997")
	ngl.deviation = &deviation{form: kernels.Signed, table: roots, factor: func(n, df float64) float64 { return math.Sqrt(scaleOf(n, df)) }}
	gss := define("gss", "GSS coefficient", "(AD-BC)/N²", "Galavotti, Sebastiani & Simi 2000", gapFormula+"/(N*N)").tells(
		"how many documents beyond chance?", "-¼ to ¼",
		"frequent terms and large classes win; its sum over the classes is 0 if every document has one label", "galavotti2000")
	gss.deviation = &deviation{form: kernels.Signed, table: ones, divisor: func(n, _ float64) float64 { return float64(n * n) }}
	acc2 := define("acc2", "balanced accuracy", "|tpr-fpr|", "Forman 2003", "abs("+ratesGapFormula+")").tells(
		"how far apart are the rates?", "0 to 1",
		"a rare term cannot win, however pure", "forman2003")
	acc2.deviation = &deviation{form: kernels.Absolute, table: inverses}
	return []*definition{chi, ngl, gss, acc2}
}

func ofRates(Options) []*definition {
	// Rates of exactly 0 and 1 have no finite quantile. Clipping, not replacing, keeps one occurrence in a large class
	// above none.
	const bnsClip = 0.0005
	return []*definition{
		define("bns", "bi-normal separation", "|F⁻¹(A/n_c) - F⁻¹(B/(N-n_c))|, rates clipped to [0.0005, 0.9995]", "Forman 2003",
			fmt.Sprintf("(n_c>0)*(n_c<N)*abs(probit(max(%[1]v,min(A/n_c,1-%[1]v)))-probit(max(%[1]v,min(B/(N-n_c),1-%[1]v))))", bnsClip)).tells(
			"how far apart are the rates, as quantiles of a normal distribution?", "0 to 6.58",
			"a rate below 0.0005 counts as 0.0005: rare terms of large corpora tie", "forman2003"),
		define("ndm", "normalised difference", "|tpr-fpr|/min(tpr,fpr), a minimum of 0 taken as 1/N", "Rehman, Javed & Babri 2017",
			"abs("+ratesGapFormula+")/max(min(A/n_c,B/(N-n_c)),(A*B==0)/N)").tells(
			"by how many times does one rate exceed the other?", "0 to N",
			"a rate of 0 is taken as 1/N, so that order depends on the other", "rehman2017"),
	}
}

// ofOdds are smoothed by ½.
func ofOdds(Options) []*definition {
	return []*definition{
		define("or", "odds ratio", "(A+½)(D+½)/((B+½)(C+½))", "van Rijsbergen et al. 1981; Haldane-Anscombe ½",
			"((A+.5)*(D+.5)/((B+.5)*(C+.5)))^((n_c>0)*(n_c<N))").tells(
			"how much larger are the odds of the term in the class?", "above 0",
			"a sum is its largest value; rare pure terms are large, tamed by ½ in each cell", "rijsbergen1981"),
		define("lor", "log odds ratio", "ln((A+½)(D+½)/((B+½)(C+½)))", "van Rijsbergen et al. 1981; Haldane-Anscombe ½",
			"(n_c>0)*(n_c<N)*lnratio((A+.5)*(D+.5),(B+.5)*(C+.5),det(A,D,B,C)+(A-B+D-C)/2)").tells(
			"how much larger are the odds of the term in the class, symmetric about 0?", "finite",
			"rare pure terms are large", "rijsbergen1981"),
	}
}

func ofInformation(o Options) []*definition {
	ece := "A/N*" + liftFormula + o.perLogFormula()
	return []*definition{
		define("emi", "expected mutual information", "Σ over the four cells of O/N·ln(O/E)", "Manning et al. 2008, eq. 13.17",
			"("+divergenceFormula+")/N^2"+o.perLogFormula()).tells(
			"what does the term tell about this class?", "0 to ln 2",
			"unsigned: a term that the class avoids counts as much", "manning2008"),
		informationGain(o),
		define("ece", "expected cross entropy", "Σ_c A/N·ln(N·A/(df·n_c))", "Koller & Sahami 1997; Mladenic & Grobelnik 1999", ece).summed(ece).tells(
			"what do documents with the term tell about their class?", "0 and more",
			"may be negative where documents have several labels", "koller1997", "mladenic1999"),
		define("g2", "log-likelihood ratio G² on documents", "2·Σ O·ln(O/E)", "Dunning 1993", "2*("+divergenceFormula+")/N").tells(
			"is it independent of the class?", "0 to 2N·ln 2",
			"unsigned: a term that the class avoids counts as much; with a large N everything is significant", "dunning1993"),
	}
}

// perLogFormula returns what logarithms to the base of the options are divided by.
func (o Options) perLogFormula() string {
	if o.Base == 0 {
		return ""
	}
	return fmt.Sprintf("/ln(%v)", o.Base)
}

func ofOccurrences(o Options) []*definition {
	g2tf := define("g2tf", "log-likelihood ratio G² on tokens", "2·Σ O·ln(O/E) over four cells, in tokens", "Dunning 1993",
		inTokens("2*("+divergenceFormula+")/N"))
	if o.TwoCells {
		g2tf = define("g2tf", "log-likelihood on tokens, cells of the term", "2·(A·ln(A/E_A) + B·ln(B/E_B)) in tokens", "Rayson & Garside 2000",
			inTokens("2*("+withInside+"+"+withOutside+")/N"))
	}
	return []*definition{
		define("chitf", "chi-square on tokens", "chi with cf, T_c, S and T for df, n_c, A and N", "Zheng et al. 2009", inTokens(chiFormula)).ofTokens().tells(
			"is an occurrence independent of the class?", "0 to T",
			"unsigned; a text repeats its words, so nearly everything is significant", "zheng2009"),
		g2tf.ofTokens().tells("is an occurrence independent of the class?", "0 to 2T·ln 2",
			"unsigned; a text repeats its words, and larger corpora have larger values", "dunning1993", "rayson2000"),
		define("logodds", "log odds with a Dirichlet prior", "ln((y1+α)/(n1+α0-y1-α)) - ln((y2+α)/(n2+α0-y2-α)), α = 10·cf/T", "Monroe, Colaresi & Quinn 2008",
			fmt.Sprintf(logOddsFormula, dirichletWeight)).ofTokens().sparse().tells(
			"how much larger are the odds of a token? The prior pulls rare terms to 0", "finite",
			"says nothing of how sure it is", "monroe2008"),
		define("logoddsz", "z score of logodds", "logodds/√(1/(y1+α) + 1/(y2+α))", "Monroe, Colaresi & Quinn 2008",
			fmt.Sprintf(logOddsFormula+"*sqrt((S+%[1]v*cf/T)*(cf-S+%[1]v*cf/T)/(cf+2*%[1]v*cf/T))", dirichletWeight)).ofTokens().sparse().tells(
			"how many standard errors is the log odds of a token from 0?", "finite",
			"frequent terms win", "monroe2008"),
	}
}

const (
	// dirichletWeight is the number of tokens that the prior is worth, which is in proportion to the corpus.
	dirichletWeight = 10
	// logOddsFormula lacks that number. It has the four sums of counts and the prior; the difference of their products
	// is (AD - BC)(1 + 2·α0/T) in tokens.
	logOddsFormula = "lnratio((S+%[1]v*cf/T)*(T-cf-T_c+S+%[1]v*(T-cf)/T)," +
		"(cf-S+%[1]v*cf/T)*(T_c-S+%[1]v*(T-cf)/T),det(T,S,cf,T_c)*(1+2*%[1]v/T))"
)

// ofPurity add up what each class with the term says of how concentrated the term is. They have no class values.
func ofPurity(Options) []*definition {
	of := []*definition{
		define("gini", "Gini index", "Σ_c P(t|c)²·P(c|t)²", "Shang et al. 2007", "").summed("(A/n_c*A/df)^2").tells(
			"is it in one class only, and in every document of it?", "0 to 1",
			"frequent terms win: a term of every document is near the top", "shang2007"),
		define("dfs", "distinguishing feature selector", "Σ_c P(c|t)/(P(¬t|c) + P(t|¬c) + 1)", "Uysal & Gunal 2012", "").summed("A/df/(C/n_c+B/(N-n_c)+1)").tells(
			"is it in one class, and in all of it?", "⅓ to 1 with one label a document, ½ for independence",
			"rare terms are all near ½", "uysal2012"),
	}
	for _, d := range of {
		d.Combinable = false
	}
	return of
}

// ofDocumentShares are what students of style compare a class with the rest by. Zeta is the difference of rates.
func ofDocumentShares(o Options) []*definition {
	zeta := define("zeta", "Burrows's zeta", "tpr - fpr", "Burrows 2007", ratesGapFormula).tells(
		"how many more of the class's documents have it?", "-1 to 1",
		"a rare term cannot win; shares depend on the length of documents", "burrows2007")
	zeta.deviation = &deviation{form: kernels.Signed, table: inverses}
	craig := define("zetacraig", "Craig's zeta", "tpr + (1 - fpr)", "Craig & Kinney 2009", ratesGapFormula+"+1").tells(
		"what share of the class has it, and what share of the rest lacks it?", "0 to 2",
		"a rare term cannot win; shares depend on the length of documents", "craig2009")
	craig.deviation = &deviation{form: kernels.Signed, table: inverses, plus: 1}
	return []*definition{
		zeta,
		craig,
		define("zetaeder", "Eder's zeta", "(tpr - fpr)/(tpr + fpr)", "Eder, Rybicki & Kestemont 2016",
			"det(A,N-n_c,B,n_c)/(A*(N-n_c)+B*n_c)").sparse().tells(
			"how far apart are the shares of documents, beside their sum?", "-1 to 1",
			"1 for every term that only the class has", "eder2016"),
		define("zetalog", "zeta of logarithms", "log2(A/n_c + c) - log2(B/(N-n_c) + c), c = 1.1", "Schöch et al. 2018",
			fmt.Sprintf(wienerFormula, cmp.Or(o.ZetaC, 1.1))+"/ln(2)").sparse().tells(
			"how many times larger is the share of documents, damped by c?", "±log2((1+c)/c)",
			"c decides between rare and frequent", "schoech2018"),
		define("simplemaths", "simple maths", "(10⁶·S/T_c + k)/(10⁶·(cf-S)/(T-T_c) + k), k = 1", "Kilgarriff 2009",
			fmt.Sprintf("((1e6*S/T_c+%[1]v)/(1e6*(cf-S)/(T-T_c)+%[1]v))^((T_c>0)*(T_c<T))", cmp.Or(o.Smooth, 1))).ofTokens().tells(
			"how many times more often does the class use it?", "above 0",
			"k decides between rare and frequent", "kilgarriff2009"),
	}
}

// ofBackground compare a class with all documents, as search engines find what is significant about the hits of a
// query.
func ofBackground(Options) []*definition {
	return []*definition{
		define("jlh", "JLH score", "(g-h)·g/h, g = A/n_c, h = df/N; 0 for g <= h", "Elasticsearch, significant terms",
			"max(0,"+gapFormula+")*A/(n_c^2*df)").sparse().tells(
			"how much larger is its share of the class than that of all, by difference times ratio?", "0 and more",
			"0 unless the term is more frequent in the class; small classes win", "elasticsearch"),
		define("gnd", "Google normalised distance", "exp(-ln(max(df,n_c)/A)/ln(N/min(df,n_c)))", "Cilibrasi & Vitányi 2007; Elasticsearch, significant terms",
			"(A>0)*exp(-lnratio(max(df,n_c),A,max(df,n_c)-A)/lnratio(N,max(1,min(df,n_c)),N-max(1,min(df,n_c))))").sparse().tells(
			"do term and class occur together?", "0 to 1",
			"ignores chance: a frequent term scores high in every class", "cilibrasi2007", "elasticsearch"),
	}
}

// The family of topics takes each class for one document, as models of topics do: c-TF-IDF.

// topics are the variants of c-TF-IDF.
type topics struct{ bm25, root bool }

func ofTopics(o Options) []*definition {
	of := topics{o.BM25, o.ReduceFrequent}
	d := define("ctfidf", "class-based tf-idf", of.formula(), "Grootendorst 2022", of.declared())
	d.across, d.presentOnly = true, true
	d.value, d.largest = of.value, of.largest
	return []*definition{d.ofTokens().sparse().tells("which terms is the class made of, if each class is one text?", "0 and more; with `--bm25` also below 0",
		"frequent words are not low enough: take stop words out; the share of a small class is coarse; with `--bm25` the order of the most frequent terms is reversed", "grootendorst2022")}
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
