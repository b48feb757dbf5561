// Package table has the counts of terms in classes: all that a measure reads. A [Table] has the
// names of terms and classes, [Cells] by columns, their [Margins], and a [Provenance] says how the
// documents were read. Tables add, subtract, and drop rare terms. Begin reading at [Table], then
// [Cells] and [Tile]. The package knows no documents, and computes no measure.
package table
