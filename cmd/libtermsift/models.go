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
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
	"github.com/termsift/termsift/engine/vocabulary"
)

// A model is selected terms, with the weighting of rows that it was made with.
type model struct {
	selection *selection.Selection
	weight    table.Weighting
	saved     savedBytes
}

// A rowSet is a CSR matrix of documents over the terms of a model. Indices are from 0.
type rowSet struct {
	start   []int64
	indices []int32
	values  []float32
}

// fitOptions are the options of ts_fit.
type fitOptions struct {
	analysing
	selecting
	classes []string
}

func readFitOptions(text string) *fitOptions {
	o := &fitOptions{analysing: newAnalysing(), selecting: newSelecting()}
	settings := append(o.analysing.settings(), o.selecting.settings()...)
	readOptions(text, append(settings, setting{"classes", &o.classes}))
	o.analysing.validate()
	o.selecting.validate()
	return o
}

// validate finds errors in the options before any text is read.
func (s *selecting) validate() {
	s.method()
	s.criterion()
}

// fit counts texts and selects terms of them. The rows of the texts are nil unless they are
// asked for. It returns warnings, too.
func fit(ctx context.Context, t texts, l *labels, o *fitOptions, withRows bool) (m *model, r *rowSet, warnings []string) {
	asked := o.analysing.options(o.Threads)
	c := need(corpus.BuildInMemory(ctx, batches(t, l), asked))
	m = o.selecting.ofCorpus(ctx, c)
	if withRows {
		r = rowsOfCorpus(ctx, m, c, m.weight, o.Threads)
	}
	return m, r, tokensNote(asked, c.Provenance().Analysis)
}

// ofCorpus selects terms of a corpus, with the factors that the weighting of rows needs.
func (s *selecting) ofCorpus(ctx context.Context, c *corpus.Corpus) *model {
	weight := table.Weighting(s.Weight)
	chosen := s.choose(ctx, c, s.method())
	return &model{selection: need(chosen.WithFactors(ctx, c, s.Threads, weight)), weight: weight}
}

// choose selects terms by a method. A measure takes all options; another method takes k,
// or none if it chooses its own number of terms.
func (s *selecting) choose(ctx context.Context, c *corpus.Corpus, method selection.Method) *selection.Selection {
	k := s.criterion()
	if m, ok := method.(methods.Measure); ok {
		return need(selection.Select(ctx, c, s.selection(m.Options, k, c.Terms())))
	}
	if k.name != "k" && k.name != "" || s.perClass || s.roundRobin || s.keep != nil || s.drop != nil {
		panic(refused("%s takes k alone of the options that say which terms are kept", s.by))
	}
	if _, own := method.(selection.SelfSized); !own && k.name == "" {
		check(selection.Criterion{}.Validate())
	}
	if k.value.all {
		k.value.value = 0 // as many as the method can rank
	} else if k.name == "k" && k.value.value <= 0 {
		check(selection.Best(int(k.value.value)).Validate())
	}
	return need(method.Select(ctx, c, int(k.value.value)))
}

// selection returns the options of a selection by a measure, of terms in all.
func (s *selecting) selection(by rank.Options, k criterion, terms int) selection.Options {
	o := selection.Options{By: by, PerClass: s.perClass, RoundRobin: s.roundRobin, AlwaysKeep: s.keep, AlwaysDrop: s.drop}
	switch {
	case k.value.all:
		o.Keep = selection.Best(terms)
	case k.name != "":
		o.Keep = k.make(k.value.value)
	}
	return o
}

// transformOptions are the options of ts_transform and ts_corpus_rows.
type transformOptions struct {
	weight  string
	threads int
}

func readTransformOptions(text string, m *model) (o transformOptions) {
	o.weight = string(m.weight)
	readOptions(text, []setting{{"weight", &o.weight}, {"threads", &o.threads}})
	checkThreads(o.threads)
	need(vectors.New(m.selection, table.Weighting(o.weight)))
	return o
}

