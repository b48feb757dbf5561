package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
)

// serveVariable in the environment makes the command the child that runs the
// engine: a process of its own, as the peers are.
const serveVariable = "TERMSIFT_COMPARE_SERVE"

func serving() bool { return os.Getenv(serveVariable) == "1" }

// side is our side of every job, with the data loaded.
type side struct {
	dir    string
	corpus *corpus.Corpus
	docs   []document.Document
	rows   *classify.Matrix
	counts *classify.Matrix
	sparse *sparse // the matrix of counts
	some   *sparse // its first columns, see someTerms
	top    int

	statistics *table.Table // the only data of the jobs of cells

	last     func() (answer, error) // makes the answer of the last run
	rankings []*rank.Ranking        // of the last run, whose memory serves for the next, as that of the peers in C does
}

// serve answers requests as [child] describes; args are the directory of the
// data and the number of terms to select, or the directory of statistics alone.
func serve(args []string, in io.Reader, out io.Writer) error {
	s, err := loadArguments(args)
	if err != nil {
		return err
	}
	runtime.GC() // what loading left behind: its collection is no part of a job
	fmt.Fprintln(out, "ready termsift="+table.Version)
	requests := bufio.NewScanner(in)
	for requests.Scan() {
		reply, err := s.request(context.Background(), strings.Fields(requests.Text()))
		if err != nil {
			reply = "error: " + err.Error()
		}
		fmt.Fprintln(out, reply)
	}
	return requests.Err()
}

func loadArguments(args []string) (*side, error) {
	switch len(args) {
	case 1:
		s, err := corpus.OpenStatistics(filepath.Join(args[0], statisticsFile))
		return &side{statistics: s}, err
	case 2:
		return load(args[0], args[1])
	}
	return nil, fmt.Errorf("the child needs a directory, or a directory and a number, not %q", args)
}

func load(dir, top string) (*side, error) {
	s := &side{dir: dir}
	var err error
	if s.top, err = strconv.Atoi(top); err != nil {
		return nil, err
	}
	if s.corpus, err = corpus.Open(filepath.Join(dir, indexFile), corpus.OpenOptions{Read: true}); err != nil {
		return nil, err
	}
	if s.rows, err = readRows(filepath.Join(dir, rowsFile), s.corpus.Classes(), false); err != nil {
		return nil, err
	}
	if s.counts, err = readRows(filepath.Join(dir, matrixFile), s.corpus.Classes(), true); err != nil {
		return nil, err
	}
	s.sparse = sparseOf(s.counts)
	s.some = s.sparse.firstColumns(someTerms)
	texts, err := os.ReadFile(filepath.Join(dir, textFile))
	if err != nil {
		return nil, err
	}
	ids, err := s.corpus.DocumentIDs()
	if err != nil {
		return nil, err
	}
	for i, text := range bytes.Split(bytes.TrimSuffix(texts, []byte{0}), []byte{0}) {
		class := s.corpus.Classes()[s.corpus.Labels(i)[0]]
		s.docs = append(s.docs, document.Document{ID: ids[i], Labels: []string{class}, Text: text})
	}
	return s, nil
}

func (s *side) request(ctx context.Context, words []string) (string, error) {
	switch {
	case len(words) == 3 && words[0] == "run":
		cost, err := s.measure(ctx, words[1], words[2])
		return strconv.FormatInt(cost.Nanoseconds(), 10), err
	case len(words) == 2 && words[0] == "save" && s.last != nil:
		a, err := s.last()
		if err != nil {
			return "", err
		}
		return "ok", a.write(words[1])
	}
	return "", fmt.Errorf("unknown request %q", words)
}

// measure does a job and returns its cost.
func (s *side) measure(ctx context.Context, job, impl string) (time.Duration, error) {
	do := find(job, impl)
	if do == nil {
		return 0, fmt.Errorf("unknown job %q of %s", job, impl)
	}
	for _, r := range s.rankings {
		r.Release()
	}
	s.rankings, s.last = nil, nil
	return do(ctx, s)
}

// svm trains machines; the answer is the objective of each class.
func (s *side) svm(ctx context.Context, o classify.SVMOptions) error {
	o.Eps, o.MaxSweeps = 1e-3, 100_000
	model, err := classify.Learner{Kind: "svm", SVM: o}.Train(ctx, s.rows, classify.TrainOptions{Threads: 1})
	if err != nil {
		return err
	}
	s.last = func() (a answer, err error) {
		machine := model.(interface {
			Primal(ctx context.Context, m *classify.Matrix, threads int) ([]float64, error)
		})
		a.Value, err = machine.Primal(ctx, s.rows, 1)
		for class := range a.Value {
			a.ID = append(a.ID, int32(class))
		}
		return a, err
	}
	return nil
}

const (
	scoredRows = 1000 // the first ones, by naive Bayes; also in peers.py
	queryStep  = 4    // every so many documents is a query; also in peers.py
)

// naiveBayes trains; the answer is the largest score of some rows.
func (s *side) naiveBayes(ctx context.Context) error {
	model, err := classify.Learner{Kind: "nb"}.Train(ctx, s.counts, classify.TrainOptions{Threads: 1})
	if err != nil {
		return err
	}
	s.last = func() (a answer, err error) {
		scorer, scores := model.NewScorer(), make([]float64, len(s.counts.Classes))
		for i := range min(scoredRows, s.counts.Rows()) {
			index, value := s.counts.Row(i)
			scorer.Score(index, value, scores)
			a.ID, a.Value = append(a.ID, int32(i)), append(a.Value, slices.Max(scores))
		}
		return a, nil
	}
	return nil
}

