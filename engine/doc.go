// Package engine finds the terms that matter in labelled text: it counts every
// term in every class, scores the terms by the measures of the field, selects,
// and passes the reduced data on. It has what a first program needs; the packages below it
// have the rest:
//
//	documents → [Build] → [Corpus] → [Rank] → [Ranking]
//	                      [Corpus] → [Select] → [Selection] → [Transform] → rows
//
// The packages, from the text to the results:
//
//	text       document  reader  analysis       what is read, and how it becomes terms
//	counts     table  ingest  postings  corpus  what is counted: terms in classes, terms in documents
//	           store                            their files
//	           vocabulary  matrix               matrices of texts, and a caller's own
//	scores     score  rank                      values of terms, their order, p-values
//	selection  selection  bestterms             terms chosen; a package for each paper's
//	           projection  methods              algorithm; all of them by name
//	reduced    vectors                          documents over selected terms, and writers
//	studies    compare  rank  words             do measures agree, is a selection stable, what has
//	                                            one corpus more of, which words attract each
//	                                            other, and where
//	worth      learn  report                    what a selection is worth to classifiers
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