// rowsOfTexts turns texts into rows over the terms of a model, ranges of them side by side.
func rowsOfTexts(ctx context.Context, m *model, t texts, o transformOptions) *rowSet {
	ranges := splitTexts(t, pool.Threads(o.threads))
	parts := make([]*rowSet, len(ranges))
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
func rowsOfCorpus(ctx context.Context, m *model, c *corpus.Corpus, weight table.Weighting, threads int) *rowSet {
	r := need(need(vectors.New(m.selection, weight)).CSR(ctx, c, threads))
	return &rowSet{r.Start, r.Index, r.Value}
}

// collect returns rows as one matrix.
func collect(rows iter.Seq2[vectors.Row, error]) (*rowSet, error) {
	out := &rowSet{start: []int64{0}}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		first := len(out.indices)
		out.indices = slices.Grow(out.indices, len(row.Index))[:first+len(row.Index)]
		for i, rank := range row.Index {
			out.indices[first+i] = int32(rank) - 1
		}
		out.values = append(out.values, row.Value...)
		out.start = append(out.start, int64(len(out.values)))
	}
	return out, nil
}

// joinRows returns the rows of all parts, one behind the other.
func joinRows(parts []*rowSet) *rowSet {
	if len(parts) == 1 {
		return parts[0]
	}
	out := &rowSet{start: []int64{0}}
	for _, p := range parts {
		base := int64(len(out.values))
		out.indices, out.values = append(out.indices, p.indices...), append(out.values, p.values...)
		for _, end := range p.start[1:] {
			out.start = append(out.start, base+end)
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

// name returns the term of a feature.
func (m *model) name(feature int) string { return m.selection.Features[feature].Term }

// class returns the name of a class.
func (m *model) class(k int) string { return m.selection.Classes[k] }

// classColumns is the number of columns of numbers that copyClasses copies.
const classColumns = 3

// copyClasses copies the numbers of the classes of the terms, and the columns A, B and log10 of
// the p-value one behind the other; either may be nil.
func (m *model) copyClasses(of []int32, numbers []float64) {
	n := len(m.selection.Features)
	for i, f := range m.selection.Features {
		class := classOf(m.selection.Classes, f.Class)
		if of != nil {
			of[i] = class
		}
		if numbers == nil {
			continue
		}
		a, b, log10p := math.NaN(), math.NaN(), math.NaN()
		if class >= 0 {
			a, b = float64(f.A), float64(f.B)
		}
		if m.selection.PValues {
			log10p = f.Log10P
		}
		numbers[i], numbers[n+i], numbers[2*n+i] = a, b, log10p
	}
}

// savedBytes are the bytes of a model or of statistics between the call that asks for their
// size and the one that copies them.
type savedBytes struct {
	mu    sync.Mutex
	bytes []byte
}

// copyTo sets size to the number of bytes that make returns, and copies them to dst unless
// that is nil. They are made once for the two calls.
func (s *savedBytes) copyTo(dst []byte, size *int64, make func() []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bytes == nil {
		s.bytes = make()
	}
	*size = int64(len(s.bytes))
	switch {
	case dst == nil:
		return
	case len(dst) < len(s.bytes):
		panic(refused("there are %d bytes to copy, and the buffer has %d: size has the number now", len(s.bytes), len(dst)))
	}
	copy(dst, s.bytes)
	s.bytes = nil
}

// putNames copies texts one behind the other to dst and their offsets, one more than there
// are texts, to offsets; either may be nil.
func putNames(dst []byte, offsets []int64, n int, name func(i int) string) {
	at := 0
	for i := range n {
		if offsets != nil {
			offsets[i] = int64(at)
		}
		if dst != nil {
			copy(dst[at:], name(i))
		}
		at += len(name(i))
	}
	if offsets != nil {
		offsets[n] = int64(at)
	}
}

// bytesOf returns the bytes of all names together.
func bytesOf(n int, name func(i int) string) (sum int) {
	for i := range n {
		sum += len(name(i))
	}
	return sum
}

// rows are what a handle of rows stands for: a *rowSet, or *vocabulary.Rows.
type rows interface {
	Len() int
	Stored() int64
}

// Len is the number of documents.
func (r *rowSet) Len() int { return len(r.start) - 1 }

// Stored is the number of elements.
func (r *rowSet) Stored() int64 { return int64(len(r.values)) }

func rowsHeld(handle uint64) rows { return handleOf[rows](handle, "rows") }

// copyRowsAs copies rows: places and columns in one type, values in another.
func copyRowsAs(r rows, indexType, valueType uint32, start, indices, values uintptr) {
	copyValues := valuesCopier(r, valueType, values)
	switch indexType {
	case typeInt32:
		if start != 0 && r.Stored() > math.MaxInt32 {
			panic(refused("there are %d elements, and their places need TS_INT64", r.Stored()))
		}
		copyPlaces[int32](r, start, indices)
	case typeInt64:
		copyPlaces[int64](r, start, indices)
	default:
		panic(refused("index_type is %d: it must be TS_INT32 or TS_INT64", indexType))
	}
	copyValues()
}

// copyPlaces copies the starts of rows and the columns of their elements, where they are not NULL.
func copyPlaces[I int32 | int64](r rows, start, indices uintptr) {
	starts, columns := outputOf[I](start, int64(r.Len())+1, "start"), outputOf[I](indices, r.Stored(), "indices")
	switch r := r.(type) {
	case *vocabulary.Rows:
		if starts != nil {
			vocabulary.CopyStart(r, starts)
		}
		if columns != nil {
			vocabulary.CopyColumns(r, columns)
		}
	case *rowSet:
		convert(starts, r.start)
		convert(columns, r.indices)
	}
}

// valuesCopier returns what copies values in a type.
func valuesCopier(r rows, valueType uint32, to uintptr) func() {
	switch valueType {
	case typeNone:
		if to != 0 {
			panic(refused("value_type is TS_NONE, so values must be NULL"))
		}
		return func() {}
	case typeInt32:
		return copierTo[int32](r, to)
	case typeInt64:
		return copierTo[int64](r, to)
	case typeFloat32:
		return copierTo[float32](r, to)
	case typeFloat64:
		return copierTo[float64](r, to)
	case typeUint8:
		return copierTo[uint8](r, to)
	}
	panic(refused("value_type is %d: it must be TS_NONE, TS_INT32, TS_INT64, TS_FLOAT32, TS_FLOAT64 or TS_UINT8", valueType))
}

func copierTo[V vocabulary.Value](r rows, at uintptr) func() {
	to := outputOf[V](at, r.Stored(), "values")
	return func() {
		switch r := r.(type) {
		case *vocabulary.Rows:
			if to != nil {
				vocabulary.CopyValues(r, to)
			}
		case *rowSet:
			convert(to, r.values)
		}
	}
}

// convert stores numbers in another type; to may be nil.
func convert[To, From vocabulary.Value](to []To, from []From) {
	if to == nil {
		return
	}
	for i, v := range from {
		to[i] = To(v)
	}
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
	var stop any = o.Stop
	if len(o.StopWords) > 0 {
		stop = o.StopWords
	}
	options := map[string]any{"tokens": o.Tokens, "max-token": o.MaxToken, "keep-case": o.KeepCase, "stop": stop}
	if o.HashBits > 0 {
		options["hash-bits"] = o.HashBits
	}
	for name, value := range map[string]string{
		"stem": o.Stem, "headers": o.Headers, "ngrams": o.NGrams, "normalize": o.Normalize, "markup": o.Markup, "strip-accents": o.StripAccents,
	} {
		if value != "" {
			options[name] = value
		}
	}
	return need(json.Marshal(options))
}
