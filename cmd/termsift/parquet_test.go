package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// The index of Parquet is that of the same documents as JSON lines, on any number of threads.
func TestParquetIsOneBuild(t *testing.T) {
	const files = "../../engine/reader/parquet/testdata/"
	for table, flags := range map[string][]string{
		"texts": nil, "pages": {"--skip-bad"}, "numbers": {"--text-field", "inner_.a", "--label-field", "u16", "--id-field", "i64"},
	} {
		want := indexOf(t, files+table+".jsonl", append(flags, "--threads", "1")...)
		paths, err := filepath.Glob(files + table + "-*.parquet")
		if err != nil || len(paths) < 8 {
			t.Fatalf("%d files, %v", len(paths), err)
		}
		for _, path := range paths {
			for _, threads := range []string{"1", "3"} {
				testkit.EqualSlices(t, indexOf(t, path, append(flags, "--threads", threads)...), want, path, threads,
					"threads: another index")
			}
		}
	}
}

// indexOf returns the bytes of the index of an input.
func indexOf(t *testing.T, input string, flags ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.idx")
	var out, errs bytes.Buffer
	if code := run(context.Background(), append([]string{"index", input, "-o", path}, flags...), strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("%s: exit code %d: %s", input, code, errs.String())
	}
	return testkit.Must(os.ReadFile(path))
}
