package vectors

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/usage"
)

// WriteNPZ writes the matrix for numpy: a zip of arrays that hold a CSR matrix under the
// names that scipy.sparse.load_npz reads, and beside it
//
//	y              int32, the class of each document, -1 for none;
//	               only if no document has several. If the selection's corpus has a
//	               target, float64, the number of each document, NaN for none
//	labels_indptr  those of document i are labels_indices[labels_indptr[i]:labels_indptr[i+1]]
//	labels_indices numbers of classes, ascending for each document
//	class_names    by number of a class
//	ids            the names of the documents, by row
//	feature_names  the terms, by column
//	idf            float64, ln(N/df) of the selection's corpus, by column
//
// Column j is the feature of rank j+1. Numbers of columns and elements are int32, but int64
// where there are 2^31 or more. Texts are arrays of a fixed width (dtype <U), of which none
// is a pickle. A byte of a text that is not UTF-8 becomes the half surrogate U+DC00 plus
// the byte, which os.fsencode of Python turns back. Texts that numpy cannot hold so, as they
// end with a zero, or that would take more than 64 MiB and sixteen times their own bytes,
// as one of them is much longer than the others, are two arrays instead: NAME_utf8 has
// their bytes and NAME_offsets where each of them begins, and the end of the last.
func (m *Matrix) WriteNPZ(w io.Writer) error {
	if m == nil || m.selection == nil || w == nil {
		return usage.Errorf("a nil matrix or a nil writer was given")
	}
	features, classes := m.selection.Features, m.selection.Classes
	wide := beyondInt32(int64(max(len(m.index), len(features), m.Documents())))
	z := &npzWriter{zip: zip.NewWriter(w)}
	z.whole("indices", wide, len(m.index), func(i int) int64 { return int64(m.index[i]) - 1 })
	z.whole("indptr", wide, len(m.start), func(i int) int64 { return m.start[i] })
	z.array("format", "|S3", "()", 1, func(b []byte, _ int) []byte { return append(b, "csr"...) })
	shape := [...]int64{int64(m.Documents()), int64(len(features))}
	z.whole("shape", true, len(shape), func(i int) int64 { return shape[i] })
	z.list("data", "<f4", len(m.value), func(b []byte, i int) []byte {
		return le.AppendUint32(b, math.Float32bits(m.value[i]))
	})
	if m.hasTarget() {
		z.list("y", "<f8", m.Documents(), func(b []byte, i int) []byte { return le.AppendUint64(b, math.Float64bits(m.number(i))) })
	} else if !m.several {
		z.whole("y", false, m.Documents(), func(i int) int64 {
			for _, label := range m.labels(i) {
				return int64(label)
			}
			return -1
		})
	}
	z.whole("labels_indptr", beyondInt32(int64(len(m.label))), len(m.labelStart), func(i int) int64 { return m.labelStart[i] })
	z.whole("labels_indices", beyondInt32(int64(len(m.label))), len(m.label), func(i int) int64 { return int64(m.label[i]) })
	z.texts("class_names", listOf(len(classes), func(i int) string { return classes[i] }))
	z.texts("ids", &m.ids)
	z.texts("feature_names", listOf(len(features), func(i int) string { return features[i].Term }))
	z.list("idf", "<f8", len(m.idf), func(b []byte, i int) []byte {
		return le.AppendUint64(b, math.Float64bits(m.idf[i]))
	})
	if z.err != nil {
		return z.err
	}
	return z.zip.Close()
}

// An npzWriter writes arrays in numpy's format to a zip. After an error it does nothing.
type npzWriter struct {
	zip *zip.Writer
	buf []byte
	err error
}

var le = binary.LittleEndian

// array writes an array of n elements; appendTo appends one of them.
func (z *npzWriter) array(name, kind, shape string, n int, appendTo func(b []byte, i int) []byte) {
	if z.err != nil {
		return
	}
	out, err := z.zip.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
	if err != nil {
		z.err = err
		return
	}
	z.buf = append(z.buf[:0], npyHeader(kind, shape)...)
	for i := range n {
		z.buf = appendTo(z.buf, i)
		if len(z.buf) >= bufferSize {
			if _, z.err = out.Write(z.buf); z.err != nil {
				return
			}
			z.buf = z.buf[:0]
		}
	}
	_, z.err = out.Write(z.buf)
}

// list writes an array of one dimension.
func (z *npzWriter) list(name, kind string, n int, appendTo func(b []byte, i int) []byte) {
	z.array(name, kind, fmt.Sprintf("(%d,)", n), n, appendTo)
}

// beyondInt32 reports whether places up to n need int64.
func beyondInt32(n int64) bool { return n > math.MaxInt32 }

// whole writes an array of whole numbers, as int64 if wide, else as int32.
func (z *npzWriter) whole(name string, wide bool, n int, at func(i int) int64) {
	if wide {
		z.list(name, "<i8", n, func(b []byte, i int) []byte { return le.AppendUint64(b, uint64(at(i))) })
		return
	}
	z.list(name, "<i4", n, func(b []byte, i int) []byte { return le.AppendUint32(b, uint32(at(i))) })
}

// Texts of a fixed width may take so many bytes, or so many times those of the texts.
const (
	maxFixedBytes = 64 << 20
	maxFixedTimes = 16
)

// texts writes an array of texts: of a fixed width, or else their bytes and offsets.
func (z *npzWriter) texts(name string, l *textList) {
	width, fixed := fixedWidth(l)
	if !fixed {
		z.list(name+"_utf8", "|u1", len(l.bytes), func(b []byte, i int) []byte { return append(b, l.bytes[i]) })
		z.whole(name+"_offsets", true, l.len()+1, func(i int) int64 {
			if i == 0 {
				return 0
			}
			return int64(l.ends[i-1])
		})
		return
	}
	padding := make([]byte, 4*width)
	z.list(name, fmt.Sprintf("<U%d", width), l.len(), func(b []byte, i int) []byte {
		from := len(b)
		b = appendUTF32(b, l.at(i))
		return append(b, padding[len(b)-from:]...)
	})
}

// fixedWidth returns the number of characters of the longest text, and whether an array
// of that width can hold the list.
func fixedWidth(l *textList) (width int, fits bool) {
	width, fits = 1, true
	for i := range l.len() {
		text := l.at(i)
		width = max(width, utf8.RuneCount(text))
		fits = fits && (len(text) == 0 || text[len(text)-1] != 0)
	}
	bytes := 4 * float64(width) * float64(l.len())
	return width, fits && (bytes <= maxFixedBytes || bytes <= maxFixedTimes*float64(len(l.bytes)))
}

// appendUTF32 appends the characters of a text in four bytes each.
func appendUTF32(b, text []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			r = 0xDC00 + rune(text[0])
		}
		b = le.AppendUint32(b, uint32(r))
		text = text[size:]
	}
	return b
}

// npyHeader returns the header of version 1.0 of numpy's format, padded to 64 bytes.
func npyHeader(kind, shape string) []byte {
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", kind, shape)
	const fixed = 10 // magic, version, length
	for (fixed+len(text)+1)%64 != 0 {
		text += " "
	}
	text += "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(text)), byte(len(text)>>8))
	return append(b, text...)
}