// neighbours finds the ten nearest of some rows and has them vote; the answer is the
// class and the sum of each row's votes.
func (s *side) neighbours(ctx context.Context) error {
	model, err := classify.Learner{Kind: "knn"}.Train(ctx, s.rows, classify.TrainOptions{Threads: 1})
	if err != nil {
		return err
	}
	var a answer
	scorer, scores := model.NewScorer(), make([]float64, len(s.rows.Classes))
	for i := 0; i < s.rows.Rows(); i += queryStep {
		index, value := s.rows.Row(i)
		scorer.Score(index, value, scores)
		best, sum := 0, 0.0
		for class, v := range scores {
			if v > scores[best] {
				best = class
			}
			sum += v
		}
		a.ID, a.Value = append(a.ID, int32(best)), append(a.Value, sum)
	}
	s.last = func() (answer, error) { return a, nil }
	return nil
}

// scoring has the options of a ranking by measure on one thread.
func scoring(measure rank.Measure) rank.Options {
	return rank.Options{Measure: measure, Threads: 1}
}

// rank ranks all terms by measures. The first of the rankings is returned.
func (s *side) rank(ctx context.Context, of rank.Counted, measures ...rank.Measure) (*rank.Ranking, error) {
	options := make([]rank.Options, len(measures))
	for i, m := range measures {
		options[i] = scoring(m)
	}
	var err error
	if s.rankings, err = rank.Several(ctx, of, options...); err != nil {
		return nil, err
	}
	return s.rankings[0], nil
}

// chi scores from the cells of the opened file, which the corpus keeps from the first
// round on, and finds the numbers, names and values of the best.
func (s *side) chi(ctx context.Context) error {
	r, err := s.rank(ctx, s.corpus, "chi")
	if err != nil {
		return err
	}
	best := rank.TopK(r.Values(), s.top)
	names := make([]string, len(best))
	for i, t := range best {
		names[i] = s.corpus.Term(t)
	}
	s.last = func() (answer, error) {
		var a answer
		for i, t := range best {
			id, ok := s.corpus.Lookup(names[i])
			if !ok || id != t {
				return a, fmt.Errorf("term %d has the name %q", t, names[i])
			}
			a.ID, a.Value = append(a.ID, int32(t)), append(a.Value, r.Values()[t])
		}
		return a, nil
	}
	return nil
}

// rankAll scores all terms from cells.
func (s *side) rankAll(ctx context.Context, of rank.Counted, measure rank.Measure) error {
	r, err := s.rank(ctx, of, measure)
	if err != nil {
		return err
	}
	s.last = func() (answer, error) { return numbered(r.Values()), nil }
	return nil
}

// count turns all texts into terms and counts, and keeps them. The answer has our numbers, and
// those by the rule of the peer in C.
func (s *side) count(context.Context) error {
	analyzer, err := analysis.New(analysis.Options{})
	if err != nil {
		return err
	}
	counter := analyzer.NewCounter()
	var found []analysis.TermCount
	for _, d := range s.docs {
		found = counter.Count(d.Text, found)
	}
	s.last = func() (answer, error) {
		tokens := 0.0
		for _, f := range found {
			tokens += float64(f.Count)
		}
		return numbered(append([]float64{float64(len(s.docs)), float64(counter.Len()), float64(len(found)), tokens}, byBytes(s.docs)...)), nil
	}
	return nil
}

// byBytes counts words as the peer in C does, in plain code: runs of two or more letters, digits,
// underscores and bytes above 127, with A to Z in lower case.
func byBytes(docs []document.Document) []float64 {
	last, postings, tokens := map[string]int{}, 0, 0 // last document of each word, from 1
	for i, d := range docs {
		for begin, end := 0, 0; begin < len(d.Text); begin = end + 1 {
			for end = begin; end < len(d.Text) && inWord(d.Text[end]); end++ {
			}
			if end-begin < 2 {
				continue
			}
			tokens++
			word := lowerASCII(d.Text[begin:end])
			if last[word] != i+1 {
				last[word] = i + 1
				postings++
			}
		}
	}
	return []float64{float64(len(docs)), float64(len(last)), float64(postings), float64(tokens)}
}

func inWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c > 127
}

func lowerASCII(word []byte) string {
	lower := bytes.Clone(word)
	for i, c := range lower {
		if c >= 'A' && c <= 'Z' {
			lower[i] += 'a' - 'A'
		}
	}
	return string(lower)
}

// pipeline goes from text to the reduced data as svmlight, and counts lines.
func (s *side) pipeline(ctx context.Context) error {
	corpus, err := corpus.Build(ctx, stream(s.docs), corpus.Options{Threads: 1})
	if err != nil {
		return err
	}
	chosen, err := selection.Select(ctx, corpus, selection.Options{By: scoring("chi"), Keep: selection.Best(s.top)})
	if err != nil {
		return err
	}
	transformer, err := vectors.New(chosen, "tf")
	if err != nil {
		return err
	}
	lines := 0
	var out bytes.Buffer
	w := vectors.NewSVMLightWriter(&out)
	for row, err := range transformer.Corpus(ctx, corpus) {
		if err == nil {
			err = w.Write(row)
		}
		if err != nil {
			return err
		}
		lines++
	}
	s.last = func() (answer, error) { return one(lines), nil }
	return w.Flush()
}
