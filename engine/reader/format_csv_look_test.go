package reader

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// Quotes between tabs are those around fields where the first bytes show it.
func TestQuotesBetweenTabs(t *testing.T) {
	spam := "label\ttext\nham\t\"quoted start\nspam\tfree prize\nham\tends with quote\"\nspam\twin now\n"
	none := []string{`stdin:2 [ham] "\"quoted start"`, `stdin:3 [spam] "free prize"`, `stdin:4 [ham] "ends with quote\""`, `stdin:5 [spam] "win now"`}
	for name, c := range map[string]struct {
		text string
		opt  Options
		want []string
	}{
		"unpaired":                   {spam, Options{}, none},
		"unpaired, and one whole":    {spam + "ham\t\"whole\"\n", Options{}, append(slices.Clone(none), `stdin:6 [ham] "\"whole\""`)},
		"goes on behind the quote":   {"label\ttext\na\t\"A friend\" of Bob\n", Options{}, []string{`stdin:2 [a] "\"A friend\" of Bob"`}},
		"spreadsheet":                {"label\ttext\na\t\"x\ty\"\nb\t\"u\nv\"\n", Options{}, []string{`stdin:2 [a] "x\ty"`, `stdin:3 [b] "u\nv"`}},
		"header in quotes":           {"\"label\"\t\"text\"\r\n\"a\"\t\"x\"\r\n", Options{}, []string{`stdin:2 [a] "x"`}},
		"doubled":                    {"label\ttext\na\t\"say \"\"hi\"\"\"\n", Options{}, []string{`stdin:2 [a] "say \"hi\""`}},
		"none":                       {"label\ttext\na\t\"x\"\n", Options{Quote: "none"}, []string{`stdin:2 [a] "\"x\""`}},
		"double":                     {"label\ttext\na\t\"x\ny\"\n", Options{Quote: "double"}, []string{`stdin:2 [a] "x\ny"`}},
		"never closed, then whole":   {"label\ttext\na\t\"x\nb\t\"y\"\n", Options{}, []string{`stdin:2 [a] "\"x"`, `stdin:3 [b] "\"y\""`}},
		"without a header, unpaired": {"ham\t\"a\nspam\tb\nham\tc\"\n", Options{NoHeader: true, LabelField: "1", TextField: "2"}, []string{`stdin:1 [ham] "\"a"`, `stdin:2 [spam] "b"`, `stdin:3 [ham] "c\""`}},
	} {
		for _, format := range []string{TSV, CSV} {
			c.opt.Format = format
			got, sum, err := shown(t, c.text, c.opt)
			if err != nil || !slices.Equal(got, c.want) || len(sum.Warnings)+len(sum.Notes) > 0 {
				t.Errorf("%s as %s: %q, %+v, %v", name, format, got, sum, err)
			}
		}
	}
	got, _, err := shown(t, "label,text\na,\"x\n", Options{Format: CSV, Quote: "none"})
	testkit.OK(err)
	testkit.EqualSlices(t, got, []string{`stdin:2 [a] "\"x"`}, "commas without quotes")
	if _, _, err := shown(t, "\"label\"\t\"text\"\n\"a\"\t\"x\nb\tc\nd\ty\"\n", Options{Format: TSV}); err == nil || !strings.Contains(err.Error(), "--quote double takes them off") {
		t.Errorf("a header in quotes: %v", err)
	}
	if _, _, err := shown(t, "label,text\na,\"x\n", Options{Format: CSV}); err == nil || !strings.Contains(err.Error(), "--quote none") {
		t.Errorf("an open quote: %v", err)
	}
}

