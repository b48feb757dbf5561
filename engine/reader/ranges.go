package reader

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
	"github.com/termsift/termsift/engine/reader/compression"
	"github.com/termsift/termsift/engine/usage"
)

// This file leaves a file of lines to the workers in ranges of bytes. A range has the lines that
// begin in it. Who parses it reads it, so that no goroutine reads all; how many lines are before it,
// and what their texts are in, follows from the ranges before, which others have at hand.

// lineTail is the number of bytes behind a range that are read with it, for its last line.
const lineTail = 4 << 10

// A lineFile is a file whose lines are documents.
type lineFile struct {
	s      *Source
	name   string
	layout *layout
	file   *os.File
	was    fs.FileInfo  // when it was opened
	users  atomic.Int64 // frames to be parsed, and the goroutine that cuts; the last closes the file
	start  int64        // of the first line
}

// A lineRange is a range of the bytes of a file.
type lineRange struct {
	*lineFile
	from, to int64
	number   int // of its frame

	look  sync.Once // sets what follows
	lines int       // line ends in its lines
	other int64     // the place of its first byte that is no ASCII; -1 = none
	err   error     // of reading it

	pass   sync.Once // sets what follows
	prior  *lineRange
	before passed
	after  passed
}

// passed is what is known of a file up to a place.
type passed struct {
	lines    int
	encoding string // of its texts; "" while all is ASCII
	err      error
}

// ranges passes a file of lines to out in ranges, from the place on where in reads. It reports false if
// that cannot be done: the file is not there any more to be opened again, or its size is not true.
func (s *Source) ranges(name string, m *meter, l *layout, in *bufio.Reader, encoding string, file *os.File, out func(frame) error) (bool, error) {
	own, was := reopened(file)
	if own == nil {
		return false, nil
	}
	size := was.Size()
	at, err := file.Seek(0, io.SeekCurrent)
	if err != nil || at > size { // it grows, or it is one of those that say they are empty
		return false, own.Close()
	}
	f := &lineFile{s: s, name: name, layout: l, file: own, was: was, start: at - int64(in.Buffered())}
	f.users.Add(1)
	defer f.release()
	m.take(-in.Buffered()) // it is read again
	prior := &lineRange{after: passed{encoding: encoding}}
	prior.pass.Do(func() {})
	for from := f.start; from < size; from = prior.to {
		r := &lineRange{lineFile: f, from: from, to: min(from+frameBytes-lineTail, size), number: m.frame, prior: prior}
		m.take(int(r.to - from))
		f.users.Add(1)
		if err := out(frame{pos: document.Position{File: name, Line: 1}, column: 1, parse: r.parse}); err != nil {
			return true, err
		}
		prior = r
	}
	return true, nil
}

// reopened opens a file once more, so that it is there for the workers when the first one is closed, and
// returns what is known of it; nil if that is another file by now.
func reopened(file *os.File) (again *os.File, was fs.FileInfo) {
	was, err := file.Stat()
	if err != nil || !was.Mode().IsRegular() {
		return nil, nil
	}
	if again, err = os.Open(file.Name()); err != nil {
		return nil, nil
	}
	if is, err := again.Stat(); err != nil || !os.SameFile(was, is) {
		_ = again.Close() // it was only read
		return nil, nil
	}
	return again, was
}

// release says that one user of the file needs it no more.
func (f *lineFile) release() {
	if f.users.Add(-1) == 0 {
		_ = f.file.Close() // it was only read
	}
}

// parse emits the documents of the range.
func (r *lineRange) parse(p *parser, f *frame) error {
	defer r.release()
	room, lines, at, err := r.read(r.s.memory.get())
	defer func() { r.s.memory.put(room) }()
	if err := unchanged(r.s, r.name, r.file, r.was, nil); err != nil {
		return err
	}
	r.look.Do(func() { r.examine(lines, at, err) })
	if r.passed(); r.after.err != nil {
		return r.s.failure(f.pos, "the input breaks off", r.after.err)
	}
	own := *f
	own.pos.Line += r.before.lines
	own.data, own.encoding = lines, cmp.Or(r.after.encoding, charset.ASCII)
	return p.decided(r.layout, lineCutter{r.s}, &own)
}

// passed returns what is known of the file up to the end of the range. It looks at those ranges up to there
// that nobody has looked at.
func (r *lineRange) passed() passed {
	r.pass.Do(func() {
		r.before = r.prior.passed()
		r.prior = nil // which would keep all ranges in memory
		r.look.Do(func() {
			room, lines, at, err := r.read(r.s.memory.get())
			r.examine(lines, at, err)
			r.s.memory.put(room)
		})
		r.after = passed{r.before.lines + r.lines, r.before.encoding, cmp.Or(r.before.err, r.err)}
		if r.after.encoding == "" && r.other >= 0 && r.after.err == nil {
			r.after.encoding, r.after.err = r.decide()
		}
	})
	return r.after
}

