package score

import (
	"cmp"
	"iter"
	"slices"
)

// This file tells about measures what no formula does: the question that each answers, when it misleads, and its twins.
// Those that score terms tell it in their definitions, the others here. What other programs call them, and the sources,
// are in names.go.

// A Kind says what a measure is asked for by.
type Kind string

// The kinds of measures.
const (
	OfClasses Kind = "classes" // a term and a class
	OfNumbers Kind = "numbers" // a term and a number of each document, its target
	OfCorpora Kind = "corpora" // a term and two corpora
	OfWords   Kind = "words"   // words that stand together
	OfSpread  Kind = "spread"  // a term and the parts of a corpus
	OfSets    Kind = "sets"    // a set of terms
)

// Asked returns how the command is asked for measures of the kind.
func (k Kind) Asked() string {
	switch k {
	case OfNumbers:
		return "score --target FIELD --by"
	case OfCorpora:
		return "keyness --by"
	case OfWords:
		return "collocations --by"
	case OfSpread:
		return "words --sort"
	case OfSets:
		return "select --by"
	}
	return "score --by"
}

// A family is a group of measures that are built from the same thing.
type family struct {
	title    string
	kind     Kind
	measures []Description
}

// A Description has what there is to know of a measure.
type Description struct {
	Name     string // short, lower case
	Title    string // in words
	Formula  string
	Question string // that it answers
	Range    string
	Misleads string   // when it does
	Sources  []string // keys of the bibliography
	Kind     Kind
	FamilyOf string // the title of its family
}

// Described yields the descriptions of all measures, family by family.
func Described() iter.Seq[Description] {
	return func(yield func(Description) bool) {
		for _, family := range scoring {
			for _, d := range family.measures(Options{}) {
				if d.FamilyOf = family.title; !yield(d.Description) {
					return
				}
			}
		}
		for _, f := range families {
			for _, m := range f.measures {
				m.Title, m.Kind, m.FamilyOf = cmp.Or(m.Title, f.title), f.kind, f.title
				if !yield(m) {
					return
				}
			}
		}
	}
}

