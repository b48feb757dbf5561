package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/cmd/internal/explorer"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/collocation"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/evidence"
	"github.com/termsift/termsift/engine/keyness"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file answers what a page asks of the texts that are open in it. It runs in the page's worker, and in tests.

// A request is what the page asks: an operation, and what that needs.
type request struct {
	Op string `json:"op"`

	// How the texts are read and counted, of open.
	Paths   []string `json:"paths"`
	Text    string   `json:"text"`    // the field of the text
	Classes string   `json:"classes"` // column:NAME, folder, file or none
	Tokens  string   `json:"tokens"`
	Stop    string   `json:"stop"`
	MinDF   float64  `json:"min_df"`
	Markup  string   `json:"markup"`

	// What is looked for in them.
	Pattern string   `json:"pattern"`
	Order   string   `json:"order"`
	Most    int      `json:"most"`
	Width   int      `json:"width"`
	Left    int      `json:"left"`
	Right   int      `json:"right"`
	By      string   `json:"by"`
	Parts   int      `json:"parts"`
	Name    string   `json:"name"`   // of a text
	Target  []string `json:"target"` // names of texts, with the next
	Others  []string `json:"others"`
}

// A session has the collection that a page has open.
type session struct {
	progress func(documents int, bytes int64)

	request
	docs   []document.Document // in the order in which they were read; nil if they are too large to be kept
	corpus *corpus.Corpus
	order  []string // names of the texts, in the order in which they were read
	shown  *explorer.Explorer
}

// mostKept bounds the bytes of texts that are kept in memory: those of a larger collection are read again whenever
// they are asked for.
const mostKept = 256 << 20

// do answers a request. parts are bytes that the page gets as they are.
func (s *session) do(ctx context.Context, r request) (answer any, parts map[string][]byte, err error) {
	switch r.Op {
	case "describe":
		answer, err = describe(ctx, r.Paths)
	case "count":
		answer, parts, err = s.count(ctx, r)
	case "words":
		answer, err = s.words(ctx, r)
	case "lines":
		answer, err = s.lines(ctx, r)
	case "text":
		answer, err = s.text(ctx, r)
	case "collocates":
		answer, err = s.collocates(ctx, r)
	case "spread":
		answer, err = s.spread(ctx, r)
	case "compare":
		answer, parts, err = s.compare(ctx, r)
	case "whole":
		answer, parts, err = s.whole(ctx)
	case "evidence":
		answer, err = s.evidence(ctx, r.Most, r.Pattern)
	case "save":
		answer, parts, err = s.save(ctx, r.Most)
	default:
		err = usage.Errorf("there is no operation %q", r.Op)
	}
	return answer, parts, err
}

// readerOptions says how the texts of a request are read.
func (r *request) readerOptions() reader.Options {
	o := reader.Options{TextField: r.Text, Unlabelled: true, SkipBad: true}
	from, column, _ := strings.Cut(r.Classes, ":")
	switch from {
	case "column":
		o.LabelField = column
	case "file":
		o.LabelFrom = "file"
	}
	return o
}

// source opens the texts of a request.
func (r *request) source(ctx context.Context) (*reader.Source, error) {
	return reader.Read(ctx, r.Paths, r.readerOptions())
}

// batches returns the texts that are open: those in memory, or else those of the files, read anew.
func (s *session) batches(ctx context.Context) (document.Batches, error) {
	if s.docs != nil {
		return document.InBatches(s.docs), nil
	}
	source, err := s.source(ctx)
	if err != nil {
		return nil, err
	}
	return s.prepared(source.Batches(), nil), nil
}

// having returns the texts that have any of some terms, where they are in memory, and else all.
func (s *session) having(ctx context.Context, terms ...string) (document.Batches, error) {
	if s.docs == nil {
		return s.batches(ctx)
	}
	have := roaring.New()
	for _, term := range terms {
		number, known := s.corpus.Lookup(term)
		if !known {
			return s.batches(ctx)
		}
		of, err := s.corpus.Postings(number)
		if err != nil {
			return nil, err
		}
		have.Or(of)
	}
	order, err := s.corpus.InputOrder()
	if err != nil {
		return nil, err
	}
	var docs []document.Document
	for place, doc := range order {
		if have.Contains(doc) {
			docs = append(docs, s.docs[place])
		}
	}
	return document.InBatches(docs), nil
}

