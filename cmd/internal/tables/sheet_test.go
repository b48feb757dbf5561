package tables

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

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
	}
	var b bytes.Buffer
	if err := New(&b, Style{Format: "xlsx"}, pairs).AddAll(rows); err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.GetRows("Sheet1", excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
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
	}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%.300q\nwant\n%.300q", got, want)
	}
	for _, cell := range []string{"A2", "A3", "A4", "A5", "B5", "B6", "B9"} {
		formula, _ := f.GetCellFormula("Sheet1", cell)
		if kind, err := f.GetCellType("Sheet1", cell); err != nil || kind != excelize.CellTypeInlineString || formula != "" {
			t.Errorf("%s has type %v and the formula %q: %v", cell, kind, formula, err)
		}
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
	s, err := newSheet([]string{"name"}, []bool{true})
	if err != nil {
		t.Fatal(err)
	}
	s.count = mostSheetRows - 1
	if err := s.add([]any{"the last"}); err != nil {
		t.Error(err)
	}
	refused("rows of a sheet", s.add([]any{"one more"}))
	refused("rows of a page", New(&b, Style{Format: "html"}, pairs).AddAll(make([]value, mostPageRows+1)))
}

func TestPageOfTable(t *testing.T) {
	var b bytes.Buffer
	rows := []value{{name: "</script><b>", of: 2.5}, {name: "\u202e", of: nil}}
	if err := New(&b, Style{Format: "html", Name: "termsift words"}, pairs).AddAll(rows); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<title>termsift words", "&lt;/script&gt;&lt;b&gt;", `data-v="2.5"`, `\u202e`, `class="n"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(b.String(), "<b>") {
		t.Error("a name became a tag")
	}
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
		if err := New(&b, Style{Format: c.format, Spreadsheet: &c.s}, pairs).AddAll(rows); err != nil {
			t.Fatal(err)
		}
		if b.String() != c.want || c.s.Formulas != c.count {
			t.Errorf("%s: %q, %d formulas, want %q, %d", c.format, b.String(), c.s.Formulas, c.want, c.count)
		}
	}
}
