package reader

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/usage"
)

// numbers reads a text with the target stars, and returns the labels of its documents.
func numbers(t testing.TB, text string, opt Options) (string, Summary, error) {
	if opt.Target == "" {
		opt.Target = "stars"
	}
	opt.Stdin = strings.NewReader(text)
	s, err := Read(t.Context(), []string{"-"}, opt)
	if err != nil {
		return "", Summary{}, err
	}
	var got []string
	for d, err := range s.Documents() {
		if err != nil {
			return "", s.Summary(), err
		}
		got = append(got, strings.Join(d.Labels, ","))
	}
	return strings.Join(got, " "), s.Summary(), nil
}

// Every format gives the number of a document as its one label, in one form.
func TestTargets(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opt  Options
		want string
	}{
		"JSON":            {`{"text":"a","stars":5}` + "\n" + `{"text":"b","stars":5.0,"label":"x"}` + "\n" + `{"text":"c","stars":"+05"}` + "\n" + `{"text":"d","stars":-1.50e1}`, Options{}, "5 5 5 -15"},
		"a JSON array":    {`[{"text":"a","stars":" 4.50 "},{"text":"b","stars":1e3}]`, Options{}, "4.5 1000"},
		"a path":          {`{"text":"a","meta":{"stars":3}}` + "\n" + `{"text":"b","meta":{"stars":"\u0033.0"}}`, Options{Target: "meta.stars"}, "3 3"},
		"CSV":             {"text,stars\na,5\nb,5.0\nc,\"+05\"\nd, 4.50 \n", Options{}, "5 5 5 4.5"},
		"by number":       {"a,5\nb,-0\n", Options{Format: CSV, NoHeader: true, TextField: "1", Target: "2"}, "5 0"},
		"semicolons":      {"text;stars\na, b;5\nc;1\n", Options{Format: CSV}, "5 1"},
		"TSV":             {"stars\ttext\n2\ta\n2.00\tb\n", Options{Format: TSV}, "2 2"},
		"svmlight":        {"5 1:1\n+5.0 1:1\n0.25 2:1 # c\n-3e0 1:1\n", Options{Target: "label"}, "5 5 0.25 -3"},
		"fastText":        {"__label__5 good\n__label__1.0 bad\n", Options{Target: "label"}, "5 1"},
		"the label":       {`{"text":"a","label":"7.0"}`, Options{Target: "label"}, "7"},
		"large and long":  {"text,stars\na,9007199254740993\nb,0.12345678901234567890\nc,1e21\n", Options{}, "9007199254740993 0.1234567890123456789 1e+21"},
		"of another file": {"text,other\na,5\n", Options{OptionalFields: true}, ""},
	} {
		format := c.opt.Format
		if format == "" && strings.HasPrefix(c.text, "text,") {
			c.opt.Format = CSV
		}
		got, sum, err := numbers(t, c.text, c.opt)
		if got != c.want || err != nil || len(sum.Skipped) > 0 {
			t.Errorf("%s: %q, %v, %v, want %q", name, got, sum.Skipped, err, c.want)
		}
	}
}

// Documents without a number are left out, and counted.
func TestDocumentsWithoutATarget(t *testing.T) {
	for name, text := range map[string]string{
		"JSON": `{"text":"a","stars":5}` + "\n" + `{"text":"b"}` + "\n" + `{"text":"c","stars":null}` + "\n" + `{"text":"d","stars":""}` + "\n" + `{"text":"e","stars":" "}` + "\n" + `{"text":"f","stars":0}`,
		"CSV":  "text,stars\na,5\nb,\nc, \nd,\"\"\ne,\t\nf,0\n",
	} {
		opt := Options{Format: JSONL}
		if name == "CSV" {
			opt.Format = CSV
		}
		got, sum, err := numbers(t, text, opt)
		if got != "5 0" || err != nil || sum.Documents != 2 || sum.Unlabelled != 0 || sum.Skipped[`document without a number in "stars"`] != 4 {
			t.Errorf("%s: %q, %v, %v", name, got, sum, err)
		}
		opt.OptionalFields = true
		if got, sum, err = numbers(t, text, opt); got != "5     0" || err != nil || len(sum.Skipped) > 0 || sum.Unlabelled != 4 {
			t.Errorf("%s of a prediction: %q, %v, %v", name, got, sum, err)
		}
	}
}

