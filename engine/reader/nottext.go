package reader

import (
	"bytes"
	"strings"

	"github.com/termsift/termsift/engine/document"
)

// This file recognises by their first bytes files that are no text: files that termsift
// writes, archives, and binary files. In a tree or an archive such a file is skipped and
// counted.

// sniffBytes is how many bytes are examined.
const sniffBytes = 8 << 10

// ownKinds lists the files that termsift writes. In a binary file the mark is followed by
// the version, four bytes.
var ownKinds = []struct {
	mark, kind string
	binary     bool
}{
	{"TERMSIFT", "index of termsift", true},
	{"TERMSSTA", "statistics of termsift", true},
	{"TERMSPIP", "model of termsift", true},
	{"TERMSMDL", "model of termsift", true},
	{"#termsift features ", "features file of termsift", false},
	{"#termsift class terms ", "class terms of termsift", false},
}

// ownKind returns the kind of the termsift file that a prefix begins, or "".
func ownKind(prefix []byte) string {
	if len(prefix) < 12 || prefix[0] != 'T' && prefix[0] != '#' {
		return ""
	}
	for _, own := range ownKinds {
		if bytes.HasPrefix(prefix, []byte(own.mark)) && (!own.binary || string(prefix[9:12]) == "\x00\x00\x00") {
			return own.kind
		}
	}
	return ""
}

// isOwn returns the error for an input that termsift wrote. Commands that accept such a
// file in place of text have opened it by its name before the reader sees it.
func isOwn(pos document.Position, kind string) error {
	return &Error{
		Pos: pos, Problem: "raw text is read here, and this is no text but the kind of file: " + kind,
		Remedy: "a command that takes it needs it as a file of its own, neither packed nor by a pipe",
	}
}

// notText returns the reason why a file that begins with head is no document, or "".
// packed allows it to be compressed.
func notText(head []byte, packed bool) (reason string) {
	switch kind := ownKind(head); {
	case kind != "":
		return kind
	case compressionOf(head) != nil:
		if packed {
			return ""
		}
		return "file compressed twice"
	case isTar(head):
		return "archive inside a tree or an archive"
	case isBinary(head[:min(len(head), sniffBytes)]):
		return "binary file"
	}
	return ""
}

// isBinary reports whether the first block of a file is no text: more than a tenth of its
// bytes are zero, or several are and it is neither UTF-8 nor GB18030. UTF-16 has zero
// bytes too, but begins with a byte order mark; 40 documents of the Fudan corpus have
// zero bytes within UTF-8.
func isBinary(block []byte) bool {
	const few = 1
	zeros := bytes.Count(block, []byte{0})
	switch {
	case zeros <= few || isUTF16(block) || bareUTF16(block) != "":
		return false
	case zeros > len(block)/10:
		return true
	}
	return guessEncoding(block) == inLatin1
}

// An errNotText is the reason why a file is no document.
type errNotText string

func (e errNotText) Error() string { return string(e) }

// shortFile is the most bytes of a file's name that the ids of its documents repeat.
const shortFile = 255

// shortName returns the end of a file's name, of shortFile bytes at most.
func shortName(file string) string {
	if len(file) <= shortFile {
		return file
	}
	const cut = "…"
	return cut + strings.ToValidUTF8(file[len(file)-shortFile+len(cut):], "")
}
