package score_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/words"
)

var year = regexp.MustCompile(`\b(1[89]|20)\d\d\b`)

// Every measure that can be asked for is told of, once, and none that cannot.
func TestAllMeasures(t *testing.T) {
	told := map[[2]string]bool{}
	for m := range score.Described() {
		key := [2]string{string(m.Kind), m.Name}
		testkit.Equal(t, told[key], false, m.Name, "of", m.Kind, "is told of twice")
		told[key] = true
		if !strings.HasSuffix(m.Question, "?") && !strings.Contains(m.Question, "? ") || m.Formula == "" || m.Range == "" || m.Misleads == "" || len(m.Sources) == 0 || m.FamilyOf == "" {
			t.Errorf("%+v lacks something", m)
		}
		if m.Kind != score.OfClasses && m.Kind != score.OfNumbers {
			continue
		}
		i := slices.IndexFunc(rank.EveryMeasure(), func(info rank.MeasureInfo) bool { return info.Name == m.Name })
		if i < 0 {
			t.Errorf("rank knows no %s", m.Name)
			continue
		}
		source := rank.EveryMeasure()[i].Source
		for _, y := range year.FindAllString(source, -1) {
			testkit.Contains(t, score.Credit(m.Sources...), y, "the source of", m.Name, "is", source, "and none of",
				m.Sources, "is of")
		}
	}
	for _, m := range rank.EveryMeasure() {
		kind := score.OfClasses
		if m.Target {
			kind = score.OfNumbers
		}
		testkit.Equal(t, told[[2]string{string(kind), m.Name}], true, "nothing is told of", m.Name, "of", kind)
	}
	others := map[score.Kind][]string{
		score.OfCorpora: names(words.KeynessMeasures()),
		score.OfWords:   append(names(words.Measures()), string(words.CValue)),
		score.OfSpread:  {"dp", "dpnorm", "d"},
		score.OfSets:    append(methods.Criteria(), methods.NameBestTerms),
	}
	for kind, all := range others {
		for _, name := range all {
			testkit.Equal(t, told[[2]string{string(kind), name}], true, "nothing is told of", name, "of", kind)
			delete(told, [2]string{string(kind), name})
		}
	}
	for key := range told {
		if others[score.Kind(key[0])] != nil {
			t.Errorf("nothing knows %s of %s", key[1], key[0])
		}
	}
}

// names returns names as strings.
func names[S ~string](all []S) (texts []string) {
	for _, name := range all {
		texts = append(texts, string(name))
	}
	return texts
}

// described reports whether a measure of any kind has a name.
func described(name string) bool {
	for m := range score.Described() {
		if m.Name == name {
			return true
		}
	}
	return false
}

// Twins and names elsewhere are those of measures that there are.
func TestNames(t *testing.T) {
	for _, twin := range score.Twins() {
		for _, name := range twin.Measures {
			if !described(name) || !strings.Contains(twin.Equation, name) {
				t.Errorf("%s: no %s", twin.Equation, name)
			}
		}
	}
	seen := map[score.Other]bool{}
	for _, o := range score.Others() {
		if !described(o.Measure) {
			t.Errorf("%s %s: no measure %s", o.Program, o.Name, o.Measure)
		}
		key := score.Other{Program: o.Program, Name: o.Name, Measure: o.Measure}
		if seen[key] || o.Name == "" {
			t.Errorf("%+v is there twice", key)
		}
		seen[key] = true
	}
	for name, want := range map[string]string{"chi2": "chi", "chi": "chi", "": "", "x": "x"} {
		testkit.Equal(t, score.Canonical(name), want, name)
	}
	for name, want := range map[string]string{"wilcoxon": "keyness --by wilcoxon", "ranksums": "keyness --by wilcoxon", "ig": "", "chi2_contingency": "", "nothing": ""} {
		got := score.Elsewhere(name, []string{"ig", "chi"})
		if !strings.HasSuffix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"f": "pearson", "psup": "keyness", "pearson": "", "nothing": ""} {
		if got := score.Gone(name); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s went: %q, want %q", name, got, want)
		}
	}
	if score.Others("none") != nil || score.Twins("none") != nil || described("none") {
		t.Error("an unknown measure has something")
	}
}

var (
	entries = regexp.MustCompile(`(?m)^@(\w+)\{(\w+),\n((?:  .*\n)+)\}$`)
	fields  = regexp.MustCompile(`(?m)^  (\w+) += \{(.*)\},?$`)
	doi     = regexp.MustCompile(`^10\.\d{4,5}/\S+$`)
	needed  = map[string][]string{
		"article": {"author", "title", "journal", "volume", "pages", "year"}, "inproceedings": {"author", "title", "booktitle", "year"},
		"incollection": {"author", "title", "booktitle", "publisher", "year"}, "book": {"title", "publisher", "year"}, "phdthesis": {"author", "title", "school", "year"}, "misc": {"author", "title"},
	}
)

// Every source has what BibTeX wants of its kind, balanced braces, and a measure that it is the source of.
func TestBibliography(t *testing.T) {
	text := score.Cite()
	found := entries.FindAllStringSubmatch(text, -1)
	if len(found) < 40 || len(found) != strings.Count(text, "@") {
		t.Fatalf("%d entries of %d", len(found), strings.Count(text, "@"))
	}
	var cited []string
	for m := range score.Described() {
		cited = append(cited, m.Sources...)
	}
	var keys []string
	for _, entry := range found {
		kind, key := entry[1], entry[2]
		keys = append(keys, key)
		has := map[string]string{}
		for _, f := range fields.FindAllStringSubmatch(entry[3], -1) {
			has[f[1]] = f[2]
			if strings.Count(f[2], "{") != strings.Count(f[2], "}") || f[2] == "" {
				t.Errorf("%s: %s = {%s}", key, f[1], f[2])
			}
		}
		if len(has) != strings.Count(entry[3], "\n") || needed[kind] == nil {
			t.Errorf("@%s{%s: %q", kind, key, has)
		}
		for _, name := range needed[kind] {
			if has[name] == "" {
				t.Errorf("%s has no %s", key, name)
			}
		}
		testkit.Equal(t, has["author"]+has["editor"] != "", true, key, "has authors or editors")
		if d := has["doi"]; d != "" && !doi.MatchString(d) {
			t.Errorf("%s: doi %s", key, d)
		}
		if y := has["year"]; y != "" && !strings.HasSuffix(key, y) {
			t.Errorf("%s is of %s", key, y)
		}
		testkit.Equal(t, slices.Contains(cited, key), true, key, "is the source of no measure")
		testkit.Equal(t, score.Cite(key, key), entry[0]+"\n", "Cite of", key)
	}
	for _, key := range cited {
		testkit.Equal(t, slices.Contains(keys, key), true, "no source", key)
	}
	if got := score.Cite("no", "yang1997", "li2007"); strings.Count(got, "@") != 2 || !strings.Contains(got, "}\n\n@") {
		t.Errorf("%q", got)
	}
	testkit.Equal(t, score.Credit("schoech2018", "li2007", "elasticsearch", "dunning1993"),
		"Schöch et al. 2018; Li & Sun 2007; Elastic; Dunning 1993")
}
