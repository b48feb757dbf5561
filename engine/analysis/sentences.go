package analysis

import (
	"bytes"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// This file finds sentences, which n-grams do not cross.

// eachSentence calls f with the sentences of a part of a text by Unicode's segmentation (UAX 29). There a
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
