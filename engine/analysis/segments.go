package analysis

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
	segmentation "github.com/clipperhouse/uax29/v2/words"
)

// This file finds the tokens of unicode, the segments of UAX 29 that have a
// letter (L) or a number (N) in them, cut where they have white space or control characters.

// segments appends the terms of a text to c.ids. Well-formed stretches of it are
// segmented one by one: the library takes a cut character and all behind it for
// one segment.
func (c *Counter) segments(text []byte) {
	for len(text) > 0 {
		n := wellFormed(text)
		c.stretch(text[:n])
		text = text[min(n+1, len(text)):]
	}
}

// stretch appends the terms of well-formed text. Most segments of most texts are
// found without the library, which sees only those where more than ASCII letters
// and digits take part: 78 MB/s of 20 Newsgroups for 59.
func (c *Counter) stretch(text []byte) {
	for len(text) > 0 {
		n := plainSegment(text)
		if n > 0 {
			c.segment(text[:n])
		} else {
			n, _, _ = segmentation.SplitFunc(text, true) // there is no error at the end of a text
			// No term has white space or a control character in it. A segment of the standard can, before
			// a letter that extends what is before it (U+FF9E, by WB4), or U+202F between digits (by WB13a).
			cuts := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
			for part := range bytes.FieldsFuncSeq(text[:n], cuts) {
				c.segment(part)
			}
		}
		text = text[n:]
	}
}

// segment appends the term of a segment, if it is one.
func (c *Counter) segment(text []byte) {
	if c.fold(text) {
		c.ids = c.appendTerm(c.ids, c.word(c.folded))
	}
}

// plainSegment gives the length of the segment at the start of a text if it is
// letters and digits of ASCII, or one other byte that joins nothing, and if the
// byte behind is of ASCII and joins nothing either; else 0.
func plainSegment(text []byte) int {
	n := 0
	for n < len(text) && asciiJoins[text[n]] == alphanumeric {
		n++
	}
	if n == 0 && asciiJoins[text[0]] == alone {
		n = 1
		if len(text) == 1 || text[1] < utf8.RuneSelf {
			return 1
		}
		return 0
	}
	if n == len(text) || asciiJoins[text[n]] == alone {
		return n
	}
	return 0
}

// What a byte is to plainSegment.
const (
	joins = iota // with letters or digits beside it, or is not of ASCII
	alone        // forms a segment without letters
	alphanumeric
)

var asciiJoins = func() (kinds [256]uint8) {
	for b := range utf8.RuneSelf {
		switch {
		case 'a' <= b|0x20 && b|0x20 <= 'z', '0' <= b && b <= '9':
			kinds[b] = alphanumeric
		case !strings.ContainsRune(`'".,:;_`, rune(b)):
			kinds[b] = alone
		}
	}
	return kinds
}()

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

// fold sets c.folded to a segment in lower case, and tells whether it has a
// letter or a number in it.
func (c *Counter) fold(segment []byte) (token bool) {
	c.folded = c.folded[:0]
	for len(segment) > 0 {
		b := segment[0]
		if b < utf8.RuneSelf {
			letter := 'a' <= b|0x20 && b|0x20 <= 'z'
			if letter && !c.final {
				b |= 0x20
			}
			token = token || letter || '0' <= b && b <= '9'
			c.folded = append(c.folded, b)
			segment = segment[1:]
			continue
		}
		r, size := utf8.DecodeRune(segment)
		token = token || unicode.IsLetter(r) || unicode.IsNumber(r)
		c.folded = utf8.AppendRune(c.folded, c.inCase(r))
		segment = segment[size:]
	}
	return token
}

// eachSentence calls f with the sentences, which n-grams do not cross, of a part of a text by Unicode's segmentation (UAX 29). There a
// line break ends a sentence, but texts are often cut into lines: a single one is white space here, and an
// empty line ends a sentence. The sentences lie in room, which it returns, perhaps grown.
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
