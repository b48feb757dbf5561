package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path"
	"strings"

	"github.com/termsift/termsift/cmd/internal/explorer"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/words"
)

// A number is one that JSON has no word for if it is undefined.
type number float64

// MarshalJSON writes null for NaN.
func (n number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// A word is a term with its frequencies.
type word struct {
	Term       string  `json:"term"`
	TF         int     `json:"tf"`
	DF         int     `json:"df"`
	PerMillion float64 `json:"per_million"`
	DPNorm     number  `json:"dpnorm"`
}

// words lists the most frequent words, without those of a stop list.
func (s *session) words(ctx context.Context, r request) (any, error) {
	stop, err := analysis.NewStopTerms(s.corpus.Provenance().Analysis, r.Stop, nil)
	if err != nil {
		return nil, err
	}
	list, err := words.Frequencies(ctx, s.corpus, words.WordOptions{Top: r.Most + len(analysis.StopListWords(r.Stop))})
	if err != nil {
		return nil, err
	}
	words := []word{}
	for _, w := range list.Words {
		if len(words) < r.Most && !stop.Has([]byte(w.Term)) {
			words = append(words, word{w.Term, int(w.TF), int(w.DF), w.PerMillion, number(w.Dispersion.DPNorm)})
		}
	}
	return map[string][]word{"words": words}, nil
}

// lines finds the lines of context of a pattern.
func (s *session) lines(ctx context.Context, r request) (any, error) {
	batches, err := s.having(ctx, r.Pattern)
	if err != nil {
		return nil, err
	}
	o := words.LineOptions{Most: r.Most, Seed: 1, Order: words.Order(r.Order)}
	found, err := words.Lines(ctx, batches, s.corpus.Provenance().Analysis, o, words.Search{Patterns: []string{r.Pattern}})
	if err != nil {
		return nil, err
	}
	if absent := found.Of[0].Absent; len(absent) > 0 && found.Of[0].Occurrences == 0 {
		return nil, &usage.UnknownError{Kind: "word", Name: absent[0], Near: found.Nearest(absent[0])}
	}
	return &found.Of[0], nil
}

// evidence returns documents of terms, and so many lines.
func (s *session) evidence(ctx context.Context, most int, terms ...string) ([]report.Evidence, error) {
	const few = 5 // documents of a term
	documents, err := words.Documents(ctx, s.corpus, few, terms...)
	if err != nil {
		return nil, err
	}
	batches, err := s.having(ctx, terms...)
	if err != nil {
		return nil, err
	}
	found, err := words.Lines(ctx, batches, s.corpus.Provenance().Analysis, words.LineOptions{Most: most}, words.OfTerms(terms...)...)
	if err != nil {
		return nil, err
	}
	all := explorer.EvidenceOf(terms)
	explorer.AddEvidence(all, "", documents, func(i int) []words.Line { return found.Of[i].Lines })
	return all, nil
}

// mostShown bounds the bytes of a text that the page shows.
const mostShown = 1 << 20

// text returns a text as it was read.
func (s *session) text(ctx context.Context, name string) (any, error) {
	d, err := s.document(ctx, name)
	if err != nil {
		return nil, err
	}
	shown := d.Text[:min(mostShown, len(d.Text))]
	return map[string]any{"text": strings.ToValidUTF8(string(shown), "\ufffd"), "cut": len(d.Text) > mostShown}, nil
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
			if err != nil || d.ID == name {
				return &d, err
			}
		}
	}
	return nil, &usage.UnknownError{Kind: "text", Name: path.Base(name)}
}

// collocates finds what stands near a word.
func (s *session) collocates(ctx context.Context, r request) (any, error) {
	batches, err := s.batches(ctx)
	if err != nil {
		return nil, err
	}
	o := words.WindowOptions{Node: r.Pattern, Left: r.Left, Right: r.Right, Measure: words.Measure(r.By)}
	o.Top, o.MinFreq = r.Most, r.Least
	windows, err := words.Around(ctx, batches, corpus.Options{Analysis: s.corpus.Provenance().Analysis, Unlabelled: true}, o)
	if err != nil {
		return nil, err
	}
	return windows[0], nil
}

// A spread says how often a word occurs in stretches of the texts, and how evenly, as words.Dispersion has it.
type spread struct {
	Stretches []stretch `json:"stretches"`
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
	c, texts := s.corpus, s.texts
	if r.Name != "" {
		d, err := s.document(ctx, r.Name)
		if err != nil {
			return nil, err
		}
		if c, err = corpus.Build(ctx, document.Of(cut(d.Text, r.Parts)...), corpus.Options{Analysis: c.Provenance().Analysis, Unlabelled: true}); err != nil {
			return nil, err
		}
		if texts, err = textsOf(ctx, c); err != nil {
			return nil, err
		}
	}
	analyzer, err := analysis.New(c.Provenance().Analysis)
	if err != nil {
		return nil, err
	}
	terms := analyzer.Terms([]byte(r.Pattern))
	found, err := words.Documents(ctx, c, c.Documents(), terms...)
	if err != nil {
		return nil, err
	}
	if len(terms) != 1 || len(found[0]) == 0 {
		return nil, &usage.UnknownError{Kind: "word", Name: r.Pattern, Remedy: "a spread is that of one word of the texts"}
	}
	times := map[string]int{}
	for _, d := range found[0] {
		times[d.ID] += int(d.TF)
	}
	out, n := &spread{}, min(r.Parts, len(texts))
	for i := range n {
		of := texts[i*len(texts)/n : (i+1)*len(texts)/n]
		st := stretch{First: of[0].Name, Last: of[len(of)-1].Name}
		for _, t := range of {
			st.Times, st.Tokens = st.Times+times[t.Name], st.Tokens+t.Tokens
			delete(times, t.Name) // several texts of one name are where the first is
		}
		out.Stretches = append(out.Stretches, st)
	}
	list, err := words.Frequencies(ctx, c, words.WordOptions{Terms: terms})
	if err != nil {
		return nil, err
	}
	out.DPNorm, out.D = number(list.Words[0].Dispersion.DPNorm), number(list.Words[0].Dispersion.D)
	return out, nil
}

// cut cuts a text into so many parts of about the same size, between words.
func cut(text []byte, parts int) (docs []document.Document) {
	for from, i := 0, 1; from < len(text); i++ {
		to := max(from, min(len(text), i*len(text)/parts))
		if space := bytes.IndexAny(text[to:], " \t\r\n"); space >= 0 {
			to += space
		} else {
			to = len(text)
		}
		docs = append(docs, document.Document{ID: fmt.Sprint("part ", i), Text: text[from:to]})
		from = to
	}
	return docs
}
