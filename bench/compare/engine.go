package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/termsift/termsift/bench/lab"
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

	last     func() answer   // makes the answer of the last run
	rankings []*rank.Ranking // of the last run, whose memory serves for the next, as that of the peers in C does
}

// serve answers requests as [child] describes; args are the directory of the
// data and the number of terms to select, or the directory of statistics alone.
func serve(args []string, in io.Reader, out io.Writer) {
	s := loadArguments(args)
	runtime.GC() // what loading left behind: its collection is no part of a job
	lab.Serve(in, out, "termsift="+table.Version, func(request string) string {
		return s.request(context.Background(), strings.Fields(request))
	})
}

func loadArguments(args []string) *side {
	switch len(args) {
	case 1:
		return &side{statistics: lab.Need(corpus.OpenStatistics(filepath.Join(args[0], statisticsFile)))}
	case 2:
		return load(args[0], args[1])
	}
	panic(lab.Errorf("the child needs a directory, or a directory and a number, not %q", args))
}

func load(dir, top string) *side {
	s := &side{dir: dir, top: lab.Need(strconv.Atoi(top))}
	s.corpus = lab.Need(corpus.Open(filepath.Join(dir, indexFile), corpus.OpenOptions{Read: true}))
	s.rows = readRows(filepath.Join(dir, rowsFile), s.corpus.Classes(), false)
	s.counts = readRows(filepath.Join(dir, matrixFile), s.corpus.Classes(), true)
	s.sparse = sparseOf(s.counts)
	s.some = s.sparse.firstColumns(someTerms)
	texts := lab.Need(os.ReadFile(filepath.Join(dir, textFile)))
	ids := lab.Need(s.corpus.DocumentIDs())
	for i, text := range bytes.Split(bytes.TrimSuffix(texts, []byte{0}), []byte{0}) {
		class := s.corpus.Classes()[s.corpus.Labels(i)[0]]
		s.docs = append(s.docs, document.Document{ID: ids[i], Labels: []string{class}, Text: text})
	}
	return s
}

func (s *side) request(ctx context.Context, words []string) string {
	switch {
	case len(words) == 3 && words[0] == "run":
		return strconv.FormatInt(s.measure(ctx, words[1], words[2]).Nanoseconds(), 10)
	case len(words) == 2 && words[0] == "save" && s.last != nil:
		s.last().write(words[1])
		return "ok"
	}
	panic(lab.Errorf("unknown request %q", words))
}

// measure does a job and returns its cost.
func (s *side) measure(ctx context.Context, job, impl string) time.Duration {
	do := find(job, impl)
	if do == nil {
		panic(lab.Errorf("unknown job %q of %s", job, impl))
	}
	for _, r := range s.rankings {
		r.Release()
	}
	s.rankings, s.last = nil, nil
	return do(ctx, s)
}

// svm trains machines; the answer is the objective of each class.
func (s *side) svm(ctx context.Context, o classify.SVMOptions) {
	o.Eps, o.MaxSweeps = 1e-3, 100_000
	model := lab.Need(classify.Learner{Kind: "svm", SVM: o}.Train(ctx, s.rows, classify.TrainOptions{Threads: 1})).(interface {
		Primal(m *classify.Matrix) ([]float64, error)
	})
	s.last = func() answer { return numbered(lab.Need(model.Primal(s.rows))) }
}

const (
	scoredRows = 1000 // the first ones, by naive Bayes; also in peers.py
	queryStep  = 4    // every so many documents is a query; also in peers.py
)

// naiveBayes trains; the answer is the largest score of some rows.
func (s *side) naiveBayes(ctx context.Context) {
	model := lab.Need(classify.Learner{Kind: "nb"}.Train(ctx, s.counts, classify.TrainOptions{Threads: 1}))
	s.last = func() (a answer) {
		scorer, scores := model.NewScorer(), make([]float64, len(s.counts.Classes))
		for i := range min(scoredRows, s.counts.Rows()) {
			index, value := s.counts.Row(i)
			scorer.Score(index, value, scores)
			a.add(i, slices.Max(scores))
		}
		return a
	}
}

