package analysis

import (
	"unicode"
	"unicode/utf8"

	segmentation "github.com/clipperhouse/uax29/v2/words"
	"github.com/termsift/termsift/engine/analysis/prepare"
)

// This file finds the places of tokens, for contexts of terms. It is slow and plain, and
// a test holds it against the terms that a counter finds.

// A Token is a token of a text, from byte From on and before byte To.
type Token struct {
	From, To int
	Word     string // in lower case, stemmed
}

// A Locator finds the places of tokens in texts. It belongs to one goroutine.
type Locator struct {
	a     *Analyzer
	words *Counter // of what may be a token
	parts [][]byte
	ready *prepare.Preparer
}

// NewLocator returns a locator.
func (a *Analyzer) NewLocator() *Locator {
	l := &Locator{a: a, ready: a.newPreparer()}
	l.forget()
	return l
}

// forget gives up the words seen so far.
func (l *Locator) forget() {
	single := *l.a
	single.grams = gramRange{1, 1}
	single.headers, _ = prepare.ParseHeaders("keep")
	single.opt.Normalize, single.opt.Markup = "", "" // of texts that are ready
	l.words = single.NewCounter()
}

// mostLocated bounds the memory of a locator's words.
const mostLocated = 32 << 20

// EachPart calls f with every part of a text that is analysed, such as the body behind
// a header block, without markup and in the normal form that the options ask for, and the
// tokens in it that are words of terms. n-grams are the words of
// tokens in a row of one part, joined by spaces. Both are valid during the call.
func (l *Locator) EachPart(text []byte, f func(part []byte, tokens []Token)) {
	if l.words.Bytes() > mostLocated {
		l.forget()
	}
	l.parts = l.ready.Parts(text, l.parts[:0])
	for _, part := range l.parts {
		var tokens []Token
		lower := l.ready.Sigmas(part)
		l.a.eachPlace(lower, func(from, to int) {
			l.words.scan(lower[from:to])
			for _, id := range l.words.ids {
				tokens = append(tokens, Token{from, to, string(l.words.Term(id))})
			}
		})
		f(part, tokens)
	}
	clear(l.parts) // the caller's text must not be kept alive
}

// eachPlace calls f with the places in a text that may be tokens.
func (a *Analyzer) eachPlace(text []byte, f func(from, to int)) {
	switch a.tokens {
	case segments:
		eachSegment(text, f)
	case bigrams:
		eachBigram(text, f)
	case words:
		eachRun(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_' }, f)
	default:
		eachRun(text, unicode.IsLetter, f)
	}
}

// eachRun finds the maximal runs of characters of a class.
func eachRun(text []byte, in func(r rune) bool, f func(from, to int)) {
	start := -1
	for i := 0; i <= len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch valid := i < len(text) && (r != utf8.RuneError || size > 1) && in(r); {
		case valid && start < 0:
			start = i
		case !valid && start >= 0:
			f(start, i)
			start = -1
		}
		i += max(1, size)
	}
}

// eachSegment finds the segments of UAX 29, cut where they have white space.
func eachSegment(text []byte, f func(from, to int)) {
	for at := 0; at < len(text); {
		end := at + wellFormed(text[at:])
		for at < end {
			n, _, _ := segmentation.SplitFunc(text[at:end], true) // there is no error at the end of a text
			eachRun(text[at:at+n], func(r rune) bool { return !unicode.IsSpace(r) }, func(from, to int) { f(at+from, at+to) })
			at += n
		}
		at = end + 1
	}
}

// eachBigram finds the pairs of neighbouring Han characters, and runs of other
// characters of words.
func eachBigram(text []byte, f func(from, to int)) {
	start, before := -1, -1 // of a run, of a Han character right before; -1 for none
	for i := 0; i <= len(text); {
		r, size := utf8.DecodeRune(text[i:])
		class := uint8(separator)
		if i < len(text) && (r != utf8.RuneError || size > 1) {
			class = classOf(r)
		}
		if class != wordCharacter && start >= 0 {
			f(start, i)
			start = -1
		}
		switch {
		case class == wordCharacter && start < 0:
			start = i
		case class == hanCharacter && before >= 0:
			f(before, i+size)
		}
		if before = -1; class == hanCharacter {
			before = i
		}
		i += max(1, size)
	}
}
