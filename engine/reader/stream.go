package reader

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/termsift/termsift/engine/document"
)

const (
	bufferBytes = 1 << 18
	prefixBytes = 512     // decides, as a rule
	longPrefix  = 1 << 16 // where a comment or white space fills the first
)

// stream unwraps the compression of an input and cuts what is inside.
func (s *Source) stream(name string, r io.Reader, out func(frame) error) error {
	pos := document.Position{File: name}
	packed := s.buffered(inputReader{s.ctx, name, r})
	defer s.recycle(packed)
	in, closing, err := s.decompressed(pos, packed)
	if err != nil {
		return err
	}
	defer closing()
	prefix, err := peek(in, prefixBytes)
	if err != nil && len(prefix) == 0 {
		return s.failure(pos, "the input breaks off", err)
	}
	if s.opt.Format == Tar || isTar(prefix) {
		return s.tar(name, in, out)
	}
	if s.opt.Format == Tree {
		return &Error{Pos: pos, Problem: "a tree must be a directory or an archive, this is a file", Remedy: "leave --input-format away"}
	}
	in = unmarked(in)
	l, prefix, err := s.layout(name, in)
	switch {
	case err != nil:
		return s.failure(pos, "the input breaks off", err)
	case l != nil:
		return s.cut(name, in, l.open(s, name), out)
	case len(bytes.TrimSpace(prefix)) == 0:
		return nil // an empty file has no documents
	}
	return &Error{
		Pos: document.Position{File: name, Line: 1}, Problem: "the format is not known", Bytes: string(prefix[:min(len(prefix), 60)]),
		Remedy: fmt.Sprintf("name it with --input-format, one of %v", Formats()[1:]),
	}
}

// layout gives the layout that was asked for, or else tells it from a prefix,
// which it returns as well. An error counts only where the layout stays
// unknown; otherwise it comes again when what is before it has been read.
func (s *Source) layout(name string, in *bufio.Reader) (l *layout, prefix []byte, err error) {
	if s.opt.Format != Auto {
		return layoutOf(s.opt.Format), nil, nil
	}
	for _, size := range []int{prefixBytes, longPrefix} {
		prefix, err = peek(in, size)
		if l = detect(name, prefix, len(prefix) < size); l != nil {
			return l, prefix, nil
		}
	}
	return nil, prefix, err
}

// unmarked takes the mark of the byte order off an input. One in UTF-16 becomes
// UTF-8.
func unmarked(in *bufio.Reader) *bufio.Reader {
	prefix, _ := peek(in, 3)
	switch {
	case bytes.HasPrefix(prefix, utf8BOM):
		_, _ = in.Discard(len(utf8BOM)) // they are in the buffer
	case isUTF16(prefix):
		utf16 := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
		return bufio.NewReaderSize(transform.NewReader(in, utf16.NewDecoder()), bufferBytes)
	}
	return in
}

// isUTF16 knows a mark of the byte order of UTF-16.
func isUTF16(prefix []byte) bool {
	return bytes.HasPrefix(prefix, []byte("\xff\xfe")) || bytes.HasPrefix(prefix, []byte("\xfe\xff"))
}

// buffered gives a reader with a buffer, of which a directory of small files needs
// one after the other.
func (s *Source) buffered(r io.Reader) *bufio.Reader {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.readers); n > 0 {
		b := s.readers[n-1]
		s.readers = s.readers[:n-1]
		b.Reset(r)
		return b
	}
	return bufio.NewReaderSize(r, bufferBytes)
}

// recycle takes back what buffered gave.
func (s *Source) recycle(b *bufio.Reader) {
	b.Reset(nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readers = append(s.readers, b)
}
