package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/bench/workload"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/matrix"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/postings/indexfile"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/resample"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
)

// A job is what a user runs. prepare returns what is timed.
type job struct {
	name    string
	prepare func(e *env) func()
}

// env is what jobs are prepared with.
type env struct {
	ctx context.Context
	dir string
}

var rentJobs = []job{
	{"count 20ng", countText},
	{"features 20ng.jsonl", features},
	{"top chi 20ng", top("20ng", rank.Chi)},
	{"top ig 20ng", top("20ng", rank.IG)},
	{"top ttest 20ng", top("20ng", rank.TTest)},
	{"top chi L", top("L", rank.Chi)},
	{"top ig L", top("L", rank.IG)},
	{"top ttest L", top("L", rank.TTest)},
	{"all L", allMeasures},
	{"score chi 20ng", scoreNewsgroups(rank.Chi)},
	{"score ig 20ng", scoreNewsgroups(rank.IG)},
	{"score anova 20ng", scoreNewsgroups(rank.ANOVA)},
	{"score chi 36M", scoreGenerated(rank.Chi)},
	{"score ig 36M", scoreGenerated(rank.IG)},
	{"score anova 36M", scoreGenerated(rank.ANOVA)},
	{"permute chi 20ng", permute(rank.Chi)},
	{"permute ttest 20ng", permute(rank.TTest)},
	{"first L", first},
	{"merge L L", merge},
	{"bayes 20ng", bayes},
	{"bernoulli 20ng", bernoulli},
	{"neighbours 20ng", neighbours},
	{"svm 20ng", svm},
}

// runJob prepares a job, runs it for a while and prints the median of its CPU time.
func runJob(ctx context.Context, name, dir string) {
	const least, enough, long, most = 4, 300 * time.Millisecond, time.Second, 2000
	i := slices.IndexFunc(rentJobs, func(j job) bool { return j.name == name })
	if i < 0 {
		panic(lab.Errorf("there is no job %q", name))
	}
	run := rentJobs[i].prepare(&env{ctx, dir})
	if os.Getenv(traceVariable) != "" {
		os.Setenv(traceVariable, timedPhase)
		run()
		return
	}
	var times []time.Duration
	for began := lab.CPU(); len(times) < least || lab.CPU()-began < enough && len(times) < most; {
		start := lab.CPU()
		run()
		if times = append(times, lab.CPU()-start); times[0] > long {
			break
		}
	}
	slices.Sort(times)
	fmt.Println(times[len(times)/2].Nanoseconds())
}

// file returns the path of a file of the folder, which is made if it is not there.
func (e *env) file(name string, make func(w io.Writer) error) string {
	path := filepath.Join(e.dir, name)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		f := lab.Need(os.CreateTemp(e.dir, name))
		lab.Check(make(f))
		lab.Check(f.Close())
		lab.Check(os.Rename(f.Name(), path))
	}
	return path
}

func (e *env) newsgroups(split string) document.Stream {
	path := filepath.Join(os.Getenv("TERMSIFT_DATA"), "20news-bydate.tar.gz")
	return lab.Need(reader.Read(e.ctx, []string{path}, reader.Options{Split: split, Charset: "latin-1"})).Documents()
}

// open opens the index of a set: 20ng, L, or L2, which is another L.
func (e *env) open(name string) *corpus.Corpus {
	return lab.Need(corpus.Open(e.index(name), corpus.OpenOptions{}))
}

func (e *env) index(name string) string {
	return e.file(name+".idx", func(w io.Writer) error {
		var c *corpus.Corpus
		switch p, ok := workload.Named(name[:1]); {
		case !ok:
			c = lab.Need(corpus.Build(e.ctx, e.newsgroups("train"), corpus.Options{}))
		default:
			p.Seed += uint64(len(name) - 1)
			source := lab.Need(workload.Generate(e.ctx, p, 2))
			c = lab.Need(corpus.New(lab.Need(postings.Build(e.ctx, source, postings.BuildOptions{Meta: []byte("{}")}))))
		}
		_, err := c.Write(e.ctx, w, corpus.SaveOptions{})
		return err
	})
}