func TestTargetsThatAreNone(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opt  Options
		want []string // of the error
	}{
		"thousands":          {"text,stars\na,5\nb,\"1,234\"\n", Options{Format: CSV}, []string{`stdin:3: the target "stars" is not a number: "1,234"`, "write 1234, or 1.234 if the comma is the decimal point; --skip-bad leaves"}},
		"more thousands":     {"text,stars\na,\"1,234,567\"\n", Options{Format: CSV}, []string{"without separators between thousands"}},
		"a space":            {"text,stars\na,1 234.5\n", Options{Format: CSV}, []string{`"1 234.5"; write it without separators between thousands`}},
		"a decimal comma":    {"text;stars\na;4,5\n", Options{Format: CSV}, []string{`"4,5"; write a decimal point: 4.5`}},
		"percent":            {"text,stars\na,12.5 %\n", Options{Format: CSV}, []string{`"12.5 %"; write it without the percent sign: 12.5`}},
		"a currency":         {"text,stars\na,$5\n", Options{Format: CSV}, []string{`"$5"; write the number alone, without its currency or unit`}},
		"another":            {`{"text":"a","stars":"1.234,50 €"}`, Options{}, []string{`write the number alone`}},
		"a unit":             {`{"text":"a","stars":"5 stars"}`, Options{}, []string{`"5 stars"; write the number alone`}},
		"a word":             {`{"text":"a","stars":5}` + "\n" + `{"text":"b","stars":"five"}`, Options{}, []string{`stdin:2: the target "stars" is not a number: "five"; write a decimal number such as`}},
		"true":               {`{"text":"a","stars":true}`, Options{}, []string{`is not a number: "true"`}},
		"NaN":                {"text,stars\na,NaN\n", Options{Format: CSV}, []string{`stdin:2: the target "stars" is not a number: "NaN"; leave the field empty where there is no number`}},
		"N/A":                {"text,stars\na,n/a\n", Options{Format: CSV}, []string{"leave the field empty"}},
		"infinite":           {"text,stars\na,-inf\n", Options{Format: CSV}, []string{`the target "stars" is infinite, or beyond what a float64 holds: "-inf"`}},
		"too large":          {`{"text":"a","stars":1e999}`, Options{}, []string{`is infinite, or beyond what a float64 holds: "1e999"`}},
		"too small":          {`{"text":"a","stars":1e-999}`, Options{}, []string{`the target "stars" is not zero, and so small that a float64 holds it only as zero: "1e-999"`}},
		"small in CSV":       {"text,stars\na,-1e-400\n", Options{Format: CSV}, []string{`is not zero, and so small`}},
		"a long zero":        {"text,stars\na,0." + strings.Repeat("0", 350) + "1\n", Options{Format: CSV}, []string{`is not zero, and so small`}},
		"a list":             {`{"text":"a","stars":[5]}`, Options{}, []string{`stdin:1: the document is not understood: the target "stars" is a list: "[5]"; a target is one number a document`}},
		"an object":          {`{"text":"a","stars":{"n":5}}`, Options{}, []string{`the target "stars" is an object`, "--target stars.FIELD"}},
		"no such field":      {`{"text":"a","star":5}` + "\n" + `{"text":"b","star":1}`, Options{}, []string{`no documents in - (2: document without a number in "stars"); stdin:1 has no field "stars"; there are "text", "star"; did you mean "star"? name the field with --target`}},
		"no such column":     {"text,star\na,5\n", Options{Format: CSV}, []string{`stdin:1: there is no column "stars"; there are "text", "star"; did you mean "star"? name one with --target`}},
		"all empty":          {"text,stars\na,\nb,\n", Options{Format: CSV}, []string{`no documents in - (2: document without a number in "stars")`}},
		"several labels":     {"3,17 1:1\n", Options{Target: "label"}, []string{`stdin:1: the document has several numbers: "3,17"`, "a target is one number a document"}},
		"a label":            {"good 1:1\n", Options{Target: "label", Format: SVMLight}, []string{`the target "label" is not a number: "good"`}},
		"a format's fields":  {"5 1:1\n", Options{}, []string{`stdin: the format svmlight has no field "stars"; --target label reads the label as the number`}},
		"fields of fastText": {"__label__5 a\n", Options{}, []string{`the format fasttext has no field "stars"`}},
		"too many numbers":   {"text,stars\na,1\nb,2\nc,3\n", Options{Format: CSV, MaxClasses: 2}, []string{`there are more than 2 distinct numbers: "3"; --max-classes raises the limit`}},
		"a long number":      {"text,stars\na," + strings.Repeat("1", 5000) + "\n", Options{Format: CSV}, []string{"the label has 5000 bytes, more than 4096"}},
	} {
		_, _, err := numbers(t, c.text, c.opt)
		for _, want := range c.want {
			testkit.Says(t, err, want, name)
		}
		testkit.Is(t, err, usage.ErrData, name, "not an error in the data")
	}
}

// What is no number is left out with SkipBad, by its kind and with its places.
func TestSkippedTargets(t *testing.T) {
	got, sum, err := numbers(t, "text,stars\na,5\nb,five\nc,\nd,inf\ne,six\n", Options{Format: CSV, SkipBad: true})
	if got != "5" || err != nil || len(sum.Problems) != 2 || sum.Skipped[`document without a number in "stars"`] != 1 {
		t.Fatalf("%q, %v, %v", got, sum, err)
	}
	for i, want := range []string{"the target is infinite, or beyond what a float64 holds 1 [5]", "the target is not a number 2 [3 6]"} {
		p := sum.Problems[i]
		var lines []int
		for _, e := range p.Places {
			lines = append(lines, e.Pos.Line)
		}
		testkit.Equal(t, fmt.Sprint(p.Kind, " ", p.Count, " ", lines), want)
	}
}

