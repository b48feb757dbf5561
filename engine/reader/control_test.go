package reader

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/usage"
)

// strataOf returns the strata of documents, with bars between them.
func strataOf(t *testing.T, text string, opt Options) (string, Summary, error) {
	opt.Stdin = strings.NewReader(text)
	s := testkit.Must(Read(t.Context(), []string{"-"}, opt))
	var strata []string
	for d, err := range s.Documents() {
		if err != nil {
			return strings.Join(strata, "|"), s.Summary(), err
		}
		strata = append(strata, d.Stratum)
	}
	return strings.Join(strata, "|"), s.Summary(), nil
}

// The value of the control is a text or a number, of a field, a column or its number, and a
// document without one is left out and counted.
func TestControl(t *testing.T) {
	for name, c := range map[string]struct {
		text, control, want string
		skipped             int
	}{
		"texts":           {`{"text":"t","label":"a","p":"x"}` + "\n" + `{"text":"t","label":"a","p":"y z"}`, "p", "x|y z", 0},
		"numbers":         {`{"text":"t","label":"a","p":5}` + "\n" + `{"text":"t","label":"a","p":true}`, "p", "5|true", 0},
		"none and null":   {`{"text":"t","label":"a"}` + "\n" + `{"text":"t","label":"a","p":null}` + "\n" + `{"text":"t","label":"a","p":""}` + "\n" + `{"text":"t","p":"x"}`, "p", "x", 3},
		"a path":          {`{"text":"t","label":"a","of":{"p":"é"}}`, "of.p", "é", 0},
		"the label":       {`{"text":"t","label":"a"}`, "label", "a", 0},
		"an array":        {`[{"text":"t","label":"a","p":"x"},{"text":"t","p":1e3}]`, "p", "x|1e3", 0},
		"CSV":             {"text,label,p\nt,a,x\nt,a,\nt,a,\"y, z\"\n", "p", "x|y, z", 1},
		"a column number": {"text,label,p\nt,a,x\n", "3", "x", 0},
		"semicolons":      {"p;text;label\n1;t;a\n", "p", "1", 0},
	} {
		format := JSONL
		if strings.HasPrefix(c.text, "[") {
			format = JSON
		} else if !strings.HasPrefix(c.text, "{") {
			format = CSV
		}
		got, sum, err := strataOf(t, c.text, Options{Format: format, Control: c.control})
		if err != nil || got != c.want || sum.Skipped[withoutControl] != c.skipped {
			t.Errorf("%s: %q, %v, %v; want %q", name, got, sum.Skipped, err, c.want)
		}
		if got, _, err = strataOf(t, c.text, Options{Format: format}); err != nil || strings.Trim(got, "|") != "" {
			t.Errorf("%s without a control: %q, %v", name, got, err)
		}
	}
}

