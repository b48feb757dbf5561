// Package ingest reads documents, counts their terms on all threads, and makes one index
// of them.
//
// It takes a stream of batches of documents and [Options], and gives a [store.Index]
// ([BuildIndex]) or writes its file ([BuildTo]), together with a [table.Provenance] that says how
// it was made. The index depends neither on how the documents are cut into batches nor on
// the number of threads.
//
// Begin reading with builder in build.go. A worker has a dictionary of its own and
// counts batches (gather.go); the dictionaries are merged (terms.go) and the
// counted batches put one behind the other (join.go). With a bound on memory that is done
// several times, each time the result is moved to a temporary file, a shard, and the
// shards are merged in the end.
//
// Three words: a batch is some consecutive documents, a worker is what one goroutine
// counts with, a shard is an index of some of the documents in a temporary file.
//
// The package never opens or decodes input files, and never scores a term.
package ingest
