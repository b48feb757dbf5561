package main

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

// A model is selected terms, with the weighting of rows that it was made with.
type model struct {
	selection *selection.Selection
	weight    table.Weighting
	saved     savedBytes
}

// fitOptions are the options of ts_fit.
type fitOptions struct {
	counting corpus.Options
	selecting
	classes []string
}

func (o *fitOptions) settings() []usage.Setting {
	return slices.Concat(countSettings(&o.counting), o.selecting.settings(), []usage.Setting{classesSetting(&o.classes)})
}

// classesSetting is the option of what has classes by number.
func classesSetting(to *[]string) usage.Setting {
	return usage.Setting{Name: "classes", To: to, Help: "the names of the classes by number, none of them empty; else they are numbers"}
}

// fit counts texts and selects terms of them. The rows of the texts are nil unless they are
// asked for. It returns warnings, too.
func fit(ctx context.Context, t [][]byte, l *labels, o *fitOptions, withRows bool) (m *model, r *vectors.CSR, warnings []string) {
	o.counting.Threads = o.Threads
	c := need(corpus.BuildInMemory(ctx, batches(t, l), o.counting))
	m = o.selecting.of(ctx, &counted{corpus: c})
	if withRows {
		r = rowsOfCorpus(ctx, m, c, m.weight, o.Threads)
	}
	return m, r, tokensNote(o.counting, c.Provenance().Analysis)
}

// of selects terms of a corpus or of statistics, with the factors that the weighting of rows needs.
func (s *selecting) of(ctx context.Context, c *counted) *model {
	chosen, weight := s.choose(ctx, c), s.Weight
	return &model{selection: need(chosen.WithFactors(ctx, c.whole(), s.Threads, weight)), weight: weight}
}

// choose selects terms by the method. A measure takes all options; another method reads documents, and takes k,
// or none if it chooses its own number of terms.
func (s *selecting) choose(ctx context.Context, c *counted) *selection.Selection {
	method, name, k := s.method(), s.criterion, s.number
	if m, ok := method.(methods.Measure); ok {
		o := selection.Options{By: m.Options, PerClass: s.perClass, RoundRobin: s.roundRobin, AlwaysKeep: s.keep, AlwaysDrop: s.drop}
		switch {
		case k.all:
			o.Keep = selection.Best(c.whole().Terms())
		case name != "":
			o.Keep = selection.Named(name, k.value)
		}
		return need(selection.Select(ctx, c.whole(), o))
	}
	if c.corpus == nil {
		panic(refused("of statistics terms are selected by a measure, and %s reads documents, which a corpus has", s.by))
	}
	if name != "k" && name != "" || s.perClass || s.roundRobin || s.keep != nil || s.drop != nil {
		panic(refused("%s takes k alone of the options that say which terms are kept", s.by))
	}
	if _, own := method.(selection.SelfSized); !own && name == "" {
		check(selection.Criterion{}.Validate())
	}
	if !k.all && name == "k" && k.value <= 0 {
		check(selection.Named(name, k.value).Validate())
	}
	return need(method.Select(ctx, c.corpus, int(k.value))) // of all as many as the method can rank
}

// transformOptions are the options of ts_transform and ts_corpus_rows.
type transformOptions struct {
	weight  string
	threads int
}

func (o *transformOptions) settings() []usage.Setting {
	return []usage.Setting{{Name: "weight", To: &o.weight, Help: "how rows are weighted; the model's way if it is not given"}, threadsSetting(&o.threads)}
}

func readTransformOptions(text string, m *model) (o transformOptions) {
	o.weight = string(m.weight)
	readOptions(text, o.settings())
	need(vectors.New(m.selection, table.Weighting(o.weight)))
	return o
}

// rowsOfTexts turns texts into rows over the terms of a model, ranges of them side by side.
func rowsOfTexts(ctx context.Context, m *model, t [][]byte, o transformOptions) *vectors.CSR {
	size, workers := 0, pool.Threads(o.threads)
	for i := range t {
		size += len(t[i]) + 1
	}
	ranges := rangesOf(t, (size+workers-1)/workers)
	parts := make([]*vectors.CSR, len(ranges))
	check(pool.Run(ctx, o.threads, len(ranges), func(_, i int) error {
		transformer, err := vectors.New(m.selection, table.Weighting(o.weight))
		if err != nil {
			return err
		}
		parts[i], err = collect(transformer.Documents(ctx, stream(t, nil, ranges[i])))
		return err
	}))
	return joinRows(parts)
}

// rowsOfCorpus turns the documents of a corpus into rows, in the order of the input.
func rowsOfCorpus(ctx context.Context, m *model, c *corpus.Corpus, weight table.Weighting, threads int) *vectors.CSR {
	return need(need(vectors.New(m.selection, weight)).CSR(ctx, c, threads))
}

