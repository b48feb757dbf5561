package corpus_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/usage"
)

func TestMatch(t *testing.T) {
	docs := slices.Clone(labelledDocuments)
	for i := range docs {
		docs[i].Text = []byte("some text")
	}
	c := testkit.Must(corpus.Build(t.Context(), document.Of(docs...), corpus.Options{}))
	match := func(expr string) (*corpus.Matched, error) {
		f := testkit.Must(corpus.ParseQuery(expr, docLists))
		return c.Match(f)
	}
	for expr, want := range map[string]struct {
		ids      string
		warnings []string
	}{
		"class=sci.*":                   {"d0,d1,d5", nil},
		"id=y*":                         {"", []string{"no document has id=y*"}},
		`not (id="z (1)"* or class=x*)`: {"d0,d1,d2,d3,d5,d\\*,x y", []string{`no document has id="z (1)"*`, "no document has class=x*"}},
		`file="a list" or labelled and not labelled`: {"d0,x y", []string{`2 of the 4 names in a list are those of no document; the first is "nobody"`}},
		"file=odd":   {"d1,d3,d5", nil},
		"file=empty": {"", nil},
	} {
		m := testkit.Must(match(expr))
		var ids []string
		for _, d := range m.Docs.ToArray() {
			ids = append(ids, testkit.Must(c.DocumentIDs())[d])
		}
		slices.Sort(ids)
		testkit.Equal(t, strings.Join(ids, ","), want.ids, expr, ids, m.Warnings)
		testkit.EqualSlices(t, m.Warnings, want.warnings, expr, ids)
	}
	_, err := match("labelled and class=sci.spac")
	var bad *corpus.QueryError
	var unknown *usage.UnknownError
	if !errors.As(err, &bad) || bad.Column != 14 || !errors.As(err, &unknown) || !slices.Equal(unknown.Near, []string{"sci.space"}) {
		t.Error(err)
	}
}

// A randomExpression is written in some way, and evaluated in the same breath.
func randomExpression(r *rand.Rand, depth int, d document.Document) (string, bool) {
	if depth == 0 || r.IntN(4) == 0 {
		has := func(label string) bool { return slices.Contains(d.Labels, label) }
		switch r.IntN(5) {
		case 0:
			return "class=sci.space", has("sci.space")
		case 1:
			return `class="a b"`, has("a b")
		case 2:
			return "id=d*", strings.HasPrefix(d.ID, "d")
		case 3:
			return "file=odd", slices.Contains([]string{"d1", "d3", "d5"}, d.ID)
		default:
			return "labelled", len(d.Labels) > 0
		}
	}
	left, is := randomExpression(r, depth-1, d)
	right, and := randomExpression(r, depth-1, d)
	switch r.IntN(4) {
	case 0:
		return "not (" + left + ")", !is
	case 1:
		return "(" + left + ") and (" + right + ")", is && and
	case 2:
		return "( " + left + " )or\t(" + right + ")", is || and
	default:
		return "(" + left + ")", is
	}
}

func TestRandomExpressions(t *testing.T) {
	for seed := range uint64(300) {
		for i, d := range labelledDocuments {
			expr, want := randomExpression(rand.New(rand.NewPCG(seed, 1)), 4, d)
			testkit.Equal(testkit.Stop(t), strings.Contains(matching(t, expr), fmt.Sprint(i)), want, expr,
				"of document", i)
		}
	}
}

// labelledDocuments are what the expressions of the tests choose from.
var labelledDocuments = []document.Document{
	{ID: "d0", Labels: []string{"sci.space"}},
	{ID: "d1", Labels: []string{"sci.med", "rec"}},
	{ID: "d2"},
	{ID: "d3", Labels: []string{"a b"}},
	{ID: "x y", Labels: []string{"or"}},
	{ID: "d5", Labels: []string{`q"*`, "sci.space"}},
	{ID: `d\*`, Labels: []string{"Ünder"}},
}

