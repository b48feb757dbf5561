package reader

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
)

// plainSVMLight is the reference: it reads a line by the functions of strings and
// strconv. It has no labels at all where the line is blank.
func plainSVMLight(line string, pos document.Position) (d document.Document, err error) {
	line, _, _ = strings.Cut(line, "#")
	if sizes := regexp.MustCompile(`^[ \t]*\d+[ \t]+\d+[ \t]+\d+[ \t]*$`); strings.TrimSpace(line) == "" || sizes.MatchString(line) {
		return d, nil
	}
	d.Features = []document.Feature{}
	seen := map[uint64]bool{}
	for column, field := range plainFields(line) {
		pos.Column = column + 1
		if column == 0 && !strings.Contains(field, ":") {
			if d.Labels, err = plainLabels(field, pos); err != nil {
				return d, err
			}
			continue
		}
		if query, found := strings.CutPrefix(field, "qid:"); found {
			if _, err := strconv.ParseUint(query, 10, 64); err != nil {
				return d, &Error{Pos: pos, Problem: "the query id is not a whole number", Bytes: field, Remedy: "write qid:7"}
			}
			continue
		}
		f, index, err := plainPair(field, pos)
		if err != nil {
			return d, err
		}
		if seen[index] {
			return d, &Error{
				Pos: pos, Problem: fmt.Sprintf("index %d stands there twice", index), Bytes: field,
				Remedy: "add the values of an index up",
			}
		}
		seen[index] = true
		if f.Value > 0 {
			d.Features = append(d.Features, f)
		}
	}
	return d, nil
}

// plainFields yields the fields of a line with their byte offsets.
func plainFields(line string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		at := 0
		for _, field := range strings.FieldsFunc(line, plainBlank) {
			at += strings.IndexFunc(line[at:], func(r rune) bool { return !plainBlank(r) })
			if !yield(at, field) {
				return
			}
			at += len(field)
		}
	}
}

func plainBlank(r rune) bool { return r == ' ' || r == '\t' }

// plainLabels returns the labels of a field, or those before the bad one and the error.
func plainLabels(field string, pos document.Position) (labels []string, err error) {
	for label := range strings.SplitSeq(field, ",") {
		label = strings.TrimPrefix(label, "+")
		if label == "" {
			return labels, &Error{Pos: pos, Problem: "an empty label", Bytes: field, Remedy: "join labels by one comma: 3,17"}
		}
		labels = append(labels, plainNumber(label))
	}
	return labels, nil
}

