package tables

import (
	"bytes"
	"testing"
)

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
	if err != nil || out.String() != want {
		t.Fatalf("%v\n%s, want\n%s", err, out.String(), want)
	}
}
