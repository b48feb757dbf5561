package reader

import (
	"bytes"
	"fmt"
	"io"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
)

// A boundedReader returns an [Error] instead of bytes after a limit.
type boundedReader struct {
	r     io.Reader
	name  string
	flag  string // that raises the limit
	limit int64
	size  int64 // so far
}

func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.size += int64(n); b.size > b.limit {
		return 0, &Error{
			Pos: document.Position{File: b.name}, Problem: fmt.Sprintf("the input has more than %d bytes", b.limit),
			Remedy: "if it has an end, raise the limit with " + b.flag,
		}
	}
	return n, err
}

// ReadList reads a file of names to its end, without the mark of UTF-8 at its beginning. More
// bytes than the limit are an error that names flag as what raises the limit, since a device or
// a pipe may have no end. The mark of UTF-16 or a zero byte is an error too: no list of names
// has one.
func ReadList(r io.Reader, name, flag string, limit int64) ([]byte, error) {
	data, err := io.ReadAll(&boundedReader{r: r, name: name, flag: flag, limit: limit})
	if err != nil {
		return nil, err
	}
	problem := ""
	if at := indexOrEnd(data, 0); charset.IsUTF16(data) {
		problem = "it is UTF-16"
	} else if at < len(data) {
		problem = fmt.Sprintf("byte %d is zero", at+1)
	}
	if problem != "" {
		return nil, &Error{Pos: document.Position{File: name}, Problem: "the list is no text: " + problem, Remedy: "write one name a line, in UTF-8"}
	}
	return bytes.TrimPrefix(data, charset.Mark), nil
}
