package evidence

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/usage"
)

// A Line is an occurrence of a term in its context. White space in it is single spaces.
type Line struct {
	ID                 string // of the document
	Left, Match, Right string
}

// An Order is that of the lines of a term. The zero value is [ByRight].
type Order string

// The orders of lines.
const (
	ByRight Order = "right" // by the words behind the occurrence
	ByLeft  Order = "left"  // by the words before it, the nearest first
	ByInput Order = "none"  // as they were read
)

// Orders lists the orders.
func Orders() []Order { return []Order{ByRight, ByLeft, ByInput} }

// LineOptions say which lines to take. The zero value takes no line.
type LineOptions struct {
	// Most is the number of lines of a term: the first ones in the input.
	Most int
	// Width is the number of characters on either side; 0 is 40.
	Width int
	Order Order
	// All reads all documents even if there are enough lines.
	All bool
}

// Lines returns the lines of each term, by the analysis that made the term. Documents that
// come counted have no text; if all do, the error wraps [usage.ErrData].
func Lines(ctx context.Context, docs document.Stream, a analysis.Options, o LineOptions, terms ...string) ([][]Line, error) {
	analyzer, err := analysis.New(a)
	switch {
	case docs == nil:
		return nil, usage.Errorf("a nil stream of documents was given")
	case err != nil:
		return nil, usage.Errorf("%w", err)
	case o.Most < 0, o.Width < 0:
		return nil, usage.Errorf("the number of lines and their width must not be negative: %d, %d", o.Most, o.Width)
	case o.Order != "" && !slices.Contains(Orders(), o.Order):
		return nil, usage.Unknown("order of lines", string(o.Order), []string{string(ByRight), string(ByLeft), string(ByInput)})
	}
	if o.Width == 0 {
		o.Width = 40
	}
	f := newFinder(analyzer, o, terms)
	texts, counted := 0, 0
	for d, err := range docs {
		switch {
		case err != nil:
			return nil, err
		case ctx.Err() != nil:
			return nil, usage.Cause(ctx)
		case d.Features != nil:
			counted++
			continue
		}
		texts++
		if f.missing == 0 && !o.All {
			break
		}
		f.add(&d)
	}
	if texts == 0 && counted > 0 {
		return nil, fmt.Errorf("%w: the %d documents come counted, and have no text to show", usage.ErrData, counted)
	}
	for _, lines := range f.lines {
		sortLines(lines, o.Order)
	}
	return f.lines, nil
}

// A finder collects the lines of terms.
type finder struct {
	o       LineOptions
	a       *analysis.Analyzer
	terms   []string
	words   [][]string // of each term
	lines   [][]Line
	missing int // terms that have not enough lines
	locator *analysis.Locator
	counter *analysis.Counter // tells which documents have a term
	counts  []analysis.TermCount
}

func newFinder(a *analysis.Analyzer, o LineOptions, terms []string) *finder {
	f := &finder{o: o, a: a, terms: terms, lines: make([][]Line, len(terms)), locator: a.NewLocator(), counter: a.NewCounter()}
	for _, term := range terms {
		f.words = append(f.words, a.Words(term))
	}
	if o.Most > 0 {
		f.missing = len(terms)
	}
	return f
}

// mostCounted bounds the memory of the counter.
const mostCounted = 64 << 20

// add adds the lines of a document.
func (f *finder) add(d *document.Document) {
	wanted := f.wantedIn(d.Text)
	if len(wanted) == 0 {
		return
	}
	f.locator.EachPart(d.Text, func(part []byte, tokens []analysis.Token) {
		for at := range tokens {
			for _, i := range wanted {
				words := f.words[i]
				if len(f.lines[i]) < f.o.Most && at+len(words) <= len(tokens) && spells(tokens[at:at+len(words)], words) {
					f.lines[i] = append(f.lines[i], f.line(d.ID, part, tokens[at].From, tokens[at+len(words)-1].To))
					if len(f.lines[i]) == f.o.Most {
						f.missing--
					}
				}
			}
		}
	})
}

// wantedIn returns the terms that a text has and that have not enough lines.
func (f *finder) wantedIn(text []byte) (wanted []int) {
	if f.missing == 0 {
		return nil
	}
	if f.counter.Bytes() > mostCounted {
		f.counter = f.a.NewCounter()
	}
	f.counts = f.counter.Count(text, f.counts[:0])
	for i, term := range f.terms {
		if len(f.lines[i]) == f.o.Most {
			continue
		}
		id, ok := f.counter.Find(term)
		if ok && slices.ContainsFunc(f.counts, func(c analysis.TermCount) bool { return c.Term == id }) {
			wanted = append(wanted, i)
		}
	}
	return wanted
}

// spells reports whether tokens are these words.
func spells(tokens []analysis.Token, words []string) bool {
	for i, w := range words {
		if tokens[i].Word != w {
			return false
		}
	}
	return true
}

// line returns the line of an occurrence.
func (f *finder) line(id string, text []byte, from, to int) Line {
	left, right := lastRunes(text[:from], 4*f.o.Width), firstRunes(text[to:], 4*f.o.Width)
	return Line{
		ID: strings.Clone(id), Match: oneSpaced(text[from:to]),
		Left:  strings.TrimLeft(string(lastRunes([]byte(oneSpaced(left)), f.o.Width)), " "),
		Right: strings.TrimRight(string(firstRunes([]byte(oneSpaced(right)), f.o.Width)), " "),
	}
}

// oneSpaced returns a valid text in which all white space is single spaces.
func oneSpaced(text []byte) string {
	s := strings.Join(strings.Fields(strings.ToValidUTF8(string(text), "\ufffd")), " ")
	if first, _ := utf8.DecodeRune(text); first == ' ' || first == '\n' || first == '\t' || first == '\r' {
		s = " " + s
	}
	if last, _ := utf8.DecodeLastRune(text); s != " " && (last == ' ' || last == '\n' || last == '\t' || last == '\r') {
		s += " "
	}
	return s
}

// firstRunes returns the first n characters of a text.
func firstRunes(text []byte, n int) []byte {
	at := 0
	for ; n > 0 && at < len(text); n-- {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return text[:at]
}

// lastRunes returns the last n characters of a text.
func lastRunes(text []byte, n int) []byte {
	at := len(text)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRune(text[:at])
		at -= size
	}
	return text[at:]
}

// sortLines puts lines in an order; equal ones stay as they were read.
func sortLines(lines []Line, o Order) {
	if o == ByInput {
		return
	}
	type keyed struct {
		line Line
		key  []string
	}
	all := make([]keyed, len(lines))
	for i, l := range lines {
		if o == ByLeft {
			all[i] = keyed{l, wordsOf(l.Left)}
			slices.Reverse(all[i].key)
		} else {
			all[i] = keyed{l, wordsOf(l.Right)}
		}
	}
	slices.SortStableFunc(all, func(a, b keyed) int { return slices.Compare(a.key, b.key) })
	for i := range all {
		lines[i] = all[i].line
	}
}

// wordsOf returns the words of a text in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}