// What the first bytes do not show is told: rows that a quote swallowed, and rows that it cut.
func TestQuotesBehindTheBeginning(t *testing.T) {
	whole := "label\ttext\na\t\"x\"\n" + strings.Repeat("b\tsome words\n", frameBytes/10)
	_, sum, err := shown(t, whole+"a\t\"start\nb\tc\nb\tend\"\n", Options{Format: TSV})
	if err != nil || len(sum.Notes) != 1 || !strings.Contains(sum.Notes[0], "swallowed rows; --quote none") {
		t.Errorf("swallowed: %q, %v", sum.Notes, err)
	}
	plain := "label\ttext\n" + strings.Repeat("b\tsome words\n", frameBytes/10)
	_, sum, err = shown(t, plain+"\"a\"\tx\n", Options{Format: TSV})
	if err != nil || len(sum.Notes) != 1 || !strings.Contains(sum.Notes[0], `"\"a\""; --quote double takes them off`) {
		t.Errorf("a label: %q, %v", sum.Notes, err)
	}
	_, sum, err = shown(t, plain+"a\t\"x\ty\"\n", Options{Format: TSV})
	if err != nil || len(sum.Notes) != 1 || !strings.Contains(sum.Notes[0], "--quote double") || len(sum.Warnings) != 0 {
		t.Errorf("cut: %q, %q, %v", sum.Notes, sum.Warnings, err)
	}
}

// Rows that do not fit are counted, and the first is named.
func TestRaggedRows(t *testing.T) {
	good := strings.Repeat("a,x\n", 300)
	got, sum, err := shown(t, "label,text\n"+good+"b\n\nc,y,z\nd,w\n", Options{Format: CSV})
	if err != nil || len(got) != 301 || got[300] != `stdin:305 [d] "w"` {
		t.Fatalf("%d documents, %v", len(got), err)
	}
	want := `stdin:302: the row has 1 fields, and the header has 2: "b"; put fields that hold separators into quotes (the first of 2)`
	if sum.Skipped[raggedKind] != 2 || !slices.Equal(sum.Notes, []string{want}) || sum.Warnings != nil {
		t.Errorf("%+v", sum)
	}
	_, sum, err = shown(t, "a,x\nb\na,y\n", Options{Format: CSV, NoHeader: true, TextField: "2"})
	if err != nil || sum.Skipped[raggedKind] != 1 || !strings.Contains(sum.Notes[0], "most of the first rows have 2") {
		t.Errorf("without a header line: %+v, %v", sum, err)
	}
	testkit.EqualSlices(t, sum.Warnings,
		[]string{"1 of 3 rows are left out, because they have another number of fields than the others"}, "warnings")
	_, sum, err = shown(t, "label,text\na,x\nb\na,y\n", Options{Format: CSV, SkipBad: true})
	if err != nil || len(sum.Problems) != 1 || sum.Problems[0].Kind != raggedKind || sum.Problems[0].Count != 1 || sum.Skipped[raggedKind] != 0 {
		t.Errorf("problems: %+v, %v", sum, err)
	}
}

// Where most rows do not fit, what is left is not the input.
func TestMostRowsRagged(t *testing.T) {
	text := "label,text\na,x\nb\nc,y,z\n"
	got, _, err := shown(t, text, Options{Format: CSV})
	want := `stdin:3: 2 of 3 rows have another number of fields than the others; of the first, the row has 1 fields, and the header has 2: "b"`
	if !errors.Is(err, ErrBadInput) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "--skip-bad") || len(got) != 1 {
		t.Errorf("%q, %v", got, err)
	}
	if got, _, err := shown(t, text, Options{Format: CSV, SkipBad: true}); err != nil || len(got) != 1 {
		t.Errorf("%q, %v", got, err)
	}
}

// Without a header, the width is that of most rows.
func TestWidthWithoutAHeader(t *testing.T) {
	opt := Options{Format: TSV, NoHeader: true, LabelField: "1", TextField: "2"}
	got, sum, err := shown(t, "ham\tone\ttwo\nspam\tgamma\nham\tdelta\nspam\teps\n", opt)
	if want := []string{`stdin:2 [spam] "gamma"`, `stdin:3 [ham] "delta"`, `stdin:4 [spam] "eps"`}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	testkit.Equal(t, sum.Skipped[raggedKind], 1, sum)
	opt.Format = CSV
	if got, _, err = shown(t, "ham;one;two\nspam;gamma, x\nham;delta\n", opt); err != nil || len(got) != 2 {
		t.Errorf("%q, %v", got, err)
	}
}

