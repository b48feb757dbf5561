package score

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"unicode"
)

// An Other is a name that a program or a book has for a measure. The Measure of one name may be
// several, one an entry.
type Other struct {
	Program string // "" of a name in general use
	Name    string
	Measure string
	// How says what to ask for, or what differs; "" for nothing.
	How string
}

// Named reports whether a name is that of o, but for case and signs.
func (o Other) Named(name string) bool { return plainly(o.Name) == plainly(name) }

// Others returns the names of some measures, or all.
func Others(measures ...string) (found []Other) {
	for _, o := range others {
		if len(measures) == 0 || slices.Contains(measures, o.Measure) {
			found = append(found, o)
		}
	}
	return found
}

var others = []Other{
	{"scikit-learn", "mutual_info_classif", "ig", "of what occurs: `discrete_features=True`, a binary matrix"},
	{"scikit-learn", "f_classif", "anova", "of counts"},
	{"scikit-learn", "f_regression", "pearson", "with `--target`; F is (N-2)·r²/(1-r²), of the same order and p-values"},
	{"scikit-learn", "r_regression", "pearson", "with `--target`"},
	{"scikit-learn", "chi2", "chi", "it compares summed counts, as `sklearn-chi2` of the Python package does"},
	{"scipy", "chi2_contingency", "chi", "`correction=False`; else `--yates`"},
	{"scipy", "fisher_exact", "chi", "with `--p-values --exact`"},
	{"scipy", "pearsonr", "pearson", "with `--target`"},
	{"scipy", "pointbiserialr", "pearson", "with `--target`"},
	{"scipy", "spearmanr", "spearman", "with `--target`"},
	{"scipy", "kendalltau", "spearman", "with `--target --weight binary`, of the same order"},
	{"scipy", "mannwhitneyu", "spearman", "with `--target --weight binary`; √(N-1) times it is z without correction"},
	{"scipy", "mannwhitneyu", "wilcoxon", "of key words"},
	{"scipy", "ranksums", "wilcoxon", "of key words; it corrects neither ties nor continuity"},
	{"scipy", "ttest_ind", "welch", "of key words; `equal_var=False`"},
	{"R", "chisq.test", "chi", "`correct = FALSE`; else `--yates`"},
	{"R", "fisher.test", "chi", "with `--p-values --exact`"},
	{"R", "cor.test", "pearson", "with `--target`; also `spearman`"},
	{"R", "prop.trend.test", "trend", "with `--target`"},
	{"R", "wilcox.test", "spearman", "with `--target --weight binary`; √(N-1) times it is z without correction"},
	{"R", "wilcox.test", "wilcoxon", "of key words; `exact = FALSE`"},
	{"R", "t.test", "welch", "of key words"},
	{"R", "oneway.test", "anova", "`var.equal = TRUE`"},
	{"SPSS", "Linear-by-Linear Association", "trend", "with `--target`; (N-1)/N·trend²"},
	{"SAS", "CMH1", "trend", "with `--target`; (N-1)/N·trend²"},
	{"quanteda", "textstat_keyness", "g2tf", "`measure = \"lr\"`, `correction = \"none\"`; of the target, with a sign"},
	{"quanteda", "textstat_keyness", "chitf", "`measure = \"chi2\"`, `correction = \"none\"`; of the target, with a sign"},
	{"quanteda", "textstat_keyness", "ll", "of key words"},
	{"BERTopic", "ClassTfidfTransformer", "ctfidf", "`--bm25` and `--reduce-frequent` are its options"},
	{"BERTopic", "c-TF-IDF", "ctfidf", ""},
	{"BERTopic", "class TF-IDF", "ctfidf", ""},
	{"Weka", "InfoGainAttributeEval", "ig", "`-B`; `--base 2`"},
	{"Weka", "ChiSquaredAttributeEval", "chi", "`-B`; Σ (1-P(c))·chi"},
	{"FSelector", "information.gain", "ig", ""},
	{"FSelector", "chi.squared", "chi", "it gives Cramér's V"},
	{"Elasticsearch", "significant_text", "jlh", "its default heuristic"},
	{"Elasticsearch", "significant_terms", "jlh", "its default heuristic"},
	{"Elasticsearch", "chi_square", "chi", ""},
	{"Elasticsearch", "mutual_information", "emi", "`--base 2`"},
	{"Elasticsearch", "percentage", "dia", ""},
	{"Elasticsearch", "google_normalized_distance", "gnd", ""},
	{"Sketch Engine", "keyness score", "simplemaths", "`--smooth` is its N"},
	{"AntConc", "Likelihood", "ll", "of key words"},
	{"WordSmith", "keyness", "ll", "of key words"},
	{"Wmatrix", "LL", "ll", "of key words"},
	{"corpora (R)", "LRC", "lrc", ""},
	{"corpora (R)", "LogRatio", "logratio", "it adds ½ to all four numbers (Walter 1975)"},
	{"corpora (R)", "SimpleMaths", "simplemaths", ""},
	{"corpora (R)", "G2", "g2", "of key words"},
	{"CQPweb", "Log Ratio (filtered)", "logratio", "with `--max-p`"},
	{"CQPweb", "Conservative LR", "lrc", ""},
	{"stylo", "craig.zeta", "zeta", "of percentages, divided by 100"},
	{"stylo", "eder.zeta", "zetaeder", "it drops what is ±1"},
	{"stylo", "oppose", "zeta", "of key words, with `--segments`"},
	{"pydistinto", "zeta_sd0", "zeta", ""},
	{"pydistinto", "zeta_sd2", "zetalog", ""},
	{"pydistinto", "rrf_dr0", "rrf", "it adds 1e-11, so that nothing is infinite"},
	{"pydistinto", "eta_sg0", "eta", ""},
	{"tidylo", "bind_log_odds", "logoddsz", ""},
	{"ConvoKit", "FightingWords", "logoddsz", ""},
	{"NLTK", "likelihood_ratio", "g2tf", "of pairs of words; here of a word and a class"},
	{"Manning et al., ch. 13", "I(U;C)", "emi", "`--base 2`"},
	{"Manning et al., ch. 13", "X²", "chi", ""},

	{"", "chi2", "chi", ""},
	{"", "sklearn-chi2", "chi", "only in name: sklearn-chi2, of the packages for Python and C, adds up counts as scikit-learn does"},
	{"", "chi squared", "chi", ""},
	{"", "chisq", "chi", ""},
	{"", "pearson chi square", "chi", ""},
	{"", "info gain", "ig", ""},
	{"", "information gain", "ig", ""},
	{"", "mutual information", "ig", ""},
	{"", "mutual information", "mi", ""},
	{"", "f test", "anova", ""},
	{"", "f score", "anova", ""},
	{"", "analysis of variance", "anova", ""},
	{"", "log likelihood ratio", "g2", ""},
	{"", "dunning", "g2", ""},
	{"", "dunning", "g2tf", ""},
	{"", "log likelihood", "g2tf", ""},
	{"", "dunning", "ll", ""},
	{"", "log likelihood", "ll", ""},
	{"", "keyness", "g2tf", ""},
	{"", "pmi", "mi", ""},
	{"", "log odds", "lor", ""},
	{"", "weighted log odds", "logoddsz", ""},
	{"", "term frequency", "cf", ""},
	{"", "correlation coefficient", "ngl", ""},
	{"", "signed chi-square", "ngl", ""},
	{"", "phi coefficient", "ngl", ""},
	{"", "z score", "logoddsz", ""},
	{"", "z score", "z", ""},
	{"", "fighting words", "logoddsz", ""},
	{"", "fighting words", "z", ""},
	{"", "lift", "mi", ""},
	{"", "precision", "dia", ""},
	{"", "relative risk", "pr", ""},
	{"", "risk ratio", "pr", ""},
	{"", "bi normal separation", "bns", ""},
	{"", "fisher score", "anova", ""},
	{"", "effect size of log likelihood", "ell", ""},
	{"", "percent diff", "diff", ""},
	{"", "conservative log ratio", "lrc", ""},
	{"", "text dispersion", "tdk", ""},
	{"", "kilgarriff", "simplemaths", ""},
	{"", "burrows zeta", "zeta", ""},
	{"", "normalized google distance", "gnd", ""},
	{"", "point biserial", "pearson", ""},
	{"", "correlation", "pearson", ""},
	{"", "cochran armitage", "trend", ""},
	{"", "rank sum", "wilcoxon", ""},
	{"", "mann whitney u", "wilcoxon", ""},
	{"", "common language effect size", "psup", ""},
	{"", "auc", "psup", ""},
	{"", "vargha delaney a", "psup", ""},
}

