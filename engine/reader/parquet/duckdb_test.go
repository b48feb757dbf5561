package parquet

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// testLimits are those of the tests.
var testLimits = Limits{Page: 64 << 20, Columns: 1000}

// open opens a file that is in memory.
func open(data []byte) (*File, error) {
	return Open(bytes.NewReader(data), int64(len(data)), testLimits)
}

// readAll returns the values of all columns that can be read, by row, as JSON has them: maps of
// nil, strings, numbers, booleans and lists of these.
func readAll(data []byte) (rows []map[string]any, err error) {
	f, err := open(data)
	if err != nil {
		return nil, err
	}
	var columns []int
	for i := range f.Columns() {
		if f.Columns()[i].Check() == nil {
			columns = append(columns, i)
		}
	}
	for b, err := range f.Batches(columns...) {
		if err != nil {
			return rows, err
		}
		if rows, err = appendRows(rows, f, b, columns); err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// appendRows appends the rows of a batch.
func appendRows(rows []map[string]any, f *File, b *Batch, columns []int) ([]map[string]any, error) {
	from := len(rows)
	for range b.Rows {
		rows = append(rows, map[string]any{})
	}
	for i, column := range columns {
		c, err := b.Cursor(i)
		if err != nil {
			return nil, err
		}
		for _, row := range rows[from:] {
			row[f.columns[column].Name] = cell(c, &f.columns[column])
		}
	}
	return rows, nil
}

// cell returns what the next row has in a column.
func cell(c *Cursor, column *Column) any {
	if !c.NextRow() {
		return nil
	}
	list := []any{}
	for c.NextValue() {
		switch {
		case c.Null():
			list = append(list, nil)
		case column.Kind == Bytes:
			list = append(list, string(c.Text()))
		case column.Kind == Bool:
			list = append(list, c.Number() != 0)
		case column.Kind == Uint:
			list = append(list, json.Number(strconv.FormatUint(uint64(c.Number()), 10)))
		case column.Kind == Float32:
			list = append(list, realNumber(float64(math.Float32frombits(uint32(c.Number()))), 32))
		case column.Kind == Float64:
			list = append(list, realNumber(math.Float64frombits(uint64(c.Number())), 64))
		default:
			list = append(list, json.Number(strconv.FormatInt(c.Number(), 10)))
		}
	}
	if column.List {
		return list
	}
	return list[0]
}

func realNumber(v float64, bits int) json.Number {
	return json.Number(strconv.FormatFloat(v, 'f', -1, bits))
}

// wanted returns the rows of a file of JSON lines, with the fields of objects as paths.
func wanted(t testing.TB, file string) (rows []map[string]any) {
	t.Helper()
	data := testkit.Must(os.ReadFile(file))
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	for {
		var row map[string]any
		if err := d.Decode(&row); errors.Is(err, io.EOF) {
			return rows
		} else if err != nil {
			t.Fatal(err)
		}
		for name, value := range row {
			if inner, ok := value.(map[string]any); ok {
				delete(row, name)
				for part, value := range inner {
					row[name+"."+part] = value
				}
			}
		}
		rows = append(rows, row)
	}
}

// Every value of the files that DuckDB, parquet-go and pyarrow have written is the one that they print as JSON.
func TestReadWhatOthersWrite(t *testing.T) {
	files, err := filepath.Glob("testdata/*-*-v[12]-*.parquet")
	if err != nil || len(files) < 90 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		data := testkit.Must(os.ReadFile(file))
		table, _, _ := strings.Cut(filepath.Base(file), "-")
		got, err := readAll(data)
		want := wanted(t, "testdata/"+table+".jsonl")
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: %d rows of %d, %v", file, len(got), len(want), err)
			continue
		}
		for i := range want {
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Errorf("%s: row %d is %v, want %v", file, i+1, got[i], want[i])
				break
			}
		}
	}
}
