// Package engine finds the terms that matter in labelled text: it counts every
// term in every class, scores the terms by the measures of the field, selects,
// and hands the reduced data on.
//
// The steps and their types:
//
//	documents → [Build] → [Corpus] → Statistics → [Statistics.Rank] → [Ranking]
//	                      [Corpus] → Select → [Selection] → [NewTransformer] → rows
//
// All of them are immutable once built and safe for concurrent use, except
// [Builder], [Transformer] and [SVMLightWriter], which belong to one goroutine.
// Options are structs whose zero value is right. Long calls take a context and
// return its cause within milliseconds of its end. Results do not depend on the
// number of threads or on the CPU.
//
// The package reads no files of text; package engine/reader does, and yields
// the stream that Build takes. So does any iterator of your own.
package engine