func TestTargetContradictions(t *testing.T) {
	for want, opt := range map[string]Options{
		"--target and --label-field contradict each other: a document has one label": {LabelField: "label"},
		"--labels":            {Labels: "places"},
		"--label-separator":   {LabelSeparator: ";"},
		"--single-label":      {SingleLabel: true},
		"--first-label":       {FirstLabel: true},
		"--classes":           {Classes: []string{"1"}},
		"--label-from file":   {LabelFrom: "file"},
		"--target label read": {LabelFrom: "file"},
	} {
		_, _, err := numbers(t, "{}", opt)
		testkit.Refused(t, err, usage.ErrUsage, want)
	}
}

// Names of folders and of files may be numbers.
func TestTargetsOfFolders(t *testing.T) {
	root := plant(t, "5/a.txt", "5.0/b.txt", "1/c.txt")
	s := testkit.Must(Read(t.Context(), []string{root}, Options{Target: TargetLabel}))
	var got []string
	for d := range testkit.All(s.Documents()) {
		got = append(got, d.Labels...)
	}
	if slices.Sort(got); !slices.Equal(got, []string{"1", "5", "5"}) {
		t.Error(got)
	}
	files := plant(t, "x/1990.txt")
	testkit.Write(filepath.Join(files, "x/1990.txt"), "one\ntwo\n")
	s = testkit.Must(Read(t.Context(), []string{files + "/x/1990.txt"}, Options{Target: TargetLabel, LabelFrom: "file"}))
	for d, err := range s.Documents() {
		testkit.OK(err)
		testkit.EqualSlices(t, d.Labels, []string{"1990"})
	}
	s = testkit.Must(Read(t.Context(), []string{root}, Options{Target: "stars"}))
	for _, err := range s.Documents() {
		testkit.Says(t, err, `a file that is a document has no field "stars"; --target label reads`)
	}
}

func TestTargetsOfParquet(t *testing.T) {
	for column, want := range map[string]string{
		"whole":        "5 -1 9223372036854775807",
		"doubles":      "1 0 0 0.1 1e+21 123456789.5 -2",
		"number texts": "5 4",
		"late":         `:2: the target "late" is infinite, or beyond what a float64 holds: "-Inf"`,
		"no numbers":   `:2: the target "no numbers" is not a number: "1,234"`,
		"list":         `the column "list" does not hold numbers, a value a row; name another column with --target`,
		"truth":        `the column "truth" does not hold numbers, a value a row`,
		"stars":        `there is no column "stars"; there are "text", "doubles"`,
	} {
		got, _, err := ids(t, Options{Target: column}, "parquet/testdata/labels.parquet")
		for i := range got {
			got[i] = got[i][strings.LastIndexByte(got[i], ' ')+1:]
		}
		if err == nil && strings.Join(got, " ") != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v, want %s", column, got, err, want)
		}
	}
	if got, sum, err := ids(t, Options{Target: "stars"}, "parquet/testdata/classes-64.parquet"); err != nil || len(got) != 2 || !strings.HasSuffix(got[1], " 1") || len(sum.Skipped) != 1 {
		t.Errorf("the numbers of a ClassLabel: %q, %v, %v", got, sum.Skipped, err)
	}
}

// A target that is the same in all documents is told, and many numbers are no reason to warn.
func TestTargetWarnings(t *testing.T) {
	var all strings.Builder
	for i := range 40 {
		fmt.Fprintf(&all, "{\"text\":\"a\",\"stars\":%d}\n", i)
	}
	if _, sum, err := numbers(t, all.String(), Options{}); err != nil || len(sum.Warnings)+len(sum.Notes) > 0 {
		t.Errorf("all different: %q %q, %v", sum.Warnings, sum.Notes, err)
	}
	_, sum, err := numbers(t, "text,stars\na,5\nb,5.0\n", Options{Format: CSV})
	testkit.OK(err)
	testkit.EqualSlices(t, sum.Warnings, []string{`the target "stars" is 5 in all 2 documents: no term can go with it`})
}

// checkNumbers reads a text with a target: every document has one label, a number in its one form.
func checkNumbers(t *testing.T, text string, format string) {
	t.Helper()
	docs, err := collect(t, text, Options{Format: format, Target: TargetLabel})
	if e := (*Error)(nil); err != nil && !errors.As(err, &e) && !errors.Is(err, ErrEmpty) {
		t.Fatalf("%T %v", err, err)
	}
	for _, d := range docs {
		testkit.Equal(testkit.Stop(t), len(d.Labels), 1, "labels")
		testkit.Equal(testkit.Stop(t), string(testkit.Must(document.AppendNumber(nil, []byte(d.Labels[0])))),
			d.Labels[0], "should be")
	}
}
