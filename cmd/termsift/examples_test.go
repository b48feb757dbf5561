package main

import (
	"archive/tar"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"

	"github.com/termsift/termsift/bench/testkit"
)

// Every example of the help runs, on files of the names that stand there: who adds one with
// another file adds the file here. Sizes are brought down to what a test has time for.
func TestHelpExamples(t *testing.T) {
	master := exampleFiles(t)
	tried := 0
	for _, c := range allCommands(newApp(nil, io.Discard, io.Discard).tree()) {
		for line := range strings.Lines(c.Example) {
			line = strings.TrimSpace(line)
			t.Run(line, func(t *testing.T) {
				dir := t.TempDir()
				testkit.OK(os.CopyFS(dir, os.DirFS(master)))
				t.Chdir(dir)
				runExample(t, line)
			})
			tried++
		}
	}
	if tried < 50 {
		t.Errorf("%d examples were tried", tried)
	}
}

// The lines that stand for the commands of other tools run as well.
func TestOtherNamesRun(t *testing.T) {
	t.Chdir(exampleFiles(t))
	for _, name := range slices.Sorted(maps.Keys(otherNames)) {
		for _, line := range otherNames[name] {
			runExample(t, strings.NewReplacer("INPUT", "train.jsonl", "OTHER", "b.idx", "TERM", "orbit", "PATTERN", "orbit", "MODEL", "model", "FILE", filepath.Join(t.TempDir(), "x")).Replace(line))
		}
	}
}

// allCommands returns a command and all below it.
func allCommands(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, child := range c.Commands() {
		all = append(all, allCommands(child)...)
	}
	return all
}

// runExample types a line into a shell. [TestDemoPrintsWhatItAlwaysDid] runs the demo.
func runExample(t *testing.T, line string) {
	t.Helper()
	if line != "termsift demo" {
		out, err := typed(t, strings.Replace(line, "termsift bench ", "termsift bench --rounds 1 ", 1)).CombinedOutput()
		testkit.Is(testkit.Stop(t), err, nil, line, out)
	}
}

// typed returns a shell for a line, which fails where a command before a pipe does. [TestMain] puts termsift in its path.
func typed(t *testing.T, line string) *exec.Cmd {
	return exec.CommandContext(t.Context(), "bash", "-o", "pipefail", "-c", line)
}

// exampleTopics are the classes of the example files with words of theirs.
var exampleTopics = map[string]string{
	"sci.space":     "orbit moon launch nasa shuttle",
	"sci.med":       "doctor patient disease drug health",
	"comp.graphics": "image pixel render file colour",
	"misc.forsale":  "sale price offer shipping condition",
}

type exampleDocument struct{ id, label, text string }

// exampleDocuments returns n documents of each class, whose names begin with a prefix.
func exampleDocuments(prefix string, n int) (docs []exampleDocument) {
	for _, label := range slices.Sorted(maps.Keys(exampleTopics)) {
		words := strings.Fields(exampleTopics[label])
		for i := range n {
			text := fmt.Sprintf("we talk about %[1]s and %[1]s and %[2]s with number%[3]d", words[i%len(words)], words[(i+1)%len(words)], i%7)
			docs = append(docs, exampleDocument{fmt.Sprintf("%s-%s-%d", prefix, label, i), label, text})
		}
	}
	return docs
}