// examine notes what there is to know of the lines of the range, which begin at a place of the file.
func (r *lineRange) examine(lines []byte, at int64, err error) {
	r.lines, r.other, r.err = bytes.Count(lines, []byte{'\n'}), -1, err
	if ascii := charset.ASCIILength(lines); ascii < len(lines) {
		r.other = at + int64(ascii)
	}
}

// decide decides what the texts of the file are in, by the first byte that is no ASCII and those behind it.
func (r *lineRange) decide() (encoding string, err error) {
	data, ended, err := r.more(nil, max(r.other-64, r.start), frameBytes) // with the front of its word
	if err != nil {
		return "", err
	}
	found := charset.NewInput("")
	r.s.decide(found, data, ended, document.Position{File: r.name}, r.number) // so much is enough
	return found.Encoding(), nil
}

// read reads the lines that begin in the range: they are part of all that it read, and begin at a place
// of the file. Of a line that is too long it reads enough to tell.
func (r *lineRange) read(room []byte) (all, lines []byte, at int64, err error) {
	from := r.from
	if from > r.start {
		from-- // whether a line begins in the first byte of the range depends on the one before
	}
	all, ended, err := r.more(room, from, frameBytes)
	begin := 0
	if from < r.from {
		begin = bytes.IndexByte(all, '\n') + 1
	}
	if err != nil || from < r.from && begin == 0 || from+int64(begin) >= r.to {
		return all, nil, r.from, err
	}
	end := min(int(r.to-from)-1, len(all)) // of the range's bytes, but for the last
	for n := lineTail; ; n *= 2 {
		if next := bytes.IndexByte(all[end:], '\n'); next >= 0 {
			all = all[:end+next+1]
			break
		}
		if ended || int64(len(all)-end) > r.s.opt.MaxLine {
			break
		}
		if all, ended, err = r.more(all, from, n); err != nil {
			return all, nil, r.from, err
		}
	}
	return all, all[begin:], from + int64(begin), nil
}

// more reads up to n bytes behind those of data, which are at a place of the file. It reports whether the
// file has ended.
func (f *lineFile) more(data []byte, at int64, n int) (all []byte, ended bool, err error) {
	if f.s.ctx.Err() != nil {
		return data, false, usage.Cause(f.s.ctx)
	}
	all = slices.Grow(data, n)
	read, err := f.file.ReadAt(all[len(data):len(data)+n], at+int64(len(data)))
	if errors.Is(err, io.EOF) {
		ended, err = true, nil
	}
	return all[:len(data)+read], ended, err
}

// What follows leaves compressed inputs to one worker each, so that several are decompressed side
// by side: an input is one frame, whose documents come where its place is, and nothing of it
// is held back. What is not compressed is cut, which takes little time and keeps all workers
// busy to its end.

// sizesOf returns the sizes of the inputs in bytes, 0 for what is no regular file, and their sum, 0 if
// one of them is none. It is an error if one is missing.
func sizesOf(inputs []string) (sizes []int64, all int64, err error) {
	sizes = make([]int64, len(inputs))
	known := true
	for i, input := range inputs {
		if input == "-" {
			known = false
			continue
		}
		info, err := os.Stat(input)
		if err != nil {
			return nil, 0, err
		}
		if !info.Mode().IsRegular() {
			known = false
			continue
		}
		sizes[i] = info.Size()
		all += info.Size()
	}
	if !known {
		all = 0
	}
	return sizes, all, nil
}

// leftToOne reports whether an input is left to one worker. The inputs behind it, of so many bytes, must be as
// large, so that others have work in the meantime. Threads play no part: what is left to whom
// decides what the limit of expansion compares with what.
func (s *Source) leftToOne(i int, behind int64) bool {
	if own := s.sizes[i]; own == 0 || own > behind || own > s.opt.WholeFiles {
		return false
	}
	file, err := os.Open(s.inputs[i])
	if err != nil {
		return false // it is opened again
	}
	defer file.Close()
	prefix := make([]byte, prefixBytes)
	n, _ := io.ReadFull(file, prefix) // likewise
	return compression.Of(prefix[:n]) != nil
}

// leave passes an input to out as a frame that a worker opens.
func (s *Source) leave(i int, out func(frame) error) error {
	size := int(s.sizes[i])
	s.meter.take(size)
	s.left += int64(size)
	return out(frame{pos: document.Position{File: s.inputs[i]}, parse: func(p *parser, f *frame) error {
		p.meter.read = &s.readByWorkers
		defer func() { p.meter.read = nil }()
		return parseWhole(p, f)
	}})
}

// errEarlier ends what is read of an input when an earlier one has an error, which is
// reported.
var errEarlier = errors.New("an input before this one has an error")

// firstFailure is the number of the first frame that failed, if any.
type firstFailure struct{ number atomic.Int64 }

// failed records that a frame has failed.
func (f *firstFailure) failed(number int) {
	for n := int64(number) + 1; ; {
		first := f.number.Load()
		if first != 0 && first <= n || f.number.CompareAndSwap(first, n) {
			return
		}
	}
}

// before reports whether a frame before this one has failed.
func (f *firstFailure) before(number int) bool {
	first := f.number.Load()
	return first != 0 && first <= int64(number)
}
