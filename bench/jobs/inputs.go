package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/bench/workload"
	"github.com/termsift/termsift/engine/reader"
)

// inputs is the folder of the texts that both sides read.
type inputs string

// place returns the path of an input, which is made if it is not there: the archive of 20 Newsgroups, 20ng.jsonl and
// test.jsonl, which are its parts as JSON lines, half-a.jsonl and half-b.jsonl, the posts of the first ten groups and
// of the others, or the texts of a set of [workload.Sets]; L2.jsonl is another L.
func (in inputs) place(ctx context.Context, name string) string {
	archive := filepath.Join(os.Getenv("TERMSIFT_DATA"), "20news-bydate.tar.gz")
	if name == "archive" {
		return archive
	}
	path := filepath.Join(string(in), name)
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		testkit.OK(err)
		return path
	}
	file := testkit.Must(os.CreateTemp(string(in), name))
	defer os.Remove(file.Name())
	defer file.Close()
	w := bufio.NewWriter(file)
	switch name {
	case "20ng.jsonl", "half-a.jsonl", "half-b.jsonl":
		posts(ctx, w, archive, "train", name)
	case "test.jsonl":
		posts(ctx, w, archive, "test", name)
	default:
		p, ok := workload.Named(name[:1])
		if !ok {
			fail("there is no input %s", name)
		}
		if name[1] == '2' {
			p.Seed++
		}
		testkit.OK(workload.WriteLines(ctx, w, p, 2))
	}
	testkit.OK(errors.Join(w.Flush(), file.Close()))
	testkit.OK(os.Rename(file.Name(), path))
	return path
}

// posts writes a part of 20 Newsgroups as JSON lines, or half of its groups.
func posts(ctx context.Context, w *bufio.Writer, archive, split, name string) {
	source := testkit.Must(reader.Read(ctx, []string{archive}, reader.Options{Split: split, Charset: "latin-1"}))
	var groups []string
	out := json.NewEncoder(w)
	for d, err := range source.Documents() {
		testkit.OK(err)
		if !slices.Contains(groups, d.Labels[0]) {
			groups = append(groups, d.Labels[0])
		}
		first := slices.Index(groups, d.Labels[0]) < 10
		if name == "half-a.jsonl" && !first || name == "half-b.jsonl" && first {
			continue
		}
		testkit.OK(out.Encode(map[string]any{"id": d.ID, "labels": d.Labels, "text": string(d.Text)}))
	}
}
