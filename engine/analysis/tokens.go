package analysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/usage"
)

// This file tells the places of tokens, for contexts of terms. It is slow and plain; a test holds it against the terms
// that a counter finds.

// A Token is a token of a text, from byte From on and before byte To.
type Token struct {
	From, To int
	Word     string // in lower case, stemmed
}

// A Locator finds the places of tokens in texts. It belongs to one goroutine.
type Locator struct {
	a     *Analyzer
	words *Counter // of tokens
	texts []string // the words of the counter, each once in memory
	found []Token
}

// NewLocator returns a locator.
func (a *Analyzer) NewLocator() *Locator {
	l := &Locator{a: a}
	l.forget()
	return l
}

// forget gives up the words seen so far.
func (l *Locator) forget() {
	single := *l.a
	single.phrases = nil
	if !l.a.tokens.ofCharacters() {
		single.grams = gramRange{1, 1}
	}
	single.opt.HashBits = 0
	l.words, l.texts = single.NewCounter(), nil
}

// mostLocated bounds the memory of a locator's words.
const mostLocated = 32 << 20

// EachPart calls f with every part of a text that is analysed, such as the body behind a header block or, with
// Sentences, each of its sentences, without markup and in the normal form that the options ask for, and the tokens in
// it that are words of terms, a phrase being one. n-grams are the words of tokens in a row of one part, joined by
// spaces, but those of characters are tokens. A token of char_wb that begins or ends with the space around a word has
// the place of what is in the text. Both are valid during the call.
func (l *Locator) EachPart(text []byte, f func(part []byte, tokens []Token)) {
	if l.words.Bytes() > mostLocated {
		l.forget()
	}
	l.words.eachRun(text, func(run []byte) { f(run, l.tokens(run)) })
}

// tokens returns the tokens of a part of a text. They are valid until the next call.
func (l *Locator) tokens(part []byte) []Token {
	final, place := l.folded(part)
	if l.a.tokens.ofCharacters() {
		final, place = spaced(final, l.a.tokens == wordChars, place)
	}
	l.found = l.found[:0]
	l.words.find(final, func(at, end int) {
		if id := l.words.word(final[at:end]); id < nothing {
			from, to := place(at, end)
			l.found = append(l.found, Token{from, to, l.text(id)})
		}
	})
	if l.a.phrases != nil {
		return l.a.phrases.joined(l.found)
	}
	return l.found
}

// text returns a word of the counter.
func (l *Locator) text(id uint32) string {
	for n := len(l.texts); n <= int(id); n++ {
		l.texts = append(l.texts, string(l.words.Term(uint32(n))))
	}
	return l.texts[id]
}

// folded returns a part of a text in its final characters, and a function that tells where a stretch
// of them comes from.
func (l *Locator) folded(part []byte) (final []byte, place func(from, to int) (int, int)) {
	if isASCII(part) { // whose characters stay where they are
		return l.words.folder.text(part), func(from, to int) (int, int) { return from, to }
	}
	final, froms, tos := l.words.folder.places(part)
	return final, func(from, to int) (int, int) {
		switch {
		case from < to:
			return froms[from], tos[to-1]
		case from < len(froms):
			return froms[from], froms[from]
		}
		return len(part), len(part)
	}
}

// spaced returns a text as [Counter.find] takes it for n-grams of characters, of words or of all, and a function that
// tells where a stretch of it comes from. A space beside a word comes from the edge of the word.
func spaced(text []byte, words bool, place func(from, to int) (int, int)) ([]byte, func(from, to int) (int, int)) {
	var all []byte
	var froms, tos []int
	add := func(b byte, from, to int) { all, froms, tos = append(all, b), append(froms, from), append(tos, to) }
	for at := 0; at < len(text); {
		end := nextWhite(text, at)
		start, behind := place(at, end)
		if words && at < end {
			add(' ', start, start)
		}
		for i := at; i < end; i++ {
			from, to := place(i, i+1)
			add(text[i], from, to)
		}
		if words && at < end {
			add(' ', behind, behind)
		}
		at = nextDark(text, end)
		if from, to := place(end, at); !words && at > end {
			white := squeeze(nil, text[end:at])
			for _, b := range white {
				add(b, from, to)
			}
		}
	}
	return all, func(from, to int) (int, int) { return froms[from], tos[to-1] }
}

