package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/table"
)

// Every line of the pages that has a prompt, or stands in a table of what to type, is typed into a shell, one after the
// other as a reader would, and prints the lines that stand there. Times, speeds and white space do not count; "..."
// stands for lines that were left out. The picture of the first page is what the guide's command draws.
func TestReadmeExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("testing.Short: the examples take a quarter of a minute")
	}
	pictures := map[string]string{
		fileOfTop(t, "cmd/termsift/images/r52-knn.svg"):      "curves/knn-micro-f1.svg",
		fileOfTop(t, "cmd/termsift/images/r52-knn-dark.svg"): "curves/knn-micro-f1-dark.svg",
	}
	pages := []struct {
		name  string
		least int // commands
		text  string
	}{
		{name: "README.md", least: 5},
		{name: "engine/score/README.md", least: 10},
		{name: "cmd/termsift/README.md", least: 25},
		{name: "cmd/termsift/special.md", least: 8},
		{name: "cmd/termsift/FAQ.md", least: 15},
	}
	for i := range pages {
		pages[i].text = fileOfTop(t, pages[i].name)
	}
	prepareReadme(t)
	for i, page := range pages {
		if n := readmeExamples(t, page.text); n < page.least {
			t.Errorf("%s: %d commands", page.name, n)
		}
		if i == 0 {
			pythonOfReadme(t, page.text)
		}
	}
	for want, path := range pictures {
		testkit.Equal(t, string(testkit.Must(os.ReadFile(path))), want, path, "is not the picture of README.md")
	}
}

// readmeExamples runs the commands of a page and counts them.
func readmeExamples(t *testing.T, page string) (commands int) {
	t.Helper()
	for _, block := range regexp.MustCompile("(?ms)^```\n(\\$ .*?)^```|^\\|[^\n]+\\| `(termsift [^`\n]+)` \\|$").FindAllStringSubmatch(page, -1) {
		if block[2] != "" {
			readmeExample(t, block[2], []string{"..."})
			commands++
		}
		for _, example := range strings.Split("\n"+block[1], "\n$ ")[1:] {
			command, want, _ := strings.Cut(example, "\n")
			readmeExample(t, command, strings.Split(want, "\n"))
			commands++
		}
	}
	return commands
}

// pythonOfReadme runs the lines of Python, on the files that the commands before them
// wrote.
func pythonOfReadme(t *testing.T, page string) {
	t.Run("Python", func(t *testing.T) {
		block := regexp.MustCompile("(?s)```python\n(.*?)```\n\nIt prints `(.*?)`").FindStringSubmatch(page)
		if block == nil || strings.Count(block[1], "\n") != 6 {
			t.Fatal("README.md has no six lines of Python with what they print")
		}
		testkit.Equal(t, strings.TrimSpace(testkit.Python(t, ".", "sklearn", block[1])), block[2], "prints")
	})
}

// The recipes of the special questions read what they stand for: features.tsv with terms that
// pandas takes for something else unless it is told, and several labels in npz.
func TestReadmeRecipes(t *testing.T) {
	if testing.Short() {
		t.Skip("testing.Short: starts Python")
	}
	recipes := regexp.MustCompile("(?s)```python\n(.*?)```").FindAllStringSubmatch(fileOfTop(t, "cmd/termsift/special.md"), -1)
	testkit.Equal(testkit.Stop(t), len(recipes), 2, "cmd/termsift/special.md")
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	terms := []string{"null", "na", "NA", "nan", "#", "#tag", "c#", `"q`, "007", "1e5", "t\tab", "line\r\n", `back\t`, " ", "日本"}
	var lines strings.Builder
	for i, term := range terms {
		counts := testkit.Must(json.Marshal(map[string]int{term: i + 1}))
		fmt.Fprintf(&lines, `{"id":"d%d","labels":[%s],"counts":%s}`+"\n", i, []string{`"null"`, `"a,b"`, `"null","a,b"`}[i%3], counts)
	}
	testkit.OK(os.WriteFile(path("d.jsonl"), []byte(lines.String()), 0o644))
	for _, command := range [][]string{
		{"select", "--by", "chi", "-k", "100", path("d.jsonl"), "-o", path("features.tsv")},
		{"transform", "--features", path("features.tsv"), "--to", "npz", path("d.jsonl"), "-o", path("several.npz")},
	} {
		var errs bytes.Buffer
		testkit.Equal(testkit.Stop(t), run(t.Context(), command, strings.NewReader(""), io.Discard, &errs), exitOK,
			command, "exit code", errs.String())
	}
	s, err := readSelection(path("features.tsv"))
	testkit.OK(err)
	testkit.Equal(testkit.Stop(t), len(s.Features), len(terms), "features")
	out := testkit.Python(t, folder, "numpy scipy pandas", recipes[0][1]+recipes[1][1]+`
import json
print(json.dumps([[t, s, int(d), c, int(a), int(b)] for t, s, d, c, a, b in zip(*[features[x] for x in ["term", "score", "df", "class", "a", "b"]])]))
print(json.dumps(Y.toarray().tolist()))
`)
	var want [2]any
	var rows, labels [][]any
	for _, f := range s.Features {
		rows = append(rows, []any{f.Term, f.Score, f.DF, f.Class, f.A, f.B})
	}
	for i := range terms {
		labels = append(labels, [][]any{{0, 1}, {1, 0}, {1, 1}}[i%3])
	}
	want[0], want[1] = rows, labels
	for i, line := range strings.Split(strings.TrimSpace(out), "\n") {
		var got any
		text, err := json.Marshal(want[i%2])
		if err == nil {
			err = json.Unmarshal([]byte(line), &got)
		}
		if again, _ := json.Marshal(got); err != nil || i > 1 || string(again) != string(text) {
			t.Errorf("%v: Python prints\n%s\nwant\n%s", err, line, text)
		}
	}
}