// Columns of Parquet have texts or numbers.
func TestControlOfParquet(t *testing.T) {
	for name, c := range map[string]struct {
		physical int
		cells    []any
		want     string
	}{
		"texts":    {faults.ByteArray, []any{"x", nil, "", "y"}, "x|y"},
		"doubles":  {faults.Double, []any{1.0, math.NaN(), nil, 0.5}, "1|0.5"},
		"infinite": {faults.Double, []any{math.Inf(1)}, "its value of --control is infinite"},
		"lists":    {faults.Double, []any{[]any{1.0}}, `the column "label" does not hold text or numbers, a value a row`},
	} {
		got, _, err := strataOf(t, string(texts(c.physical, c.cells...).Bytes()), Options{Control: "label", LabelField: "text"})
		if err == nil && got != c.want || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// What is no value, and what no format has, is an error.
func TestBadControl(t *testing.T) {
	for name, c := range map[string]struct {
		text, want string
		opt        Options
	}{
		"a list":         {`{"text":"t","p":["x"]}`, "the value of --control is neither text", Options{Format: JSONL}},
		"an object":      {`{"text":"t","p":{}}`, "the value of --control is neither text", Options{Format: JSONL}},
		"the mark":       {`{"text":"t","p":"a\u001fb"}`, `has the character "\x1f"`, Options{Format: JSONL}},
		"a long one":     {`{"text":"t","p":"` + strings.Repeat("x", 20) + `"}`, "the value of --control has 20 bytes, more than 10", Options{Format: JSONL, MaxName: 10}},
		"a half":         {`{"text":"t","p":"\ud800"}`, "the value of --control has half of a surrogate pair", Options{Format: JSONL}},
		"many":           {`{"text":"t","p":1}` + "\n" + `{"text":"t","p":2}`, "there are more than 1 strata", Options{Format: JSONL, MaxClasses: 1}},
		"no field":       {`{"text":"t","price":1}`, `stdin:1 has no field "p"; there are "text", "price"; name the field with --control`, Options{Format: JSONL}},
		"no column":      {"text,label,prize\nt,a,x\n", `there is no column "p"; there are "text", "label", "prize"`, Options{Format: CSV}},
		"lines":          {"one\ntwo\n", "stdin:1 is in a format without fields", Options{Format: Lines, Unlabelled: true}},
		"svmlight":       {"1 1:2\n", "is in a format without fields", Options{Format: SVMLight}},
		"fastText":       {"__label__a t\n", "is in a format without fields", Options{Format: FastText}},
		"even if skips":  {"__label__a t\n", "is in a format without fields", Options{Format: FastText, SkipBad: true}},
		"several of one": {"text,p,p\nt,a,x\n", `there are several columns "p"`, Options{Format: CSV}},
	} {
		c.opt.Control = "p"
		got, _, err := strataOf(t, c.text, c.opt)
		if err == nil || !strings.Contains(err.Error(), c.want) || got != "" && name != "many" {
			t.Errorf("%s: %q, %v; want %s", name, got, err, c.want)
		}
		if strings.Contains(c.want, "without fields") && !errors.Is(err, usage.ErrUsage) {
			t.Errorf("%s: %v is no usage error", name, err)
		}
	}
}

// A file of one document in a folder has no fields, even behind a document that could not be read.
func TestControlOfFolders(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a/1.jsonl": `{"text":5,"label":"a","p":"x"}`, "b/2.txt": "two words"} {
		testkit.Write(filepath.Join(dir, name), text)
	}
	s := testkit.Must(Read(t.Context(), []string{dir}, Options{Control: "p", SkipBad: true}))
	var last error
	for d, err := range s.Documents() {
		if last = err; err == nil {
			t.Errorf("document %s is in stratum %q", d.ID, d.Stratum)
		}
	}
	if last == nil || !strings.Contains(last.Error(), "2.txt is in a format without fields") {
		t.Errorf("it ends with %v", last)
	}
}

// Where nearly each document has a value of its own, nothing can be compared within one.
func TestAsManyStrataAsDocuments(t *testing.T) {
	for text, want := range map[string]bool{
		`{"text":"t","p":1}` + "\n" + `{"text":"t","p":2}`:                                                                    true,
		`{"text":"t","p":1}` + "\n" + `{"text":"t","p":1}`:                                                                    false,
		`{"text":"t","p":1}` + "\n" + `{"text":"t","p":1}` + "\n" + `{"text":"t","p":2}` + "\n" + `{"text":"t","p":2}`:        false,
		`{"text":"t","p":1}` + "\n" + `{"text":"t","p":3}` + "\n" + `{"text":"t","p":2}` + "\n" + `{"text":"t","p":2}` + "\n": true,
	} {
		_, sum, err := strataOf(t, text, Options{Format: JSONL, Control: "p", Unlabelled: true})
		if got := strings.Contains(strings.Join(sum.Warnings, "\n"), `the control "p" has`); err != nil || got != want {
			t.Errorf("%s: %q, %v", text, sum.Warnings, err)
		}
	}
}
