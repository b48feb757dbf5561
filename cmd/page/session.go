package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/cmd/internal/explorer"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file opens texts and counts them for the page; ask.go answers what is asked of them. It runs in the page's worker,
// and in tests.

// A request is what the page asks: an operation, and what that needs.
type request struct {
	Op string `json:"op"`

	Paths   []string `json:"paths"`   // of files and folders
	Text    string   `json:"text"`    // the field of the text
	Classes string   `json:"classes"` // column:NAME, top, folder, file or none
	Tokens  string   `json:"tokens"`
	Stop    string   `json:"stop"`
	Markup  string   `json:"markup"`

	Pattern string `json:"pattern"`
	Order   string `json:"order"` // of lines
	By      string `json:"by"`    // measure of collocates
	Most    int    `json:"most"`  // lines, words
	Left    int    `json:"left"`  // words of a window
	Right   int    `json:"right"`
	Least   int    `json:"least"` // times near
	Parts   int    `json:"parts"`
	Name    string `json:"name"` // of a text
	A       []int  `json:"a"`    // places of the texts that are held against B
	B       []int  `json:"b"`
}

// parts are bytes that the page gets as they are, by name.
type parts map[string][]byte

// A session has the texts that a page has open.
type session struct {
	progress func(documents int, bytes int64) // may be nil

	request
	docs   []document.Document // in the order in which they were read; nil if they are too large to be kept
	corpus *corpus.Corpus
	texts  []text
	shown  *explorer.Explorer
}

// mostKept bounds the bytes of texts that are kept in memory: those of a larger collection are read again whenever they
// are asked for.
const mostKept = 256 << 20

// do answers a request.
func (s *session) do(ctx context.Context, r request) (answer any, _ parts, err error) {
	switch r.Op {
	case "describe":
		answer, err = describe(ctx, r.Paths)
	case "count":
		return s.count(ctx, r)
	case "compare":
		return s.compare(ctx, r)
	case "whole":
		return s.show(ctx, nil, s.command())
	case "save":
		return s.save(ctx, r.Most)
	case "words":
		answer, err = s.words(ctx, r)
	case "lines":
		answer, err = s.lines(ctx, r)
	case "text":
		answer, err = s.text(ctx, r.Name)
	case "collocates":
		answer, err = s.collocates(ctx, r)
	case "spread":
		answer, err = s.spread(ctx, r)
	case "evidence":
		answer, err = s.evidence(ctx, r.Most, r.Pattern)
	default:
		err = usage.Errorf("there is no operation %q", r.Op)
	}
	return answer, nil, err
}

// labels says where the classes of a request come from, as flags of the command do: a field, "file" or "none", and the
// level of a folder.
func (r *request) labels() (field, from string, level int) {
	switch from, field, _ := strings.Cut(r.Classes, ":"); from {
	case "column":
		return field, "", 0
	case "file", "none":
		return "", from, 0
	case "top":
		return "", "", 1
	}
	return "", "", 0
}

// source opens the files of a request.
func (r *request) source(ctx context.Context) (*reader.Source, error) {
	o := reader.Options{TextField: r.Text, Unlabelled: true, SkipBad: true, MaxDocument: mostKept}
	o.LabelField, o.LabelFrom, o.FolderLevel = r.labels()
	return reader.Read(ctx, r.Paths, o)
}

// batches returns the texts that are open.
func (s *session) batches(ctx context.Context) (document.Batches, error) {
	if s.docs != nil {
		return document.InBatches(s.docs), nil
	}
	source, err := s.source(ctx)
	if err != nil {
		return nil, err
	}
	return source.Batches(), nil
}

// having returns the texts that have any of some terms, where they are in memory, and else all.
func (s *session) having(ctx context.Context, terms ...string) (document.Batches, error) {
	have := roaring.New()
	for _, term := range terms {
		number, known := s.corpus.Lookup(term)
		if !known || s.docs == nil {
			return s.batches(ctx)
		}
		of, err := s.corpus.Postings(number)
		if err != nil {
			return nil, err
		}
		have.Or(of)
	}
	var docs []document.Document
	for place, t := range s.texts {
		if have.ContainsInt(t.doc) {
			docs = append(docs, s.docs[place])
		}
	}
	return document.InBatches(docs), nil
}

// A collection is what the page says of the texts as a whole.
type collection struct {
	Documents int      `json:"documents"`
	Tokens    int64    `json:"tokens"`
	Terms     int      `json:"terms"`
	Analysis  string   `json:"analysis"`
	Texts     []text   `json:"texts"` // in the order in which they were read
	Notes     []string `json:"notes"`
	Command   string   `json:"command"` // that gives the same counts
}

// A text is a document in the list of texts.
type text struct {
	Name   string `json:"name"`
	Class  string `json:"class"`
	Tokens int    `json:"tokens"`

	doc    int // its number
	labels int
}

// count reads and counts texts, and returns what the explorer shows of them.
func (s *session) count(ctx context.Context, r request) (any, parts, error) {
	*s = session{progress: s.progress, request: r}
	source, err := s.source(ctx)
	if err != nil {
		return nil, nil, err
	}
	s.docs = []document.Document{}
	opt := corpus.Options{Analysis: analysis.Options{Tokens: r.Tokens, Stop: r.Stop, Markup: r.Markup}, Unlabelled: true}
	s.corpus, err = corpus.Build(ctx, s.keep(source.Documents()), opt)
	if wrong := source.Check(); wrong != nil && (err == nil || errors.Is(err, ingest.ErrEmpty)) {
		err = wrong
	}
	if err != nil {
		return nil, nil, err
	}
	if s.texts, err = textsOf(ctx, s.corpus); err != nil {
		return nil, nil, err
	}
	info, err := s.corpus.Info(ctx)
	if err != nil {
		return nil, nil, err
	}
	c := &collection{
		Documents: info.Documents, Tokens: info.Tokens, Terms: info.Terms, Texts: s.texts, Notes: notesOf(source.Summary()), Command: s.command(),
		Analysis: info.Provenance.Analysis.Tokens + ", stop list " + info.Provenance.Analysis.Stop,
	}
	_, shown, err := s.show(ctx, nil, c.Command)
	return c, shown, err
}