// The lines of Go are those of the example of package engine, which is run; "{ ... }"
// stands for what a loop does.
func TestReadmeGo(t *testing.T) {
	block := regexp.MustCompile("(?s)```go\n(.*?)```").FindStringSubmatch(fileOfTop(t, "README.md"))
	if block == nil || strings.Count(block[1], "\n") != 6 {
		t.Fatal("README.md has no six lines of Go")
	}
	_, program, _ := strings.Cut(fileOfTop(t, "engine/example_test.go"), "func Example() {")
	for line := range strings.Lines(block[1]) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " ... }")
		_, rest, found := strings.Cut(program, "\t"+line+"\n")
		if !found {
			t.Errorf("the example of package engine has not, or not in this order, the line\n%s", line)
			continue
		}
		program = rest
	}
}

// prepareReadme makes a folder with the files that the examples name.
func prepareReadme(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	link := func(from, to string) {
		testkit.OK(os.Symlink(from, filepath.Join(dir, to)))
	}
	for _, name := range []string{"20news-bydate.tar.gz", "reuters21578.tar.gz", "online_shopping_10_cats.csv.gz", "fudan-corpus.tar.zst"} {
		link(testkit.Corpus(t, name), name)
	}
	link(filepath.Dir(testkit.Corpus(t, "iris.data")), "collections")
	writeNumbers(t, dir)
	examples := exampleFiles(t)
	for name, as := range map[string]string{
		"train.jsonl": "jan.jsonl", "test.jsonl": "feb.jsonl", "words.tsv": "english.tsv", "retracted.txt": "retracted.txt", "novels": "novels", "speeches": "speeches",
	} {
		link(filepath.Join(examples, name), as)
	}
	t.Chdir(dir)
}

// bench/PUBLISHED.md has what bench/results/published.txt has, its lines run, and its program measures again what it did.
func TestPublished(t *testing.T) {
	page, kept := fileOfTop(t, "bench/PUBLISHED.md"), fileOfTop(t, "bench/results/published.txt")
	columns := map[string][]string{}
	for line := range strings.Lines(kept) {
		var n, percent float64
		if cells := strings.Fields(line); len(cells) == 11 && cells[2] != "tested" {
			testkit.Must(fmt.Sscan(cells[2]+" "+cells[7], &n, &percent))
			columns[cells[0]] = append(cells, fmt.Sprintf("%.2f", math.Sqrt(percent*(100-percent)/n)))
		}
	}
	testkit.Equal(testkit.Stop(t), len(columns), 10, "collections")
	for what, column := range map[string]int{
		"**termsift**, cleaned": 7, "**termsift**, not cleaned": -7, "**termsift**, cleaned, all terms": 8, "one standard error": 11,
		"measure": 3, "words (1), or pairs too (1-2)": 4, "terms": 5, "accuracy over the folds": 6, "seconds of CPU time": 9, "MB of memory": 10,
	} {
		row := "| " + what
		for _, name := range []string{"20ng", "R8", "R52", "ohsumed", "mr"} {
			if column > 0 {
				name += ".clean"
			}
			row += " | " + columns[name][max(column, -column)]
		}
		testkit.Contains(t, page, "\n"+row+" |", "bench/PUBLISHED.md")
	}
	program, data := filepath.Join(testkit.Must(os.Getwd()), "../../bench/peers/published.py"), testkit.Corpus(t, "textgcn-r8-mr.tar.gz")
	t.Chdir(exampleFiles(t))
	for _, block := range regexp.MustCompile("(?s)```sh\n(termsift .*?)```").FindAllStringSubmatch(page, -1) {
		for line := range strings.Lines(block[1]) {
			runExample(t, strings.TrimSpace(line))
		}
	}
	testkit.NeedAllCases(t)
	got := testkit.Python(t, ".", "", `
import json, subprocess, sys, tarfile
from pathlib import Path
Path("text_gcn/data/corpus").mkdir(parents=True)
archive, texts = tarfile.open(sys.argv[1]), []
with open("text_gcn/data/mr.txt", "w") as places:
    for part in "train", "test":
        for line in map(json.loads, archive.extractfile(f"textgcn/mr-{part}.jsonl")):
            places.write("\t".join([line["id"], part, line["label"]]) + "\n")
            texts.append(line["text"])
Path("text_gcn/data/corpus/mr.clean.txt").write_text("\n".join(texts), "latin-1")
subprocess.run([sys.executable, sys.argv[2], "text_gcn", "-only", "mr.clean"], check=True)`, data, program)
	again := strings.Fields(got[strings.LastIndex(strings.TrimSpace(got), "\n")+1:])
	testkit.EqualSlices(t, again[:9], columns["mr.clean"][:9], "published.py prints") // and other times
}

