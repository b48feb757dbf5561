package words

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/usage"
)

// A Line is an occurrence of a term or a pattern in its context. White space in it is single spaces.
type Line struct {
	ID                 string // of the document
	Left, Match, Right string
}

// An Order is that of the lines of a search: up to three keys with commas between, of which a later one orders what
// those before it leave equal. Beside the constants, 1R to 9R and 1L to 9L are keys: the first word behind the
// occurrence, or before it, and so on. The zero value is [ByRight].
type Order string

// The orders of lines.
const (
	ByRight    Order = "right"    // by the words behind the occurrence
	ByLeft     Order = "left"     // by the words before it, the nearest first
	ByDocument Order = "document" // as they were read
	ByClass    Order = "class"    // by the classes of the document
)

// Orders lists the constants, and examples of the other keys.
func Orders() []Order {
	return []Order{ByRight, ByLeft, ByDocument, ByClass, "1R", "2R", "3R", "1L", "2L", "3L"}
}

// check returns an error for an order that is none.
func (o Order) check() error {
	keys := strings.Split(string(o), ",")
	for _, key := range keys {
		place := len(key) == 2 && '1' <= key[0] && key[0] <= '9' && (key[1] == 'L' || key[1] == 'R')
		if !place && !slices.Contains(Orders(), Order(key)) {
			return usage.Unknown("order of lines", key, []string{string(ByRight), string(ByLeft), string(ByDocument), string(ByClass), "1R to 9R", "1L to 9L"})
		}
	}
	if len(keys) > 3 {
		return usage.Errorf("the order %s has %d keys, and three are the most", usage.Cut(string(o)), len(keys))
	}
	return nil
}

// MostLines is the number of lines that [LineOptions.All] keeps at most.
const MostLines = 1_000_000

