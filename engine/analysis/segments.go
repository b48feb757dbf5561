package analysis

import (
	"bytes"
	"encoding/binary"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
	segmentation "github.com/clipperhouse/uax29/v2/words"
)

// This file finds the places of tokens in texts of final characters. Counters look up what it finds in texts of
// unicode, zh-bigrams, patterns and characters; words and letters are found faster in scan.go, which a test compares with this.

// find calls f with the places of the tokens of a text.
func (c *Counter) find(text []byte, f func(from, to int)) {
	switch c.a.tokens {
	case segments:
		eachSegment(text, f)
	case patterns:
		c.finder.each(text, f)
	case chars:
		c.eachGram(text, 0, len(text), f)
	case wordChars: // of words between two spaces each
		for from := 0; from < len(text); {
			to := from + 2 + bytes.IndexByte(text[from+1:], ' ')
			c.eachGram(text, from, to, f)
			from = to
		}
	default:
		c.a.eachRun(text, f)
	}
}

// What a character is to eachRun.
const (
	separator = iota
	wordCharacter
	hanCharacter
)

// eachRun finds the words of a text, runs of so many word characters at least, and the pairs of neighbouring Han
// characters.
func (a *Analyzer) eachRun(text []byte, f func(from, to int)) {
	low, least := a.lowClasses(), a.leastCharacters()
	start, characters, before := 0, 0, -1 // of a word; the Han character right before, -1 for none
	for at := 0; at < len(text); {
		for before >= 0 && ideographAt(text, at) { // as below, but faster
			f(before, at+3)
			before, at = at, at+3
		}
		r, size := utf8.DecodeRune(text[at:])
		var is uint8
		if r < rune(len(low)) {
			is = low[r]
		} else {
			is = a.classOf(r)
		}
		if is == wordCharacter {
			if characters == 0 {
				start = at
			}
			characters++
		} else {
			if characters >= least {
				f(start, at)
			}
			characters = 0
		}
		if before >= 0 && is == hanCharacter {
			f(before, at+size)
		}
		if before = -1; is == hanCharacter {
			before = at
		}
		at += size
	}
	if characters >= least {
		f(start, len(text))
	}
}

// lowClasses returns what classOf says of the characters up to the punctuation of Chinese: to search tables of Unicode
// for each comma would take long.
func (a *Analyzer) lowClasses() *[0x3040]uint8 {
	a.low.once.Do(func() {
		for r := range a.low.classes {
			a.low.classes[r] = a.classOf(rune(r))
		}
	})
	return &a.low.classes
}

// lowClasses are made when they are first asked for.
type lowClasses struct {
	once    sync.Once
	classes [0x3040]uint8
}

// ideographAt reports whether a character from U+4E00 to U+9FFF, as nearly all Han is, begins at a place of a text.
// It says no at the last character.
func ideographAt(text []byte, at int) bool {
	if len(text)-at < 4 {
		return false
	}
	w := binary.LittleEndian.Uint32(text[at:])
	return w&0xC0C0F0 == 0x8080E0 && (w<<12&0xF000|w>>2&0xFC0|w>>16&0x3F)-0x4E00 <= 0x9FFF-0x4E00
}

// classOf returns what a character is to words, letters and zh-bigrams.
func (a *Analyzer) classOf(r rune) uint8 {
	switch {
	case a.tokens == bigrams && (0x4E00 <= r && r <= 0x9FFF || unicode.Is(unicode.Han, r)): // nearly all Han is of that block
		return hanCharacter
	case a.belongs(r):
		return wordCharacter
	}
	return separator
}

// eachSegment finds the segments of UAX 29 that have a letter (L) or a number (N) in them. No term has white space or a
// control character in it. A segment of the standard can, before a letter that extends what is before it (U+FF9E, by
// WB4), or U+202F between digits (by WB13a). It is cut there. Well-formed stretches of text are segmented one by one:
// the library takes a cut character and all behind it for one segment.
func eachSegment(text []byte, f func(from, to int)) {
	for at := 0; at < len(text); at++ { // over a malformed byte
		for stretch := text[at:][:wellFormed(text[at:])]; len(stretch) > 0; {
			n, _, _ := segmentation.SplitFunc(stretch, true) // there is no error at the end of a text
			from, token := at, false
			for i, r := range string(stretch[:n]) {
				switch {
				case unicode.IsLetter(r), unicode.IsNumber(r):
					token = true
				case unicode.IsSpace(r), unicode.IsControl(r):
					if token {
						f(from, at+i)
					}
					from, token = at+i+utf8.RuneLen(r), false
				}
			}
			at += n
			if token {
				f(from, at)
			}
			stretch = stretch[n:]
		}
	}
}

// wellFormed gives the length of the text before the first malformed byte.
func wellFormed(text []byte) int {
	if utf8.Valid(text) {
		return len(text)
	}
	n := 0
	for {
		r, size := utf8.DecodeRune(text[n:])
		if r == utf8.RuneError && size == 1 {
			return n
		}
		n += size
	}
}

// eachSentence calls f with the sentences, which n-grams do not cross, of a part of a text by Unicode's segmentation
// (UAX 29). There a line break ends a sentence, but texts are often cut into lines: a single one is white space here,
// and an empty line ends a sentence. The sentences lie in room, which it returns, perhaps grown.
func eachSentence(room, part []byte, f func(sentence []byte)) []byte {
	room = append(room[:0], part...)
	if !utf8.Valid(part) {
		room = bytes.ToValidUTF8(part, []byte("\uFFFD")) // which is in no word either
	}
	joinLines(room)
	for all := sentences.FromBytes(room); all.Next(); {
		f(all.Value())
	}
	return room
}

// joinLines sets line breaks to spaces, but those before another one.
func joinLines(text []byte) {
	for i, b := range text {
		if b != '\n' && b != '\r' {
			continue
		}
		rest := text[i+1:]
		if b == '\r' {
			rest = bytes.TrimPrefix(rest, []byte{'\n'})
		}
		rest = bytes.TrimLeft(rest, " \t")
		if len(rest) > 0 && rest[0] != '\n' && rest[0] != '\r' {
			text[i] = ' '
		}
	}
}