// The sizes that the page tells of the index of 20 Newsgroups are those of its files.
func TestReadmeSizes(t *testing.T) {
	source := testkit.Must(reader.Read(t.Context(), []string{testkit.Corpus(t, "20news-bydate.tar.gz")}, reader.Options{Split: "train", Charset: "latin-1"}))
	c := testkit.Must(corpus.BuildBatches(t.Context(), source.Batches(), corpus.Options{Charset: "latin-1"}))
	size := func(noCells bool) float64 {
		n := testkit.Must(c.Write(t.Context(), io.Discard, corpus.SaveOptions{NoCells: noCells}))
		return float64(n) / 1e6
	}
	base := size(true)
	want := fmt.Sprintf("takes %.1f MB, and %.1f MB for the cells", base, size(false)-base)
	testkit.Contains(t, strings.Join(strings.Fields(fileOfTop(t, "cmd/termsift/README.md")), " "), want,
		"cmd/termsift/README.md does not say that the index")
}

// The page names the commands without --threads.
func TestReadmeThreads(t *testing.T) {
	sentence := regexp.MustCompile(`(?s)Every command takes .--threads. except (.*?),\s+which`).FindStringSubmatch(fileOfTop(t, "cmd/termsift/README.md"))
	if sentence == nil {
		t.Fatal("cmd/termsift/README.md does not say which commands have no --threads")
	}
	var a app
	root := a.tree()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		named := strings.Contains(sentence[1], "`"+c.Name()+"`")
		if has := c.Flags().Lookup("threads") != nil; has == named && c.Name() != "help" {
			t.Errorf("%s: has --threads: %v, named as one without: %v", c.Name(), has, named)
		}
	}
}

// fileOfTop reads a document.
func fileOfTop(t *testing.T, name string) string {
	t.Helper()
	text := testkit.Must(os.ReadFile(filepath.Join("..", "..", name)))
	return string(text)
}

// readmeExample types a command and looks for the lines. Those of stderr may stand anywhere between those of stdout.
func readmeExample(t *testing.T, command string, want []string) {
	t.Helper()
	var out, errs bytes.Buffer
	shell := typed(t, command)
	shell.Stdout, shell.Stderr = &out, &errs
	if err := shell.Run(); err != nil && shell.ProcessState.ExitCode() != exitNothing { // check finds things
		t.Errorf("%s: %v: %s", command, err, errs.String())
		return
	}
	printed, told := shownLines(out.String()), shownLines(errs.String())
	want = slices.DeleteFunc(shownLines(strings.Join(want, "\n")), func(line string) bool {
		return !slices.Contains(printed, line) && slices.Contains(told, line)
	})
	testkit.Equal(t, differenceOfExample(want, printed), "", command)
}

// differenceOfExample tells which line of an example is not printed where it stands, or is printed and missing there
// although no "..." says so.
func differenceOfExample(want, printed []string) string {
	omits := false
	for _, line := range want {
		if line == "..." {
			omits = true
			continue
		}
		i := slices.Index(printed, line)
		switch {
		case i < 0:
			return "does not print, or not there: " + line
		case i > 0 && !omits:
			return "prints a line more: " + printed[0]
		}
		printed, omits = printed[i+1:], false
	}
	if len(printed) > 0 && !omits {
		return "prints a line more: " + printed[0]
	}
	return ""
}

