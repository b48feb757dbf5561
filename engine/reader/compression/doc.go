// Package compression reads what gzip, zstd, xz and bzip2 compressed.
//
// It takes a buffered reader and gives one of what comes out, decompressed side by side by
// the goroutines of its caller where the input consists of blocks. Begin reading at kinds.go,
// then blocks.go. The package never starts a goroutine, and never takes more memory than the
// limit of a window says.
package compression