// families has the measures that the registry has not, in the order of the page of the measures. Symbols are those of
// the page.
var families = []family{
	{"Tests of key words", OfCorpora, []Description{
		{Name: "ll", Title: "log-likelihood", Question: "does one corpus use it more?", Formula: "2(a·ln(a/E1) + b·ln(b/E2))", Range: "below 0 for negative keys", Misleads: "grows with the corpora; one text that repeats a word is enough", Sources: []string{"rayson2000"}},
		{Name: "g2", Title: "log-likelihood ratio of four cells", Question: "does one corpus use it more, by all four cells?", Formula: "2·Σ O·ln(O/E) over four cells", Range: "below 0 for negative keys", Misleads: "grows with the corpora; one text that repeats a word is enough", Sources: []string{"dunning1993"}},
		{Name: "chi", Title: "chi-square", Question: "does one corpus use it more?", Formula: "N(|ad-bc| - N/2)²/((a+b)(c+d)(a+c)(b+d)), c = T1-a, d = T2-b", Range: "below 0 for negative keys", Misleads: "grows with the corpora; one text that repeats a word is enough; unreliable where fewer than 5 occurrences are expected", Sources: []string{"yates1934"}},
		{Name: "z", Title: "z score of weighted log odds", Question: "how sure is it that the odds differ? The prior pulls rare terms to 0", Formula: "δ/σ of the log odds with a Dirichlet prior", Range: "below 0 for negative keys", Misleads: "frequent terms win", Sources: []string{"monroe2008"}},
		{Name: "bic", Title: "Bayes factor", Question: "how strong is the evidence?", Formula: "abs(ll) - ln N", Range: "below 0 for no difference, above 10 for strong evidence", Misleads: "grows with the corpora; one text that repeats a word is enough", Sources: []string{"wilson2013"}},
	}},
	{"Sizes of key words", OfCorpora, []Description{
		{Name: "logratio", Title: "log ratio", Question: "how many times did the frequency double?", Formula: "log2((a/T1)/(b/T2)), ½ for a frequency of 0", Range: "finite, 0 for equal use", Misleads: "rare terms win: take `--min-freq` and `--max-p` with it", Sources: []string{"hardie2014"}},
		{Name: "diff", Title: "percent difference", Question: "by how many per cent is it more frequent?", Formula: "100(a/T1 - b/T2)/(b/T2)", Range: "-100 and more, inf for b = 0", Misleads: "rare terms win; all that the reference lacks ties at inf", Sources: []string{"gabrielatos2012"}},
		{Name: "ell", Title: "effect size of log-likelihood", Question: "what share of the largest possible ll is it?", Formula: "ll/(N·ln min(E1, E2))", Range: "0 and more; undefined for an expectation of 1 or less", Misleads: "tiny for nearly all words", Sources: []string{"johnston2006"}},
		{Name: "or", Title: "odds ratio", Question: "how much larger are the odds?", Formula: "a(T2-b)/(b(T1-a))", Range: "0 and more, inf for b = 0", Misleads: "rare terms win", Sources: []string{"dunning1993"}},
		{Name: "pmi", Title: "pointwise mutual information", Question: "how many times more often than expected?", Formula: "ln(a/E1)", Range: "-inf to ln(N/T1)", Misleads: "rare terms win", Sources: []string{"church1990"}},
		{Name: "simplemaths", Title: "simple maths", Question: "how many times more often per million words, k added?", Formula: "(10⁶a/T1 + k)/(10⁶b/T2 + k), k = 1", Range: "above 0, 1 for equal use", Misleads: "k decides: 1 is for rare words, 100 or 1000 for common ones", Sources: []string{"kilgarriff2009"}},
		{Name: "lrc", Title: "conservative log ratio", Question: "how large is the log ratio at least, with confidence?", Formula: "the bound of a confidence interval of the log ratio that is nearer to 0", Range: "finite; 0 is not significant", Misleads: "most rare terms tie at 0; a term that one text repeats looks certain: take `--count-by documents`", Sources: []string{"evert2022"}},
		{Name: "lrcpos", Title: "lower bound of the log ratio", Question: "how large is the log ratio of a positive key at least, with confidence?", Formula: "the lower bound of a one-sided interval", Range: "finite, -inf for a = 0", Misleads: "rare terms are far below 0; a term that one text repeats looks certain", Sources: []string{"evert2022"}},
	}},
	{"Texts with key words", OfCorpora, []Description{
		{Name: "tdk", Title: "text dispersion keyness", Question: "do more texts of one corpus have it?", Formula: "ll with documents for occurrences", Range: "below 0 for negative keys", Misleads: "blind to how often a text uses it; long texts have more words", Sources: []string{"egbert2019"}},
		{Name: "zeta", Title: "Burrows's zeta", Question: "how many more texts, as a share?", Formula: "d1/n1 - d2/n2", Range: "-1 to 1", Misleads: "a rare term cannot win; texts of one length are compared best: `--segments`", Sources: []string{"burrows2007"}},
		{Name: "zetacraig", Title: "Craig's zeta", Question: "what share of the target's texts has it, and what share of the reference's lacks it?", Formula: "d1/n1 + 1 - d2/n2", Range: "0 to 2", Misleads: "a rare term cannot win; texts of one length are compared best: `--segments`", Sources: []string{"craig2009"}},
		{Name: "zetaeder", Title: "Eder's zeta", Question: "how far apart are the shares of texts, beside their sum?", Formula: "(p1 - p2)/(p1 + p2), p = d/n", Range: "-1 to 1", Misleads: "±1 for all that one corpus lacks", Sources: []string{"eder2016"}},
		{Name: "zetalog", Title: "logarithm of zeta", Question: "how many times larger is the share of texts, damped by c?", Formula: "log2(p1 + c) - log2(p2 + c), c = 1.1", Range: "±log2((1+c)/c)", Misleads: "c decides between rare and frequent", Sources: []string{"schoech2018"}},
		{Name: "jlh", Title: "score of significant terms", Question: "how much larger is its share of texts than that of both corpora?", Formula: "(g-h)·g/h, g = d1/n1, h = (d1+d2)/(n1+n2)", Range: "below 0 for negative keys", Misleads: "small targets have large values", Sources: []string{"elasticsearch"}},
		{Name: "gnd", Title: "normalised Google distance", Question: "do term and corpus occur together?", Formula: "exp(-ln(max(df,n1)/d1)/ln(N/min(df,n1)))", Range: "-1 to 1", Misleads: "a frequent term is large in both corpora", Sources: []string{"cilibrasi2007", "elasticsearch"}},
	}},
	{"Spread of key words", OfCorpora, []Description{
		{Name: "wilcoxon", Title: "rank sum of Wilcoxon, Mann and Whitney", Question: "do texts of one corpus use it more, text by text?", Formula: "z of the rank sum of x, the share of the term in each text", Range: "below 0 for negative keys", Misleads: "what is in many short texts comes first, signatures and headers too; grows with the number of texts", Sources: []string{"wilcoxon1945", "mann1947"}},
		{Name: "psup", Title: "probability of superiority", Question: "how probable is it that a text of the target uses it more?", Formula: "U/(n1·n2), equal shares as ½", Range: "0 to 1, ½ for no difference", Misleads: "near ½ for every rare term", Sources: []string{"mann1947"}},
		{Name: "rank_biserial", Title: "rank-biserial correlation", Question: "how much more often does the target's text of a pair use it more?", Formula: "2·psup - 1", Range: "-1 to 1", Misleads: "near 0 for every rare term", Sources: []string{"mann1947"}},
		{Name: "welch", Title: "t of Welch", Question: "is the mean share of a text larger?", Formula: "t of the means of x, variances unequal", Range: "below 0 for negative keys", Misleads: "shares are no normal variable; one text with a large share hides the rest", Sources: []string{"welch1947"}},
		{Name: "eta", Title: "difference of dispersions", Question: "is it spread more evenly over the target?", Formula: "DP of the reference - DP of the target", Range: "-1 to 1", Misleads: "near 0 for every rare term", Sources: []string{"du2021"}},
		{Name: "rrf", Title: "ratio of mean relative frequencies", Question: "how many times larger is the mean share?", Formula: "mean x of the target/mean x of the reference", Range: "0 to inf", Misleads: "rare terms win", Sources: []string{"damerau1993"}},
	}},
	{"Strength of collocations", OfWords, []Description{
		{Name: "pmi", Title: "pointwise mutual information", Question: "how many times more often than by chance?", Formula: "log2(O/E)", Range: "±log2 N of two words", Misleads: "rare pairs win: take `--min-freq` with it", Sources: []string{"church1990"}},
		{Name: "npmi", Title: "normalised pointwise mutual information", Question: "how near is it to words that never stand apart?", Formula: "ln(O/E)/(-(n-1)·ln(O/N))", Range: "-1 to 1", Misleads: "rare pairs win, though less than by pmi", Sources: []string{"bouma2009"}},
		{Name: "mi2", Title: "mutual information, squared", Question: "how many times more often than by chance, frequency once more?", Formula: "log2(O²/E), of two words", Range: "±log2 N", Misleads: "larger corpora have larger values", Sources: []string{"daille1994"}},
		{Name: "mi3", Title: "mutual information, cubed", Question: "how many times more often than by chance, frequency twice more?", Formula: "log2(O³/E)", Range: "-log2 N to 2·log2 N of two words", Misleads: "frequent function words win", Sources: []string{"daille1994"}},
		{Name: "dice", Title: "Dice coefficient", Question: "what share of the words' occurrences is joint?", Formula: "n·O/Σf", Range: "0 to 1", Misleads: "words of unequal frequency cannot win", Sources: []string{"dice1945"}},
		{Name: "logdice", Title: "logDice", Question: "what share of the words' occurrences is joint, on a scale?", Formula: "14 + log2 dice, of two words", Range: "14 at most; a point is a factor of 2", Misleads: "blind to the size of the corpus, by design", Sources: []string{"rychly2008"}},
		{Name: "minsens", Title: "minimum sensitivity", Question: "what share of the more frequent word's occurrences is joint?", Formula: "min(O/R1, O/C1)", Range: "0 to 1", Misleads: "function words lose whatever they attract", Sources: []string{"pedersen1996"}},
		{Name: "deltap21", Title: "delta P of the second word by the first", Question: "how much does the first word tell of the second?", Formula: "O11/R1 - O21/(N-R1)", Range: "-1 to 1", Misleads: "one way alone: a rare first word wins", Sources: []string{"gries2013"}},
		{Name: "deltap12", Title: "delta P of the first word by the second", Question: "how much does the second word tell of the first?", Formula: "O11/C1 - O12/(N-C1)", Range: "-1 to 1", Misleads: "one way alone: a rare second word wins", Sources: []string{"gries2013"}},
		{Name: "lambda", Title: "log-linear interaction", Question: "how strong is the interaction of all words?", Formula: "Σ (-1)^(n-b)·ln(cell + ½), b words of the cell match", Range: "finite", Misleads: "rare pairs win", Sources: []string{"blaheta2001"}},
	}},
	{"Evidence of collocations", OfWords, []Description{
		{Name: "ll", Title: "log-likelihood ratio", Question: "are the words independent?", Formula: "2·Σ O·ln(O/E) over all cells", Range: "below 0 where they avoid each other", Misleads: "grows with the corpus; frequent pairs win", Sources: []string{"dunning1993"}},
		{Name: "chi2", Title: "chi-square", Question: "are the words independent?", Formula: "N(O11·O22 - O12·O21)²/(R1·R2·C1·C2)", Range: "0 to N", Misleads: "grows with the corpus; frequent pairs win; unreliable where fewer than 5 are expected", Sources: []string{"yates1934"}},
		{Name: "t", Title: "t-score", Question: "is it more frequent than by chance, by its own spread?", Formula: "(O-E)/√O", Range: "below √O", Misleads: "close to frequency", Sources: []string{"church1991"}},
		{Name: "z", Title: "z-score", Question: "is it more frequent than by chance, by the spread of chance?", Formula: "(O-E)/√E, of two words", Range: "-√E and more", Misleads: "rare pairs win", Sources: []string{"berryrogghe1973"}},
		{Name: "ps", Title: "Poisson-Stirling", Question: "how surprising is the frequency, by Poisson's distribution?", Formula: "O·(ln(O/E) - 1), of two words", Range: "-E and more", Misleads: "grows with the corpus; frequent pairs win", Sources: []string{"quasthoff2002"}},
		{Name: "lambda_z", Title: "z of the log-linear interaction", Question: "how many standard errors is lambda from 0?", Formula: "lambda/√(Σ 1/(cell + ½))", Range: "finite", Misleads: "grows with the corpus; frequent pairs win", Sources: []string{"blaheta2001"}},
	}},
	{"Terms of several words", OfWords, []Description{
		{Name: "cvalue", Question: "is it a term of its own, or a part of longer ones?", Formula: "log2(n)·(f - mean frequency in longer candidates)", Range: "0 and more, 0 for what stands in one longer candidate alone", Misleads: "frequent phrases win, terms or not", Sources: []string{"frantzi2000"}},
	}},
	{"Spread over texts", OfSpread, []Description{
		{Name: "dp", Question: "how far is it from even, in shares of the corpus?", Formula: "½·Σ abs(v - s), v the part's share of the term, s of all tokens", Range: "0, even, to nearly 1", Misleads: "near 1 for every rare term", Sources: []string{"gries2008"}},
		{Name: "dpnorm", Question: "how far is it from even, 1 being one text alone?", Formula: "DP/(1 - min s)", Range: "0, even, to 1", Misleads: "near 1 for every rare term", Sources: []string{"lijffijt2012"}},
		{Name: "d", Question: "how even is it over the parts?", Formula: "1 - V/√(n-1), V the variation of the frequencies of n parts", Range: "0 to 1, even", Misleads: "near 1 for most words where parts are many", Sources: []string{"juilland1964"}},
	}},
	{"Sets of terms", OfSets, []Description{
		{Name: "mrmr", Question: "what does it tell of the class that the chosen ones do not repeat?", Formula: "I(f;C) - mean I(f;s) over the chosen s", Range: "order of choice", Misleads: "a term that helps only beside another is missed", Sources: []string{"peng2005"}},
		{Name: "jmi", Question: "what does it tell of the class beside each chosen one?", Formula: "Σ I(f,s;C) over the chosen s", Range: "order of choice", Misleads: "favours terms that go with many chosen ones", Sources: []string{"yang1999"}},
		{Name: "cmim", Question: "what does it tell of the class beside the chosen one that leaves it least?", Formula: "min I(f;C|s) over the chosen s", Range: "order of choice", Misleads: "one near copy is enough to lose a term", Sources: []string{"fleuret2004"}},
		{Name: "best-terms", Question: "which best terms do the documents of each class hold?", Formula: "each document of a class keeps its best positive term, each other document with one of these its best negative term", Range: "a set; its size is not asked", Misleads: "chooses few terms: evaluate with it", Sources: []string{"fragoudis2005"}},
	}},
}

