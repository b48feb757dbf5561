// Package store has the files of indexes and of tables: it writes and opens them, verifies what it reads, and
// merges them. Both are one container, [FORMAT.md] has it byte by byte. An opened index is mapped; lists and columns are
// verified and unpacked when they are first read. A [TableFile] is read block by block, so that [MergeTables]
// holds one block of each file. Begin reading at [Write] and [Open], then [Merge].
//
// [FORMAT.md]: https://github.com/termsift/termsift/blob/main/FORMAT.md
package store
