package parquet

import (
	"errors"
	"fmt"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/usage"
)

// This file damages files. Their pages have checksums, so that whatever is read in spite of
// it must be what was written.

// mostAllocated bounds what reading a small file may allocate, all in all.
const mostAllocated = 64 << 20

// damagedColumns is the number of columns of the files that are damaged.
const damagedColumns = 9

// fragile are the files that are damaged: of every kind of column, and as different as can
// be. Footers have no checksum: numbers are not below 0, since one bit tells whether they
// have a sign.
func fragile(t testing.TB) (files [][]byte, want []string) {
	rows := wanted(t, "testdata/kinds.jsonl")[:14]
	for i := range 5 {
		data := file(fmt.Sprint("damaged-", i+1))
		testkit.Same(t, testkit.Must(readAll(data)), rows, "damaged", i+1)
		files, want = append(files, data), append(want, testkit.Must(readPlaces(data, damagedColumns)))
	}
	return files, want
}

// render returns the cells of rows in one text, by the places of the columns.
func render(rows []map[string]any, names []string) string {
	var b strings.Builder
	for _, row := range rows {
		for _, name := range names {
			fmt.Fprintf(&b, "%q|", fmt.Sprint(row[name]))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// readPlaces is readAll by the places of n columns, whatever their names are.
func readPlaces(data []byte, n int) (text string, err error) {
	f, err := open(data)
	if err != nil {
		return "", err
	}
	if len(f.Columns()) != n {
		return "", fmt.Errorf("%w: it has %d columns", usage.ErrData, len(f.Columns()))
	}
	columns := make([]int, n)
	names := make([]string, n)
	for i := range columns {
		columns[i], names[i] = i, fmt.Sprint(i)
		f.columns[i].Name = names[i]
	}
	var rows []map[string]any
	for b, err := range f.Batches(columns...) {
		if err != nil {
			return "", err
		}
		if rows, err = appendRows(rows, f, b, columns); err != nil {
			return "", err
		}
	}
	return render(rows, names), nil
}

// checkDamaged reads a file that should have damagedColumns, and fails unless an error
// comes that says what is wrong, or the right rows.
func checkDamaged(data []byte, want string) error {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	got, err := readPlaces(data, damagedColumns)
	metrics.Read(sample)
	switch allocated := sample[0].Value.Uint64() - before; {
	case allocated > mostAllocated:
		return fmt.Errorf("%d bytes were allocated", allocated)
	case err == nil && got != want:
		return fmt.Errorf("other rows were read:\n%s\nwant\n%s", got, want)
	case err != nil && (!errors.Is(err, usage.ErrData) || strings.Contains(err.Error(), "\n")):
		return fmt.Errorf("the error is not typed: %w", err)
	}
	return nil
}

func TestFlips(t *testing.T) {
	files, want := fragile(t)
	for _, random := range testkit.Cases(t, 200_000) {
		i := random.IntN(len(files))
		data := append([]byte(nil), files[i]...)
		bit := random.IntN(8 * len(data))
		data[bit/8] ^= 1 << (bit % 8)
		testkit.Is(testkit.Stop(t), checkDamaged(data, want[i]), nil, "file", i, "of", len(data), "bytes, bit", bit%8,
			"of byte", bit/8)
	}
}

func TestCutAnywhere(t *testing.T) {
	files, want := fragile(t)
	for i, data := range files {
		for _, size := range testkit.CaseNumbers(t, len(data)) {
			testkit.Is(testkit.Stop(t), checkDamaged(data[:size:size], want[i]), nil, "file", i, "cut to", size,
				len(data), "bytes")
			// The end in its place, and the middle cut out.
			tail := append(data[:size:size], data[max(size, len(data)-400):]...)
			if err := checkDamaged(tail, want[i]); err != nil && size < len(data)-400 {
				t.Fatalf("file %d, without the bytes from %d on: %v", i, size, err)
			}
		}
	}
}

func FuzzParquet(f *testing.F) {
	files, _ := fragile(f)
	for _, data := range files {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, err := readAll(data)
		if err != nil && !errors.Is(err, usage.ErrData) {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
	})
}
