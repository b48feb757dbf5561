package reader

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func qrelsOf(t *testing.T, file string) (qrels, error) {
	opt := Options{Qrels: file}
	testkit.OK(opt.complete())
	return readQrels(t.Context(), opt)
}

func TestQrels(t *testing.T) {
	want := qrels{"2286": {"E11", "ECAT"}, "2287": {"C24"}}
	const text = "E11 2286 1\nECAT\t2286  1\r\n\nM11 2286 0\n C24 2287 1"
	for name, data := range map[string][]byte{"plain": []byte(text), "gzip": zip(t, []byte(text)), "BOM": []byte("\ufeff" + text)} {
		testkit.Same(t, testkit.Must(qrelsOf(t, writeNamed(t, "q", string(data)))), want, name)
	}
	if got, err := qrelsOf(t, ""); got != nil || err != nil {
		t.Errorf("no file: %v, %v", got, err)
	}
}

func TestBadQrels(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"third field":  {"E11 1 1\nE11 2286 2\n", `q:2:10: the third field is neither 1 nor 0: "2"; write a label`},
		"two fields":   {"E11 2286\n", `q:1: fewer than three fields: "E11 2286"`},
		"four fields":  {"E11 0 2286 1\n", `q:1:12: a fourth field: "1"`},
		"long line":    {"E11 1 1\n" + strings.Repeat("x", bufferBytes+1), "q:2: the line is longer than any label"},
		"empty":        {"", "q: the file gives no document a label"},
		"zeros only":   {"E11 2286 0\n", "q: the file gives no document a label"},
		"damaged":      {string(zip(t, []byte("E11 2286 1\n"))[:20]), "q:1: "},
		"broken gzip":  {"\x1f\x8b\x00", "q:1: broken gzip"},
		"a token file": {lyrlText, "q:1: fewer than three fields"},
	} {
		_, err := Read(t.Context(), []string{"-"}, Options{Qrels: writeNamed(t, "q", c.text)})
		testkit.Refused(t, err, ErrBadInput, c.want, name)
	}
	var missing *fs.PathError
	if _, err := qrelsOf(t, "nowhere"); !errors.As(err, &missing) {
		t.Errorf("a missing file: %v", err)
	}
}

// The limit of labels holds for those that come from elsewhere too.
func TestQrelsLimits(t *testing.T) {
	file := writeNamed(t, "q", "a 2286 1\nb 2286 1\n")
	for want, opt := range map[string]Options{
		"--max-classes": {Qrels: file, MaxClasses: 1},
		"--max-labels":  {Qrels: file, MaxLabels: 1},
	} {
		testkit.Says(t, testkit.Err(collect(t, lyrlText, opt)), want)
	}
}

func FuzzQrels(f *testing.F) {
	f.Add("E11 2286 1\nECAT 2286 1\n")
	f.Add("E11\t2286\t0\r\n\nE11 2286 2")
	f.Fuzz(func(t *testing.T, text string) {
		var e *Error
		if _, err := Read(t.Context(), nil, Options{Qrels: writeNamed(t, "q", text)}); err != nil && !errors.As(err, &e) {
			t.Fatalf("%T %v", err, err)
		}
	})
}

func TestFilter(t *testing.T) {
	const several, none = "document without exactly one label", "document without a label of these classes"
	ab := []string{"a", "b"}
	for name, c := range map[string]struct {
		labels, want string
		opt          Options
		reason       string
	}{
		"all":                    {"c a", "c a", Options{}, ""},
		"none":                   {"", "", Options{}, ""},
		"repeated":               {"a b a b", "a b", Options{}, ""},
		"single":                 {"a", "a", Options{SingleLabel: true}, ""},
		"single of two":          {"a b", "", Options{SingleLabel: true}, several},
		"single of none":         {"", "", Options{SingleLabel: true}, several},
		"single, repeated":       {"a a", "", Options{SingleLabel: true}, several},
		"single before classes":  {"a c", "", Options{SingleLabel: true, Classes: ab}, several},
		"single of other class":  {"c", "", Options{SingleLabel: true, Classes: ab}, none},
		"first":                  {"c a", "c", Options{FirstLabel: true}, ""},
		"first of none":          {"", "", Options{FirstLabel: true}, ""},
		"first before classes":   {"c a", "", Options{FirstLabel: true, Classes: ab}, ""},
		"classes":                {"c b a", "b a", Options{Classes: ab}, ""},
		"other classes":          {"c", "", Options{Classes: ab}, ""},
		"no classes":             {"a b", "", Options{Classes: []string{}}, ""},
		"labelled":               {"a", "a", Options{Labelled: true}, ""},
		"labelled, none":         {"", "", Options{Labelled: true}, none},
		"labelled, other class":  {"c", "", Options{Labelled: true, Classes: ab}, none},
		"labelled, first, other": {"c a", "", Options{FirstLabel: true, Labelled: true, Classes: ab}, none},
	} {
		s := testkit.Must(Read(t.Context(), nil, c.opt))
		got, reason := s.filter(strings.Fields(c.labels))
		testkit.Equal(t, strings.Join(got, " "), c.want, name, got)
		testkit.Equal(t, reason, c.reason, name, got)
	}
}

// Classes that no document has are told: a name in the list may be misspelt.
func TestMissingClasses(t *testing.T) {
	const text = "text,label\nx,a\ny,c\nz,\n"
	for _, c := range []struct {
		classes []string
		want    string
	}{
		{nil, ""},
		{[]string{"c", "a"}, ""},
		{[]string{"a", "C", "d"}, `2 of the 3 classes asked for are labels of no document; the first is "C"`},
		{[]string{"zz"}, `1 of the 1 classes asked for are labels of no document; the first is "zz"`},
		{[]string{}, "the list of the classes asked for is empty"},
	} {
		opt := Options{Format: CSV, Classes: c.classes, Stdin: strings.NewReader(text)}
		s := testkit.Must(Read(t.Context(), []string{"-"}, opt))
		for range testkit.All(s.Documents()) {
		}
		if hint := s.LabelHint(); hint != c.want || c.want != "" && !slices.Contains(s.Summary().Notes, c.want) {
			t.Errorf("%q: %q, %q", c.classes, hint, s.Summary().Notes)
		}
	}
}
