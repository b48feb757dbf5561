package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/bench/workload"
)

// generate writes JSON lines of a corpus of a known shape, as the arguments say. Scripts call it as a program.
func generate(ctx context.Context, args []string) error {
	p := workload.Params{Kernel: workload.OfText}
	f := flag.NewFlagSet("generate", flag.ContinueOnError)
	f.IntVar(&p.Documents, "documents", 10_000, "number of documents")
	f.IntVar(&p.Tokens, "length", 298, "mean number of tokens of a document")
	f.IntVar(&p.Classes, "classes", 20, "number of classes")
	f.Float64Var(&p.Labels, "labels", 1, "mean number of labels of a document")
	f.IntVar(&p.Terms, "terms", 0, "words that there are to draw from, by Heaps' law unless given")
	f.Uint64Var(&p.Seed, "seed", 1, "the same seed gives the same lines")
	files := f.Int("files", 1, "number of files, of ascending seeds")
	out := f.String("o", "", "file to write, %d for its seed")
	if err := f.Parse(args); err != nil {
		return err
	}
	if p.Terms == 0 {
		p.Terms = workload.Heaps(float64(p.Documents) * float64(p.Tokens))
	}
	for ; *files > 0; *files-- {
		var lines bytes.Buffer
		if err := workload.WriteLines(ctx, &lines, p, 2); err != nil {
			return err
		}
		if err := os.WriteFile(strings.ReplaceAll(*out, "%d", fmt.Sprint(p.Seed)), lines.Bytes(), 0o666); err != nil {
			return err
		}
		p.Seed++
	}
	return nil
}

// generateMain is the program generate of scripts.
func generateMain() {
	testkit.OK(generate(context.Background(), os.Args[1:]))
}

// generatedIndex makes an index of a generated corpus, and returns its path.
func generatedIndex(t *testing.T, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	lines, index := filepath.Join(dir, "x.jsonl"), filepath.Join(dir, "x.idx")
	testkit.OK(generate(t.Context(), append(args, "-o", lines)))
	testkit.Equal(testkit.Stop(t), run(t.Context(), []string{"index", lines, "-o", index}, nil, io.Discard, io.Discard),
		exitOK, "index: exit code")
	testkit.OK(os.Remove(lines))
	return index
}
