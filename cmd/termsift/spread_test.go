package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/reader"
)

// This file cuts collections into 64 shards, as archives and files of raw text and as JSON lines,
// and counts them by the recipes: the selection must have the bytes of one select on all files.

const manyShards = 64

// A collection writes the files of its shards to a folder.
type collection struct {
	name  string
	write func(t *testing.T, dir string)
	lines bool // the files are JSON lines, and their names end so
	heavy bool
}

var collections = []collection{
	{name: "newsgroups", write: newsgroupsShards},
	{name: "reuters", write: reutersShards, heavy: true},
	{name: "reuters lines", write: reutersLines, lines: true},
	{name: "generated", write: generatedShards, lines: true, heavy: true},
}

// A way is a recipe that makes features.tsv of the folder shards.
type way struct {
	name    string
	lines   bool   // takes JSON lines only
	missing string // what it needs and is not there
	blocks  []recipeBlock
	run     string // the file with the block that is run
}

// A recipeBlock is a block of a page, and the file that it is written to.
type recipeBlock struct {
	page string
	n    int
	file string
}

func ways() []way {
	noParallel, noSlurm := "", ""
	if out, _ := exec.Command("parallel", "--version").Output(); !bytes.HasPrefix(out, []byte("GNU parallel")) { // there is another one
		noParallel = "GNU parallel in PATH"
	}
	if os.Getenv("TERMSIFT_SLURM") != "1" {
		noSlurm = "cluster of Slurm: TERMSIFT_SLURM is not 1"
	}
	return []way{
		{name: "xargs", blocks: []recipeBlock{{"README.md", 2, "xargs.sh"}}, run: "xargs.sh"},
		{name: "parallel", lines: true, missing: noParallel, blocks: []recipeBlock{{"README.md", 3, "parallel.sh"}}, run: "parallel.sh"},
		{
			name: "slurm", lines: true, missing: noSlurm, run: "submit.sh",
			blocks: []recipeBlock{{"slurm.md", 1, "count.sbatch"}, {"slurm.md", 2, "merge.sbatch"}, {"slurm.md", 3, "submit.sh"}},
		},
	}
}

// In every run 20 Newsgroups, whose texts are of several charsets, goes by xargs, and Reuters,
// with several labels, by GNU parallel and, where there is a cluster, by Slurm; all by all with
// TERMSIFT_HEAVY.
func TestSumOfShardsIsOneBuild(t *testing.T) {
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			if w.missing != "" {
				t.Skipf("SKIPPED: no %s", w.missing)
			}
			for _, c := range collections {
				usual := !c.heavy && c.lines == w.lines
				if w.lines && !c.lines || !usual && !(testkit.AllCases() && w.name != "slurm") {
					continue
				}
				t.Run(c.name, func(t *testing.T) { spread(t, c, w) })
			}
		})
	}
}

// spread compares what a recipe makes of the shards with one select.
func spread(t *testing.T, c collection, w way) {
	dir := t.TempDir()
	testkit.OK(os.Mkdir(filepath.Join(dir, "shards"), 0o755))
	c.write(t, filepath.Join(dir, "shards"))
	for _, b := range w.blocks {
		block := testkit.Must(shellBlockOf("recipes", b.page, b.n))
		testkit.OK(os.WriteFile(filepath.Join(dir, b.file), block, 0o644))
	}
	shell(t, dir, "sh -e "+w.run)
	shell(t, dir, "termsift select --by chi -k 1000 --tokens words shards/* -o one.tsv")
	got, want := testkit.Must(os.ReadFile(filepath.Join(dir, "features.tsv"))), testkit.Must(os.ReadFile(filepath.Join(dir, "one.tsv")))
	testkit.EqualSlices(t, got, want, "the features")
}

// shell runs a command line in a folder.
func shell(t *testing.T, dir, line string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "sh", "-c", line)
	c.Dir, c.Env = dir, append(os.Environ(), "HOME="+dir)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out[max(0, len(out)-2000):])
	}
}

