// Package tablefile has the file of a [table.Table]: it writes and reads them, adds them up, and joins
// their parts. [FORMAT.md] has the file byte by byte. [Write] and [Decode] take a table as a whole; a
// [File] is read block by block, so that [Merge] and [Join] hold one block of each file. Begin reading
// at [Write], then [File].
//
// [FORMAT.md]: https://github.com/termsift/termsift/blob/main/FORMAT.md
package tablefile