// prepared returns batches without the labels that were not asked for. each, unless it is nil, sees every document.
func (s *session) prepared(batches document.Batches, each func(d *document.Document)) document.Batches {
	return func(yield func(document.Stream, error) bool) {
		for docs, err := range batches {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(func(yield func(document.Document, error) bool) {
				for d, err := range docs {
					if s.Classes == "none" {
						d.Labels = nil
					}
					if each != nil && err == nil {
						each(&d)
					}
					if !yield(d, err) {
						return
					}
				}
			}, nil) {
				return
			}
		}
	}
}

// A collection is what the page shows of the texts as a whole.
type collection struct {
	Documents int         `json:"documents"`
	Tokens    int         `json:"tokens"`
	Terms     int         `json:"terms"`
	Classes   []string    `json:"classes"`
	Analysis  string      `json:"analysis"` // in words
	Texts     []namedText `json:"texts"`    // in the order in which they were read
	Notes     []string    `json:"notes"`
	Command   string      `json:"command"` // that gives the same counts
}

// A namedText is a text in the list of texts.
type namedText struct {
	Name   string `json:"name"`
	Class  string `json:"class"`
	Tokens int    `json:"tokens"`
	Words  int    `json:"words"` // different ones
}

// count reads and counts the texts, and returns what the explorer shows of them.
func (s *session) count(ctx context.Context, r request) (*collection, map[string][]byte, error) {
	*s = session{progress: s.progress, request: r}
	source, err := s.source(ctx)
	if err != nil {
		return nil, nil, err
	}
	kept, bytesKept, documents, read := []document.Document{}, int64(0), 0, int64(0)
	batches := s.prepared(source.Batches(), func(d *document.Document) {
		documents++
		read += int64(len(d.Text))
		if s.progress != nil {
			s.progress(documents, read)
		}
		if kept == nil {
			return
		}
		c := *d
		c.Text, c.Labels, c.Features = bytes.Clone(d.Text), slices.Clone(d.Labels), slices.Clone(d.Features)
		c.ID = strings.Clone(d.ID)
		kept = append(kept, c)
		if bytesKept += int64(len(c.Text)); bytesKept > mostKept {
			kept = nil
		}
	})
	opt := corpus.Options{Analysis: analysis.Options{Tokens: r.Tokens, Stop: r.Stop, Markup: r.Markup}, MinDF: r.MinDF, Unlabelled: true, Sample: &analysis.Sample{}}
	built, err := corpus.BuildInMemory(ctx, batches, opt)
	if wrong := source.Check(); wrong != nil {
		err = wrong
	}
	if err != nil {
		return nil, nil, err
	}
	s.corpus, s.docs = built, kept
	c, err := s.collection(ctx)
	if err != nil {
		return nil, nil, err
	}
	c.Notes, c.Command = notesOf(source.Summary()), r.command()
	parts, err := s.show(ctx, nil)
	return c, parts, err
}

// command returns the command that gives the same page.
func (r *request) command() string {
	words := []string{"termsift", "explore"}
	for _, p := range r.Paths {
		words = append(words, quoted(cmp.Or(strings.TrimPrefix(p, "/"), "FOLDER")))
	}
	flag := func(name, value, usual string) {
		if value != "" && value != usual {
			words = append(words, "--"+name, quoted(value))
		}
	}
	from, column, _ := strings.Cut(r.Classes, ":")
	flag("text-field", r.Text, "text")
	flag("label-field", column, "")
	if from == "file" {
		flag("label-from", "file", "")
	}
	flag("tokens", r.Tokens, "auto")
	flag("stop", r.Stop, "none")
	flag("markup", r.Markup, "keep")
	if r.MinDF > 1 {
		flag("min-df", fmt.Sprint(r.MinDF), "")
	}
	return strings.Join(append(words, "-o", "page.html"), " ")
}

