package tables

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/usage"
)

// pairs are the columns of rows of a name and a value.
var pairs = []Column[value]{
	{Key: "name", Left: true, Value: func(v value) any { return v.name }},
	{Key: "value", Value: func(v value) any { return v.of }},
}

// TestSheet reads a workbook back.
func TestSheet(t *testing.T) {
	long := strings.Repeat("𝄞", mostSheetText/2)
	rows := []value{
		{name: "=1+2", of: 1},
		{name: "@SUM(A1)", of: 1.5},
		{name: "+x", of: -2.25e-3},
		{name: "-y", of: int64(1<<53 + 1)},
		{name: "nul\x00 esc\x1b bad\xff", of: math.Inf(-1)},
		{name: " <tag> & \"quote\" \u2028", of: nil},
		{name: "true", of: true},
		{name: long, of: "01"},
		{name: "_x0041_ _x00_", of: 2.5e-300},
	}
	var b bytes.Buffer
	testkit.OK(New(&b, Style{Format: "xlsx"}, pairs).AddAll(rows))
	got, kinds := readSheet(t, b.Bytes())
	want := [][]string{
		{"name", "value"},
		{"=1+2", "1"},
		{"@SUM(A1)", "1.5"},
		{"+x", "-0.00225"},
		{"-y", "9007199254740993"},
		{`nul\x00 esc\x1b bad\xff`, "-inf"},
		{" <tag> & \"quote\" \u2028"},
		{"true", "true"},
		{long, "01"},
		{"_x005F_x0041_ _x00_", "2.5E-300"},
	}
	testkit.Equal(t, slices.EqualFunc(got, want, slices.Equal), true, got, "want", want)
	for _, cell := range []string{"A2", "A3", "A4", "A5", "B5", "B6", "B9"} {
		testkit.Equal(t, kinds[cell], "inlineStr", cell, "has the type")
	}
	for _, cell := range []string{"B2", "B3", "B4"} {
		if kinds[cell] != "" { // a number
			t.Errorf("%s has the type %q", cell, kinds[cell])
		}
	}
}

// readSheet returns the cells of a workbook, and the type of each by its name.
func readSheet(t *testing.T, workbook []byte) (rows [][]string, kinds map[string]string) {
	t.Helper()
	archive := testkit.Must(zip.NewReader(bytes.NewReader(workbook), int64(len(workbook))))
	var read struct {
		Rows []struct {
			Number int `xml:"r,attr"`
			Cells  []struct {
				Name  string `xml:"r,attr"`
				Kind  string `xml:"t,attr"`
				Value string `xml:"v"`
				Text  string `xml:"is>t"`
			} `xml:"c"`
		} `xml:"sheetData>row"`
	}
	for _, part := range archive.File {
		file := testkit.Must(part.Open())
		var to any = new(struct{}) // which takes what is well-formed
		if part.Name == "xl/worksheets/sheet1.xml" {
			to = &read
		}
		testkit.Is(t, xml.NewDecoder(file).Decode(to), nil, part.Name)
	}
	kinds = map[string]string{}
	for i, row := range read.Rows {
		testkit.Equal(t, row.Number, i+1, "row", "has the number")
		var cells []string
		for _, c := range row.Cells {
			cells, kinds[c.Name] = append(cells, c.Value+c.Text), c.Kind
		}
		rows = append(rows, cells)
	}
	return rows, kinds
}

func TestColumnName(t *testing.T) {
	for i, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 27: "AB", 701: "ZZ", 702: "AAA", 16383: "XFD"} {
		testkit.Equal(t, columnName(i), want, "column", i)
	}
}