// A Twin is an equation between measures. They give the same order where it says so.
type Twin struct {
	Equation string
	// Same says when the order is the same: "always", "for a class", "up to the sign", or "" where it is not.
	Same string
	// Measures are the names in the equation.
	Measures []string
}

// Twins returns the equations of some measures of classes, or all, for documents that have one label each and tables
// without empty cells, which have their own conventions. The tests of package rank try them.
func Twins(measures ...string) (found []Twin) {
	for _, t := range twins {
		if len(measures) == 0 || slices.ContainsFunc(t.Measures, func(name string) bool { return slices.Contains(measures, name) }) {
			found = append(found, t)
		}
	}
	return found
}

var twins = []Twin{
	{"g2 = 2N·emi", "always", []string{"g2", "emi"}},
	{"lor = ln or", "for a class, and by the largest", []string{"lor", "or"}},
	{"chi = ngl²", "up to the sign, for a class", []string{"chi", "ngl"}},
	{"chi = N·gss²/(P(t)(1-P(t))P(c)(1-P(c)))", "", []string{"chi", "gss"}},
	{"acc2 = |gss|/(P(c)(1-P(c)))", "up to the sign, for a class", []string{"acc2", "gss"}},
	{"acc2 = |zeta|", "up to the sign", []string{"acc2", "zeta"}},
	{"zetacraig = zeta + 1", "always", []string{"zetacraig", "zeta"}},
	{"zetaeder = (pr-1)/(pr+1)", "for a class", []string{"zetaeder", "pr"}},
	{"zetalog = rsw/ln 2 for d = c", "always", []string{"zetalog", "rsw"}},
	{"mi = ln dia - ln P(c)", "for a class", []string{"mi", "dia"}},
	{"pr = odds of dia·(1-P(c))/P(c)", "for a class", []string{"pr", "dia"}},
	{"rf = log2(2 + odds of dia)", "for a class", []string{"rf", "dia"}},
	{"ndm = max(pr, 1/pr) - 1", "", []string{"ndm", "pr"}},
	{"ig of two classes = emi", "always", []string{"ig", "emi"}},
	{"anova = Σ (1-P(c))·ttest²/(K-1)", "", []string{"anova", "ttest"}},
	{"anova = N·ocfs/((K-1)·s²)", "", []string{"anova", "ocfs"}},
	{"trend = √N·pearson of presence", "always", []string{"trend", "pearson"}},
	{"trend of two numbers = √chi", "always", []string{"trend", "chi"}},
}
