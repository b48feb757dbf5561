package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
)

// This file compares the ways by which a command gets its documents. A user who counts
// once, stores more, splits the work or bounds the memory must get the bytes that the
// command gives of the raw text. The corpora are small and odd: what breaks an engine is
// in them far more often than in real ones.

// TestRoutesAgree compares the routes on random corpora, with six of the commands each. A failure prints the number
// of the corpus and its lines.
func TestRoutesAgree(t *testing.T) {
	// The heap is small beside the buffers of a run: Go's own setting takes 1.7 times the CPU time.
	percent := debug.SetGCPercent(400)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
	for i, r := range testkit.Cases(t, 60) {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			c := newRouteTest(t, r)
			routes, commands := c.routes(), c.commands()
			for _, cmd := range pick(commands, r.Perm(len(commands))[:6]) {
				c.compare(cmd, routes)
			}
			if t.Failed() {
				t.Logf("corpus %d, read and counted with %q:\n%s", i, c.flags, c.text(c.docs))
			}
		})
	}
}

func pick[T any](from []T, which []int) (picked []T) {
	for _, i := range which {
		picked = append(picked, from[i])
	}
	return picked
}

// An oddDocument is a document with text or with counts.
type oddDocument struct {
	id     string
	labels []string
	text   string
	counts map[string]float64 // nil: text
}

// Names that break what joins, escapes, sorts or cuts them.
var (
	oddWords = []string{
		"a", "b", "apple", "pear", "running", "the", "and", "c++", "x2", "ÄRGER", "é", "e\u0301", "straße", "\u4e2d\u6587", "ﬁ", "\u0130", "İstanbul",
		"\U0001f600", "\u202eabc", "\u00a0", "\uff9e", "-", "_", "0", "1", "-1", "1e9", "NaN", "inf", "#x", "\"q\"", "o'clock", "don't", "<b>", "&amp;",
		strings.Repeat("long", 60), "ab\u00adcd", "\ufeffbom", "\u2028", "label", "id",
	}
	oddTerms = append([]string{"x y", " ", "tab\there", "line\nfeed", "car\rriage", "nul\x00", "back\\slash", "\x1b[31m", "\x7f", "a\\n", ",", ";", "=", strings.Repeat("w", 300)}, oddWords...)
	oddNames = []string{
		"a", "b", "c", "A", "sea", "old town", "x,y", "0", "1", "10", "2", "Ä", "\u4e2d", "\U0001f600", "tab\t", "line\nfeed", "quo\"te", "back\\", "#c", "-",
		"*", "not", "class=a", "\x1b[0m", "\u202e", " lead", "trail ", "target", "max", strings.Repeat("n", 200),
	}
)

// A shape is what the documents of a corpus have in common.
type oddShape struct {
	docs, words, classes                int
	empty, unlabelled, further, repeats float64
	everywhere, counts, huge, oneEach   bool
	real                                bool // svmlight with real values
}

func newShape(r *rand.Rand) (s oddShape) {
	chance := func(p float64) bool { return r.Float64() < p }
	some := func(p, most float64) float64 {
		if chance(p) {
			return r.Float64() * most
		}
		return 0
	}
	sizes := []int{1, 2, 3, 5, 8, 13, 21, 34, 60}
	s = oddShape{docs: sizes[r.IntN(len(sizes))], words: 1 + r.IntN(len(oddTerms)), classes: 1 + r.IntN(6)}
	s.empty, s.unlabelled, s.further, s.repeats = some(.4, .6), some(.4, .5), some(.5, .6), some(.4, .5)
	s.everywhere, s.counts, s.huge, s.oneEach, s.real = chance(.2), chance(.5), chance(.2), chance(.1), chance(.15)
	if s.oneEach || chance(.1) {
		s.classes = len(oddNames)
	}
	return s
}