// collect returns rows as one matrix.
func collect(rows iter.Seq2[vectors.Row, error]) (*vectors.CSR, error) {
	out := &vectors.CSR{Start: []int64{0}}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		first := len(out.Index)
		out.Index = slices.Grow(out.Index, len(row.Index))[:first+len(row.Index)]
		for i, rank := range row.Index {
			out.Index[first+i] = int32(rank) - 1
		}
		out.Value = append(out.Value, row.Value...)
		out.Start = append(out.Start, int64(len(out.Value)))
	}
	return out, nil
}

// joinRows returns the rows of all parts, one behind the other.
func joinRows(parts []*vectors.CSR) *vectors.CSR {
	if len(parts) == 1 {
		return parts[0]
	}
	out := &vectors.CSR{Start: []int64{0}}
	for _, p := range parts {
		base := int64(len(out.Value))
		out.Index, out.Value = append(out.Index, p.Index...), append(out.Value, p.Value...)
		for _, end := range p.Start[1:] {
			out.Start = append(out.Start, base+end)
		}
	}
	return out
}

// save returns the features file of a model.
func (m *model) save() []byte {
	var out bytes.Buffer
	check(m.selection.WriteTSV(&out))
	return out.Bytes()
}

// columns are the terms with their values and df, the classes that they were selected for, or that have their
// largest value, by number, the columns A, B and log10 of the p-value, and the number of documents.
func (m *model) columns() []column {
	s, n := m.selection, len(m.selection.Features)
	all := nameColumns(n, func(i int) string { return s.Features[i].Term })
	all = append(all, m.featureColumn(func(f *selection.Feature) float64 { return f.Score }), m.featureColumn(func(f *selection.Feature) float64 { return float64(f.DF) }))
	all = append(all, nameColumns(len(s.Classes), func(k int) string { return s.Classes[k] })...)
	of := columnOf(n, func(to []int32) {
		for i, f := range s.Features {
			to[i] = classOf(s.Classes, f.Class)
		}
	})
	return append(all, of, columnOf(3*n, m.putClasses), numbers(int64(s.Documents)))
}

func (m *model) featureColumn(of func(f *selection.Feature) float64) column {
	return columnOf(len(m.selection.Features), func(to []float64) {
		for i := range to {
			to[i] = of(&m.selection.Features[i])
		}
	})
}

// putClasses stores the columns A, B and log10 of the p-value one behind the other. What is not known is NaN.
func (m *model) putClasses(to []float64) {
	n := len(m.selection.Features)
	for i, f := range m.selection.Features {
		a, b, log10p := math.NaN(), math.NaN(), math.NaN()
		if classOf(m.selection.Classes, f.Class) >= 0 {
			a, b = float64(f.A), float64(f.B)
		}
		if m.selection.PValues {
			log10p = f.Log10P
		}
		to[i], to[n+i], to[2*n+i] = a, b, log10p
	}
}

// savedBytes are the bytes of a model or of statistics between the call that asks for their
// size and the one that copies them.
type savedBytes struct {
	mu    sync.Mutex
	bytes []byte
}

// put tells the size of the bytes that make returns, or copies them. They are made once for the two calls.
func (s *savedBytes) put(c *call, make func() []byte) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bytes == nil {
		s.bytes = make()
	}
	c.putColumns(numbers(s.bytes...))
	if len(c.out) > 0 && c.out[0].data != 0 {
		s.bytes = nil
	}
	return nil
}

// tokensNote returns the note for texts that did not decide for words, none if they did, or if they
// had nothing to decide.
func tokensNote(asked corpus.Options, made analysis.Options) []string {
	if asked.Analysis.Tokens != analysis.Auto || made.Tokens == analysis.Tokenizers()[0] {
		return nil
	}
	return []string{"note: most letters at the beginning are Han: tokens are " + made.Tokens +
		"; tokens \"words\" takes whole runs of them, and to name tokens silences this"}
}

// analysisOf returns the options of the analysis behind a handle, as JSON that makes the same one.
func analysisOf(handle uint64) []byte {
	var o analysis.Options
	switch of := handles.get(handle).(type) {
	case *model:
		o = of.selection.Provenance.Analysis
	case *counted:
		o = of.provenance().Analysis
	default:
		check(handleError("handle %d is %s, and a corpus, statistics or a model is needed", handle, kindOf(of)))
	}
	options := map[string]json.RawMessage{}
	for _, s := range o.Settings() {
		value := need(json.Marshal(s.To))
		if s.List != nil && len(*s.List) > 0 {
			value = need(json.Marshal(s.List))
		}
		if text := string(value); text != `""` && text != "0" {
			options[s.Name] = value
		}
	}
	return need(json.Marshal(options))
}
