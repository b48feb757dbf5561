// Package evidence shows where terms occur: the documents that have a term most often, and
// lines of text around its occurrences.
//
// [Documents] takes a corpus and a term, [Lines] a stream of documents and terms. Begin
// reading with these, in documents.go and lines.go.
//
// The package never keeps a text, and finds tokens as package analysis does.
package evidence