// documents makes the documents of a shape.
func (s oddShape) documents(r *rand.Rand, prefix string, n int) []oddDocument {
	docs := make([]oddDocument, 0, n)
	words := pick(oddWords, r.Perm(len(oddWords)))
	terms := pick(oddTerms, r.Perm(len(oddTerms)))
	words, terms = words[:min(s.words, len(words))], terms[:min(s.words, len(terms))]
	names := pick(oddNames, r.Perm(len(oddNames))[:s.classes])
	for i := range n {
		if len(docs) > 0 && r.Float64() < s.repeats {
			d := docs[r.IntN(len(docs))]
			switch r.IntN(3) {
			case 0: // another name
				d.id = fmt.Sprintf("%sagain%d", prefix, i)
			case 1: // other labels
				d.labels = []string{names[r.IntN(len(names))]}
			}
			docs = append(docs, d)
			continue
		}
		d := oddDocument{id: fmt.Sprintf("%s%s%d", prefix, []string{"d", "é", "\"", "x y", "\t", "*"}[r.IntN(6)], r.IntN(2*n))}
		if s.oneEach {
			d.labels = []string{names[i%len(names)]}
		} else if len(docs) == 0 || r.Float64() >= s.unlabelled {
			d.labels = append(d.labels, names[r.IntN(1+r.IntN(len(names)))])
			for r.Float64() < s.further {
				d.labels = append(d.labels, names[r.IntN(len(names))])
			}
		}
		empty := len(docs) > 0 && r.Float64() < s.empty
		if s.counts && r.IntN(8) > 0 || s.real {
			d.counts = map[string]float64{}
			if !empty {
				s.count(r, d.counts, terms)
			}
		} else if !empty {
			d.text = s.write(r, words)
		}
		docs = append(docs, d)
	}
	return docs
}

func (s oddShape) count(r *rand.Rand, counts map[string]float64, terms []string) {
	for i, term := range terms {
		if r.IntN(2+i/3) > 0 && !(s.everywhere && i == 0) {
			continue
		}
		value := float64(1 + r.IntN(4))
		switch {
		case s.real:
			value = []float64{value, r.Float64(), r.Float64() * 1e-20, r.Float64() * 1e15, 1.0 / 3}[r.IntN(5)]
		case s.huge:
			value = []float64{value, 255, 256, 65535, 65536, 1<<24 + 1, 1<<31 - 1, 1 << 31, 1<<32 - 1}[r.IntN(9)]
		}
		counts[term] = value
	}
}

func (s oddShape) write(r *rand.Rand, words []string) string {
	var text strings.Builder
	if s.everywhere {
		text.WriteString(words[0] + " ")
	}
	for range 1 + r.IntN(12) {
		text.WriteString(words[r.IntN(1+r.IntN(len(words)))])
		text.WriteString([]string{" ", "  ", "\n", ", ", ".", "\t"}[r.IntN(6)])
	}
	return text.String()
}

// A routeTest is a random corpus on disk and what is made of it.
type routeTest struct {
	*testing.T
	r     *rand.Rand
	dir   string
	shape oddShape
	docs  []oddDocument // those that all routes give
	flags []string      // of counting raw text
	bound []string      // --min-df, which merge takes, too
	made  int           // folders of outputs
}

// A route is a way by which commands get the documents.
type route struct {
	name   string
	input  []string // stands for INPUT
	flags  []string // which go with it
	raw    bool     // text, to be counted with the flags of the corpus
	stdin  string   // the file that is standard input
	subset bool     // chosen from more documents, which the provenance says
	counts bool     // a file of statistics, which score alone takes
}

func newRouteTest(t *testing.T, r *rand.Rand) *routeTest {
	t.Helper()
	c := &routeTest{T: t, dir: t.TempDir(), shape: newShape(r), r: r}
	c.docs = c.shape.documents(r, "", c.shape.docs)
	if !c.shape.real {
		for _, some := range [][]string{
			{"--tokens", "unicode"}, {"--tokens", "letters"}, {"--ngrams", "1-2"}, {"--stem", "porter"}, {"--stop", "smart"}, {"--max-token", "5"}, {"--normalize", "nfkc"}, {"--markup", "strip"},
		} {
			if r.IntN(6) == 0 && !slices.Contains(c.flags, some[0]) {
				c.flags = append(c.flags, some...)
			}
		}
	}
	if len(c.docs) > 4 && r.IntN(6) == 0 {
		c.bound = []string{"--min-df", "2"}
	}
	return c
}

// format names the format of the corpus, which that of an odd file might not be guessed as.
func (c *routeTest) format() string {
	if c.shape.real {
		return "svmlight"
	}
	return "jsonl"
}

