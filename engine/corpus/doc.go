// Package corpus holds a counted, labelled collection of documents. It builds, opens,
// saves, merges and counts such collections, cuts them into parts and compares two of
// them.
//
// It takes documents or files, and returns a [Corpus] and its [table.Table]. Begin reading
// at [Build] and [Corpus.Statistics]. The columns and lists below it are those of package
// postings, which [Corpus.Index] returns; package ingest turns documents into an index. The
// package does not score terms.
package corpus