// synonyms are names that simply work: they mean the same wherever they stand.
var synonyms = map[string]string{"chi2": "chi"}

// Canonical returns the name of a measure that a name means.
func Canonical(name string) string {
	if known := synonyms[name]; known != "" {
		return known
	}
	return name
}

// gone has the measures that 0.2.0 no longer has, each with what to do instead. CHANGELOG.md lists them.
var gone = map[string]string{
	"f":                "pearson gives the same order and p-values",
	"linear_by_linear": "trend gives the same order",
	"kendall":          "spearman with the weight binary gives the same order",
	"mannwhitney":      "spearman with the weight binary compares the same ranks; √(N-1) times it is z without correction",
	"mh":               ofControl,
	"ormh":             ofControl,
	"psup":             "spearman with the weight binary compares the same ranks; of two corpora psup is a measure of keyness",
}

const ofControl = "rank the documents of each part alone (--docs file=IDS) and compare the rankings"

// Gone returns what to do instead of a measure that went in 0.2.0, "" for any other name.
func Gone(name string) string { return gone[name] }

// Elsewhere returns what to ask for if a name that is none of those known is, or stands for, a
// measure of another kind; "" if it does not.
func Elsewhere(name string, known []string) string {
	plain := plainly(name)
	for m := range Described() {
		if plainly(m.Name) == plain && !slices.Contains(known, m.Name) {
			return m.Name + " is a measure of " + string(m.Kind) + ": termsift " + m.Kind.Asked() + " " + m.Name
		}
	}
	for _, o := range others {
		if o.Named(name) && slices.Contains(known, o.Measure) {
			return ""
		}
	}
	for _, o := range others {
		if o.Named(name) {
			return Elsewhere(o.Measure, known)
		}
	}
	return ""
}