func countText(e *env) func() {
	var texts [][]byte
	for d, err := range e.newsgroups("train") {
		lab.Check(err)
		texts = append(texts, slices.Clone(d.Text))
	}
	a := lab.Need(analysis.New(analysis.Options{}))
	return func() {
		var found []analysis.TermCount
		c := a.NewCounter()
		for _, text := range texts {
			found = c.Count(text, found[:0])
		}
	}
}

func features(e *env) func() {
	path := e.file("20ng.jsonl", func(w io.Writer) error {
		out := json.NewEncoder(w)
		for d, err := range e.newsgroups("train") {
			lab.Check(err)
			lab.Check(out.Encode(map[string]any{"id": string(d.ID), "labels": d.Labels, "text": string(d.Text)}))
		}
		return nil
	})
	return func() {
		source := lab.Need(reader.Read(e.ctx, []string{path}, reader.Options{}))
		c := lab.Need(corpus.Build(e.ctx, source.Documents(), corpus.Options{Threads: 1}))
		o := selection.Options{By: rank.Options{Measure: rank.Chi, Threads: 1}, Keep: selection.Best(10000)}
		s := lab.Need(selection.Select(e.ctx, c, o))
		lab.Check(s.WriteTSV(io.Discard))
		t := lab.Need(vectors.New(s, "tf"))
		w := vectors.NewSVMLightWriter(io.Discard)
		for row, err := range t.Corpus(e.ctx, c) {
			lab.Check(err)
			lab.Check(w.Write(row))
		}
		lab.Check(w.Flush())
	}
}

func top(set string, by rank.Measure) func(e *env) func() {
	return func(e *env) func() {
		s := lab.Need(e.open(set).Statistics(e.ctx, corpus.CountOptions{}))
		return func() {
			r := lab.Need(rank.Terms(e.ctx, s, rank.Options{Measure: by, Threads: 1}))
			for range r.Best(10000) {
			}
			r.Release()
		}
	}
}

func allMeasures(e *env) func() {
	s := lab.Need(e.open("L").Statistics(e.ctx, corpus.CountOptions{}))
	var all []rank.Options
	for _, m := range rank.Measures() {
		all = append(all, rank.Options{Measure: rank.Measure(m.Name), Threads: 1})
	}
	return func() {
		for _, r := range lab.Need(rank.Several(e.ctx, s, all...)) {
			r.Release()
		}
	}
}

// scoring is score(X, y) of the package for Python, of a matrix by rows.
func (e *env) scoring(m *matrix.Matrix[int32, int64], y *matrix.Labels, by rank.Measure) func() {
	plan := lab.Need(rank.Options{Measure: by, Threads: 1}.Resolve())
	values, df := make([]float64, m.Terms), make([]float64, m.Terms)
	request := &matrix.Request{Choices: []score.Choice{plan.Choice()}, Values: [][]float64{values}, DF: df, Threads: 1}
	return func() {
		if !plan.UsesTokens() && lab.Need(m.Score(e.ctx, y, request)) {
			return
		}
		s := lab.Need(m.Statistics(e.ctx, y, matrix.Options{Threads: 1}))
		lab.Need(rank.ByPlans(e.ctx, s, plan))
	}
}

func scoreNewsgroups(by rank.Measure) func(e *env) func() {
	return func(e *env) func() {
		x := e.open("20ng").Index()
		m := &matrix.Matrix[int32, int64]{Documents: x.Documents(), Terms: x.Terms.Len(), Start: []int32{0}}
		y := &matrix.Labels{Classes: len(x.Classes)}
		rows := make([][][2]int32, x.Documents())
		var p postings.List
		for at, t := range x.Terms.Sorted() {
			lab.Check(x.Read(int(t), &p))
			for i, d := range p.Docs {
				rows[d] = append(rows[d], [2]int32{int32(at), int32(p.TF[i])})
			}
		}
		for _, d := range rand.New(rand.NewPCG(71, 72)).Perm(len(rows)) {
			for _, element := range rows[d] {
				m.Index, m.Values = append(m.Index, element[0]), append(m.Values, int64(element[1]))
			}
			m.Start, y.Of = append(m.Start, int32(len(m.Index))), append(y.Of, int32(x.Labels(d)[0]))
		}
		return e.scoring(m, y, by)
	}
}

