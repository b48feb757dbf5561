package vectors

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/tsv"
	"github.com/termsift/termsift/engine/usage"
)

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
		if m.hasTarget() {
			m.writeTargets(out)
			return
		}
		fmt.Fprintf(out, "id\tlabels\n")
		names := make([]string, len(m.selection.Classes))
		for i, name := range m.selection.Classes {
			names[i] = strings.ReplaceAll(tsv.Escape(name), ",", `\,`)
		}
		for row := range m.Documents() {
			line := append(out.AvailableBuffer(), tsv.Escape(string(m.ids.at(row)))...)
			between := byte('\t')
			for _, label := range m.labels(row) {
				line = append(append(line, between), names[label]...)
				between = ','
			}
			if between == '\t' {
				line = append(line, between)
			}
			_, _ = out.Write(append(line, '\n')) // Flush returns the error
		}
	})
}

// writeTargets writes the table of the rows with their numbers.
func (m *Matrix) writeTargets(out *bufio.Writer) {
	fmt.Fprintf(out, "id\ttarget\n")
	for row := range m.Documents() {
		line := append(out.AvailableBuffer(), tsv.Escape(string(m.ids.at(row)))...)
		line = append(append(line, '\t'), m.target.at(row)...)
		_, _ = out.Write(append(line, '\n')) // Flush returns the error
	}
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