// plainly returns the letters and digits of a name, in lower case.
func plainly(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// bibliography has the sources in BibTeX, an entry a paragraph.
//
//go:embed sources.bib
var bibliography string

// Cite returns the entries of some keys in BibTeX, in the order of the keys and each once, or all; "" for
// keys that there are none of.
func Cite(keys ...string) string {
	if len(keys) == 0 {
		return bibliography
	}
	var entries []string
	done := map[string]bool{}
	for _, key := range keys {
		if entry := entryOf(key); entry != "" && !done[key] {
			done[key] = true
			entries = append(entries, entry)
		}
	}
	return strings.Join(entries, "\n")
}

// entryOf returns the entry of a key, which ends with a line.
func entryOf(key string) string {
	for entry := range strings.SplitSeq(strings.TrimSuffix(bibliography, "\n"), "\n\n") {
		if _, rest, _ := strings.Cut(entry, "{"); strings.HasPrefix(rest, key+",") {
			return entry + "\n"
		}
	}
	return ""
}

// Credit returns the authors and years of some keys: "Monroe et al. 2008".
func Credit(keys ...string) string {
	var credits []string
	for _, key := range keys {
		authors := strings.Split(cmp.Or(field(entryOf(key), "author"), field(entryOf(key), "editor")), " and ")
		for i, author := range authors {
			authors[i], _, _ = strings.Cut(author, ",")
		}
		text := strings.Join(authors, " & ")
		if len(authors) > 2 {
			text = authors[0] + " et al."
		}
		credits = append(credits, strings.TrimSpace(text+" "+field(entryOf(key), "year")))
	}
	return strings.Join(credits, "; ")
}

// field returns the value of a field of an entry, as readers see it.
func field(entry, name string) string {
	for line := range strings.Lines(entry) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		if strings.TrimSpace(key) == name {
			value = strings.TrimSuffix(strings.TrimSpace(value), ",")
			return accents.Replace(value)
		}
	}
	return ""
}

var accents = strings.NewReplacer(`{\"u}`, "ü", `{\"o}`, "ö", `{\'c}`, "ć", `{\'a}`, "á", `{\'e}`, "é", `{\'i}`, "í", `{\'y}`, "ý", `{\c{c}}`, "ç",
	"{", "", "}", "")