// Backslashes before quotes are no part of a quoted field where the rows fit better so, from the beginning of the input
// or by --quote backslash; elsewhere they are bytes as any other. What fits in neither way is told.
func TestQuotesBehindBackslashes(t *testing.T) {
	mysql := "text,label\n\"ends with \\\"\",a\n\"plain, b\",b\nmore,c\n"
	end := []string{`stdin:2 [a] "ends with \""`, `stdin:3 [b] "plain, b"`, `stdin:4 [c] "more"`}
	rfc := "text,label\n\"C:\\\",a\n\"printf(\\\"\"hi\\\"\")\",b\n"
	asRFC := []string{`stdin:2 [a] "C:\\"`, `stdin:3 [b] "printf(\\\"hi\\\")"`}
	late := "text,label\n" + strings.Repeat("words,a\n", frameBytes/4)
	for name, c := range map[string]struct {
		text, quote string
		want        []string
		note        string
	}{
		"at the end":        {mysql, "", end, ""},
		"with semicolons":   {strings.ReplaceAll(mysql, ",", ";"), "", append([]string{end[0], `stdin:3 [b] "plain; b"`}, end[2]), ""},
		"with tabs":         {strings.ReplaceAll(mysql, ",", "\t"), "", append([]string{end[0], `stdin:3 [b] "plain\t b"`}, end[2]), ""},
		"before a comma":    {"text,label\n\"he said \\\"hi\\\", then left\",a\nplain,b\n", "", []string{`stdin:2 [a] "he said \"hi\", then left"`, `stdin:3 [b] "plain"`}, ""},
		"within":            {"text,label\n\"he said \\\"hi\\\" again\",a\n", "", []string{`stdin:2 [a] "he said \"hi\" again"`}, ""},
		"of a label":        {"text,label\nx,\"the \\\"a\\\"\"\n", "", []string{`stdin:2 [the "a"] "x"`}, ""},
		"two backslashes":   {"text,label\n\"\\\"x\\\" is C:\\\\\",a\n", "", []string{`stdin:2 [a] "\"x\" is C:\\"`}, ""},
		"doubled as well":   {"text,label\n\"a \"\"b\"\" \\\"c\\\"\",a\n", "", []string{`stdin:2 [a] "a \"b\" \"c\""`}, ""},
		"a backslash":       {rfc, "", asRFC, ""},
		"by the flag":       {"text,label\n\"\\\"\"\",\",a\n", "backslash", []string{`stdin:2 [a] "\"\","`}, ""},
		"by double":         {"text,label\n\"x \\\"y\\\" z\",a\n", "double", []string{`stdin:2 [a] "x \\\"y\\\" z"`}, ""},
		"a row of another":  {rfc + "\"x \\\", y\",b\n", "", asRFC, "--quote backslash makes quotes behind backslashes part of the field"},
		"behind the sample": {late + "\"z \\\"\",a\n\"plain, b\",b\n", "", nil, "as if it had swallowed rows; --quote backslash"},
	} {
		format := CSV
		if name == "with tabs" {
			format = TSV
		}
		got, sum, err := shown(t, c.text, Options{Format: format, Quote: c.quote})
		testkit.OK(err)
		if c.want != nil {
			testkit.EqualSlices(t, got, c.want, name)
		}
		testkit.Contains(t, strings.Join(sum.Notes, "\n"), c.note, name)
		testkit.Equal(t, len(sum.Notes) > 0, c.note != "", name, sum.Notes)
	}
}

// A separator that is not looked for is named where the header has the columns by it.
func TestOtherSeparators(t *testing.T) {
	for _, c := range []struct {
		text, want string
		opt        Options
	}{
		{"text|label\nalpha|a\n", "fields seem to be between |: begin the file with a line sep=|", Options{Format: CSV}},
		{"\"label\"^\"text\"\n\"a\"^\"x\"\n", "begin the file with a line sep=^", Options{Format: CSV}},
		{"label:body\na:x\n", "begin the file with a line sep=:", Options{Format: CSV, TextField: "body"}},
		{"text,label\nalpha,a\n", "begin the file with a line sep=,", Options{Format: TSV}},
		{"text|label\nalpha|a\n", "name one with --text-field", Options{Format: CSV, TextField: "body"}},
	} {
		_, _, err := shown(t, c.text, c.opt)
		testkit.Refused(t, err, ErrBadInput, c.want, c.text)
		if separator, found := strings.CutPrefix(c.want[max(0, len(c.want)-5):], "sep="); found {
			got, _, err := shown(t, "sep="+separator+"\n"+c.text, c.opt)
			testkit.OK(err)
			testkit.Equal(t, len(got), 1, c.text)
		}
	}
}