var decimalForm = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?0*([1-3]?\d{1,2}|400))?$`)

// plainNumber returns the shortest form of a label that is a number of few digits.
func plainNumber(label string) string {
	exact, ok := new(big.Rat).SetString(label)
	if !ok || !decimalForm.MatchString(label) {
		return label
	}
	if exact.IsInt() {
		return exact.Num().String()
	}
	value, _ := exact.Float64()
	if value == 0 {
		return label
	}
	short, _ := json.Marshal(value)
	return regexp.MustCompile(`e-(\d)$`).ReplaceAllString(string(short), "e-0$1")
}

func plainPair(field string, pos document.Position) (f document.Feature, index uint64, err error) {
	bad := func(problem string) (document.Feature, uint64, error) {
		return f, 0, &Error{Pos: pos, Problem: problem, Bytes: field, Remedy: "write index:value, for example 17:2"}
	}
	term, value, found := strings.Cut(field, ":")
	if !found {
		return bad("no index:value pair")
	}
	if index, err = strconv.ParseUint(term, 10, 63); err != nil {
		return bad("the index is not a whole number from 0 on")
	}
	f.Term = strconv.FormatUint(index, 10)
	f.Value, err = strconv.ParseFloat(value, 64)
	switch {
	case err != nil || strings.ContainsAny(value, "xXpP_"):
		return bad("the value is not a decimal number")
	case math.IsNaN(f.Value) || math.IsInf(f.Value, 0):
		return bad("the value is not finite")
	case f.Value < 0:
		return bad("the value is negative; counts and weights of terms are not")
	}
	return f, index, nil
}

var svmlightSeeds = []string{
	"1,2 3:1 4:2.5 # c", "\t0:1e-3 qid:7 9:0", "+1 2:3", "1 007:1 0:2", "1 9:1 2:1 9:2", "1 2:1\t3:1 ", "-1 1:0.1 2:.5 3:5. 4:1e5 5:1E+05 6:12.50e-7",
	"1 1:9007199254740993 2:9007199254740991 3:1e22 4:1e23 5:1e-22 6:123456789012345678901234567890", "1 1:nan", "1 1:Inf", "1 1:-1", "1 1:-0",
	"1 1:+3", "1 1:1e400", "1 1:1e-400", "1 1:0x1p3", "1 1:1_0", "1 1:", "1 :1", "1 1:1:2", "1 1 :1", "1 9223372036854775807:1", "1 9223372036854775808:1",
	"1 12345678:1 123456789:2", "1 1234567:12345678", "1 1:1\x00", "1\x00 1:1", "1 1:e5", "1 1:.", "1 1:1e", "1 1:1e+", "1 1:1.2.3", "1 1:1e1000 2:1",
	"1 qid:1:2 3:1", "qid:7 3:1", "1 qid: 3:1", "1 qid:18446744073709551616", "1, 2:1", "1 2:1\r", "1 2:1\v3:1", "1 2:1\u00a03:1", "x", " x", "1:1 2",
	"1 00000000000000000000012:3", "1 000:1", "1 4194303:1 4194304:1 4194305:1",
	"1.0 1:1", "+1,-0,00 1:1", "1.,1e0,.1e1,10e-1 1:1", "0.50,5e-1,.5 1:1", "9007199254740993,9007199254740993.0 1:1", "1e30,1_0,0x1,1e,e1,.,-,1..0 1:1",
	"-1.50,inf,nan,1e400 1:1", "3", "2 5 2",
}

// checkSVMLight compares with the reference, the whole error included. The
// reference knows no limit for names, so that no line may reach it.
func checkSVMLight(t *testing.T, p *parser, line string) {
	t.Helper()
	if strings.Contains(line, "\n") || len(line) > p.s.opt.MaxName {
		return
	}
	want, pos := "", document.Position{File: "f", Line: 1}
	d, wantErr := plainSVMLight(line, pos)
	for i, label := range d.Labels {
		d.Labels[i] = p.decoder.Name([]byte(label))
		if strings.ContainsRune(d.Labels[i], utf8.RuneError) {
			return // two labels outside the charset may not become one: TestNamesThatBecomeOne
		}
	}
	if wantErr == nil && d.Features != nil {
		d.ID = pos.String()
		d.Labels = distinct(d.Labels)
		want = show(d)
	}
	got, err := parseLine(p, SVMLight, line)
	if got != want || fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Fatalf("%q: got %s, %v; want %s, %v", line, got, err, want, wantErr)
	}
}

func TestSVMLightLikeTheReference(t *testing.T) {
	p := newParser(t, Options{})
	for _, line := range svmlightSeeds {
		checkSVMLight(t, p, line)
		for cut := range len(line) {
			checkSVMLight(t, p, line[:cut])
			checkSVMLight(t, p, line[cut:])
		}
	}
	eachMutation(rand.New(rand.NewPCG(4, 3)), svmlightSeeds, "0159:.,+-eE# \tq\x00\xff", 50_000, func(line string) { checkSVMLight(t, p, line) })
}

func FuzzSVMLightLikeTheReference(f *testing.F) {
	for _, line := range svmlightSeeds {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) { checkSVMLight(t, newParser(t, Options{}), line) }) // a parser remembers labels
}

// A label that is a number is one label, however it is written.
func TestLabelsThatAreNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"1.0 1:1\n+1 1:1\n01 1:1\n1. 1:1\n1e0 1:1\n10e-1 1:1": "1",
		"-0 1:1\n00 1:1\n0.0 1:1\n-0e5 1:1":                   "0",
		"-1 1:1\n-1.00 1:1":                                   "-1",
		"0.50 1:1\n5e-1 1:1\n.5 1:1":                          "0.5",
		"123456789.5 1:1\n1.234567895e8 1:1":                  "123456789.5",
		"9007199254740993 1:1\n9007199254740993.0 1:1":        "9007199254740993",
		"1000000000000000000000000000001 1:1":                 "1000000000000000000000000000001",
		"1e30 1:1\n1000000000000000000000000000000 1:1":       "1000000000000000000000000000000",
		"nan 1:1":                          "nan",
		"0x1 1:1":                          "0x1",
		"1_0 1:1":                          "1_0",
		"1e999999999999999999999 1:1":      "1e999999999999999999999",
		"1e-390 1:1":                       "1e-390",
		strings.Repeat("1", 4000) + " 1:1": strings.Repeat("1", 4000),
		"1.0,2e0 1:1":                      "1,2",
	} {
		docs, err := collect(t, text, Options{Format: SVMLight})
		testkit.Is(t, err, nil, text)
		for _, d := range docs {
			testkit.Equal(t, strings.Join(d.Labels, ","), want, text, "label")
		}
	}
}

// A line that begins with an element may be meant to have a label, and what has none is
// counted aloud.
func TestLinesWithoutALabel(t *testing.T) {
	const text = "1:0.5 3:1\n0:2 4:1\n1 3:1\n0 4:1\n 7:1\n"
	_, sum, err := shown(t, text, Options{})
	if err != nil || len(sum.Notes) != 2 || !strings.HasPrefix(sum.Notes[0], `stdin:1: the line begins with an element, which is no label: the document has none: "1:0.5"; `) ||
		!strings.HasSuffix(sum.Notes[0], "(the first of 2)") || sum.Notes[1] != "3 of 5 documents have no label" {
		t.Errorf("%q, %v", sum.Notes, err)
	}
	if _, sum, err = shown(t, text, Options{Unlabelled: true}); err != nil || len(sum.Notes) != 0 {
		t.Errorf("no label is needed: %q, %v", sum.Notes, err)
	}
	if _, sum, err = shown(t, "1 3:1\n0 4:1\n", Options{}); err != nil || len(sum.Notes) != 0 {
		t.Errorf("all have one: %q, %v", sum.Notes, err)
	}
	for text, opt := range map[string]Options{
		"label,text\na,x\n,y\n":                              {Format: CSV},
		`{"label":"a","text":"x"}` + "\n" + `{"text":"x"}`:   {},
		`[{"label":"a","text":"x"},{"label":"","text":"x"}]`: {},
		"label,text\na,x\nb,y\n":                             {Format: CSV, Classes: []string{"a"}},
	} {
		if _, sum, err := shown(t, text, opt); err != nil || !slices.Equal(sum.Notes, []string{"1 of 2 documents have no label"}) {
			t.Errorf("%q: %q, %v", text, sum.Notes, err)
		}
	}
}

// Where most classes have one document each, they may be no classes.
func TestTargetsOfARegression(t *testing.T) {
	var targets, classes strings.Builder
	for i := range 20 {
		fmt.Fprintf(&targets, "%g 1:1\n", float64(i)/8)
		fmt.Fprintf(&classes, "%d 1:1\n", i%9)
	}
	_, sum, err := shown(t, targets.String(), Options{})
	want := "there are 20 classes for 20 documents with a label: is the label a measured value, or the name of a document? --target reads a measured value as a number, --label-field names another label"
	testkit.OK(err)
	testkit.EqualSlices(t, sum.Warnings, []string{want})
	if _, sum, err = shown(t, classes.String(), Options{}); err != nil || len(sum.Warnings) > 0 {
		t.Errorf("nine classes: %q, %v", sum.Warnings, err)
	}
}

// The vector files of LYRL2004 begin with the document's number.
func TestSVMLightWithQrels(t *testing.T) {
	s := testkit.Must(Read(t.Context(), []string{"-"}, Options{Stdin: strings.NewReader("2286  864:0.0497 1523:0.0445\n2287 1:1\n2288 1:1\n")}))
	s.qrels = qrels{"2286": {"E11", "ECAT"}, "2288": {"C15"}}
	var got []string
	for d := range testkit.All(s.Documents()) {
		got = append(got, show(d))
	}
	testkit.EqualSlices(t, got, []string{"2286 [E11 ECAT] 864:0.0497 1523:0.0445", "2287 [] 1:1", "2288 [C15] 1:1"})
	p := newParser(t, Options{})
	p.s.qrels = qrels{}
	testkit.Says(t, testkit.Err(parseLine(p, SVMLight, "864:1")), `f:1:1: no number of a document: "864:1"`,
		"without a number")
}

// An unsorted line may be long, and have its last index twice.
func TestUnsortedLines(t *testing.T) {
	p := newParser(t, Options{})
	var long strings.Builder
	long.WriteString("1")
	for i := 20_000; i >= 0; i-- {
		fmt.Fprintf(&long, " %d:1", i)
	}
	checkSVMLight(t, p, long.String())
	checkSVMLight(t, p, long.String()+" 77:1")
}
