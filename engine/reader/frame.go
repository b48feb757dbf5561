package reader

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
	"github.com/termsift/termsift/engine/reader/parquet"
)

// frameBytes is the usual length of a frame: long enough that taking one costs a worker
// little, short enough for the caches that workers share.
const frameBytes = 256 << 10

// A frame is a run of input that holds whole documents.
type frame struct {
	number int               // in the order of the input
	pos    document.Position // of the first byte of data, or of the first file
	data   []byte            // goes back to the Source when it is parsed
	// items are the files of a tree, to be opened, or the members of an archive, whose
	// contents are in data.
	items []item
	parse frameParse

	column  int // of the first byte of data, from 1 on
	records int // cut before, where the cutter counts them

	encoding string // of the texts in data; "" = each text decides for itself

	packed, unpacked int64 // of the meter when the frame was cut
}

// A frameParse emits the documents of a frame.
type frameParse func(p *parser, f *frame) error

// place returns the position of the first byte of data, with its column.
func (f *frame) place() document.Position {
	pos := f.pos
	pos.Column = f.column
	return pos
}

// An item is a file of a tree or an archive.
type item struct {
	name     string
	pos      document.Position
	from, to int         // in the data of the frame
	was      fs.FileInfo // of a file of a tree when it was met; nil = not known
}

// cut reads an input of one layout to its end and passes the frames that the cutter makes to out.
// encoding is that of its texts, "" if it is to be found out.
func (in *input) cut(r io.Reader, l *layout, encoding string) error {
	s, c, found := in.s, l.open(in.s, in.name), &charset.Input{Decided: encoding}
	f := frame{pos: document.Position{File: in.name, Line: 1}, column: 1, data: s.memory.get()}
	f.parse = func(p *parser, f *frame) error { return p.decided(l, c, f) }
	for end := false; ; {
		var err error
		if f.data, err = fill(r, f.data); err != nil {
			end = true
			if errors.Is(err, io.EOF) {
				err = nil
			}
		}
		if !in.decide(found, f.data, end) {
			f.data = slices.Grow(f.data, len(f.data))
			continue
		}
		f.encoding = found.Encoding()
		n, cutErr := c.cut(&f, end && err == nil)
		switch {
		case cutErr != nil:
			return cutErr
		case n > 0:
			rest := append(s.memory.get(), f.data[n:]...)
			next := placeIn(f.data, n, f.place())
			whole := f
			whole.data = f.data[:n]
			if err := in.out(whole); err != nil {
				return err
			}
			f.pos.Line, f.column = next.Line, next.Column
			f.data = rest
			found.Moved(n)
		case int64(len(f.data)) > s.opt.MaxDocument+s.opt.MaxLine:
			return s.opt.tooLarge(f.pos, "document has")
		case !end:
			f.data = slices.Grow(f.data, len(f.data))
		}
		if err != nil {
			return s.failure(f.pos, "the input breaks off", err)
		}
		if end && (n == 0 || len(f.data) == 0) {
			s.memory.put(f.data)
			return nil
		}
	}
}

// fill reads until data is as long as its capacity or an error occurs, such as io.EOF.
func fill(in io.Reader, data []byte) ([]byte, error) {
	for len(data) < cap(data) {
		n, err := in.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err != nil {
			return data, err
		}
	}
	return data, nil
}

// placed gives an Error that is nowhere a position, and returns the error.
func placed(err error, pos document.Position) error {
	if e, ok := errors.AsType[*Error](err); ok && e.Pos == nowhere {
		e.Pos = pos
	}
	return err
}

// A memory keeps the buffers of frames that nobody uses. Any goroutine may use it.
type memory struct{ free sync.Pool }

// get returns an empty slice with room for a frame.
func (m *memory) get() []byte {
	if b, ok := m.free.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return make([]byte, 0, frameBytes)
}

// put takes back what get returned, unless a long document has grown it.
func (m *memory) put(b []byte) {
	if cap(b) >= frameBytes && cap(b) <= 4*frameBytes {
		m.free.Put(&b)
	}
}

const (
	bufferBytes = 1 << 18
	prefixBytes = 512     // decides, as a rule
	longPrefix  = 1 << 16 // where a comment or white space fills the first
)