func TestLimitsOfBooks(t *testing.T) {
	var b bytes.Buffer
	refused := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, usage.ErrUsage) || b.Len() > 0 {
			t.Errorf("%s: %v, %d bytes", what, err, b.Len())
		}
	}
	refused("a long text", New(&b, Style{Format: "xlsx"}, pairs).AddAll([]value{{name: strings.Repeat("𝄞", mostSheetText/2+1)}}))
	refused("a text that grows", New(&b, Style{Format: "xlsx"}, pairs).AddAll([]value{{name: strings.Repeat("\x01", mostSheetText/4+1)}}))
	long := pairs[0]
	long.Key = strings.Repeat("x", mostSheetText+1)
	refused("a long head", New(&b, Style{Format: "xlsx"}, []Column[value]{long}).AddAll(make([]value, 2)))
	many := slices.Repeat(pairs[:1], mostSheetColumns+1)
	refused("columns of a sheet", New(&b, Style{Format: "xlsx"}, many).AddAll(make([]value, 2)))
	refused("columns of no rows", New(&b, Style{Format: "xlsx"}, many).Close())
	testkit.OK(New(&bytes.Buffer{}, Style{Format: "xlsx"}, many[1:]).AddAll(nil))
	codes := strings.Repeat("_x0041_", mostSheetText/7) // its escapes are none of Excel's characters
	testkit.OK(New(&bytes.Buffer{}, Style{Format: "xlsx"}, pairs).AddAll([]value{{name: codes}}))
	s := testkit.Must(newSheet([]string{"name"}, []bool{true}))
	s.count = mostSheetRows - 1
	testkit.OK(s.add([]any{"the last"}))
	refused("rows of a sheet", s.add([]any{"one more"}))
	refused("rows of a page", New(&b, Style{Format: "html"}, pairs).AddAll(make([]value, mostPageRows+1)))
}

func TestPageOfTable(t *testing.T) {
	var b bytes.Buffer
	rows := []value{{name: "</script><b>", of: 2.5}, {name: "\u202e", of: nil}}
	testkit.OK(New(&b, Style{Format: "html", Name: "termsift words"}, pairs).AddAll(rows))
	for _, want := range []string{"<title>termsift words", "&lt;/script&gt;&lt;b&gt;", `data-v="2.5"`, `\u202e`, `class="n"`} {
		testkit.Contains(t, b.String(), want, "no")
	}
	testkit.Equal(t, strings.Contains(b.String(), "<b>"), false, "a name became a tag")
}

func TestSpreadsheet(t *testing.T) {
	rows := []value{{name: "=1+2", of: -1}, {name: "plain", of: "@x"}, {name: "\tx", of: "a-b"}}
	for _, c := range []struct {
		format Format
		s      Spreadsheet
		want   string
		count  int
	}{
		{"csv", Spreadsheet{}, "name,value\n=1+2,-1\nplain,@x\n\"\tx\",a-b\n", 3},
		{"csv", Spreadsheet{Mark: true, Escape: true}, "\ufeffname,value\n'=1+2,-1\nplain,'@x\n'\tx,a-b\n", 3},
		{"tsv", Spreadsheet{Mark: true, Escape: true}, "name\tvalue\n=1+2\t-1\nplain\t@x\n\\tx\ta-b\n", 0},
	} {
		var b bytes.Buffer
		testkit.OK(New(&b, Style{Format: c.format, Spreadsheet: &c.s}, pairs).AddAll(rows))
		testkit.Equal(t, b.String(), c.want, c.format, "formulas")
		testkit.Equal(t, c.s.Formulas, c.count, c.format, "formulas")
	}
}

// Columns of a table begin below each other whatever the script.
func TestTableOfWideCharacters(t *testing.T) {
	type row struct {
		term string
		n    int
	}
	var out bytes.Buffer
	err := New(&out, Style{Format: "table"}, []Column[row]{
		{Key: "term", Left: true, Value: func(r row) any { return r.term }},
		{Key: "n", Value: func(r row) any { return r.n }},
	}).AddAll([]row{{"苹果汁", 12}, {"e\u0301te\u0301", 3}, {"word", 100}})
	const want = "term      n\n苹果汁   12\ne\u0301te\u0301       3\nword    100\n"
	testkit.OK(err)
	testkit.Equal(testkit.Stop(t), out.String(), want)
}