// keep passes documents on, and keeps them as long as they are few.
func (s *session) keep(docs document.Stream) document.Stream {
	return func(yield func(document.Document, error) bool) {
		documents, size := 0, int64(0)
		for d, err := range docs {
			documents, size = documents+1, size+int64(len(d.Text))
			if s.progress != nil {
				s.progress(documents, size)
			}
			if size > mostKept {
				s.docs = nil
			} else {
				kept := d
				kept.Text, kept.Labels, kept.Features = bytes.Clone(d.Text), slices.Clone(d.Labels), slices.Clone(d.Features)
				s.docs = append(s.docs, kept)
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// textsOf returns the documents of a corpus in the order in which they were read.
func textsOf(ctx context.Context, c *corpus.Corpus) ([]text, error) {
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
	texts := make([]text, len(order))
	for place, doc := range order {
		texts[place] = text{Name: names[doc], Tokens: int(tokens[doc]), doc: int(doc)}
		if of := c.Labels(int(doc)); len(of) > 0 {
			texts[place].Class, texts[place].labels = c.Classes()[of[0]], len(of)
		}
	}
	return texts, nil
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

// command returns the command that gives the same page, with more flags behind it.
func (r *request) command(more ...[3]string) string {
	words := []string{"termsift explore"}
	for _, p := range r.Paths {
		words = append(words, explorer.InShell(p))
	}
	field, from, level := r.labels()
	for _, flag := range append([][3]string{
		{"--text-field", r.Text, "text"},
		{"--label-field", field, ""},
		{"--label-from", from, ""},
		{"--folder-level", fmt.Sprint(level), "0"},
		{"--tokens", r.Tokens, "auto"},
		{"--stop", r.Stop, "none"},
		{"--markup", r.Markup, "keep"},
	}, more...) {
		if flag[1] != "" && flag[1] != flag[2] {
			words = append(words, flag[0], explorer.InShell(flag[1]))
		}
	}
	return strings.Join(append(words, "-o page.html"), " ")
}

// query returns an expression of --docs that some texts match: their classes, if these have no others, or their names.
func (s *session) query(chosen []int) string {
	own, others := map[string]int{}, map[string]int{}
	for _, t := range s.texts {
		others[t.Class]++
	}
	names, whole := []string{}, true
	for _, place := range chosen {
		t := s.texts[place]
		names = append(names, "id="+corpus.QuoteName(t.Name))
		own[t.Class]++
		others[t.Class]--
		whole = whole && t.labels == 1
	}
	classes := []string{}
	for _, class := range slices.Sorted(maps.Keys(own)) {
		classes = append(classes, "class="+corpus.QuoteName(class))
		whole = whole && others[class] == 0
	}
	if whole {
		names = classes
	}
	return strings.Join(names, " or ")
}

// show ranks the terms of all texts, or of two sets of them, and returns what the explorer shows.
func (s *session) show(ctx context.Context, sets *table.Table, command string) (any, parts, error) {
	t, by := sets, rank.G2TF
	if sets == nil {
		var err error
		if t, err = s.corpus.Statistics(ctx, corpus.CountOptions{}); err != nil {
			return nil, nil, err
		}
		by = rank.Chi
	}
	source := explorer.SourceOf(t)
	source.Title, source.Command = "termsift", command
	if source.Opposed = sets != nil; source.Opposed {
		source.Classes = []string{"B", "A"}
	}
	var err error
	if s.shown, err = explorer.New(ctx, source, rank.Options{Measure: by}, string(by), false); err != nil {
		return nil, nil, err
	}
	page, err := s.shown.Page(ctx, explorer.MostTerms)
	if err != nil {
		return nil, nil, err
	}
	shown, err := page.Parts()
	return map[string]any{"compared": sets != nil, "command": command}, shown, err
}

// compare holds some texts against others.
func (s *session) compare(ctx context.Context, r request) (any, parts, error) {
	var sides [2]*corpus.Corpus
	for i, chosen := range [][]int{r.A, r.B} {
		docs := roaring.New()
		for _, place := range chosen {
			docs.AddInt(s.texts[place].doc)
		}
		var err error
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
	return s.show(ctx, t, s.command([3]string{"--docs", s.query(r.A)}, [3]string{"--reference-docs", s.query(r.B)}))
}

// save returns the page that people keep, with lines of so many of its best terms.
func (s *session) save(ctx context.Context, most int) (any, parts, error) {
	page, err := s.shown.Page(ctx, explorer.MostTerms)
	if err != nil {
		return nil, nil, err
	}
	if terms := s.shown.BestTerms(most); len(terms) > 0 {
		page.Texts = true
		if page.Evidence, err = s.evidence(ctx, 10, terms...); err != nil {
			return nil, nil, err
		}
	}
	var out bytes.Buffer
	err = page.WriteHTML(&out)
	return struct{}{}, parts{"page": out.Bytes()}, err
}
