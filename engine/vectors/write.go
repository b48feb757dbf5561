package vectors

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/tsv"
	"github.com/termsift/termsift/engine/usage"
)

// A jsonRow is a line of WriteJSONLines.
type jsonRow struct {
	ID       string             `json:"id"`
	Labels   *[]string          `json:"labels,omitempty"`
	Target   *json.Number       `json:"target,omitempty"`
	Features map[string]float32 `json:"features"`
}

// WriteJSONLines writes each row of the selection s as a line of JSON, an object with the
// id, the names of the labels, and the values by term:
//
//	{"id":"d1","labels":["sea"],"features":{"boat":2,"ship":1}}
//
// If the selection's corpus has a target, the number of a document that has one is
// "target":4.5, in place of the labels.
func WriteJSONLines(w io.Writer, s *selection.Selection, rows iter.Seq2[Row, error]) error {
	if w == nil || s == nil || rows == nil {
		return usage.Errorf("a nil writer, a nil selection or nil rows were given")
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for row, err := range rows {
		if err == nil {
			err = checkPlaces(s, row)
		}
		if err != nil {
			return err
		}
		line := jsonRow{ID: row.ID, Features: make(map[string]float32, len(row.Index))}
		if row.Target != "" {
			target := json.Number(row.Target)
			line.Target = &target
		} else {
			labels := make([]string, len(row.Labels))
			for i, l := range row.Labels {
				labels[i] = s.Classes[l]
			}
			line.Labels = &labels
		}
		for i, index := range row.Index {
			line.Features[s.Features[index-1].Term] = row.Value[i]
		}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// checkPlaces returns an error for a row that cannot be one of the selection.
func checkPlaces(s *selection.Selection, r Row) error {
	if len(r.Index) != len(r.Value) {
		return usage.Errorf("the row of document %q has %d indices and %d values", usage.Cut(r.ID), len(r.Index), len(r.Value))
	}
	last := uint32(0)
	for _, index := range r.Index {
		if index <= last || uint64(index) > uint64(len(s.Features)) {
			return usage.Errorf("the row of document %q has the index %d where the selection needs one from %d to %d", usage.Cut(r.ID), index, last+1, len(s.Features))
		}
		last = index
	}
	for _, l := range r.Labels {
		if l < 0 || l >= len(s.Classes) {
			return usage.Errorf("the row of document %q has the class %d; the selection has %d classes, from 0 on", usage.Cut(r.ID), l, len(s.Classes))
		}
	}
	return nil
}

// WriteMatrixMarket writes the matrix as Matrix Market text, "coordinate real general", for
// Matrix of R and others: a line with the numbers of documents, terms and elements, then a
// line for each element with its document, its term and its value, documents first and
// terms within them ascending, both from 1. Values have the shortest form that gives
// the float32 back. The format has no names: those of columns are in [Matrix.WriteTerms],
// those of rows in [Matrix.WriteDocuments].
func (m *Matrix) WriteMatrixMarket(w io.Writer) error {
	return m.writeText(w, func(out *bufio.Writer) {
		fmt.Fprintf(out, "%%%%MatrixMarket matrix coordinate real general\n%% rows are documents, columns are terms\n%d %d %d\n",
			m.Documents(), len(m.selection.Features), len(m.index))
		for row := range m.Documents() {
			for i := m.start[row]; i < m.start[row+1]; i++ {
				line := strconv.AppendInt(out.AvailableBuffer(), int64(row)+1, 10)
				line = strconv.AppendUint(append(line, ' '), uint64(m.index[i]), 10)
				line = strconv.AppendFloat(append(line, ' '), float64(m.value[i]), 'g', -1, 32)
				_, _ = out.Write(append(line, '\n')) // Flush returns the error
			}
		}
	})
}

// WriteTerms writes a table of the columns: a header line, then a line for each term with
// the columns term, df and idf, separated by tabs. df is the number of documents of the
// selection's corpus with the term, idf ln(N/df). Terms are escaped as [tsv.Escape] does.
func (m *Matrix) WriteTerms(w io.Writer) error {
	return m.writeText(w, func(out *bufio.Writer) {
		fmt.Fprintf(out, "term\tdf\tidf\n")
		for i, f := range m.selection.Features {
			fmt.Fprintf(out, "%s\t%d\t%s\n", tsv.Escape(f.Term), f.DF, tsv.FormatValue(m.idf[i]))
		}
	})
}

// WriteDocuments writes a table of the rows: a header line, then a line for each document
// with the columns id and labels, separated by a tab. Several labels are joined by commas;
// a comma within a label is written as "\,". Both columns are escaped as [tsv.Escape] does. If the
// selection's corpus has a target, the second column is target, the number, empty for none.
func (m *Matrix) WriteDocuments(w io.Writer) error {
	return m.writeText(w, func(out *bufio.Writer) {
		second := "labels"
		if m.hasTarget() {
			second = "target"
		}
		fmt.Fprintf(out, "id\t%s\n", second)
		names := make([]string, len(m.selection.Classes))
		for i, name := range m.selection.Classes {
			names[i] = strings.ReplaceAll(tsv.Escape(name), ",", `\,`)
		}
		for row := range m.Documents() {
			line := append(append(out.AvailableBuffer(), tsv.Escape(string(m.ids.at(row)))...), '\t')
			if m.hasTarget() {
				line = append(line, m.target.at(row)...)
			} else {
				for i, label := range m.labels(row) {
					if i > 0 {
						line = append(line, ',')
					}
					line = append(line, names[label]...)
				}
			}
			_, _ = out.Write(append(line, '\n')) // Flush returns the error
		}
	})
}

// writeText writes a text by fill, buffered.
func (m *Matrix) writeText(w io.Writer, fill func(out *bufio.Writer)) error {
	if m == nil || m.selection == nil || w == nil {
		return usage.Errorf("a nil matrix or a nil writer was given")
	}
	out := bufio.NewWriterSize(w, bufferSize)
	fill(out)
	return out.Flush()
}

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
