package words_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/words"
)

// listOf returns the frequencies of texts as the text of a list, with the documents of each term if
// they are asked for.
func listOf(lines []string, documents bool) string {
	var b strings.Builder
	counts, tokens := wordCounts(lines)
	fmt.Fprintf(&b, "# counted by hand\n#total\t%d\n", tokens)
	if documents {
		fmt.Fprintf(&b, "#documents\t%d\n", len(lines))
	}
	for word, n := range counts {
		fmt.Fprintf(&b, "%s\t%d", word, n)
		if documents {
			_, df, _ := spreadOf(lines, word)
			fmt.Fprintf(&b, "\t%d", df)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func readList(t *testing.T, text string) *words.FrequencyList {
	return testkit.Must(words.ReadFrequencyList(strings.NewReader(text), "list.txt", words.ListTotals{}))
}

// A list of the reference's frequencies gives the keys of the reference but for the dispersion, by
// every measure that it has the numbers for, and for drift.
func TestFrequencyListIsAReference(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	plain := func(k words.Key) string {
		k.Target.Dispersion, k.Reference.Dispersion = words.Dispersion{}, words.Dispersion{}
		return fmt.Sprintf("%x", k)
	}
	for range 5 {
		a, b := randomTexts(r, 2+r.IntN(20), 25), randomTexts(r, 2+r.IntN(20), 30)
		x, y := corpusOf(t, corpus.Options{}, a...), corpusOf(t, corpus.Options{}, b...)
		list, short := readList(t, listOf(b, true)), readList(t, listOf(b, false))
		for _, of := range cellsCases {
			want := testkit.Must(words.Keyness(t.Context(), x, y, of.o))
			got := testkit.Must(words.Keyness(t.Context(), x, list, of.o))
			if want.Tested != got.Tested || want.Lists[0].Passed != got.Lists[0].Passed || got.Reference != want.Reference {
				t.Fatalf("%+v: %+v of %+v, want %+v of %+v", of.o, got.Lists[0].Passed, got.Reference, want.Lists[0].Passed, want.Reference)
			}
			for i, keys := range [][]words.Key{want.Lists[0].Keys, want.Lists[1].Keys} {
				for j, k := range keys {
					testkit.Equal(testkit.Stop(t), plain([][]words.Key{got.Lists[0].Keys, got.Lists[1].Keys}[i][j]), plain(k),
						of.o, "the list", "the corpus", k)
				}
			}
			if of.documents {
				continue
			}
			bare := testkit.Must(words.Keyness(t.Context(), x, short, of.o))
			for i, k := range bare.Lists[0].Keys {
				if k.Reference.DF != -1 || k.Target.DF != want.Lists[0].Keys[i].Target.DF || k.Value != want.Lists[0].Keys[i].Value || k.Log10Corrected != want.Lists[0].Keys[i].Log10Corrected {
					t.Fatalf("%+v: the list without documents gives\n%+v, the corpus\n%+v", of.o, k, want.Lists[0].Keys[i])
				}
			}
			of.o.Drift = true
			d, e := testkit.Must(words.Keyness(t.Context(), x, short, of.o)), testkit.Must(words.Keyness(t.Context(), x, y, of.o))
			for i, changed := range e.Lists {
				if changed.Passed != d.Lists[i].Passed || len(changed.Keys) > 0 && changed.Keys[0].Term != d.Lists[i].Keys[0].Term {
					t.Fatalf("%+v: %s: %d terms, want %d", of.o, changed.Name, d.Lists[i].Passed, changed.Passed)
				}
			}
		}
	}
}

// A list with less than the corpus counts the rest among its tokens, and one of other terms is
// warned about.
func TestFrequencyListInPart(t *testing.T) {
	x := corpusOf(t, corpus.Options{}, "apple apple pear plum", "apple")
	list := testkit.Must(words.NewFrequencyList([]words.Frequency{{Term: "pear", TF: 7}, {Term: "bread", TF: 0}}, words.ListTotals{Tokens: 1000}))
	c := testkit.Must(words.Keyness(t.Context(), x, list, words.KeynessOptions{}))
	if k := testkit.Must(c.Of(t.Context(), "pear")); k.Reference.TF != 7 || k.Reference.PerMillion != 7000 || c.Reference.Tokens != 1000 {
		t.Errorf("%+v of %+v", k, c.Reference)
	}
	if len(c.Warnings) != 2 || !strings.Contains(c.Warnings[0], "the dispersion in it is undefined") || !strings.Contains(c.Warnings[1], "20 % of the target's tokens") {
		t.Errorf("warnings %q", c.Warnings)
	}
	testkit.Is(t, testkit.Err(words.Keyness(t.Context(), list, x, words.KeynessOptions{MinRange: 1})), nil,
		"a list as the target")
}

func TestFrequencyListErrors(t *testing.T) {
	x := corpusOf(t, corpus.Options{}, "apple pear", "plum")
	short := readList(t, "#total\t10\napple\t3\n")
	for _, c := range []struct {
		name              string
		target, reference rank.Counted
		o                 words.KeynessOptions
		is                error
		text              string
	}{
		{"documents", x, short, words.KeynessOptions{Measure: words.Zeta}, usage.ErrUsage, "zeta counts the documents with each term, which the reference, a frequency list, does not tell"},
		{"documents of another measure", x, short, words.KeynessOptions{Also: []words.Measure{words.JLH}}, usage.ErrUsage, "jlh counts the documents"},
		{"count by documents", x, short, words.KeynessOptions{CountBy: "documents"}, usage.ErrUsage, "ll counts the documents"},
		{"postings", x, short, words.KeynessOptions{Measure: words.Wilcoxon}, usage.ErrUsage, "wilcoxon looks at every document"},
		{"range", x, short, words.KeynessOptions{MinRange: 2}, usage.ErrUsage, "a least range of 2 cannot be looked for"},
		{"pruned", corpusOf(t, corpus.Options{MinDF: 2}, "apple pear", "apple"), short, words.KeynessOptions{}, table.ErrPruned, "the target"},
		{"nil list", x, (*words.FrequencyList)(nil), words.KeynessOptions{}, usage.ErrUsage, "nil"},
	} {
		testkit.Refused(t, testkit.Err(words.Keyness(t.Context(), c.target, c.reference, c.o)), c.is, c.text, c.name)
	}
	testkit.Refused(t, testkit.Err(rank.Terms(t.Context(), short, rank.Options{})), usage.ErrUsage,
		"only keyness compares", "a list that is scored")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	testkit.Is(t, testkit.Err(words.Keyness(ctx, x, short, words.KeynessOptions{})), context.Canceled, "cancelled")
}

func TestFrequencyListsThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		text   string
		totals words.ListTotals
		is     error
		want   string
	}{
		{"apple\t3\npear\t-1\n", words.ListTotals{Tokens: 9}, usage.ErrData, `list.txt:2: "-1" is no number of occurrences`},
		{"apple\t3\npear\t1.5\n", words.ListTotals{Tokens: 9}, usage.ErrData, `list.txt:2: "1.5" is no number of occurrences`},
		{"apple\t3\r\npear\t1,234\n", words.ListTotals{Tokens: 9}, usage.ErrData, `list.txt:2: "1,234"`},
		{"apple\t99999999999999999999\n", words.ListTotals{Tokens: 9}, usage.ErrData, "list.txt:1:"},
		{"apple\t3\t1.5\n", words.ListTotals{Tokens: 9, Documents: 9}, usage.ErrData, `"1.5" is no number of documents`},
		{"apple\t3\npear\t1\napple\t2\n", words.ListTotals{Tokens: 9}, usage.ErrData, `list.txt:3: "apple" stands twice`},
		{"apple\t3\n", words.ListTotals{}, usage.ErrUsage, "does not tell how many tokens"},
		{"apple\t3\npear\t4\n", words.ListTotals{Tokens: 6}, usage.ErrData, "7 occurrences together, more than the total of 6 tokens"},
		{"#total\t8\napple\t3\n", words.ListTotals{Tokens: 9}, usage.ErrData, "list.txt:1: the list says that its corpus has 8 tokens, and 9 were given"},
		{"#total\tmany\napple\t3\n", words.ListTotals{}, usage.ErrData, `list.txt:1: "many" is no number of tokens`},
		{"#total\t0\napple\t3\n", words.ListTotals{}, usage.ErrUsage, "does not tell how many tokens"},
		{"#total\t9\n#documents\t2\napple\t3\t3\n", words.ListTotals{}, usage.ErrData, `list.txt:3: "apple" is in 3 documents, and the corpus has 2`},
		{"#total\t9\napple\t3\t4\n", words.ListTotals{}, usage.ErrData, `"apple" has 3 occurrences, which are not in 4 documents`},
		{"#total\t9\napple\t3\t2\n", words.ListTotals{}, usage.ErrUsage, "not how many there are in all"},
		{"#total\t9\n#documents\t2\napple\t3\t1\npear\t1\n", words.ListTotals{}, usage.ErrData, `it tells the documents with "apple", and not those with "pear"`},
		{"", words.ListTotals{Tokens: 9}, usage.ErrData, "list.txt: it has no term that occurs"},
		{"apple\t0\n", words.ListTotals{Tokens: 9}, usage.ErrData, "no term that occurs"},
		{"\t3\n", words.ListTotals{Tokens: 9}, usage.ErrData, "list.txt:1: the term is empty"},
		{"apple 3\n", words.ListTotals{Tokens: 9}, usage.ErrData, "list.txt:1: the line has 1 fields"},
		{"1\t3\tapple\t7\n", words.ListTotals{Tokens: 9}, usage.ErrData, "the line has 4 fields"},
		{"#Word Types: 2\n#Word Tokens: 9\n1\t900\tthe\n", words.ListTotals{Tokens: 9}, usage.ErrData, `list.txt:3: the term is the first column, and here it seems to be column 3, "the"`},
		{"900\tthe\n", words.ListTotals{Tokens: 9}, usage.ErrData, `it seems to be column 2, "the"`},
		{"1984\tmany\n", words.ListTotals{Tokens: 9}, usage.ErrData, `it seems to be column 2, "many"`},
		{"apple\tmany\n", words.ListTotals{Tokens: 9}, usage.ErrData, `"many" is no number of occurrences`},
		{"ap\xffple\t3\n", words.ListTotals{Tokens: 9}, usage.ErrData, "list.txt:1: the line is not UTF-8"},
		{"apple\t3\n", words.ListTotals{Tokens: 1 << 60}, usage.ErrUsage, "more than the"},
		{"#total\t1000000000000000000\napple\t3\n", words.ListTotals{}, usage.ErrData, "list.txt:1: 1000000000000000000 tokens are more than the"},
		{"apple\t3\n", words.ListTotals{Tokens: -1}, usage.ErrUsage, "cannot be negative"},
		{"apple\t3\n", words.ListTotals{Tokens: 9, Documents: 1 << 40}, usage.ErrUsage, "1099511627776 documents are more"},
	} {
		_, err := words.ReadFrequencyList(strings.NewReader(c.text), "list.txt", c.totals)
		testkit.Refused(t, err, c.is, c.want, c.text, c.totals)
	}
	for _, wrong := range [][]words.Frequency{{{Term: "a", TF: -1}}, {{Term: "a", TF: 1, DF: -1}}, {{Term: "a", TF: 1}, {Term: "a", TF: 1}}, {{TF: 1}}, nil} {
		testkit.Refused(t, testkit.Err(words.NewFrequencyList(wrong, words.ListTotals{Tokens: 9})), usage.ErrData,
			"the frequency list", wrong)
	}
	good := "\ufeff# a remark\n#total\t20\n\n#documents\t4\n#hash\t3\t2\r\nnot one\t5\t3"
	list := testkit.Must(words.ReadFrequencyList(strings.NewReader(good), "list.txt", words.ListTotals{Tokens: 20}))
	c := testkit.Must(words.Keyness(t.Context(), corpusOf(t, corpus.Options{}, "apple"), list, words.KeynessOptions{}))
	if k := testkit.Must(c.Of(t.Context(), "not one")); k.Reference.TF != 5 || k.Reference.DF != 3 || c.Reference != (words.Side{Documents: 4, Terms: 2, Tokens: 20, Words: 20}) {
		t.Errorf("%+v of %+v", k, c.Reference)
	}
	testkit.Equal(t, testkit.Must(c.Of(t.Context(), "#hash")).Reference.TF, 3, "a term that begins with #")
}
