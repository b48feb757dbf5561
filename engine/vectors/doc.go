// Package vectors turns documents into rows of weights over selected terms, and writes
// rows for other programs.
//
// It takes a [selection.Selection] and the name of a weighting. A [Transformer] gives the
// [Row] of raw documents or of those of a [corpus.Corpus]; [Gather] reads a corpus once for
// many numbers of terms and weightings. [Transformer.CSR] makes its rows one matrix, and
// [Transformer.WriteSVMLight] text, on several threads; [Transformer.WriteBatches] does so for raw
// documents. [WriteSVMLight] and [WriteJSONLines] write rows as they come; a [Matrix] holds rows
// and writes the arrays of numpy and scipy, and Matrix Market with tables of its columns and rows.
//
// Begin reading with transform.go, and with write.go for the formats. elements.go and
// packed.go turn the posting lists of a corpus into its documents, order.go puts the elements of a
// raw one in order, svmlightthreads.go shares the lines among threads.
//
// The package never selects terms: N, df and the classes are those of the selection.
package vectors
