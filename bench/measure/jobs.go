package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

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
	dir string // of files that jobs share, and of the command
}

// largeSet is the generated set of the jobs, shortSet that of their short form.
const (
	largeSet = "L"
	shortSet = "M"
)

// jobsOn lists the jobs, with one of the generated sets. What prepares for long or says little more than
// another is left out of the short form.
func jobsOn(set string) []job {
	jobs := []job{
		{"count 20ng", countText(analysis.Options{})},
		{"count pairs 20ng", countText(analysis.Options{NGrams: "1-2"})},
		{"select 20ng.jsonl", selectByCommand},
		{"top chi 20ng", top("20ng", rank.Chi)},
		{"top ig 20ng", top("20ng", rank.IG)},
		{"top ttest 20ng", top("20ng", rank.TTest)},
		{"top chi " + set, top(set, rank.Chi)},
		{"top ig " + set, top(set, rank.IG)},
		{"top ttest " + set, top(set, rank.TTest)},
		{"all " + set, allMeasures(set)},
		{"score chi 20ng", scoreNewsgroups(rank.Chi)},
		{"score anova 20ng", scoreNewsgroups(rank.ANOVA)},
		{"permute chi 20ng", permute(rank.Chi)},
		{"first " + set, first(set)},
		{"merge " + set + " " + set, merge(set)},
		{"bayes 20ng", train("nb", "tf")},
		{"neighbours 20ng", neighbours},
		{"svm 20ng", train("svm", "ltc")},
	}
	if set == shortSet {
		return append(jobs, job{"score chi 4M", scoreGenerated(rank.Chi, 30_000)})
	}
	return append(jobs, []job{
		{"score ig 20ng", scoreNewsgroups(rank.IG)},
		{"score chi 36M", scoreGenerated(rank.Chi, 300_000)},
		{"score ig 36M", scoreGenerated(rank.IG, 300_000)},
		{"score anova 36M", scoreGenerated(rank.ANOVA, 300_000)},
		{"permute ttest 20ng", permute(rank.TTest)},
		{"bernoulli 20ng", train("bernoulli", "tf")},
	}...)
}

// file returns the path of a file of the folder, which is made if it is not there.
func (e *env) file(name string, write func(w io.Writer) error) string {
	path := filepath.Join(e.dir, name)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		f := lab.Need(os.CreateTemp(e.dir, name))
		lab.Check(write(f))
		lab.Check(f.Close())
		lab.Check(os.Rename(f.Name(), path))
	}
	return path
}

func (e *env) newsgroups(split string) document.Stream {
	path := filepath.Join(os.Getenv("TERMSIFT_DATA"), "20news-bydate.tar.gz")
	return lab.Need(reader.Read(e.ctx, []string{path}, reader.Options{Split: split, Charset: "latin-1"})).Documents()
}

// open opens the index of a set: 20ng, or one such as L, or L2, which is another L.
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

func countText(o analysis.Options) func(e *env) func() {
	return func(e *env) func() {
		var texts [][]byte
		for d, err := range e.documents() {
			lab.Check(err)
			texts = append(texts, slices.Clone(d.Text))
		}
		a := lab.Need(analysis.New(o))
		return func() {
			var found []analysis.TermCount
			c := a.NewCounter()
			for _, text := range texts {
				found = c.Count(text, found[:0])
			}
		}
	}
}

// lines returns the path of the training part of 20 Newsgroups as JSON lines.
func (e *env) lines() string {
	return e.file("20ng.jsonl", func(w io.Writer) error {
		out := json.NewEncoder(w)
		for d, err := range e.newsgroups("train") {
			lab.Check(err)
			lab.Check(out.Encode(map[string]any{"id": string(d.ID), "labels": d.Labels, "text": string(d.Text)}))
		}
		return nil
	})
}

// documents reads them.
func (e *env) documents() document.Stream {
	return lab.Need(reader.Read(e.ctx, []string{e.lines()}, reader.Options{})).Documents()
}

// commandFile is the command in the folder of the jobs.
const commandFile = "termsift"

// selectByCommand is text to features and svmlight by the command, a process for each run.
func selectByCommand(e *env) func() {
	path := e.lines()
	return func() {
		program, out := filepath.Join(e.dir, commandFile), filepath.Join(e.dir, "selected")
		cmd := command(e.ctx, "", program, "select", "--by", "chi", "-k", "10000", "--threads", "1", path, "-o", out+".tsv", "--svmlight", out+".svm")
		cmd.Stderr = os.Stderr
		lab.Check(cmd.Run())
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

func allMeasures(set string) func(e *env) func() {
	return func(e *env) func() {
		s := lab.Need(e.open(set).Statistics(e.ctx, corpus.CountOptions{}))
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

// scoreGenerated has 300,000 terms, 50 classes and 120 elements in each of n documents.
func scoreGenerated(by rank.Measure, n int) func(e *env) func() {
	return func(e *env) func() {
		const terms, classes, drawn = 300_000, 50, 124
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

func first(set string) func(e *env) func() {
	return func(e *env) func() {
		path := e.index(set)
		return func() {
			c := lab.Need(corpus.Open(path, corpus.OpenOptions{}))
			s := lab.Need(c.Statistics(e.ctx, corpus.CountOptions{Threads: 1}))
			lab.Need(rank.Terms(e.ctx, s, rank.Options{Measure: rank.Chi, Threads: 1})).Top(10000)
			lab.Check(c.Close())
		}
	}
}

func merge(set string) func(e *env) func() {
	return func(e *env) func() {
		var shards []*postings.Index
		for _, name := range []string{set, set + "2"} {
			shards = append(shards, lab.Need(indexfile.Open(e.index(name), indexfile.OpenOptions{})))
		}
		return func() {
			lab.Check(indexfile.Merge(e.ctx, io.Discard, shards, indexfile.MergeOptions{Cells: true, Threads: 1, Dir: e.dir}))
		}
	}
}

// rows are those of 20 Newsgroups, the whole index or a corpus read from the text, over all terms.
func (e *env) rows(weight string, c *corpus.Corpus) *classify.Matrix {
	all := e.open("20ng")
	s := lab.Need(selection.Select(e.ctx, all, selection.Options{Keep: selection.Best(all.Terms())}))
	t := lab.Need(vectors.New(s, table.Weighting(weight)))
	if c == nil {
		c = all
	}
	return lab.Need(classify.Collect(t.Corpus(e.ctx, c), len(s.Features), s.Classes))
}

func train(kind, weight string) func(e *env) func() {
	return func(e *env) func() {
		m := e.rows(weight, nil)
		return func() { lab.Need(classify.Learner{Kind: kind}.Train(e.ctx, m, classify.TrainOptions{Threads: 1})) }
	}
}

func neighbours(e *env) func() {
	m := e.rows("ltc", nil)
	test := e.rows("ltc", lab.Need(corpus.Build(e.ctx, e.newsgroups("test"), corpus.Options{})))
	s := lab.Need(classify.Learner{Kind: "knn"}.Train(e.ctx, m, classify.TrainOptions{Threads: 1})).NewScorer()
	scores := make([]float64, len(m.Classes))
	return func() {
		for i := 0; i < test.Rows(); i += 8 {
			index, value := test.Row(i)
			s.Score(index, value, scores)
		}
	}
}