// LineOptions say which lines to take. The zero value takes no line, and counts.
type LineOptions struct {
	// Most is the number of lines of a search. If there are more occurrences, they are drawn at random, all equally
	// likely. Which ones depends on Seed, the search and the documents alone: their texts, and their names without
	// folders.
	Most int
	Seed uint64
	// All takes a line for each occurrence, in place of Most. It is an error if all searches together have more
	// than [MostLines].
	All bool
	// Width is the number of characters on either side; 0 is 40. They are Unicode's grapheme clusters: a letter with
	// its marks is one, a family of emoji too. No side and no match begins or ends within one.
	Width int
	Order Order
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// check returns an error if the options are invalid, and fills in the defaults.
func (o *LineOptions) check() error {
	switch {
	case o.Most < 0, o.Width < 0:
		return usage.Errorf("the number of lines and their width must not be negative: %d, %d", o.Most, o.Width)
	}
	if o.Order = cmp.Or(o.Order, ByRight); o.Order.check() != nil {
		return o.Order.check()
	}
	if o.Width == 0 {
		o.Width = 40
	}
	if o.All {
		o.Most = MostLines
	}
	return nil
}

// Found is what was found of a search.
type Found struct {
	Lines       []Line
	Occurrences int // of all documents
	Documents   int // with an occurrence
	// Absent are the words of the patterns that no document has, as the analysis gives words.
	Absent []string
}

// A Concordance has the lines of searches.
type Concordance struct {
	Of        []Found // by search
	Documents int     // that were read and have a text

	matchers []*matcher
}

// Lines finds searches in the documents of batches, all in one pass on all threads, by the analysis of the
// terms. The lines depend neither on how the documents are cut into batches nor on the number of threads.
// The memory grows with the lines, and not with the text. Documents that come
// counted have no text; if all do, the error wraps [usage.ErrData].
func Lines(ctx context.Context, batches document.Batches, a analysis.Options, o LineOptions, searches ...Search) (c *Concordance, err error) {
	if batches == nil {
		return nil, usage.Errorf("nil batches of documents were given")
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	q, err := newQuery(a, searches)
	if err != nil {
		return nil, err
	}
	err = pool.Detached(ctx, func(ctx context.Context) error {
		c, err = find(ctx, batches, a, q, &o, searches)
		return err
	})
	return c, err
}

// find finds a query in batches.
func find(ctx context.Context, batches document.Batches, a analysis.Options, q *query, o *LineOptions, searches []Search) (*Concordance, error) {
	a.HashBits = 0 // lines have words
	all, err := analysis.New(a)
	if err != nil {
		return nil, usage.Errorf("%w", err)
	}
	keys := keysOf(searches, o.Seed)
	c, workers := &Concordance{}, make([]*finder, pool.Threads(o.Threads))
	for i := range workers {
		f := &finder{m: newMatcher(q), locator: all.NewLocator(), o: o, keys: keys, searches: make([]tally, q.searches)}
		for i := range f.searches {
			f.searches[i].kept = newSample(o.Most)
		}
		workers[i], c.matchers = f, append(c.matchers, f.m)
	}
	c.Documents, err = eachText(ctx, "find", o.Threads, batches, "have no text to show", func(worker int, d *document.Document, at place) error {
		f := workers[worker]
		f.texts++
		f.add(d, at)
		if f.o.All && f.lines > MostLines {
			return tooMany()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c, c.join(q, o, workers)
}

// eachText calls f with the texts of batches on several workers, and returns their number. If all documents come
// counted, the error wraps [usage.ErrData] and says what they lack.
func eachText(ctx context.Context, stage string, threads int, batches document.Batches, lack string, f func(worker int, d *document.Document, at place) error) (texts int, err error) {
	var read, counted atomic.Int64
	err = pool.Stage(ctx, stage, func(ctx context.Context) error {
		return pool.Feed(ctx, threads, batches, func(worker, number int, docs document.Stream) error {
			at := place{batch: number}
			for d, err := range docs {
				switch {
				case err != nil:
					return err
				case ctx.Err() != nil:
					return usage.Cause(ctx)
				case d.Features != nil:
					counted.Add(1)
					continue
				}
				read.Add(1)
				if err := f(worker, &d, at); err != nil {
					return err
				}
				at.document++
			}
			return nil
		})
	})
	if err == nil && read.Load() == 0 && counted.Load() > 0 {
		err = fmt.Errorf("%w: the %d documents come counted, and %s", usage.ErrData, counted.Load(), lack)
	}
	return int(read.Load()), err
}

// join joins what the workers have found.
func (c *Concordance) join(q *query, o *LineOptions, workers []*finder) error {
	c.Of = make([]Found, q.searches)
	lines := 0
	for i := range c.Of {
		all := newSample(o.Most)
		for _, w := range workers {
			s := &w.searches[i]
			c.Of[i].Occurrences += s.occurrences
			c.Of[i].Documents += s.documents
			for _, line := range s.kept.Sorted() {
				all.Offer(line)
			}
		}
		drawn := all.Sorted()
		slices.SortFunc(drawn, func(a, b kept) int { return a.place.compare(b.place) })
		sortLines(drawn, o.Order)
		c.Of[i].Lines = make([]Line, len(drawn))
		for j := range drawn {
			c.Of[i].Lines[j] = drawn[j].line
		}
		lines += c.Of[i].Occurrences
	}
	if o.All && lines > MostLines {
		return tooMany()
	}
	for _, p := range q.patterns {
		f := &c.Of[p.search]
		f.Absent = append(f.Absent, c.absent(q, p.words)...)
	}
	return nil
}

func tooMany() error {
	return usage.Errorf("there are more than %d occurrences, and all their lines are more than is kept: take a sample of them, or look for something rarer", MostLines)
}

// absent returns which of some words of a query no document has.
func (c *Concordance) absent(q *query, words []int32) (absent []string) {
	for _, n := range words {
		if n != anyWord && !slices.ContainsFunc(c.matchers, func(m *matcher) bool { return m.seen[n] }) {
			absent = append(absent, q.words[n].text)
		}
	}
	return absent
}

// Nearest returns the words of the documents that are most similar to one, best first.
func (c *Concordance) Nearest(word string) []string { return nearest(word, c.matchers) }

// A finder finds lines in batches. It belongs to one goroutine.
type finder struct {
	m        *matcher
	locator  *analysis.Locator
	o        *LineOptions
	keys     []uint64
	searches []tally // by search

	texts int // documents with a text
	lines int // if all are kept
	drawn []drawn
}

// A tally is what a finder has found of a search.
type tally struct {
	occurrences, documents int
	kept                   rank.Best[kept]
	last, nth              int // the text with the last occurrence, counted from 1, and the occurrences in it
}

// A drawn is an occurrence whose line is taken.
type drawn struct {
	occurrence
	priority uint64
}

// add adds the occurrences of a document.
func (f *finder) add(d *document.Document, at place) {
	found := f.m.find(d.Text)
	if len(found) == 0 {
		return
	}
	f.drawn = f.drawn[:0]
	// The sample depends on the text and the name without folders, so that a file has the same one wherever it lies.
	name := xxh3.HashSeed(d.Text, xxh3.HashString(d.ID[strings.LastIndexAny(d.ID, `/\`)+1:]))
	for _, occ := range found {
		t := &f.searches[occ.search]
		if t.last != f.texts {
			t.last, t.nth = f.texts, 0
			t.documents++
		}
		t.occurrences++
		t.nth++
		at.part, at.token = int(occ.part), int(occ.at)
		p := uint64(0)
		if f.o.All {
			f.lines++
		} else { // a random number: those with the least are taken
			p = rand.NewPCG(f.keys[occ.search]^name, uint64(t.nth)).Uint64()
		}
		if f.o.Most > 0 && t.kept.Takes(kept{priority: p, place: at}) {
			f.drawn = append(f.drawn, drawn{occ, p})
		}
	}
	if tooMany := f.o.All && f.lines > MostLines; len(f.drawn) > 0 && !tooMany {
		f.draw(d, at)
	}
}

// draw adds the lines of the occurrences that are drawn from a document.
func (f *finder) draw(d *document.Document, at place) {
	part, id, class := int32(0), strings.Clone(d.ID), strings.Join(d.Labels, "\t")+"\t"
	f.locator.EachPart(d.Text, func(text []byte, tokens []analysis.Token) {
		for _, x := range f.drawn {
			if x.part != part {
				continue
			}
			at.part, at.token = int(x.part), int(x.at)
			line := lineOf(text, tokens[x.at].From, tokens[x.to-1].To, f.o.Width)
			line.ID = id
			f.searches[x.search].kept.Offer(kept{x.priority, at, line, class})
		}
		part++
	})
}

// lineOf returns the line of what stands in a text from one place to another, with so many characters on either
// side.
func lineOf(text []byte, from, to, width int) Line {
	const spaces = 4 // characters that become one, on average, at most
	const long = 8   // characters of a cluster, on average, at most
	width = min(width, math.MaxInt/long)
	wide := spaces * width
	start, end := from-len(lastRunes(text[:from], wide)), to+len(firstRunes(text[to:], wide))
	for room := long * width; start > 0 && room > 0 && text[start] >= utf8.RuneSelf; room-- { // what is not ASCII may be within a cluster
		start -= len(lastRunes(text[:start], 1))
	}
	for room := long * width; end < len(text) && room > 0 && text[end] >= utf8.RuneSelf; room-- {
		end += len(firstRunes(text[end:], 1))
	}
	at := clusters(text[start:end])
	i, _ := slices.BinarySearch(at, from-start+1) // behind the last that is not behind from
	j, _ := slices.BinarySearch(at, to-start)
	from, to = start+at[i-1], start+at[j]
	left, right := oneSpaced(text[start:from]), oneSpaced(text[to:end])
	before, behind := clusters([]byte(left)), clusters([]byte(right))
	return Line{
		Match: oneSpaced(text[from:to]),
		Left:  strings.TrimLeft(left[before[max(0, len(before)-1-width)]:], " "),
		Right: strings.TrimRight(right[:behind[min(width, len(behind)-1)]], " "),
	}
}

// clusters returns where the grapheme clusters of a text begin, and where the last one ends. Where bytes are malformed,
// each character is one.
func clusters(text []byte) (at []int) {
	at = make([]int, 0, len(text)+1)
	if utf8.RuneCount(text) == len(text) || !utf8.Valid(text) {
		for i := range string(text) {
			at = append(at, i)
		}
		return append(at, len(text))
	}
	for all := graphemes.FromBytes(text); all.Next(); {
		at = append(at, all.Start())
	}
	return append(at, len(text))
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

// sortLines puts lines that are as they were read in an order; equal ones stay so.
func sortLines(lines []kept, o Order) {
	if o == ByDocument {
		return
	}
	type keyed struct {
		kept
		left, right []string // the words, the nearest first
	}
	all := make([]keyed, len(lines))
	for i, l := range lines {
		all[i] = keyed{l, wordsOf(l.line.Left), wordsOf(l.line.Right)}
		slices.Reverse(all[i].left)
	}
	keys := strings.Split(string(o), ",")
	compare := func(key string, a, b *keyed) int {
		switch Order(key) {
		case ByRight:
			return slices.Compare(a.right, b.right)
		case ByLeft:
			return slices.Compare(a.left, b.left)
		case ByDocument:
			return cmp.Or(cmp.Compare(a.place.batch, b.place.batch), cmp.Compare(a.place.document, b.place.document))
		case ByClass:
			return strings.Compare(a.class, b.class)
		}
		of, to := a.right, b.right
		if key[1] == 'L' {
			of, to = a.left, b.left
		}
		n := int(key[0] - '1') // of a shorter side there is no word, which is before any
		return slices.Compare(of[min(n, len(of)):min(n+1, len(of))], to[min(n, len(to)):min(n+1, len(to))])
	}
	slices.SortStableFunc(all, func(a, b keyed) int {
		for _, key := range keys {
			if order := compare(key, &a, &b); order != 0 {
				return order
			}
		}
		return 0
	})
	for i := range all {
		lines[i] = all[i].kept
	}
}

// wordsOf returns the words of a text in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// A sample of occurrences is drawn so: each has a random number of its own, its priority, and those with the least are
// the sample: all samples are equally likely (Cohen & Kaplan, bottom-k sketches, PODC 2007), and samples of parts of
// the documents make that of all.

// keysOf returns a number for each search, by which the priorities of its occurrences are drawn.
func keysOf(searches []Search, seed uint64) []uint64 {
	keys := make([]uint64, len(searches))
	for i, s := range searches {
		text := s.Term
		if len(s.Patterns) > 0 {
			text = strings.Join(s.Patterns, "\n")
		}
		keys[i] = xxh3.HashStringSeed(text, seed)
	}
	return keys
}

// A place is where an occurrence is. Places are ordered as they are read.
type place struct{ batch, document, part, token int }

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.batch, q.batch), cmp.Compare(p.document, q.document), cmp.Compare(p.part, q.part), cmp.Compare(p.token, q.token))
}

// A kept is a line of a sample.
type kept struct {
	priority uint64
	place    place
	line     Line
	class    string // of the document
}

// newSample returns a sample of so many lines: those with the least priorities, and of equal ones those that were read
// first.
func newSample(most int) rank.Best[kept] {
	return rank.Best[kept]{Most: most, Order: func(a, b kept) int { return cmp.Or(cmp.Compare(a.priority, b.priority), a.place.compare(b.place)) }}
}
