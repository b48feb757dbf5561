package tables

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/usage"
)

// This file writes tables as workbooks of Excel (Office Open XML, ECMA-376) with one sheet. Texts are
// cells of type text, whatever they begin with, so none is a formula.
//
// ARCHITECTURE.md says why no library does it. Tests read workbooks back, here and by openpyxl.

// The limits of Excel.
const (
	mostSheetRows    = 1 << 20 // with the head
	mostSheetColumns = 1 << 14
	mostSheetText    = 32767   // UTF-16 units of a cell
	mostExactWhole   = 1 << 53 // a cell is a float64
)

const (
	relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	mainSpace = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	mainType  = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

// workbookParts are the files of a workbook besides its sheet.
var workbookParts = []struct{ name, text string }{
	{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="` + mainType + `sheet.main+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="` + mainType + `worksheet+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="` + mainType + `styles+xml"/></Types>`},
	{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="` + relations + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	{"xl/workbook.xml", `<workbook ` + mainSpace + ` xmlns:r="` + relations + `"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`},
	{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="` + relations + `/worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="` + relations + `/styles" Target="styles.xml"/></Relationships>`},
	// Style 1, of the head, is bold.
	{"xl/styles.xml", `<styleSheet ` + mainSpace + `>` +
		`<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
		`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		`<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
		`<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>` +
		`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`},
}

// A sheet is the only one of a workbook. It is packed in memory as it grows.
type sheet struct {
	packed  bytes.Buffer
	archive *zip.Writer
	part    io.Writer // the sheet in the archive
	row     bytes.Buffer
	columns []string
	count   int // rows
}

// newSheet returns a sheet with a head. left says which columns have texts, which are wide.
func newSheet(columns []string, left []bool) (*sheet, error) {
	if n := len(columns); n > mostSheetColumns {
		return nil, usage.Errorf("a sheet of xlsx has %d columns at most, and the table has %d: write csv, tsv or jsonl", mostSheetColumns, n)
	}
	s := &sheet{columns: columns}
	s.archive = zip.NewWriter(&s.packed)
	for _, p := range workbookParts {
		w, err := s.archive.Create(p.name)
		if err != nil {
			return nil, err
		}
		if _, err := io.WriteString(w, xml.Header+p.text); err != nil {
			return nil, err
		}
	}
	var err error
	if s.part, err = s.archive.Create("xl/worksheets/sheet1.xml"); err != nil {
		return nil, err
	}
	s.row.WriteString(xml.Header + `<worksheet ` + mainSpace + `><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`)
	if len(columns) > 0 {
		s.row.WriteString("<cols>")
		for i, wide := range left {
			width := 12
			if wide {
				width = 24
			}
			fmt.Fprintf(&s.row, `<col min="%d" max="%d" width="%d" customWidth="1"/>`, i+1, i+1, width)
		}
		s.row.WriteString("</cols>")
	}
	s.row.WriteString("<sheetData>")
	names := make([]any, len(columns))
	for i, name := range columns {
		names[i] = name
	}
	return s, s.write(names, ` s="1"`)
}

// add adds a row of values as those of [Column].
func (s *sheet) add(values []any) error { return s.write(values, "") }

// write writes a row whose cells have a style.
func (s *sheet) write(values []any, style string) error {
	if s.count++; s.count > mostSheetRows {
		return usage.Errorf("a sheet of xlsx has %d rows at most, and the table has more: take fewer by --top, or write csv, tsv or jsonl", mostSheetRows)
	}
	fmt.Fprintf(&s.row, `<row r="%d">`, s.count)
	for i, v := range values {
		number, text := inCell(v)
		text, n := inSheet(text)
		if n > mostSheetText {
			return usage.Errorf("the %.40s of row %d has %d characters, and a cell of xlsx has %d at most: write csv, tsv or jsonl", s.columns[i], s.count, n, mostSheetText)
		}
		switch {
		case number != "":
			fmt.Fprintf(&s.row, `<c r="%s%d"><v>%s</v></c>`, columnName(i), s.count, number)
		case text != "":
			fmt.Fprintf(&s.row, `<c r="%s%d"%s t="inlineStr"><is><t xml:space="preserve">`, columnName(i), s.count, style)
			_ = xml.EscapeText(&s.row, []byte(text)) // a buffer has no errors
			s.row.WriteString("</t></is></c>")
		}
	}
	s.row.WriteString("</row>")
	_, err := s.row.WriteTo(s.part)
	return err
}

// inCell returns a value as the number of a cell, or as its text; both are "" for an empty cell.
func inCell(v any) (number, text string) {
	switch v := v.(type) {
	case int:
		return inCell(int64(v))
	case int64:
		if v >= -mostExactWhole && v <= mostExactWhole {
			return strconv.FormatInt(v, 10), ""
		}
	case float64:
		if v-v == 0 {
			return strconv.FormatFloat(v, 'G', -1, 64), ""
		}
	}
	return "", Plain(v)
}

// columnName returns the letters of a column, counted from 0: A to Z, then AA.
func columnName(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return columnName(i/26-1) + columnName(i%26)
}

// writeTo writes the workbook.
func (s *sheet) writeTo(w io.Writer) error {
	if _, err := io.WriteString(s.part, "</sheetData></worksheet>"); err != nil {
		return err
	}
	if err := s.archive.Close(); err != nil {
		return err
	}
	_, err := s.packed.WriteTo(w)
	return err
}

// inSheet returns a text without what XML cannot hold: such characters and bytes that are not
// UTF-8 are written \x01, \xff. What Excel reads as a character by its code, _x0041_, begins with the
// code of its underscore. units is how long Excel takes it to be, in UTF-16.
func inSheet(s string) (text string, units int) {
	plain := func(r rune) bool {
		return r >= ' ' && r < 0xfffe || r > 0xffff || r == '\t' || r == '\n'
	}
	var b strings.Builder
	for i, r := range s {
		if r == '_' && isCode(s[i:]) {
			b.WriteString("_x005F")
		}
		if _, size := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && size == 1 || !plain(r) {
			written := fmt.Sprintf("\\x%02x", s[i:i+size])
			b.WriteString(written)
			units += len(written)
		} else {
			b.WriteRune(r)
			units += utf16.RuneLen(r)
		}
	}
	return b.String(), units
}

// isCode reports whether a text begins like _x0041_.
func isCode(s string) bool {
	if len(s) < 7 || s[1] != 'x' || s[6] != '_' {
		return false
	}
	_, err := strconv.ParseUint(s[2:6], 16, 16)
	return err == nil
}

// A Spreadsheet says how CSV is written for programs that calculate, and tells what they would
// not take as it is.
type Spreadsheet struct {
	// Mark writes the mark of UTF-8 first, without which Excel takes another charset.
	Mark bool
	// Escape puts an apostrophe before texts that such programs take for formulas.
	Escape bool
	// Formulas is the number of such texts, escaped or not.
	Formulas int
}

// plain is Plain, as the spreadsheet has it.
func (t *Table[T]) plain(v any) string {
	text := Plain(v)
	if _, isText := v.(string); !isText || t.Format != "csv" || t.Spreadsheet == nil {
		return text
	}
	if text == "" || !strings.Contains("=+-@\t\r", text[:1]) { // which programs that calculate take for no formula
		return text
	}
	t.Spreadsheet.Formulas++
	if t.Spreadsheet.Escape {
		return "'" + text
	}
	return text
}