// Words returns the words of tokens that a term of this analysis consists of: a term of characters is
// one.
func (a *Analyzer) Words(term string) []string {
	if a.tokens.ofCharacters() || a.grams.most == 1 {
		return []string{term}
	}
	return strings.Split(term, " ")
}

// This file checks terms that people type. Texts lose the pieces that are no tokens, and their stop words; a typed
// term that lost some would find other texts than were meant.

// CheckTyped returns a [usage.ErrUsage] for a typed term or pattern of which the analysis leaves a piece or a stop
// word out. It names the piece, and what to do.
func (a *Analyzer) CheckTyped(text string) error {
	if piece := a.Lost(text); piece != "" {
		return usage.Errorf("%q is no token as %s are%s", usage.Cut(piece), a.opt.Tokens, a.remedyOf(text, piece))
	}
	for _, word := range a.unstopped().Terms([]byte(text)) {
		if a.stops([]byte(word)) {
			return usage.Errorf("%q is a stop word of the analysis, of which no term consists: omit it", usage.Cut(word))
		}
	}
	return nil
}

// Lost returns the first piece of a text that is in no token, such as "b" of "hepatitis b" where words have two
// letters or more; "" if there is none. Punctuation and white space are no pieces.
func (a *Analyzer) Lost(text string) (piece string) {
	if a.tokens.ofCharacters() {
		return ""
	}
	a.unstopped().NewLocator().EachPart([]byte(text), func(part []byte, tokens []Token) {
		if a.tokens == patterns { // of a match a token may be a part
			tokens = wholeFields(part, tokens)
		}
		at := 0
		for _, t := range append(slices.Clip(tokens), Token{From: len(part), To: len(part)}) {
			for field := range strings.FieldsSeq(string(part[min(at, t.From):t.From])) {
				if piece == "" && strings.ContainsFunc(field, a.tells) {
					piece = strings.TrimFunc(field, func(r rune) bool { return !a.tells(r) })
				}
			}
			at = max(at, t.To)
		}
	})
	return piece
}

// wholeFields returns tokens as wide as the stretches without white space that they are in.
func wholeFields(part []byte, tokens []Token) (wide []Token) {
	for _, t := range tokens {
		for t.From > 0 {
			r, size := utf8.DecodeLastRune(part[:t.From])
			if unicode.IsSpace(r) {
				break
			}
			t.From -= size
		}
		for t.To < len(part) {
			r, size := utf8.DecodeRune(part[t.To:])
			if unicode.IsSpace(r) {
				break
			}
			t.To += size
		}
		wide = append(wide, t)
	}
	return wide
}

// tells reports whether a character tells one word from another. Punctuation stands around words, and so do < and >.
func (a *Analyzer) tells(r rune) bool {
	switch {
	case unicode.IsMark(r):
		return a.opt.StripAccents == ""
	case unicode.IsSymbol(r):
		return !strings.ContainsRune("<>`\u00b4", r)
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || strings.ContainsRune("#%&@", r)
}

// remedyOf says with which tokens a text keeps a piece.
func (a *Analyzer) remedyOf(text, piece string) string {
	if a.tokens == bigrams && utf8.RuneCountInString(piece) == 1 {
		return ": they are pairs of characters"
	}
	for _, tokens := range []string{"unicode", `'pattern:\S+'`} {
		o := a.opt
		o.Tokens, o.Phrases = strings.Trim(tokens, "'"), nil
		if other, err := New(o); err == nil && other.Lost(text) == "" {
			return ": read the text with --tokens " + tokens
		}
	}
	return ": omit it"
}