// exampleFiles makes a folder with the files that the examples name.
func exampleFiles(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, data []byte) {
		t.Helper()
		path := filepath.Join(dir, name)
		testkit.OK(os.MkdirAll(filepath.Dir(path), 0o755))
		testkit.OK(os.WriteFile(path, data, 0o644))
	}
	train, test, more := exampleDocuments("train", 12), exampleDocuments("test", 6), exampleDocuments("more", 3)
	write("train.jsonl", exampleLines(train))
	write("test.jsonl", exampleLines(test))
	write("today.jsonl", exampleLines(more))
	write("large.jsonl.zst", zstdOf(t, exampleLines(train)))
	write("reviews.jsonl.zst", zstdOf(t, exampleLines(train)))
	write("20news-bydate.tar.gz", exampleTar(t, map[string][]exampleDocument{"20news-bydate-train": train, "20news-bydate-test": test}))
	write("train.tar.gz", exampleTar(t, map[string][]exampleDocument{"train": train}))
	write("more.tar.gz", exampleTar(t, map[string][]exampleDocument{"more": more}))
	write("reuters21578.tar.gz", gzipOf(t, tarOf(t, map[string]string{"reut2-000.sgm": exampleReuters(train, test)})))
	write("reviews.csv.gz", gzipOf(t, exampleCSV(t, train)))
	write("words.tsv", []byte("orbit\t120\nthe\t6000000\nand\t3000000\n"))
	write("fold1.txt", []byte(train[0].id+"\n"+train[20].id+"\n"))
	write("retracted.txt", []byte(train[1].id+"\n"))
	for _, d := range train {
		write("corpus/"+d.label+"/"+d.id, []byte(d.text+" "+d.id))
	}
	sides := exampleDocuments("side", 60) // enough occurrences for small p-values
	write("a.jsonl", exampleLines(sides[:120]))
	write("b.jsonl", exampleLines(sides[120:]))
	for _, d := range train[:24] {
		write("speeches/"+d.id+".txt", []byte(d.text+" in New York, for freedom and peace in the United States of America"))
	}
	for _, d := range train[24:] {
		write("novels/"+d.id+".txt", []byte(d.text))
	}
	write("collections/README", []byte("The collections lie here."))
	t.Chdir(dir)
	for _, line := range []string{
		"index train.jsonl -o train.idx", "index test.jsonl -o test.idx", "index train.jsonl test.jsonl -o all.idx",
		"index train.jsonl -o jan.idx", "index test.jsonl -o feb.idx", "index today.jsonl -o mar.idx",
		"index a.jsonl -o a.idx", "index b.jsonl -o b.idx",
		"index train.jsonl --stats-only -o a.stats", "index test.jsonl --stats-only -o b.stats",
		"select --by chi -k 20 train.idx -o features.tsv", "select --by chi -k 20 train.idx -o chi.tsv",
		"select --by best-terms train.idx -o best-terms.tsv", "train --by chi -k 20 train.idx -o model",
	} {
		termsift(t, exitOK, strings.Fields(line)...)
	}
	return dir
}

func exampleLines(docs []exampleDocument) []byte {
	var b bytes.Buffer
	for _, d := range docs {
		fmt.Fprintf(&b, "{\"id\":%q,\"labels\":[%q],\"text\":%q}\n", d.id, d.label, d.text)
	}
	return b.Bytes()
}

func exampleCSV(t *testing.T, docs []exampleDocument) []byte {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{{"cat", "review"}}
	for _, d := range docs {
		rows = append(rows, []string{d.label, d.text + " " + d.id}) // no two texts are equal
	}
	testkit.OK(w.WriteAll(rows))
	return b.Bytes()
}

// exampleReuters returns a file of Reuters-21578 with a training and a test part.
func exampleReuters(train, test []exampleDocument) string {
	var b strings.Builder
	b.WriteString("<!DOCTYPE lewis SYSTEM \"lewis.dtd\">\n")
	number := 0
	for split, docs := range map[string][]exampleDocument{"TRAIN": train, "TEST": test} {
		for _, d := range docs {
			number++
			fmt.Fprintf(&b, "<REUTERS TOPICS=\"YES\" LEWISSPLIT=\"%s\" CGISPLIT=\"TRAINING-SET\" OLDID=\"1\" NEWID=\"%d\">\n"+
				"<TOPICS><D>%s</D></TOPICS>\n<TEXT>\n<TITLE>%s</TITLE>\n<BODY>%s</BODY></TEXT>\n</REUTERS>\n", split, number, d.label, d.id, d.text)
		}
	}
	return b.String()
}

// exampleTar returns a packed archive of folders with a folder for each class.
func exampleTar(t *testing.T, folders map[string][]exampleDocument) []byte {
	t.Helper()
	members := map[string]string{}
	for folder, docs := range folders {
		for _, d := range docs {
			members[folder+"/"+d.label+"/"+d.id] = d.text
		}
	}
	return gzipOf(t, tarOf(t, members))
}

func tarOf(t *testing.T, members map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		testkit.OK(w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(members[name]))}))
		testkit.Must(io.WriteString(w, members[name]))
	}
	testkit.OK(w.Close())
	return b.Bytes()
}

func gzipOf(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	return packedBy(t, &b, gzip.NewWriter(&b), data)
}

func zstdOf(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := testkit.Must(zstd.NewWriter(&b))
	return packedBy(t, &b, w, data)
}

func packedBy(t *testing.T, b *bytes.Buffer, w io.WriteCloser, data []byte) []byte {
	t.Helper()
	testkit.Must(w.Write(data))
	testkit.OK(w.Close())
	return b.Bytes()
}
