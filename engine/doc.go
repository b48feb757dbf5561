// Package engine finds the terms that matter in labelled text: it counts every
// term in every class, scores the terms by the measures of the field, selects,
// and hands the reduced data on. It is the face of the rooms below it, with what a
// first program needs:
//
//	documents → [Build] → [Corpus] → [Rank] → [Ranking]
//	                      [Corpus] → [Select] → [Selection] → [Transform] → rows
//
// The rooms, from the text to the results:
//
//	text       document  reader  analysis       what is read, and how it becomes terms
//	counts     table  ingest  store  corpus     what is counted
//	scores     score  rank                      values of terms, their order, p-values
//	selection  selection  bestterms             terms chosen; a room for each paper's
//	           redundancy  projection           algorithm
//	reduced    vectors                          documents over selected terms, and writers
//	studies    compare  resample  keyness       do measures agree, is a selection stable,
//	           evidence                         what has one corpus more of, and where
//	worth      classify  evaluate  report       what a selection is worth to classifiers
//	common     usage  files  tsv  pool          errors for people, files, tables, goroutines
//
// Corpora, statistics, rankings and selections are immutable once built and safe for
// concurrent use; a [Transformer] and the writers of package vectors belong to one
// goroutine. Options are structs whose zero value is right. Long calls take a context and
// return its cause within milliseconds of its end. Results do not depend on the number of
// threads or on the CPU. Errors are of four kinds, see package usage.
//
// The package reads no files of text; package reader does, and yields the stream that
// Build takes. So does any iterator of your own.
package engine
