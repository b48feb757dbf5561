package bagofwords

import (
	"context"
	"math/bits"

	"github.com/termsift/termsift/engine/analysis"
)

// A lexicon is the distinct terms of all parts, numbered in the order of their first occurrence: those of the
// first part, then what the second one adds, and so on, since the parts are ranges one behind the other.
type lexicon struct {
	text    []byte // the names, one behind the other
	ends    []int64
	uses    []use
	byName  []uint32   // the numbers in the order of the names
	numbers [][]uint32 // for each part, the number of each of its terms; nil if it is that of the counter
}

// newLexicon makes one lexicon of the terms of all parts.
func newLexicon(ctx context.Context, parts []*part, threads int) (*lexicon, error) {
	spellers, err := spellTerms(ctx, parts, threads)
	if err != nil {
		return nil, err
	}
	if len(parts) == 1 {
		return onlyLexicon(parts[0], sortNames(spellers[0], 0)), nil
	}
	j, err := join(ctx, spellers, threads)
	if err != nil {
		return nil, err
	}
	return number(parts, j), nil
}

// spellTerms returns how the terms of each part are spelled: n-grams by words that were joined before.
func spellTerms(ctx context.Context, parts []*part, threads int) ([]speller, error) {
	words := make([]speller, len(parts))
	byWords := true
	for i, p := range parts {
		words[i] = byteSpeller{p.counter.Words(), p.counter.Word}
		byWords = byWords && p.counter.NGrams()
		for w := 0; byWords && w < p.counter.Words(); w++ {
			byWords = aboveSpace(p.counter.Word(uint32(w)))
		}
	}
	spellers := make([]speller, len(parts))
	for i, p := range parts {
		spellers[i] = byteSpeller{p.counter.Len(), p.counter.Term}
	}
	if !byWords {
		return spellers, nil
	}
	j, err := join(ctx, words, threads)
	if err != nil {
		return nil, err
	}
	for i, p := range parts {
		places := j.numbers[i]
		for w := range places {
			places[w]++
		}
		spellers[i] = gramSpeller{p.counter, places, bits.Len(uint(len(j.order)))}
	}
	return spellers, nil
}

// onlyLexicon takes over the terms of the only part.
func onlyLexicon(p *part, order []entry) *lexicon {
	l := &lexicon{byName: make([]uint32, len(order)), ends: make([]int64, 0, len(order)), uses: make([]use, len(order)), numbers: [][]uint32{nil}}
	for place, e := range order {
		l.byName[place] = e.ID
	}
	for id, u := range p.uses {
		l.add(p.counter, uint32(id))
		l.uses[id].add(u)
	}
	return l
}

// number numbers the terms of several parts. Those of the first one keep the numbers of its counter.
func number(parts []*part, j *joined) *lexicon {
	const none = 1<<32 - 1
	l := &lexicon{byName: make([]uint32, len(j.order)), ends: make([]int64, 0, len(j.order)), uses: make([]use, len(j.order)), numbers: j.numbers}
	for place := range l.byName {
		l.byName[place] = none
	}
	for i, p := range parts {
		numbers := l.numbers[i]
		for id, place := range numbers {
			n := l.byName[place]
			if n == none {
				n = uint32(l.len())
				l.byName[place] = n
				l.add(p.counter, uint32(id))
			}
			numbers[id] = n
			l.uses[n].add(p.uses[id])
		}
	}
	return l
}

// add adds the name of a term.
func (l *lexicon) add(c *analysis.Counter, id uint32) {
	l.text = c.AppendTerm(l.text, id)
	l.ends = append(l.ends, int64(len(l.text)))
}

// A use says how often a term occurs.
type use struct{ documents, occurrences int64 }

func (u *use) add(v partUse) {
	u.documents += int64(v.documents)
	u.occurrences += int64(v.occurrences)
}

// len is the number of terms.
func (l *lexicon) len() int { return len(l.ends) }

// name returns the bytes of a name.
func (l *lexicon) name(n int) []byte {
	start := int64(0)
	if n > 0 {
		start = l.ends[n-1]
	}
	return l.text[start:l.ends[n]]
}
