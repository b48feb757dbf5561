// Package indexfile has the file of an index: it writes and opens them, verifies what it reads, and
// merges them without making the index of the result. [FORMAT.md] has the file byte by byte. An opened
// file is mapped; lists and columns are verified and unpacked when they are first read. Begin reading at
// [Write] and [Open], then [Merge].
//
// [FORMAT.md]: https://github.com/termsift/termsift/blob/main/FORMAT.md
package indexfile
