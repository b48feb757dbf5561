package words

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// A Source has the counts of n-grams, which it can tell again and again: those of a table ([OfTable]) or a file
// ([OfFile]).
type Source struct {
	classes []string // by bytes
	record  table.Provenance
	lacks   error // unless all terms of the documents are there, and are counts
	// each calls f with every term, in any order. The term is valid until f returns.
	each  func(ctx context.Context, f func(t *store.Term) error) error
	close func() error
}

// Close closes the file of the source, if it is one.
func (s *Source) Close() error {
	if s.close == nil {
		return nil
	}
	return s.close()
}

// OfFile returns the counts of a file of statistics with this record, which is read anew for each pass.
func OfFile(f *store.TableFile, record table.Provenance) *Source {
	return &Source{f.Classes, record, lacking(f.Real(), f.Pruned, f.Missing), f.Each, f.Close}
}

// OfTable returns the counts of a table.
func OfTable(t *table.Table) *Source {
	if t == nil {
		return &Source{lacks: usage.Errorf("nil statistics were given")}
	}
	s := &Source{classes: t.Classes(), record: t.Provenance(), lacks: lacking(t.Real(), t.Pruned, t.Missing)}
	s.each = func(ctx context.Context, f func(t *store.Term) error) error {
		tile, term := table.Tile{NoSquares: true}, store.Term{}
		for from := 0; from < t.Terms(); from += chunkTerms {
			if ctx.Err() != nil {
				return usage.Cause(ctx)
			}
			t.Cells.Read(&tile, from, min(from+chunkTerms, t.Terms()), true)
			for i := range tile.DF {
				first, end := tile.Range(i)
				term.Name = append(term.Name[:0], t.Names.Term(from+i)...)
				term.DF, term.CF = float64(tile.DF[i]), tile.CF[i]
				term.Class, term.A, term.S = tile.Class[first:end], tile.A[first:end], tile.S[first:end]
				if err := f(&term); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return s
}

// lacking returns an error for counts that are weights, or that lack terms.
func lacking(weighted, pruned bool, missing uint32) error {
	switch {
	case weighted:
		return usage.NewError(usage.ErrData, "the values are real numbers, and collocations are made of counts: take the text, or counts")
	case pruned:
		return usage.NewError(usage.ErrData, "terms were left out by document frequency, and what words occur with is the sum over all n-grams: count without --min-df and --max-df, and use --min-freq here")
	case missing > 0:
		return usage.NewError(usage.ErrData, "the rare terms of the shards were left out, and what words occur with is the sum over all n-grams: count without --local-min-df, and use --min-freq here")
	}
	return nil
}

// whole stands for all documents in place of the number of a class.
const whole = -1

// A Choice says which n-grams, or words near a node, are listed, and of which documents. What is not listed
// counts for the others all the same.
type Choice struct {
	// MinFreq is the least frequency, in the class if it is of one; 0 is the default.
	MinFreq int
	// Class is the class whose documents are counted; "" is the whole corpus. EachClass makes a list for
	// every class.
	Class     string
	EachClass bool
	// WithoutList, one of [analysis.StopLists] or "", and Without are words that nothing listed has.
	WithoutList string
	Without     []string
	// Top is the largest number of a list; 0 gives all.
	Top int
}

// check returns a [usage.ErrUsage] for a choice that is wrong whatever the counts.
func (c *Choice) check() error {
	switch {
	case c.MinFreq < 0, c.Top < 0:
		return usage.Errorf("the least frequency and the number of collocations must not be negative: %d, %d", c.MinFreq, c.Top)
	case c.Class != "" && c.EachClass:
		return usage.Errorf("either one class or each is asked for, not %q and each", c.Class)
	}
	return nil
}

// classes returns those of the lists among these names, and the number of the first one; or "" and whole.
func (c *Choice) classes(names []string) (of []string, first int, err error) {
	switch {
	case c.EachClass && len(names) == 0:
		return nil, 0, fmt.Errorf("%w: no document has a class, so there are no collocations of each", usage.ErrData)
	case c.EachClass:
		return names, 0, nil
	case c.Class == "":
		return []string{""}, whole, nil
	}
	if first = slices.Index(names, c.Class); first < 0 {
		return nil, 0, usage.Unknown("class", c.Class, names)
	}
	return names[first : first+1], first, nil
}

// leftOut returns the words that are left out, as they are among the terms of an analysis; nil for none.
func (c *Choice) leftOut(a analysis.Options) (*analysis.StopTerms, error) {
	if c.WithoutList == "" && len(c.Without) == 0 {
		return nil, nil
	}
	return analysis.NewStopTerms(a, c.WithoutList, c.Without)
}

// checkRecord returns an error unless documents with this record have n-grams of so many words.
func checkRecord(p table.Provenance, from, to int, m Marginals) error {
	a := &p.Analysis
	if err := CheckWords(*a); err != nil {
		return err
	}
	least, most := a.Lengths()
	wanted := fmt.Sprint(from)
	if to > from {
		wanted = fmt.Sprintf("%d-%d", from, to)
	}
	switch {
	case least <= from && to <= most && (m != Words || least == 1):
		return nil
	case m == Words:
		return fmt.Errorf("%w: the terms are %s, and marginals of words need words and pairs: count them with --ngrams 1-2", usage.ErrData, describedLengths(least, most))
	}
	return fmt.Errorf("%w: the terms are %s, and collocations of %s are asked for: count them with --ngrams %s", usage.ErrData, describedLengths(least, most), wanted+" words", wanted)
}

// CheckWords returns a [usage.ErrUsage] for an analysis without words in a row.
func CheckWords(a analysis.Options) error {
	switch a.Tokens {
	case "zh-bigrams":
		return usage.Errorf("tokens zh-bigrams are pairs of characters, and collocations are made of words in a row: take tokens unicode, of which each Chinese character is one")
	case "char", "char_wb":
		return usage.Errorf("tokens %s are no words, and collocations are made of words in a row: take other tokens, as words or unicode", a.Tokens)
	}
	if a.HashBits > 0 {
		return usage.Errorf("the terms are columns of %d hash bits, and collocations are made of words in a row: count them without hash bits", a.HashBits)
	}
	return nil
}

// describedLengths describes terms of so many words.
func describedLengths(least, most int) string {
	switch {
	case most == 1:
		return "single words"
	case least == most:
		return fmt.Sprintf("n-grams of %d words", most)
	}
	return fmt.Sprintf("n-grams of %d to %d words", least, most)
}

// A search goes through the n-grams of a source, again and again.
type search struct {
	*Choice
	from        *Source
	least, most int // words
	classes     []string
	first       int                 // the number of the first of the classes, or whole
	without     *analysis.StopTerms // nil for none
}

// search returns a search for n-grams of so many words.
func (c *Choice) search(from *Source, least, most int, m Marginals) (s *search, err error) {
	if err := from.lacks; err != nil {
		return nil, err
	}
	if err := checkRecord(from.record, least, most, m); err != nil {
		return nil, err
	}
	s = &search{Choice: c, from: from, least: least, most: most}
	if s.without, err = c.leftOut(from.record.Analysis); err != nil {
		return nil, err
	}
	s.classes, s.first, err = c.classes(from.classes)
	return s, err
}

// An ngram is one in one of the classes.
type ngram struct {
	class                  int // place among those of the search
	name                   []byte
	words                  int
	occurrences, documents float64
}

// each calls f with the n-grams of the classes that have so many words, and occur so often, or more.
func (s *search) each(ctx context.Context, words, often int, f func(g *ngram)) error {
	var g ngram
	least := float64(often)
	return s.from.each(ctx, func(t *store.Term) error {
		if t.CF < least {
			return nil
		}
		g.name, g.words = t.Name, bytes.Count(t.Name, []byte{' '})+1
		switch {
		case g.words < words || g.words > s.most:
		case s.first == whole:
			g.occurrences, g.documents = t.CF, t.DF
			f(&g)
		default:
			for i, class := range t.Class {
				if g.class = int(class) - s.first; g.class >= 0 && g.class < len(s.classes) && t.S[i] >= least {
					g.occurrences, g.documents = t.S[i], t.A[i]
					f(&g)
				}
			}
		}
		return nil
	})
}

// eachPassing calls f with the n-grams that occur often enough and have no word that is left out.
func (s *search) eachPassing(ctx context.Context, f func(g *ngram)) error {
	return s.each(ctx, s.least, s.MinFreq, func(g *ngram) {
		if !s.hasLeftOut(g.name) {
			f(g)
		}
	})
}

// hasLeftOut reports whether an n-gram has a word that is left out.
func (s *search) hasLeftOut(name []byte) bool {
	if s.without == nil {
		return false
	}
	for word := range bytes.SplitSeq(name, []byte{' '}) {
		if s.without.Has(word) {
			return true
		}
	}
	return false
}