// neighbours finds the ten nearest of some rows and has them vote; the answer is the
// class and the sum of each row's votes.
func (s *side) neighbours(ctx context.Context) {
	model := lab.Need(classify.Learner{Kind: "knn"}.Train(ctx, s.rows, classify.TrainOptions{Threads: 1}))
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
		a.add(best, sum)
	}
	s.last = func() answer { return a }
}

// scoring has the options of a ranking by measure on one thread.
func scoring(measure rank.Measure) rank.Options {
	return rank.Options{Measure: measure, Threads: 1}
}

// rank ranks all terms by measures. The first of the rankings is returned.
func (s *side) rank(ctx context.Context, of rank.Counted, measures ...rank.Measure) *rank.Ranking {
	options := make([]rank.Options, len(measures))
	for i, m := range measures {
		options[i] = scoring(m)
	}
	s.rankings = lab.Need(rank.Several(ctx, of, options...))
	return s.rankings[0]
}

// chi scores from the cells of the opened file, which the corpus keeps from the first
// round on, and finds the numbers, names and values of the best.
func (s *side) chi(ctx context.Context) {
	r := s.rank(ctx, s.corpus, "chi")
	best := rank.TopK(r.Values(), s.top)
	names := make([]string, len(best))
	for i, t := range best {
		names[i] = s.corpus.Term(t)
	}
	s.last = func() (a answer) {
		for i, t := range best {
			id, ok := s.corpus.Lookup(names[i])
			if !ok || id != t {
				panic(lab.Errorf("term %d has the name %q", t, names[i]))
			}
			a.add(t, r.Values()[t])
		}
		return a
	}
}

// rankAll scores all terms from cells.
func (s *side) rankAll(ctx context.Context, of rank.Counted, measure rank.Measure) {
	r := s.rank(ctx, of, measure)
	s.last = func() answer { return numbered(r.Values()) }
}

// countWords is count of words. The answer has the counts by the rule of the peer in C, too.
func (s *side) countWords(context.Context) {
	ours := s.count(analysis.Options{}, 1)
	s.last = func() answer { return numbered(append(ours(), byBytes(s.docs)...)) }
}

// everyChars is the step between documents of which characters are counted; also in peers.py.
const everyChars = 4

// counting is count as the work of a job.
func counting(o analysis.Options, step int) work {
	return timed(func(s *side, _ context.Context) {
		counts := s.count(o, step)
		s.last = func() answer { return numbered(counts()) }
	})
}

// count turns texts, each or one in so many, into terms and counts, and keeps them. It returns what tells the
// numbers of documents, terms, postings and tokens.
func (s *side) count(o analysis.Options, step int) (counts func() []float64) {
	counter := lab.Need(analysis.New(o)).NewCounter()
	var found []analysis.TermCount
	docs := 0
	for i := 0; i < len(s.docs); i += step {
		found = counter.Count(s.docs[i].Text, found)
		docs++
	}
	return func() []float64 {
		tokens := 0.0
		for _, f := range found {
			tokens += float64(f.Count)
		}
		return []float64{float64(docs), float64(counter.Len()), float64(len(found)), tokens}
	}
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
func (s *side) pipeline(ctx context.Context) {
	corpus := lab.Need(corpus.Build(ctx, document.Of(s.docs...), corpus.Options{Threads: 1}))
	chosen := lab.Need(selection.Select(ctx, corpus, selection.Options{By: scoring("chi"), Keep: selection.Best(s.top)}))
	transformer := lab.Need(vectors.New(chosen, "tf"))
	lines := 0
	var out bytes.Buffer
	w := vectors.NewSVMLightWriter(&out)
	for row, err := range transformer.Corpus(ctx, corpus) {
		lab.Check(err)
		lab.Check(w.Write(row))
		lines++
	}
	s.last = func() answer { return one(lines) }
	lab.Check(w.Flush())
}
