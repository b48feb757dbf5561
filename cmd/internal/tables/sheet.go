package tables

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"github.com/termsift/termsift/engine/usage"
)

// This file writes tables as workbooks of Excel (Office Open XML) with one sheet. Texts are
// cells of type text, whatever they begin with, so none is a formula.

// The limits of Excel.
const (
	mostSheetRows  = 1 << 20 // with the head
	mostSheetText  = 32767   // UTF-16 units of a cell
	mostExactWhole = 1 << 53 // a cell is a float64
)

// textWidth is the width of a column of texts, in digits.
const textWidth = 24

// A sheet is the only one of a workbook.
type sheet struct {
	file    *excelize.File
	rows    *excelize.StreamWriter
	columns []string
	count   int
	head    int // the style of the head
}

// newSheet returns a sheet with a head. left says which columns have texts.
func newSheet(columns []string, left []bool) (*sheet, error) {
	s := &sheet{file: excelize.NewFile(), columns: columns}
	var err error
	if s.rows, err = s.file.NewStreamWriter("Sheet1"); err != nil {
		return nil, err
	}
	for i, is := range left {
		if is {
			err = s.rows.SetColWidth(i+1, i+1, textWidth)
		}
		if err != nil {
			return nil, err
		}
	}
	if s.head, err = s.file.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}}); err != nil {
		return nil, err
	}
	if err := s.rows.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return nil, err
	}
	cells := make([]any, len(columns))
	for i, name := range columns {
		cells[i] = excelize.Cell{StyleID: s.head, Value: name}
	}
	return s, s.write(cells)
}

// add adds a row of values as those of [Column].
func (s *sheet) add(values []any) error {
	cells := make([]any, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case nil:
		case int:
			cells[i] = wholeCell(int64(v))
		case int64:
			cells[i] = wholeCell(v)
		case float64:
			if cells[i] = v; v-v != 0 {
				cells[i] = Plain(v)
			}
		default:
			text := Plain(v)
			if n := utf16Length(text); n > mostSheetText {
				return usage.Errorf("the %s of row %d has %d characters, and a cell of xlsx has %d at most: write csv, tsv or jsonl", s.columns[i], s.count, n, mostSheetText)
			}
			cells[i] = inSheet(text)
		}
	}
	return s.write(cells)
}

// wholeCell returns a number that a cell holds exactly, or its digits.
func wholeCell(n int64) any {
	if n > mostExactWhole || n < -mostExactWhole {
		return fmt.Sprint(n)
	}
	return n
}

func (s *sheet) write(cells []any) error {
	if s.count++; s.count > mostSheetRows {
		return usage.Errorf("a sheet of xlsx has %d rows at most, and the table has more: take fewer by --top, or write csv, tsv or jsonl", mostSheetRows)
	}
	name, err := excelize.CoordinatesToCellName(1, s.count)
	if err != nil {
		return err
	}
	return s.rows.SetRow(name, cells)
}

// writeTo writes the workbook.
func (s *sheet) writeTo(w io.Writer) error {
	if err := s.rows.Flush(); err != nil {
		return err
	}
	if err := s.file.Write(w); err != nil {
		return err
	}
	return s.file.Close()
}

func utf16Length(s string) (n int) {
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// inSheet returns a text without what XML cannot hold: such characters and bytes that are not
// UTF-8 are written \x01, \xff.
func inSheet(s string) string {
	plain := func(r rune) bool {
		return r >= ' ' && r < 0xfffe || r > 0xffff || r == '\t' || r == '\n'
	}
	var b strings.Builder
	for i, r := range s {
		if _, size := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && size == 1 || !plain(r) {
			fmt.Fprintf(&b, "\\x%02x", s[i:i+size])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