// shardFile creates the file of a shard.
func shardFile(t *testing.T, dir string, i int, suffix string) *os.File {
	t.Helper()
	f := testkit.Must(os.Create(filepath.Join(dir, fmt.Sprintf("%02d%s", i, suffix))))
	t.Cleanup(func() {
		if err := f.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
	})
	return f
}

// eachMember reads the files of an archive of the collections.
func eachMember(t *testing.T, archive string, f func(name string, data []byte)) {
	t.Helper()
	file := testkit.Must(os.Open(testkit.Corpus(t, archive)))
	defer file.Close()
	members := tar.NewReader(testkit.Must(gzip.NewReader(file)))
	for {
		h, err := members.Next()
		if err == io.EOF {
			return
		}
		testkit.OK(err)
		if h.Typeflag == tar.TypeReg {
			f(h.Name, testkit.Must(io.ReadAll(members)))
		}
	}
}

// newsgroupsShards writes archives of the posts of 20 Newsgroups in turn, so that most shards
// have all classes. A post in 258 is no UTF-8: some shards have none.
func newsgroupsShards(t *testing.T, dir string) {
	var shards []*tar.Writer
	for i := range manyShards {
		shards = append(shards, tar.NewWriter(shardFile(t, dir, i, ".tar")))
	}
	n := 0
	eachMember(t, "20news-bydate.tar.gz", func(name string, data []byte) {
		w := shards[n%manyShards]
		n++
		testkit.OK(w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(data)), Typeflag: tar.TypeReg}))
		testkit.Must(w.Write(data))
	})
	for _, w := range shards {
		testkit.OK(w.Close())
	}
}

// reutersShards writes the elements of Reuters-21578 to 64 files one behind the other.
func reutersShards(t *testing.T, dir string) {
	type part struct {
		name string
		data []byte
	}
	var parts []part
	eachMember(t, "reuters21578.tar.gz", func(name string, data []byte) {
		if path.Ext(name) == ".sgm" {
			parts = append(parts, part{name, data})
		}
	})
	slices.SortFunc(parts, func(x, y part) int { return cmp.Compare(x.name, y.name) })
	var elements [][]byte
	for _, p := range parts {
		_, rest, _ := bytes.Cut(p.data, []byte("\n")) // of the line with the type of the document
		for _, element := range bytes.SplitAfter(rest, []byte("</REUTERS>\n")) {
			if len(element) > 0 {
				elements = append(elements, element)
			}
		}
	}
	const heading = "<!DOCTYPE lewis SYSTEM \"lewis.dtd\">\n"
	for i := range manyShards {
		from, to := i*len(elements)/manyShards, (i+1)*len(elements)/manyShards
		testkit.Must(shardFile(t, dir, i, ".sgm").Write(append([]byte(heading), bytes.Join(elements[from:to], nil)...)))
	}
}

// reutersLines writes Reuters-21578 as JSON lines.
func reutersLines(t *testing.T, dir string) {
	source := testkit.Must(reader.Read(t.Context(), []string{testkit.Corpus(t, "reuters21578.tar.gz")}, reader.Options{}))
	shards := make([]bytes.Buffer, manyShards)
	n := 0
	for d := range testkit.All(source.Documents()) {
		line := testkit.Must(json.Marshal(map[string]any{"id": d.ID, "labels": append([]string{}, d.Labels...), "text": string(d.Text)}))
		b := &shards[n%manyShards]
		b.Write(append(line, '\n'))
		n++
	}
	for i := range shards {
		testkit.Must(shardFile(t, dir, i, ".jsonl").Write(shards[i].Bytes()))
	}
}

// generatedShards makes documents with several of many labels up.
func generatedShards(t *testing.T, dir string) {
	for i := range manyShards {
		args := "-documents 400 -length 200 -terms 200000 -labels 2.5 -classes 500 -seed %d -o %s/%02d.jsonl"
		testkit.OK(generate(t.Context(), strings.Fields(fmt.Sprintf(args, i+1, dir, i))))
	}
}
