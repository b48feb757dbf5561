// Package evidence shows where terms occur: the documents that have a term most often, and
// lines of text around its occurrences.
//
// [Documents] takes a corpus and a term, [Lines] batches of documents and searches: terms, or patterns with
// wildcards. Begin reading with these, in documents.go and lines.go; pattern.go says what a pattern is, query.go
// finds all searches at once, sample.go draws lines.
//
// The package never keeps a text, and finds tokens as package analysis does.
package evidence
