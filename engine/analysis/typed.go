package analysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/usage"
)

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
			return usage.Errorf("%q is a stop word of the analysis, of which no term consists: leave it away", usage.Cut(word))
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
	return ": leave it away"
}