// stream reads an input, decompressed, and passes the frames of what it holds to out.
func (in *input) stream(r io.Reader) error {
	s, pos := in.s, in.pos()
	file, _ := r.(*os.File)
	if file != nil { // it ends where it ends now, but for those of /proc, which say that they are empty
		info, err := file.Stat()
		if err != nil {
			return err
		}
		if info.Size() > 0 {
			r = io.LimitReader(r, info.Size())
		}
	}
	packed := buffered(inputReader{s.ctx, in.name, r, in.meter})
	defer recycle(packed)
	inside, closing, err := s.decompressed(pos, in.meter, packed)
	if err != nil {
		return err
	}
	defer closing()
	prefix, err := peek(inside, prefixBytes)
	if err != nil && len(prefix) == 0 {
		return s.failure(pos, "the input breaks off", err)
	}
	if kind := ownKind(prefix); kind != "" {
		// Commands that accept such a file in place of text have opened it by its name before the reader sees it.
		return wrong(pos, "raw text is read here, and this is no text but the kind of file: "+kind, "",
			"a command that takes it needs it as a file of its own, neither packed nor by a pipe")
	}
	archive := archiveWalk{folders: newFolders(in), holds: map[string]int{}, late: map[string]int{}}
	if s.opt.Format == Tar || isTar(prefix) {
		return archive.tar(inside)
	}
	if inside != packed {
		file = nil
	}
	if isZip(prefix) {
		return archive.zip(inside, file)
	}
	if kind := foreignKind(prefix); kind != "" {
		return isKnown(pos, kind)
	}
	if s.opt.Format == Tree {
		return wrong(pos, "a tree must be a directory or an archive, this is a file", "", "omit --input-format")
	}
	text, encoding := s.utf8Input(in.name, inside)
	text = withLineFeeds(text, s.opt.Format)
	if text != inside && s.opt.Format != Parquet {
		file = nil // it has other bytes than the text
	}
	l, prefix, err := s.opt.layout(in.name, text)
	plain := notText(prefix, false) == ""
	switch {
	case err != nil:
		return s.failure(pos, "the input breaks off", err)
	case l != nil:
		return in.framesOf(l, text, encoding, file)
	case len(bytes.TrimSpace(prefix)) == 0:
		return nil // an empty file has no documents
	case plain && s.opt.LabelFrom == fromFile:
		return in.framesOf(&linesLayout, text, encoding, file)
	case plain && (s.opt.Unlabelled || s.opt.OptionalLabels && layoutByName(in.name) == nil):
		s.note("%s: its format is not known, and every line is taken as a document", in.name)
		return in.framesOf(&linesLayout, text, encoding, file)
	}
	pos.Line = 1
	unknown := wrong(pos, "the format is not known", prefix[:min(len(prefix), 60)], fmt.Sprintf("name it with --input-format, one of %v", Formats()[1:]))
	if plain {
		unknown.Remedy += "; as lines of plain text it has no classes: put the texts of each class into a folder of its name"
		return unknown.forClasses()
	}
	return unknown
}

// framesOf passes the frames of an input of one layout to out. encoding is what utf8Input says.
// file is the input itself if that is a file with the bytes that r has.
func (in *input) framesOf(l *layout, r *bufio.Reader, encoding string, file *os.File) error {
	if l.frames != nil {
		return l.frames(in, r, file)
	}
	if !l.fields {
		if err := in.s.opt.checkTargetOf(in.pos(), fmt.Sprintf("the format %s has", l.format)); err != nil {
			return err
		}
	}
	return in.cut(r, l, encoding)
}

// layout returns the layout that the options ask for or, with Auto, that the first bytes
// show; it returns these as well. An error of reading them is returned only if the layout
// stays unknown: otherwise it occurs again when the bytes before it have been read.
func (o *Options) layout(name string, in *bufio.Reader) (l *layout, prefix []byte, err error) {
	if o.Format != Auto {
		return layoutOf(o.Format), nil, nil
	}
	for _, size := range []int{prefixBytes, longPrefix} {
		prefix, err = peek(in, size)
		if l = detect(name, prefix, len(prefix) < size); l != nil {
			return l, prefix, nil
		}
	}
	return nil, prefix, err
}

// bufferedReaders has those readers that nobody uses. A directory of small files needs one after the
// other.
var bufferedReaders = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, bufferBytes) }}

// buffered returns a buffered reader of r, which recycle takes back.
func buffered(r io.Reader) *bufio.Reader {
	b := bufferedReaders.Get().(*bufio.Reader)
	b.Reset(r)
	return b
}

// recycle takes back what buffered gave.
func recycle(b *bufio.Reader) {
	b.Reset(nil)
	bufferedReaders.Put(b)
}

// peek returns the next size bytes without consuming them; fewer only at the end of the
// input or with an error.
func peek(in *bufio.Reader, size int) ([]byte, error) {
	prefix, err := in.Peek(size)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return prefix, err
}

// What follows reads the line ends of the first Macintoshes, which spreadsheets there still write.

// withLineFeeds returns a reader of what in has with LF for CR, if CR alone ends the lines of
// its first bytes.
func withLineFeeds(in *bufio.Reader, format string) *bufio.Reader {
	prefix, _ := peek(in, longPrefix)
	if !endsByCR(prefix) || format == Parquet || parquet.Begins(prefix) {
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
	for i, c := range p[:n] {
		if c == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// utf8Input is [charset.Open] with a note for UTF-16 without a mark.
func (s *Source) utf8Input(name string, in *bufio.Reader) (utf *bufio.Reader, encoding string) {
	utf, encoding, bare := charset.Open(in, s.opt.Charset)
	if bare != "" {
		s.note("%s: it has no mark, and was read as %s; --charset says otherwise", name, bare)
	}
	return utf, encoding
}

// decide decides what an input is in by the data at hand. It returns false if more data is needed.
func (in *input) decide(found *charset.Input, data []byte, end bool) bool {
	doubt, ok := found.Look(data, end)
	if doubt != nil {
		remark := doubtful(doubt, in.pos()).of(doubt.Kind() + ", as a whole")
		remark.guessed = found.Encoding()
		in.s.mu.Lock()
		defer in.s.mu.Unlock()
		in.s.total.remarks.found(in.meter.frame, remark)
	}
	return ok
}
