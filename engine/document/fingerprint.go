package document

import (
	"encoding/binary"
	"math"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// A Fingerprint is a hash of the contents of a document, 128 bits of xxh3. It is the same
// for documents whose texts differ in white space and case only, and for documents with
// the same features in any order.
type Fingerprint [16]byte

// A Fingerprinter makes fingerprints. It serves one goroutine; its zero value is ready.
type Fingerprinter struct{ plain []byte }

// Of returns the fingerprint of a document.
func (f *Fingerprinter) Of(d Document) Fingerprint {
	if d.Features == nil {
		f.plain = appendPlain(f.plain[:0], d.Text)
		return xxh3.Hash128(f.plain).Bytes()
	}
	var sum xxh3.Uint128
	for _, feature := range d.Features {
		f.plain = append(f.plain[:0], feature.Term...)
		f.plain = binary.LittleEndian.AppendUint64(f.plain, math.Float64bits(feature.Value))
		h := xxh3.Hash128(f.plain)
		sum.Lo += h.Lo
		sum.Hi += h.Hi
	}
	return sum.Bytes()
}

// appendPlain appends a text in lower case and without white space.
func appendPlain(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(text[i:])
			if !unicode.IsSpace(r) {
				dst = appendLower(dst, r, text[i:i+size])
			}
			i += size
			continue
		case 'A' <= c && c <= 'Z':
			dst = append(dst, c|0x20)
		case c != ' ' && (c < '\t' || c > '\r'):
			dst = append(dst, c)
		}
		i++
	}
	return dst
}

// appendLower appends the lower case of r, which the bytes spell. If it has none, it
// appends the bytes, which keeps malformed ones. Σ has two: σ stands for both.
func appendLower(dst []byte, r rune, spelled []byte) []byte {
	if r == 'ς' {
		r = 'Σ'
	}
	if lower := unicode.ToLower(r); lower != r {
		return utf8.AppendRune(dst, lower)
	}
	return append(dst, spelled...)
}