func matching(t *testing.T, expr string) string {
	t.Helper()
	f, err := corpus.ParseQuery(expr, docLists)
	testkit.Is(testkit.Stop(t), err, nil, expr)
	testkit.Equal(t, f.String(), expr, "became", f)
	m, found := f.Matcher(), ""
	for i, d := range labelledDocuments {
		if m.Match(d.ID, d.Labels) {
			found += fmt.Sprint(i)
		}
	}
	return found
}

func TestParseDocs(t *testing.T) {
	cases := map[string]string{}
	testkit.ReadJSON("testdata/docs.json", &cases)
	for expr, want := range cases {
		testkit.Equal(t, matching(t, expr), want, expr, "documents")
	}
}

func TestParseDocsErrors(t *testing.T) {
	cases := map[string]string{}
	testkit.ReadJSON("testdata/bad_docs.json", &cases)
	cases[strings.Repeat("(", 5000)] = "1001: more than 1000 conditions within one another"
	cases[strings.Repeat("not ", 5000)] = "more than 1000 conditions within one another"
	for expr, want := range cases {
		_, err := corpus.ParseQuery(expr, docLists)
		var bad *corpus.QueryError
		if !errors.As(err, &bad) || !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), "column ") || !strings.Contains(strings.ReplaceAll(err.Error(), " of the expression", ""), want) {
			t.Errorf("%.40q: %v", expr, err)
		}
	}
	testkit.Refused(t, testkit.Err(corpus.ParseQuery("file=nowhere", docLists)), fs.ErrNotExist,
		"file=nowhere: ")
	testkit.Is(t, testkit.Err(corpus.ParseQuery("file=odd", nil)), usage.ErrUsage)
}

// The mark stands below the column, in long expressions as well.
func TestDocsErrorMarksTheColumn(t *testing.T) {
	_, err := corpus.ParseQuery("class=a\nand clas=b", nil)
	if want := "column 13 of the expression: expected class=NAME, id=NAME, file=NAME, labelled, \"not\" or \"(\", not \"clas=b\"\n" +
		"  class=a and clas=b\n" +
		"              ^"; err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	long := strings.Repeat("class=a or ", 20) + "wrong" + strings.Repeat(" or class=a", 20)
	_, err = corpus.ParseQuery(long, nil)
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 3 || len(lines[1]) > 80 || !strings.HasPrefix(lines[1][len(lines[2])-1:], "wrong") {
		t.Errorf("got\n%v", err)
	}
}

// No expression makes the parser panic, errors point into it, and what is understood
// means the same within other conditions.
func FuzzParseDocs(f *testing.F) {
	for _, expr := range []string{"class=a", `id="x y"* and not (file=odd or labelled)`, "((", `class="\"`, "id=a*b", "id=0\n0", "Ü\xff=", "not not labelled"} {
		f.Add(expr)
	}
	f.Fuzz(func(t *testing.T, expr string) {
		expr = expr[:min(len(expr), 500)] // or it may be nested too deeply once it is within more conditions
		_, err := corpus.ParseQuery(expr, docLists)
		var bad *corpus.QueryError
		switch {
		case errors.As(err, &bad):
			if bad.Column < 1 || bad.Column > utf8.RuneCountInString(expr)+1 || len(strings.Split(err.Error(), "\n")) != 3 {
				t.Fatalf("%q: %v", expr, err)
			}
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			t.Fatalf("%q: %v", expr, err)
		default:
			want := matching(t, expr)
			for _, same := range []string{"(" + expr + ")", "not not (" + expr + ")", "id=none and labelled or " + expr, expr + " or not labelled and labelled"} {
				testkit.Equal(testkit.Stop(t), matching(t, same), want, expr, "documents", same)
			}
		}
	})
}

// docLists returns the list of names of file=name in expressions for documents: there are
// "odd", "a list" and "empty".
func docLists(name string) ([]string, error) {
	switch name {
	case "odd":
		return []string{"d1", "d3", "d5", "d3"}, nil
	case "a list":
		return []string{"d0", "x y", "nobody", "no one"}, nil
	case "empty":
		return nil, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
