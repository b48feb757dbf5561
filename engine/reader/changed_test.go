package reader

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/termsift/termsift/bench/testkit"
)

// A file that changes while it is read is an error, wherever the change is and however the file is read. One that only
// grew has the documents that it had, and a note.
func TestFilesThatChange(t *testing.T) {
	const docs = 60_000
	var lines, array, table bytes.Buffer
	for i := range docs {
		fmt.Fprintf(&lines, `{"id":"d%d","label":"a","text":"some words %d"}`+"\n", i, i)
		fmt.Fprintf(&table, "d%d,a,some words %d\n", i, i)
	}
	array.WriteString("[" + strings.ReplaceAll(strings.TrimSpace(lines.String()), "\n", ",\n") + "]")
	rows := "id,label,text\n" + table.String()
	inputs := map[string]string{
		"x.jsonl":     lines.String(),
		"x.csv":       rows,
		"x.json":      array.String(),
		"cr.csv":      strings.ReplaceAll(rows, "\n", "\r"),
		"x.jsonl.gz":  string(zip(t, lines.Bytes())),
		"x.tar":       string(archive(t, member{name: "n/x.jsonl", body: lines.String()})),
		"tree/a.csv":  rows, // by one worker
		"tree/c/long": strings.Repeat("some words ", 400_000),
	}
	changes := map[string]func(f *os.File, size int64) error{
		"cut":         func(f *os.File, size int64) error { return f.Truncate(size / 2) },
		"cut to none": func(f *os.File, size int64) error { return f.Truncate(0) },
		"written to": func(f *os.File, size int64) error {
			_, err := f.WriteAt([]byte("9"), size-20)
			return err
		},
		"grown": func(f *os.File, size int64) error {
			_, err := f.WriteAt([]byte("\n"), size)
			return err
		},
	}
	for name, body := range inputs {
		for kind, change := range changes {
			input := filepath.Join(t.TempDir(), filepath.FromSlash(name))
			path := input
			testkit.OK(os.MkdirAll(filepath.Dir(path), 0o755))
			testkit.OK(os.WriteFile(path, []byte(body), 0o600))
			old := time.Now().Add(-time.Hour)
			testkit.OK(os.Chtimes(path, old, old))
			if strings.HasPrefix(name, "tree/") {
				input = filepath.Dir(path)
				if strings.HasPrefix(name, "tree/c") {
					input = filepath.Dir(input)
				}
			}
			f := testkit.Must(os.OpenFile(path, os.O_RDWR, 0))
			s := testkit.Must(Read(t.Context(), []string{input}, Options{}))
			read, err := readAndChange(s, name == "tree/c/long", func() error { return change(f, int64(len(body))) })
			_ = f.Close() // it is not used any more
			told := strings.Contains(strings.Join(s.Summary().Notes, "\n"), "it grew beyond")
			switch {
			case kind == "written to" && name == "x.jsonl.gz" && err != nil: // what comes out may be no JSON any more
			case kind != "grown" && (err == nil || !strings.Contains(err.Error(), "while it was read")):
				t.Errorf("%s, %s: %d documents, %v", name, kind, read, err)
			case kind == "grown" && (!told || name == "x.jsonl" && (read != docs || err != nil)):
				t.Errorf("%s, %s: %d documents, %q, %v", name, kind, read, s.Summary().Notes, err)
			}
		}
	}
}

// readAndChange counts the documents of a source, and changes what is read behind the first of them, or before it when
// it is known what there is to read.
func readAndChange(s *Source, before bool, change func() error) (read int, err error) {
	for batch, err := range s.Batches() {
		if err != nil {
			return read, err
		}
		if before {
			if err := change(); err != nil {
				return read, err
			}
		}
		for _, err := range batch {
			if err != nil {
				return read, err
			}
			if read++; read == 1 && !before {
				if err := change(); err != nil {
					return read, err
				}
			}
		}
	}
	return read, s.Check()
}
