package csv

import (
	"encoding/csv"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// slowRows splits rows byte by byte, and reports whether a quote stays open.
func slowRows(text string, sep Syntax) (rows [][]string, open bool) {
	for text != "" {
		if n := slowLineEnd(text); n > 0 {
			text = text[n:]
			continue
		}
		row := []string{}
		for {
			field, rest, ok := slowField(text, sep)
			if row = append(row, field); !ok {
				return append(rows, row), true
			}
			if text = rest; text == "" || slowLineEnd(text) > 0 {
				break
			}
			text = text[1:]
		}
		rows = append(rows, row)
		text = text[slowLineEnd(text):]
	}
	return rows, false
}

// slowLineEnd returns the length of the line end at the front of a text, which may lack its LF
// at the end of the text; 0 for none.
func slowLineEnd(text string) int {
	for _, end := range []string{"\n", "\r\n", "\r\r\n"} {
		if strings.HasPrefix(text, end) {
			return len(end)
		}
	}
	if text == "\r" || text == "\r\r" {
		return len(text)
	}
	return 0
}

// slowField returns the field at the front of a text and what follows it. It is not ok if a
// quote stays open.
func slowField(text string, sep Syntax) (field, rest string, ok bool) {
	ends := func(rest string) bool {
		return rest == "" || rest[0] == sep.Separator || slowLineEnd(rest) > 0
	}
	for sep.Spaces && strings.HasPrefix(text, " ") {
		text = text[1:]
	}
	if !sep.Quotes || !strings.HasPrefix(text, `"`) {
		at := 0
		for !ends(text[at:]) {
			at++
		}
		return text[:at], text[at:], true
	}
	for text = text[1:]; text != ""; text = text[1:] {
		if sep.Backslashes && len(text) > 1 && text[0] == '\\' && (text[1] == '"' || text[1] == '\\') {
			text = text[1:]
		} else if text[0] == '"' {
			if ends(text[1:]) {
				return field, text[1:], true
			}
			if text[1] == '"' {
				text = text[1:]
			}
		}
		field += text[:1]
	}
	return field, "", false
}

// checkSlowly compares the rows and pieces of a text with those of slowRows.
func checkSlowly(t *testing.T, text string, sep Syntax) {
	t.Helper()
	want, wantOpen := slowRows(text, sep)
	var got [][]string
	open := false
	for rest := []byte(text); len(rest) > 0 && !open; {
		row := sep.Row(rest, nil, 1<<16)
		open = row.Open >= 0
		if row.Width > 0 {
			fields := []string{}
			for _, f := range row.Fields {
				plain, _ := f.Text(rest[:row.Length], nil)
				fields = append(fields, string(plain))
			}
			got = append(got, fields)
		}
		if lines := strings.Count(string(rest[:row.Length]), "\n"); !open && row.Lines != lines && row.Length < len(rest) {
			t.Fatalf("%q by %+v: %d lines, want %d", text, sep, row.Lines, lines)
		}
		rest = rest[row.Length:]
	}
	if open != wantOpen || !slices.EqualFunc(got, want, slices.Equal) {
		t.Fatalf("%q by %+v: %q (open %v), want %q (%v)", text, sep, got, open, want, wantOpen)
	}
	checkWholeRows(t, text, sep)
}

// syntaxes are all that an input can have with a separator.
func syntaxes(separator byte) []Syntax {
	return []Syntax{
		{Separator: separator},
		{Separator: separator, Quotes: true},
		{Separator: separator, Quotes: true, Spaces: true},
		{Separator: separator, Quotes: true, Backslashes: true},
	}
}

func TestRowsSlowly(t *testing.T) {
	const alphabet = "a\"\n\r, \"\\"
	for _, r := range testkit.Cases(t, 60_000) {
		text := make([]byte, r.IntN(14))
		for i := range text {
			text[i] = alphabet[r.IntN(len(alphabet))]
		}
		for _, sep := range syntaxes(',') {
			checkSlowly(t, string(text), sep)
		}
	}
}

// Pieces end where rows do, wherever the data that is known so far ends.
func TestWholeRows(t *testing.T) {
	for _, data := range []string{
		"a,b\nc,d\n", "a,\"b\nc\"\nd\n", "\"\"\"\n\"\n\"x\"\r\ny", "a\"b\n\"c\"d\n\"\n", "\"a\"\r\n\"b\"\r\n", "\r\n\"\",\"\"\n,\n",
	} {
		checkWholeRows(t, data, Syntax{Separator: ',', Quotes: true})
	}
}

// checkWholeRows cuts every beginning of data, of the first bytes where it is long.
func checkWholeRows(t *testing.T, data string, syntax Syntax) {
	t.Helper()
	data = data[:min(len(data), 500)]
	ends := map[int]bool{0: true}
	last, open := 0, false
	for last < len(data) {
		row := syntax.Row([]byte(data[last:]), nil, 1<<16)
		if open = row.Open >= 0; open {
			break
		}
		last += row.Length
		ends[last] = true
	}
	for n := range len(data) + 1 {
		length, quote := syntax.WholeRows([]byte(data[:n]))
		if !ends[length] || length > n || quote >= n || quote >= 0 && quote < length {
			t.Fatalf("%q: of the first %d bytes %d are whole rows, and a quote opens at %d", data, n, length, quote)
		}
		if n == len(data) && open && quote != last+syntax.Row([]byte(data[last:]), nil, 1<<16).Open {
			t.Fatalf("%q: the open quote is not at %d", data, quote)
		}
	}
}

// checkRows compares with encoding/csv, its LazyQuotes set. There are two
// differences: encoding/csv gives LF for CR LF in a field, and it takes a field
// without a closing quote, where the comparison ends.
func checkRows(t *testing.T, text string, syntax Syntax) {
	t.Helper()
	if strings.Contains(text, "\r\r") {
		return // which encoding/csv takes for no line end
	}
	want := csv.NewReader(strings.NewReader(text))
	want.Comma, want.LazyQuotes, want.FieldsPerRecord = rune(syntax.Separator), true, -1
	for rest := []byte(text); len(rest) > 0; {
		row := syntax.Row(rest, nil, 1<<16)
		if row.Open >= 0 {
			return
		}
		line := rest[:row.Length]
		rest = rest[row.Length:]
		if len(row.Fields) == 0 {
			continue
		}
		fields, err := want.Read()
		testkit.Is(testkit.Stop(t), err, nil, "encoding/csv", "here", len(row.Fields), "fields")
		var got []string
		for _, f := range row.Fields {
			plain, _ := f.Text(line, nil)
			got = append(got, strings.ReplaceAll(string(plain), "\r\n", "\n"))
		}
		testkit.EqualSlices(testkit.Stop(t), got, fields, "encoding/csv")
	}
	testkit.Is(testkit.Stop(t), testkit.Err(want.Read()), io.EOF, "encoding/csv goes on")
}

func FuzzRows(f *testing.F) {
	for _, text := range []string{
		"id,label,text\nx,a,hello\n", "text\n\"a\"\"b\nc\"\r\n\"d\"e\n\"f", "text,x\n\"a\",b\"c\"\n\n,\"\"\n", "text\n\xd6\xd0\xce\xc4\n",
		"label\ttext\na\t\"x\ty\n\"\"\"\n", "text\nx\\ty\r\n\"", "a,b\n\"x\\\"\",\"\\\\\"\n", "sep=;\ntext; \"label\"\ra;\"b\"\r\r\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, separator := range []byte{',', '\t'} {
			for _, sep := range syntaxes(separator) {
				checkSlowly(t, text, sep)
			}
			checkRows(t, text, Syntax{Separator: separator, Quotes: true})
		}
	})
}
