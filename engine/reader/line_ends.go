package reader

import (
	"bufio"
	"bytes"
	"io"
)

// This file reads the line ends of the first Macintoshes, which spreadsheets there still write.

// withLineFeeds returns a reader of what in has with LF for CR, if CR alone ends the lines of
// its first bytes.
func (s *Source) withLineFeeds(in *bufio.Reader) *bufio.Reader {
	prefix, _ := peek(in, longPrefix)
	if !endsByCR(prefix) || s.opt.Format == Parquet || looksLikeParquet(prefix, false) {
		return in
	}
	return bufio.NewReaderSize(feedReader{in}, bufferBytes)
}

// endsByCR reports whether a prefix has CR and no LF. In JSON CR is white space, and ends a line
// only if it follows an object.
func endsByCR(prefix []byte) bool {
	if bytes.IndexByte(prefix, '\n') >= 0 || bytes.IndexByte(prefix, '\r') < 0 {
		return false
	}
	text := bytes.TrimLeft(prefix, " \t\r")
	if !looksLikeJSON(text, false) {
		return true
	}
	return bytes.HasPrefix(bytes.TrimLeft(text[objectLength(text):], " \t"), []byte{'\r'})
}

// A feedReader reads CR as LF. The characters of no charset have the byte of CR in them.
type feedReader struct{ r io.Reader }

func (f feedReader) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	feed(p[:n])
	return n, err
}

func feed(data []byte) {
	for i, c := range data {
		if c == '\r' {
			data[i] = '\n'
		}
	}
}