// An example that loses lines, or has them in another order, is found.
func TestDifferenceOfExample(t *testing.T) {
	printed := []string{"head", "a", "b", "c"}
	for want, difference := range map[string]string{
		"head a b c": "", "head a ...": "", "... b c": "", "head ... c": "", "a b c": "prints a line more: head",
		"head a b": "prints a line more: c", "head b a ...": "prints a line more: a", "head ... b a c": "does not print, or not there: a",
		"head ... d": "does not print, or not there: d",
	} {
		testkit.Equal(t, differenceOfExample(strings.Fields(want), printed), difference, want)
	}
}

// shownLines returns the lines of a text that are not blank, without times.
func shownLines(text string) (lines []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if line = withoutTimes(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

var timeOrSpeed = regexp.MustCompile(`[0-9.]+ (ms|s|MB/s)\b|"seconds":[0-9.e-]+`)

func withoutTimes(line string) string {
	return timeOrSpeed.ReplaceAllString(strings.Join(strings.Fields(line), " "), "# ")
}

// CITATION.cff has what version 1.2.0 of the format wants, of this version. It has a day of release if the
// version is released.
func TestCitation(t *testing.T) {
	has := map[string]string{}
	for line := range strings.Lines(fileOfTop(t, "CITATION.cff")) {
		if key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ":"); ok && !strings.HasPrefix(key, " ") {
			if has[key] != "" || strings.Contains(value, ": ") {
				t.Errorf("CITATION.cff: %q", line)
			}
			has[key] = strings.TrimSpace(value)
		} else if !strings.HasPrefix(line, "  - name: ") {
			t.Errorf("CITATION.cff: %q is neither a key nor an author", line)
		}
	}
	keys := []string{"abstract", "authors", "cff-version", "date-released", "license", "message", "repository-code", "title", "type", "version"}
	for key := range has {
		testkit.Equal(t, slices.Contains(keys, key), true, "CITATION.cff has a", key)
	}
	for key, want := range map[string]string{
		"cff-version": `1\.2\.0`, "message": `.+`, "title": `termsift`, "type": `software`, "authors": ``, "license": `MIT`,
		"version": regexp.QuoteMeta(table.Version), "repository-code": `https://github\.com/termsift/termsift`,
	} {
		if value, ok := has[key]; !ok || !regexp.MustCompile("^"+want+"$").MatchString(value) {
			t.Errorf("CITATION.cff: %s is %q, want %s", key, value, want)
		}
	}
	released := !strings.Contains(fileOfTop(t, "CHANGELOG.md"), "## v"+table.Version+", unreleased")
	testkit.Equal(t, regexp.MustCompile(`^\d{4}-\d\d-\d\d$`).MatchString(has["date-released"]), released,
		"CITATION.cff: date-released is", has["date-released"], "and version", table.Version, "is released")
}

// A numbered is a line of JSON: a text with a number. A nil field is left out.
type numbered struct {
	ID     string  `json:"id"`
	Text   string  `json:"text"`
	Lines  *string `json:"lines,omitempty"`
	Topics *int    `json:"topics,omitempty"`
}

// writeNumbers writes the files with numbers that the guide reads: posts.jsonl has the training part of 20
// Newsgroups with what the header field Lines says, stories.jsonl Reuters-21578 with the number of topics.
func writeNumbers(t *testing.T, dir string) {
	t.Helper()
	writeNumbered(t, filepath.Join(dir, "posts.jsonl"), "20news-bydate.tar.gz", reader.Options{Split: "train", Charset: "latin-1"}, postOf)
	writeNumbered(t, filepath.Join(dir, "stories.jsonl"), "reuters21578.tar.gz", reader.Options{}, func(d document.Document) numbered {
		topics := len(d.Labels)
		return numbered{ID: d.ID, Text: string(d.Text), Topics: &topics}
	})
}

// postOf returns the body of a post and what its head says of the number of its lines.
func postOf(d document.Document) numbered {
	head, body, _ := bytes.Cut(d.Text, []byte("\n\n"))
	post := numbered{ID: d.ID, Text: string(body)}
	for line := range bytes.Lines(head) {
		if value, found := bytes.CutPrefix(line, []byte("Lines:")); found && post.Lines == nil {
			lines := string(bytes.TrimSpace(value))
			post.Lines = &lines
		}
	}
	return post
}

// writeNumbered writes the documents of a collection as lines of JSON.
func writeNumbered(t *testing.T, path, collection string, o reader.Options, line func(document.Document) numbered) {
	t.Helper()
	source := testkit.Must(reader.Read(t.Context(), []string{testkit.Corpus(t, collection)}, o))
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	for d, err := range source.Documents() {
		if err == nil {
			err = encoder.Encode(line(d))
		}
		testkit.OK(err)
	}
	testkit.OK(os.WriteFile(path, out.Bytes(), 0o644))
}
