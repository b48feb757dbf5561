package analysis

import (
	"bytes"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// This file finds sentences, which n-grams do not cross.

// eachSentence calls f with the sentences of a part of a text by Unicode's segmentation (UAX 29). There a
// line break ends a sentence, but texts are often cut into lines: a single one is white space here, and an
// empty line ends a sentence.
func (c *Counter) eachSentence(part []byte, f func(sentence []byte)) {
	c.sentences = append(c.sentences[:0], part...)
	if !utf8.Valid(part) {
		c.sentences = bytes.ToValidUTF8(part, []byte("\uFFFD")) // which is in no word either
	}
	joinLines(c.sentences)
	for all := sentences.FromBytes(c.sentences); all.Next(); {
		f(all.Value())
	}
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