// text gives documents as a file.
func (c *routeTest) text(docs []oddDocument) []byte {
	var out bytes.Buffer
	for _, d := range docs {
		if c.shape.real {
			svmlight(&out, d)
			continue
		}
		record := map[string]any{"id": d.id, "text": d.text}
		if d.counts != nil {
			delete(record, "text")
			record["counts"] = d.counts
		}
		if d.labels != nil {
			record["labels"] = d.labels
		}
		line, err := json.Marshal(record)
		if err != nil {
			c.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	return out.Bytes()
}

// svmlight numbers labels and terms by their places among the odd ones.
func svmlight(out *bytes.Buffer, d oddDocument) {
	var labels []string
	for _, l := range d.labels {
		if s := strconv.Itoa(slices.Index(oddNames, l)); !slices.Contains(labels, s) {
			labels = append(labels, s)
		}
	}
	out.WriteString(strings.Join(labels, ","))
	for i, term := range oddTerms {
		if v, ok := d.counts[term]; ok {
			fmt.Fprintf(out, " %d:%g", i+1, v)
		}
	}
	out.WriteString("\n")
}

// write writes documents into a file.
func (c *routeTest) write(name string, docs []oddDocument) string {
	if c.shape.real {
		name += ".svm"
	} else {
		name += ".jsonl"
	}
	return c.file(name, c.text(docs))
}

func (c *routeTest) file(name string, data []byte) string {
	path := filepath.Join(c.dir, name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		c.Fatal(err)
	}
	return path
}

// build runs a command that writes a file, and says whether it did.
func (c *routeTest) build(name string, args ...string) (path string, ok bool) {
	path = filepath.Join(c.dir, name)
	var errs bytes.Buffer
	code := run(c.Context(), append([]string{args[0], "-o", path}, args[1:]...), strings.NewReader(""), io.Discard, &errs)
	if strings.Contains(errs.String(), "goroutine ") {
		c.Errorf("%q: a panic: %s", args, &errs)
	}
	return path, code == exitOK
}

// must is build for what works if the whole can be counted at all.
func (c *routeTest) must(name string, args ...string) string {
	path, ok := c.build(name, args...)
	if !ok {
		c.Errorf("%q: no file", args)
	}
	return path
}

// sameFrom demands equal files of documents that were read from different ones. Documents
// of svmlight have the name of their file and line, which an index holds.
func (c *routeTest) sameFrom(want string, others ...string) {
	c.Helper()
	if !c.shape.real {
		c.same(want, others...)
	}
}

// same demands equal files.
func (c *routeTest) same(want string, others ...string) {
	c.Helper()
	data, err := os.ReadFile(want)
	if err != nil {
		c.Error(err)
	}
	for _, other := range others {
		if got, err := os.ReadFile(other); err != nil || !bytes.Equal(got, data) {
			c.Errorf("%s is not %s: %v", filepath.Base(other), filepath.Base(want), err)
		}
	}
}

// routes makes the files of all routes. The first is that which the others must agree with.
// Of a corpus that cannot be counted there are only those that count it.
func (c *routeTest) routes() []route {
	c.Helper()
	whole := c.write("whole", c.docs)
	counting := slices.Concat([]string{"--input-format", c.format()}, c.flags, c.bound)
	routes := []route{
		{name: "raw", raw: true, input: []string{whole}, flags: []string{"--threads", "1"}},
		{name: "raw, 2 threads", raw: true, input: []string{whole}, flags: []string{"--threads", "2"}},
		{name: "raw, 3 threads", raw: true, input: []string{whole}, flags: []string{"--threads", "3"}},
		{name: "raw, bounded", raw: true, input: []string{whole}, flags: []string{"--max-memory", "32MiB", "--temp-dir", c.dir}},
		{name: "stdin", raw: true, input: []string{"-"}, stdin: whole},
		{name: "gzip", raw: true, input: []string{c.file(filepath.Base(whole)+".gz", packed(c.text(c.docs)))}},
	}
	with := func(command string, flags []string, inputs ...string) []string {
		return slices.Concat([]string{command}, flags, []string{"--"}, inputs)
	}
	index, ok := c.build("whole.idx", with("index", slices.Concat(counting, []string{"--threads", "1"}), whole)...)
	if !ok {
		return routes
	}
	of := func(name, path string, flags ...string) route {
		return route{name: name, input: []string{path}, flags: flags}
	}

	// One build in other ways has the same bytes.
	bounded := c.must("bounded.idx", with("index", slices.Concat(counting, []string{"--max-memory", "32MiB", "--temp-dir", c.dir}), whole)...)
	threads := c.must("threads.idx", with("index", slices.Concat(counting, []string{"--threads", "3"}), whole)...)
	c.same(index, threads, bounded)
	routes = append(routes, of("index", index), of("index, read", index, "--no-mmap", "--threads", "3"), of("index, 1 thread", index, "--threads", "1"))
	store := []string{"--store", "none"}
	plain := c.must("plain.idx", with("index", slices.Concat(counting, store), whole)...)
	c.same(plain, c.must("again.plain", with("index", store, index)...))
	c.same(index, c.must("again.idx", with("index", []string{"--store", "cells"}, plain)...))
	routes = append(routes, of("index without cells", plain, "--threads", "2"), of("index without cells, read", plain, "--no-mmap"))

	numbers := func(name, path string) route { return route{name: name, counts: true, input: []string{path}} }
	statistics := c.must("whole.stats", with("index", []string{"--stats-only"}, index)...)
	c.same(statistics, c.must("plain.stats", with("index", []string{"--stats-only"}, plain)...))
	raw := c.must("raw.stats", with("index", slices.Concat(counting, []string{"--stats-only", "--threads", "2"}), whole)...)
	if c.exactSums() || !c.mixed() {
		c.same(statistics, raw)
	}
	routes = append(routes, numbers("statistics", statistics))

	if parts := c.parts(); len(parts) > 1 {
		routes = append(routes, c.shards(parts, index, plain, statistics)...)
	}
	if c.bound == nil && !c.shape.real {
		routes = append(routes, c.subsets()...)
	}
	return routes
}

// parts cuts the documents into files, in their order.
func (c *routeTest) parts() (files []string) {
	for from := 0; from < len(c.docs); {
		to := min(from+1+c.r.IntN(len(c.docs)), len(c.docs))
		files = append(files, c.write(fmt.Sprintf("part%d", len(files)), c.docs[from:to]))
		from = to
	}
	return files
}

// shards are the routes of documents in several files. A part may have no label, or no
// term, and is no index then.
func (c *routeTest) shards(parts []string, index, plain, statistics string) (routes []route) {
	routes = append(routes, route{name: "files", raw: true, input: parts})
	joined := c.must("joined.idx", slices.Concat([]string{"index", "--input-format", c.format()}, c.flags, c.bound, parts)...)
	c.sameFrom(index, joined)
	var indexes, without, numbers []string
	for i, part := range parts {
		path, ok := c.build(fmt.Sprintf("part%d.idx", i), slices.Concat([]string{"index", "--input-format", c.format()}, c.flags, []string{part})...)
		if !ok {
			return routes
		}
		indexes = append(indexes, path)
		without = append(without, c.must(fmt.Sprintf("part%d.plain", i), "index", "--store", "none", path))
		numbers = append(numbers, c.must(fmt.Sprintf("part%d.stats", i), "index", "--stats-only", path))
	}
	merged := c.must("merged.idx", slices.Concat([]string{"merge", "--allow-repeats"}, c.bound, indexes)...) // documents may be alike
	mergedPlain := c.must("merged.plain", slices.Concat([]string{"merge", "--allow-repeats", "--threads", "1"}, c.bound, without)...)
	c.sameFrom(index, merged)
	c.sameFrom(plain, mergedPlain)
	routes = append(routes, route{name: "merged", input: []string{merged}}, route{name: "merged without cells", input: []string{mergedPlain}})
	if c.bound != nil {
		return routes
	}
	if !c.exactSums() {
		return routes
	}
	sum := c.must("sum.stats", slices.Concat([]string{"merge", "--allow-repeats"}, numbers)...)
	c.same(statistics, sum)
	return append(routes, route{name: "sum of statistics", counts: true, input: []string{sum}})
}

// exactSums says that the sums of statistics are those of counts whose squares are exact. Others are rounded in the
// order in which they are added, which is that of the shards where statistics are merged.
func (c *routeTest) exactSums() bool { return !c.shape.real && !(c.shape.huge && c.shape.counts) }

// mixed reports whether some documents are texts and others counts, which are added up apart
// where text is counted without an index.
func (c *routeTest) mixed() bool {
	isText := func(d oddDocument) bool { return d.counts == nil }
	texts := slices.ContainsFunc(c.docs, isText)
	return texts && slices.ContainsFunc(c.docs, func(d oddDocument) bool { return !isText(d) })
}

// subsets are the routes that choose the documents from more.
func (c *routeTest) subsets() (routes []route) {
	more := slices.Clone(c.docs)
	extras := c.shape.documents(c.r, "zz", 1+c.r.IntN(8))
	var ids strings.Builder
	for _, d := range extras {
		more = slices.Insert(more, c.r.IntN(len(more)+1), d)
		ids.WriteString(d.id + "\n")
	}
	raw, list := c.write("more", more), c.file("ids", []byte(ids.String()))
	flags := slices.Concat(c.flags, c.tokens())
	index := c.must("more.idx", slices.Concat([]string{"index"}, flags, []string{raw})...)
	without := c.must("more.plain", "index", "--store", "none", index)
	these := []string{"--docs", "not id=zz*"}
	if c.r.IntN(2) == 0 {
		these[1] = "not file=" + list
	}
	part := func(name, path string, flags ...string) {
		routes = append(routes, route{name: name, subset: true, input: []string{path}, flags: flags})
	}
	routes = append(routes, route{name: "raw --docs", raw: true, subset: true, input: []string{raw}, flags: these})
	part("index --docs", index, these...)
	part("index without cells --docs", without, these...)
	part("index of --docs, raw", c.must("chosen.idx", slices.Concat([]string{"index"}, flags, these, []string{raw})...))
	chosen := c.must("chosen.plain", slices.Concat([]string{"index", "--store", "none"}, these, []string{index})...)
	part("index of --docs", chosen)
	return append(routes, route{
		name: "statistics of --docs", counts: true, subset: true,
		input: []string{c.must("chosen.stats", slices.Concat([]string{"index", "--stats-only"}, these, []string{index})...)},
	})
}

// tokens is the flag for the tokens of the documents, where they follow from the text: with other
// documents beside them it may be others.
func (c *routeTest) tokens() []string {
	if slices.Contains(c.flags, "--tokens") {
		return nil
	}
	index, err := corpus.Open(c.must("tokens.idx", slices.Concat([]string{"index"}, c.flags, []string{c.write("tokens", c.docs)})...), corpus.OpenOptions{})
	if err != nil {
		c.Fatal(err)
	}
	defer func() { _ = index.Close() }()
	return []string{"--tokens", index.Provenance().Analysis.Tokens}
}

func packed(data []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(data)
	_ = w.Close()
	return out.Bytes()
}

// A routeCommand is one or several command lines, the first with the input of a route. OUT/
// stands for a folder of outputs.
type routeCommand struct {
	flags  []string
	behind []string   // the input
	then   [][]string // more, on what the first wrote
	counts bool       // it takes statistics, too
	as     string     // a flag that takes the input, which is one path then
	used   bool       // text is counted as a file says that the command takes
	docs   bool       // it has a --docs of its own
}

// commands are those that are compared. Outputs that may differ are normalised or left out
// here: info prints the sections of the file, which are the route.
func (c *routeTest) commands() []routeCommand {
	r := c.r
	one := func(from ...string) string { return from[r.IntN(len(from))] }
	measures := strings.Fields("df cf dia mi emi ig ece chi ngl gss or lor rs rsw bns ttest ocfs chitf g2 g2tf anova gini dfs ndm acc2 rf pr logodds logoddsz")
	measure := func() string { return one(measures...) }
	k := func() string { return strconv.Itoa(1 + r.IntN(1+r.IntN(12))) }
	seed := strconv.Itoa(r.IntN(1000))
	weight := func() string { return one("tf", "tfidf", "tfidf-unit", "ltc", "binary") }
	test := c.write("test", slices.Concat([]oddDocument{{id: "test", labels: []string{"a"}, counts: map[string]float64{"a": 1}}}, c.shape.documents(r, "test", 1+r.IntN(6)), pick(c.docs, r.Perm(len(c.docs))[:(len(c.docs)+1)/2])))
	counting := slices.Concat([]string{"--input-format", c.format()}, c.flags, c.bound)

	// What transform and predict take was made of the raw text.
	raw := filepath.Join(c.dir, filepath.Base(strings.Replace(test, "test", "whole", 1)))
	classifier := func() string {
		return one("svm", "svm:c=2,loss=l1", "nb", "bernoulli", "knn:k=3", "centroid", "centroid:thresholds=best", "knn:k=2,folds=2")
	}
	features, _ := c.build("features", slices.Concat([]string{"select", "-k", k(), "--by", measure(), "--factors", "tf-rf,tf-chi,tf-ig,delta-idf"}, counting, []string{raw})...)
	model, _ := c.build("model", slices.Concat([]string{"train", "-k", k(), "--by", measure(), "--weight", weight(), "--classifier", classifier()}, counting, []string{raw})...)

	side, to := "id=d* or id=é*", one("svmlight", "npz", "jsonl", "mtx")
	if c.shape.real {
		side, to = "labelled", one("svmlight", "jsonl", "mtx") // no text stands for the names in npz
	}
	class := []string{"--combine", "class", "--class", "nobody"}
	if labels := c.docs[0].labels; len(labels) > 0 && !c.shape.real {
		class[3] = labels[0]
	}
	list := []routeCommand{
		{flags: []string{"score", "--by", "all", "--all", "--format", "tsv"}, counts: true},
		{flags: []string{"score", "--by", "all", "--combine", one("avg", "sum", "mean"), "--all", "--format", "jsonl"}, counts: true},
		{flags: []string{"score", "--by", strings.Join([]string{measure(), "chi", "ttest"}, ","), "--combine", "class", "--all", "--format", "jsonl"}, counts: true},
		{flags: []string{"score", "--by", "chi,g2,emi,anova", "--p-values", "--top", k()}, counts: true},
		{flags: []string{"score", "--by", "chi", "--exact", "--p-values", "--yates", "--all", "--format", "tsv"}, counts: true},
		{flags: []string{"score", "--by", "ocfs", "--weight", one("tfidf", "tfidf-unit", "ltc", "binary"), "--all", "--format", "tsv"}},
		{flags: []string{"score", "--by", "g2tf,logodds", "--base", "2", "--top", "9"}, counts: true},
		{flags: []string{"score", "--by", "chi,g2tf", "--docs", side, "--reference-docs", "not (" + side + ")", "--all", "--format", "tsv"}, docs: true},
		{flags: []string{"score", "--by", one("chi", "ig", "ttest", "df"), "--permutations", "9", "--seed", seed, "--top", "9", "--format", "tsv"}},
		{flags: slices.Concat([]string{"score", "--by", one("mi", "gss"), "--permutations", "7", "--top", "3", "--format", "jsonl"}, class)},
		{flags: []string{"select", "--by", measure(), "-k", k(), "--factors", "tf-rf,tf-chi,tf-ig,delta-idf", "-o", "OUT/features", "--svmlight", "OUT/svm"}},
		{flags: []string{"select", "--by", measure(), "-k", k(), "--factors", "tf-rf,tf-ig", "-o", "OUT/features"}, counts: true},
		{flags: []string{"select", "--by", one("chi", "g2", "emi"), one("--fpr", "--fdr", "--fwe"), ".4", "--then", measure(), "-k", k()}, counts: true},
		{flags: []string{"select", "--by", measure(), "--per-document", k()}},
		{flags: []string{"select", "--by", one("chi", "ttest", "rs"), "-k", k(), one("--per-class", "--round-robin")}, counts: true},
		{flags: []string{"select", "--by", one("mrmr", "jmi", "cmim"), "-k", k(), "-o", "OUT/features"}},
		{flags: []string{"select", "--by", "best-terms", "--function", one("chi", "ig", "or", "rs"), "-p", one("0", ".3", "1"), "--class-terms", "OUT/classes", "-o", "OUT/features", "--svmlight", "OUT/svm"}},
		{flags: []string{"transform", "--by", measure(), "-k", k(), "--weight", weight(), "--to", "jsonl", "-o", "OUT/rows"}},
		{flags: []string{"transform", "--features", features, "--weight", one("tf-rf-unit", "tf-chi", "tf-ig", "delta-idf", "ltc", "tf"), "--to", to, "-o", "OUT/rows"}, used: true},
		{flags: []string{"train", "--by", one(measure(), "mrmr"), "-k", k(), "--weight", weight(), "--classifier", classifier(), "-o", "OUT/model"}, then: [][]string{
			{"predict", "--model", "OUT/model", "--format", "jsonl", "--scores", test},
		}},
		{flags: []string{"train", "--by", "best-terms", "--classifier", one("bernoulli", "svm", "nb"), "-o", "OUT/model"}, then: [][]string{{"predict", "--model", "OUT/model", "--scores", "--format", "jsonl", test}}},
		{flags: []string{"train", "--by", "project", "-k", k(), "--classifier", one("rule", "svm", "nb"), "-o", "OUT/model"}, then: [][]string{{"predict", "--model", "OUT/model", test}}},
		{flags: []string{"train", "--features", features, "--weight", one("tf-rf", "delta-idf-unit", "tf"), "-o", "OUT/model"}, then: [][]string{{"predict", "--model", "OUT/model", test}}, used: true},
		{flags: []string{"predict", "--model", model, "--format", "jsonl", "--scores", "-o", "OUT/predictions"}, used: true},
		{flags: []string{"predict", "--model", model}, used: true},
		{flags: []string{
			"evaluate", "--folds", one("2", "3"), "--no-times", "--by", one("chi,best-terms", "ttest,mrmr", "project,ig", measure()), "-k", k() + ",all",
			"--classifier", one("nb,svm", "knn:k=2,centroid", "bernoulli,svm", "svm:weight=tf-rf-unit,nb"), "--format", "jsonl", "--per-class", "--seed", seed, "--confusion", "OUT/confusion",
		}},
		{flags: []string{"evaluate", "--repeat", "2", "--share", ".4", "--stratify=" + one("true", "false"), "--no-times", "-k", k(), "--classifier", one("nb", "centroid"), "--format", "tsv", "--seed", seed}},
		{flags: []string{"evaluate", "--test", test, "--no-times", "--by", one("chi", "project", "best-terms"), "-k", k(), "--classifier", one("nb", "svm", "knn:k=1")}, as: "--train"},
		{flags: []string{"stability", "--by", measure(), "-k", k(), "--pfer", "2", "--subsample", "3", "--seed", seed, "--format", "jsonl"}},
		{flags: []string{"stability", "--by", measure(), "-k", k(), one("--bootstrap", "--folds", "--subsample"), "3", "--seed", seed, "--format", "jsonl"}},
		{flags: []string{"project", "--all", "--format", one("tsv", "jsonl"), "--svmlight", "OUT/svm", "--test", test, "--svmlight-test", "OUT/test", "--predictions", "OUT/predictions"}},
		{flags: []string{"compare", "--by", strings.Join([]string{"chi:avg", "ttest", "ig", measure()}, ","), "-k", "1," + k(), "--format", one("jsonl", "tsv", "table")}, counts: true},
	}
	for range 3 {
		list = append(list, routeCommand{flags: []string{"explain"}, behind: []string{c.anyTerm()}, counts: true})
	}
	return list
}

// anyTerm gives a term that the corpus may have.
func (c *routeTest) anyTerm() string {
	if c.shape.real {
		return strconv.Itoa(1 + c.r.IntN(len(oddTerms)))
	}
	if d := c.docs[c.r.IntN(len(c.docs))]; len(d.counts) > 0 {
		return slices.Sorted(maps.Keys(d.counts))[c.r.IntN(len(d.counts))]
	} else if words := strings.Fields(d.text); len(words) > 0 {
		return strings.ToLower(strings.TrimRight(words[c.r.IntN(len(words))], ".,"))
	}
	return oddWords[c.r.IntN(len(oddWords))]
}

// An outcome is all that a command gave.
type outcome struct {
	codes []int
	out   string
	files map[string]string
	errs  string
}

// compare runs a command by all routes.
func (c *routeTest) compare(cmd routeCommand, routes []route) {
	var want *outcome
	for _, way := range slices.Concat([]route{c.reference()}, routes) {
		if way.counts && !cmd.counts || cmd.as != "" && way.stdin != "" || (cmd.as != "" || cmd.behind != nil) && len(way.input) > 1 || cmd.docs && slices.Contains(way.flags, "--docs") || (cmd.docs || cmd.used) && slices.Contains(way.flags, "--max-memory") {
			continue
		}
		got := c.outcome(cmd, way)
		if want == nil {
			want = got
			continue
		}
		c.agree(cmd, way, got, want)
	}
}

// reference is the route with which the others must agree.
func (c *routeTest) reference() route {
	name := "whole.jsonl"
	if c.shape.real {
		name = "whole.svm"
	}
	return route{name: "raw", raw: true, input: []string{filepath.Join(c.dir, name)}, flags: []string{"--threads", "1"}}
}

func (c *routeTest) outcome(cmd routeCommand, way route) *outcome {
	c.made++
	folder := filepath.Join(c.dir, "out"+strconv.Itoa(c.made))
	if err := os.Mkdir(folder, 0o755); err != nil {
		c.Fatal(err)
	}
	defer os.RemoveAll(folder)
	args := slices.Concat(cmd.flags, way.flags)
	if way.raw {
		args = append(args, "--input-format", c.format())
	}
	if way.raw && !cmd.used {
		args = slices.Concat(args, c.flags, c.bound)
	}
	if cmd.as != "" {
		args = append(args, cmd.as, way.input[0])
	} else {
		args = slices.Concat(args, []string{"--"}, way.input, cmd.behind)
	}
	var stdin []byte
	if way.stdin != "" {
		stdin, _ = os.ReadFile(way.stdin)
	}
	o := &outcome{files: map[string]string{}}
	var out, errs bytes.Buffer
	for i, line := range slices.Concat([][]string{args}, cmd.then) {
		line = slices.Clone(line)
		for j, a := range line {
			if name, ok := strings.CutPrefix(a, "OUT/"); ok {
				line[j] = filepath.Join(folder, name)
			}
		}
		o.codes = append(o.codes, run(c.Context(), line, bytes.NewReader(stdin), &out, &errs))
		if i == 0 && o.codes[0] != exitOK {
			break
		}
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		c.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			c.Fatal(err)
		}
		o.files[f.Name()] = c.normal(string(data))
	}
	o.out, o.errs = c.normal(out.String()), errs.String()
	return o
}

var (
	// The lines of a features file that say where the documents are from, and its sum.
	provenanceLines = regexp.MustCompile(`(?m)^#(provenance|seal) .*\n`)
	// Documents of svmlight have no names but their files and lines.
	svmlightNames = regexp.MustCompile(`(stdin|[^"\s]+\.svm(\.gz)?):[0-9]+`)
)

// normal leaves out what documents of termsift say differs between routes.
func (c *routeTest) normal(content string) string {
	if c.shape.real {
		content = svmlightNames.ReplaceAllString(content, "document")
	}
	if strings.HasPrefix(content, "#termsift ") {
		content = provenanceLines.ReplaceAllString(content, "")
	}
	return content
}

func (c *routeTest) agree(cmd routeCommand, way route, got, want *outcome) {
	c.Helper()
	fail := func(what, got, want string) {
		got, want = firstDifference(got, want)
		c.Errorf("%s by %q: %q %q: %s\n got %s\nwant %s", cmd.flags, way.name, way.flags, way.input, what, got, want)
	}
	switch {
	case strings.Contains(got.errs, "goroutine "):
		fail("a panic", got.errs, "")
	case !slices.Equal(got.codes, want.codes):
		fail("exit codes", fmt.Sprint(got.codes, got.errs), fmt.Sprint(want.codes, want.errs))
	case got.out != want.out:
		fail("output", got.out, want.out)
	case len(got.files) != len(want.files):
		fail("files", fmt.Sprint(slices.Sorted(maps.Keys(got.files))), fmt.Sprint(slices.Sorted(maps.Keys(want.files))))
	}
	for name, data := range want.files {
		// A model has the provenance, lengths and a sum inside; that of svmlight the names of
		// files. What it predicts is compared.
		if got.files[name] != data && !(name == "model" && (way.subset || c.shape.real)) {
			fail(name, got.files[name], data)
		}
	}
}

// firstDifference gives the lines where two texts part.
func firstDifference(a, b string) (string, string) {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return fmt.Sprintf("line %d: %.400q", i+1, as[i]), fmt.Sprintf("line %d: %.400q", i+1, bs[i])
		}
	}
	return fmt.Sprintf("%d lines", len(as)), fmt.Sprintf("%d lines", len(bs))
}