// scoreGenerated has 300,000 documents, as many terms, 50 classes and 36 million elements.
func scoreGenerated(by rank.Measure) func(e *env) func() {
	return func(e *env) func() {
		const n, terms, classes, drawn = 300_000, 300_000, 50, 124
		random := rand.New(rand.NewPCG(2, 3))
		edge, sum := make([]float64, terms), 0.0
		for i := range edge {
			sum += 1 / (float64(i) + 20)
			edge[i] = sum
		}
		names := random.Perm(terms)
		m := &matrix.Matrix[int32, int64]{Documents: n, Terms: terms, Start: []int32{0}}
		y := &matrix.Labels{Classes: classes}
		row := make([]int32, drawn)
		for range n {
			for i := range row {
				at, _ := slices.BinarySearch(edge, random.Float64()*sum)
				row[i] = int32(names[min(at, terms-1)])
			}
			slices.Sort(row)
			for i, t := range row {
				if i > 0 && row[i-1] == t {
					m.Values[len(m.Values)-1]++
					continue
				}
				m.Index, m.Values = append(m.Index, t), append(m.Values, 1)
			}
			m.Start, y.Of = append(m.Start, int32(len(m.Index))), append(y.Of, random.Int32N(classes))
		}
		return e.scoring(m, y, by)
	}
}

func permute(by rank.Measure) func(e *env) func() {
	return func(e *env) func() {
		c := e.open("20ng")
		return func() {
			lab.Need(resample.Permute(e.ctx, c, resample.PermuteOptions{By: rank.Options{Measure: by, Threads: 1}, B: 50, Seed: 1}))
		}
	}
}

func first(e *env) func() {
	path := e.index("L")
	return func() {
		c := lab.Need(corpus.Open(path, corpus.OpenOptions{}))
		s := lab.Need(c.Statistics(e.ctx, corpus.CountOptions{Threads: 1}))
		lab.Need(rank.Terms(e.ctx, s, rank.Options{Measure: rank.Chi, Threads: 1})).Top(10000)
		lab.Check(c.Close())
	}
}

func merge(e *env) func() {
	shards := []*postings.Index{lab.Need(indexfile.Open(e.index("L"), indexfile.OpenOptions{})), lab.Need(indexfile.Open(e.index("L2"), indexfile.OpenOptions{}))}
	return func() {
		lab.Check(indexfile.Merge(e.ctx, io.Discard, shards, indexfile.MergeOptions{Cells: true, Threads: 1, Dir: e.dir}))
	}
}

// rows are those of 20 Newsgroups over all terms.
func (e *env) rows(weight string) (train, test *classify.Matrix) {
	c := e.open("20ng")
	s := lab.Need(selection.Select(e.ctx, c, selection.Options{Keep: selection.Best(c.Terms())}))
	t := lab.Need(vectors.New(s, table.Weighting(weight)))
	of := func(c *corpus.Corpus) *classify.Matrix {
		return lab.Need(classify.Collect(t.Corpus(e.ctx, c), len(s.Features), s.Classes))
	}
	return of(c), of(lab.Need(corpus.Build(e.ctx, e.newsgroups("test"), corpus.Options{})))
}

func bayes(e *env) func() {
	m, _ := e.rows("tf")
	return func() { lab.Need(classify.Learner{Kind: "nb"}.Train(e.ctx, m, classify.TrainOptions{Threads: 1})) }
}

func bernoulli(e *env) func() {
	m, _ := e.rows("tf")
	return func() {
		lab.Need(classify.Learner{Kind: "bernoulli"}.Train(e.ctx, m, classify.TrainOptions{Threads: 1}))
	}
}

func neighbours(e *env) func() {
	m, test := e.rows("ltc")
	s := lab.Need(classify.Learner{Kind: "knn"}.Train(e.ctx, m, classify.TrainOptions{Threads: 1})).NewScorer()
	scores := make([]float64, len(m.Classes))
	return func() {
		for i := 0; i < test.Rows(); i += 8 {
			index, value := test.Row(i)
			s.Score(index, value, scores)
		}
	}
}

func svm(e *env) func() {
	m, _ := e.rows("ltc")
	return func() { lab.Need(classify.Learner{Kind: "svm"}.Train(e.ctx, m, classify.TrainOptions{Threads: 1})) }
}