// quoted returns a word of a command as shells take it.
func quoted(word string) string {
	if strings.ContainsAny(word, " \t\n'\"\\$&|;<>()*?[]{}~#`!") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// show ranks the terms of the collection, or of two sets of its texts, and returns what the explorer shows.
func (s *session) show(ctx context.Context, opposed *table.Table) (map[string][]byte, error) {
	t, o := opposed, rank.Options{Measure: rank.G2TF}
	if opposed == nil {
		var err error
		if t, err = s.corpus.Statistics(ctx, corpus.CountOptions{}); err != nil {
			return nil, err
		}
		o.Measure = rank.Chi
	}
	source := explorer.SourceOf(t)
	source.Title, source.Command = "termsift", s.command()
	if source.Opposed = opposed != nil; opposed != nil {
		source.Classes = []string{"B", "A"}
	}
	e, err := explorer.New(ctx, source, o, string(o.Measure), false)
	if err != nil {
		return nil, err
	}
	s.shown = e
	page, err := e.Page(ctx, min(len(e.Best), explorer.MostTerms))
	if err != nil {
		return nil, err
	}
	return page.Parts()
}

// whole shows all texts again.
func (s *session) whole(ctx context.Context) (any, map[string][]byte, error) {
	parts, err := s.show(ctx, nil)
	return map[string]any{"compared": false}, parts, err
}

// save returns the page that people keep, with lines of so many of its best terms.
func (s *session) save(ctx context.Context, most int) (any, map[string][]byte, error) {
	page, err := s.shown.Page(ctx, min(len(s.shown.Best), explorer.MostTerms))
	if err != nil {
		return nil, nil, err
	}
	var terms []string
	for _, term := range s.shown.Best[:min(most, len(s.shown.Best))] {
		terms = append(terms, s.shown.Names.Term(term))
	}
	if len(terms) > 0 {
		if page.Evidence, err = s.evidenceOf(ctx, 10, terms...); err != nil {
			return nil, nil, err
		}
		page.Texts = true
	}
	var out bytes.Buffer
	if err := page.WriteHTML(&out); err != nil {
		return nil, nil, err
	}
	return map[string]any{}, map[string][]byte{"page": out.Bytes()}, nil
}

// evidence returns the documents and lines of a term.
func (s *session) evidence(ctx context.Context, most int, term string) (any, error) {
	found, err := s.evidenceOf(ctx, most, term)
	if err != nil {
		return nil, err
	}
	return map[string]any{"documents": append([]report.EvidenceDocument{}, found[0].Documents...), "lines": append([]report.ContextLine{}, found[0].Lines...)}, nil
}

// evidenceOf returns the documents and lines of terms.
func (s *session) evidenceOf(ctx context.Context, most int, terms ...string) ([]report.Evidence, error) {
	documents, err := evidence.Documents(ctx, s.corpus, 5, terms...)
	if err != nil {
		return nil, err
	}
	batches, err := s.having(ctx, terms...)
	if err != nil {
		return nil, err
	}
	found, err := evidence.Lines(ctx, batches, s.corpus.Provenance().Analysis, evidence.LineOptions{Most: most}, evidence.OfTerms(terms...)...)
	if err != nil {
		return nil, err
	}
	all := make([]report.Evidence, len(terms))
	for i, term := range terms {
		all[i].Term = term
		for _, d := range documents[i] {
			all[i].Documents = append(all[i].Documents, report.EvidenceDocument{ID: d.ID, Labels: strings.Join(d.Labels, ", "), TF: int(d.TF), Length: int(d.Length)})
		}
		for _, l := range found.Of[i].Lines {
			all[i].Lines = append(all[i].Lines, report.ContextLine{ID: l.ID, Left: l.Left, Match: l.Match, Right: l.Right})
		}
	}
	return all, nil
}

// notesOf says what was left out of the texts, and what to know of them.
func notesOf(s reader.Summary) []string {
	notes := append(append([]string{}, s.Warnings...), s.Notes...)
	for _, reason := range slices.Sorted(maps.Keys(s.Skipped)) {
		notes = append(notes, fmt.Sprintf("left out %d: %s", s.Skipped[reason], reason))
	}
	for _, p := range s.Problems {
		notes = append(notes, fmt.Sprintf("left out %d: %s; the first is %v", p.Count, p.Kind, p.Places[0]))
	}
	return notes
}

// collection describes the texts.
func (s *session) collection(ctx context.Context) (*collection, error) {
	info, err := s.corpus.Info(ctx)
	if err != nil {
		return nil, err
	}
	x, err := corpus.Lists(ctx, s.corpus)
	if err != nil {
		return nil, err
	}
	tokens, err := x.DocumentTokens(ctx)
	if err != nil {
		return nil, err
	}
	names, err := s.corpus.DocumentIDs()
	if err != nil {
		return nil, err
	}
	order, err := s.corpus.InputOrder()
	if err != nil {
		return nil, err
	}
	a := info.Provenance.Analysis
	c := &collection{
		Documents: info.Documents, Tokens: int(info.Tokens), Terms: info.Terms, Classes: append([]string{}, s.corpus.Classes()...),
		Analysis: a.Tokens + ", stop list " + a.Stop,
	}
	for _, doc := range order {
		t := namedText{Name: names[doc], Tokens: int(tokens[doc])}
		if of := s.corpus.Labels(int(doc)); len(of) > 0 {
			t.Class = s.corpus.Classes()[of[0]]
		}
		c.Texts = append(c.Texts, t)
		s.order = append(s.order, t.Name)
	}
	return c, nil
}

// words lists the most frequent words, without those of a stop list.
func (s *session) words(ctx context.Context, r request) (any, error) {
	stop, err := analysis.NewStopTerms(s.corpus.Provenance().Analysis, r.Stop, nil)
	if err != nil {
		return nil, err
	}
	list, err := keyness.Words(ctx, s.corpus, keyness.WordOptions{Top: r.Most + len(analysis.StopListWords(r.Stop))})
	if err != nil {
		return nil, err
	}
	type word struct {
		Term       string  `json:"term"`
		TF         int     `json:"tf"`
		DF         int     `json:"df"`
		PerMillion float64 `json:"per_million"`
		DP         number  `json:"dp"`
	}
	words := []word{}
	for _, w := range list.Words {
		if len(words) < r.Most && !stop.Has([]byte(w.Term)) {
			words = append(words, word{w.Term, int(w.TF), int(w.DF), w.PerMillion, number(w.Dispersion.DPNorm)})
		}
	}
	return map[string]any{"words": words}, nil
}

// lines finds the lines of context of a pattern, in the texts that can have some.
func (s *session) lines(ctx context.Context, r request) (any, error) {
	batches, err := s.having(ctx, r.Pattern)
	if err != nil {
		return nil, err
	}
	found, err := evidence.Lines(ctx, batches, s.corpus.Provenance().Analysis, evidence.LineOptions{
		Most: cmp.Or(r.Most, 100), Seed: 1, Width: r.Width, Order: evidence.Order(r.Order),
	}, evidence.Search{Patterns: []string{r.Pattern}})
	if err != nil {
		return nil, err
	}
	return &found.Of[0], nil
}

// text returns a text.
func (s *session) text(ctx context.Context, r request) (any, error) {
	d, err := s.document(ctx, r.Name)
	if err != nil {
		return nil, err
	}
	const most = 1 << 20
	whole := strings.ToValidUTF8(string(d.Text), "\ufffd")
	return map[string]any{"name": d.ID, "text": whole[:min(most, len(whole))], "cut": len(whole) > most}, nil
}

// document returns the text with a name.
func (s *session) document(ctx context.Context, name string) (*document.Document, error) {
	batches, err := s.batches(ctx)
	if err != nil {
		return nil, err
	}
	for docs, err := range batches {
		if err != nil {
			return nil, err
		}
		for d, err := range docs {
			if err != nil {
				return nil, err
			}
			if d.ID == name {
				return &d, nil
			}
		}
	}
	return nil, &usage.UnknownError{Kind: "text", Name: name, Near: usage.Nearest(path.Base(name), slices.Values(s.order))}
}

// collocates finds what stands near a word.
func (s *session) collocates(ctx context.Context, r request) (any, error) {
	batches, err := s.batches(ctx)
	if err != nil {
		return nil, err
	}
	o := collocation.WindowOptions{Node: r.Pattern, Left: r.Left, Right: r.Right, Measure: collocation.Measure(r.By)}
	o.Top, o.MinFreq = r.Most, 2
	windows, err := collocation.Around(ctx, batches, corpus.Options{Analysis: s.corpus.Provenance().Analysis, Unlabelled: true}, o)
	if err != nil {
		return nil, err
	}
	return windows[0], nil
}

// A spread says how often a word occurs in stretches of the texts, one behind the other.
type spread struct {
	Stretches []stretch `json:"stretches"`
	DP        number    `json:"dp"` // as keyness.Dispersion has them
	DPNorm    number    `json:"dpnorm"`
	D         number    `json:"d"`
}

// A stretch is some texts in a row, or a part of one.
type stretch struct {
	First  string `json:"first"`
	Last   string `json:"last"`
	Times  int    `json:"times"`
	Tokens int    `json:"tokens"`
}

// spread counts a word over the texts in their order, or over the parts of one of them.
func (s *session) spread(ctx context.Context, r request) (any, error) {
	c := s.corpus
	if r.Name != "" {
		d, err := s.document(ctx, r.Name)
		if err != nil {
			return nil, err
		}
		if c, err = corpus.Build(ctx, document.Of(cut(d.Text, r.Parts)...), corpus.Options{Analysis: c.Provenance().Analysis, Unlabelled: true}); err != nil {
			return nil, err
		}
	}
	if _, known := c.Lookup(r.Pattern); !known {
		return nil, &usage.UnknownError{Kind: "term", Name: r.Pattern}
	}
	found, err := evidence.Documents(ctx, c, c.Documents(), r.Pattern)
	if err != nil {
		return nil, err
	}
	times := map[string]int{}
	for _, d := range found[0] {
		times[d.ID] += int(d.TF)
	}
	x, err := corpus.Lists(ctx, c)
	if err != nil {
		return nil, err
	}
	tokens, err := x.DocumentTokens(ctx)
	if err != nil {
		return nil, err
	}
	names, err := c.DocumentIDs()
	if err != nil {
		return nil, err
	}
	order, err := c.InputOrder()
	if err != nil {
		return nil, err
	}
	out := &spread{}
	for i := range min(r.Parts, len(order)) {
		from, to := i*len(order)/min(r.Parts, len(order)), (i+1)*len(order)/min(r.Parts, len(order))
		st := stretch{First: names[order[from]], Last: names[order[to-1]]}
		for _, doc := range order[from:to] {
			st.Times += times[names[doc]]
			st.Tokens += int(tokens[doc])
		}
		out.Stretches = append(out.Stretches, st)
	}
	list, err := keyness.Words(ctx, c, keyness.WordOptions{})
	if err != nil {
		return nil, err
	}
	for _, w := range list.Words {
		if w.Term == r.Pattern {
			out.DP, out.DPNorm, out.D = number(w.Dispersion.DP), number(w.Dispersion.DPNorm), number(w.Dispersion.D)
		}
	}
	return out, nil
}

// cut cuts a text into so many parts of about the same size, between words.
func cut(text []byte, parts int) (docs []document.Document) {
	for i, from := 0, 0; i < parts && from < len(text); i++ {
		to := max(from, (i+1)*len(text)/parts)
		if at := bytes.IndexAny(text[to:], " \t\r\n"); at >= 0 && i < parts-1 {
			to += at
		} else if i == parts-1 {
			to = len(text)
		}
		docs = append(docs, document.Document{ID: fmt.Sprintf("part %d", i+1), Text: text[from:to]})
		from = to
	}
	return docs
}

// compare holds some texts against others.
func (s *session) compare(ctx context.Context, r request) (any, map[string][]byte, error) {
	var sides [2]*corpus.Corpus
	names, err := s.corpus.DocumentIDs()
	if err != nil {
		return nil, nil, err
	}
	for i, chosen := range [][]string{r.Target, r.Others} {
		docs := roaring.New()
		for doc, name := range names {
			if slices.Contains(chosen, name) {
				docs.AddInt(doc)
			}
		}
		if sides[i], err = s.corpus.Subset(ctx, docs, corpus.SubsetOptions{}); err != nil {
			return nil, nil, err
		}
	}
	both, err := corpus.Contrast(ctx, sides[0], sides[1], corpus.ContrastOptions{})
	if err != nil {
		return nil, nil, err
	}
	t, err := both.Statistics(ctx, corpus.CountOptions{})
	if err != nil {
		return nil, nil, err
	}
	parts, err := s.show(ctx, t)
	return map[string]any{"compared": true}, parts, err
}

// A number is one that JSON has no word for if it is undefined.
type number float64

// MarshalJSON writes null for NaN.
func (n number) MarshalJSON() ([]byte, error) {
	if n != n {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}
