// Package reader turns files into documents.
//
// It takes paths and gives a [document.Stream] or [document.Batches]. It reads directory
// trees with a folder for each class, of texts and documents of word processors, the same inside
// tar and zip, and files of many documents (JSON, Parquet, svmlight, Reuters SGML, CSV and
// others), alone, in directories and in archives. Compression and format are detected from the first bytes.
//
// Begin reading at source.go. An input is cut into frames by one goroutine, in order
// (frame.go); frames are parsed independently of each other by any number of goroutines
// (parser.go). A format is one file format_*.go, which has its layout, and its constant in formats.go.
//
// The package never counts terms, never writes a file, and never keeps a document.
package reader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/compression"
)

// A Source reads inputs in their order. It can be read once, by Batches, Documents
// or Survey.
type Source struct {
	ctx     context.Context
	inputs  []string
	opt     Options
	classes map[string]bool // Options.Classes; nil = all
	qrels   qrels           // nil = none
	meter   meter           // of the goroutine that cuts
	sizes   []int64
	size    int64 // of the inputs; 0 if it is not known

	taken   atomic.Int64 // bytes of the inputs that were read
	memory  memory
	parsers sync.Pool // that nobody uses

	mu      sync.Mutex // around what follows
	labels  map[string]labelOrigin
	broken  int // number of the first frame that failed
	total   tally
	ledger  ledger
	notes   []string
	folders map[string]bool // at the top, seen while looking for a split
}

// Read checks the options and that the inputs are there; it opens none. "-" is
// standard input. An input that is missing gives an fs.PathError.
func Read(ctx context.Context, inputs []string, opt Options) (*Source, error) {
	if err := opt.complete(); err != nil {
		return nil, err
	}
	sizes, size, err := sizesOf(inputs)
	if err != nil {
		return nil, err
	}
	known, err := readQrels(ctx, opt)
	if err != nil {
		return nil, err
	}
	s := &Source{
		ctx: ctx, inputs: inputs, opt: opt, qrels: known,
		labels: map[string]labelOrigin{}, total: newTally(), folders: map[string]bool{}, sizes: sizes, size: size, broken: math.MaxInt,
	}
	if opt.Classes != nil {
		s.classes = map[string]bool{}
		for _, class := range opt.Classes {
			s.classes[class] = true
		}
	}
	s.meter = meter{limit: opt.MaxExpansion, read: &s.taken}
	return s, nil
}

// Progress returns the number of bytes of the inputs that have been read, compressed as they
// may be, and the number that there are: 0 if that is not known, as of standard input, a pipe
// or a directory. It may be called at any time, by any goroutine.
func (s *Source) Progress() (taken, size int64) {
	return s.taken.Load(), s.size
}

// errStop ends a stream whose consumer has seen enough.
var errStop = errors.New("stop")

// Batches yields the documents of all inputs in order, some at a time. The batches may be
// read by any goroutines. A document's slices are reused for the next one of its batch. A
// batch ends at its first error. Summary and Check are complete when all batches have been
// read.
func (s *Source) Batches() document.Batches {
	return func(yield func(document.Stream, error) bool) {
		number, stopped := 0, false
		err := s.frames(func(f frame) error {
			if stopped {
				return errStop
			}
			f.number, f.packed, f.unpacked = number, s.meter.packed, s.meter.unpacked
			number++
			s.meter.frame = number
			if stopped = !yield(s.batch(f), nil); stopped {
				return errStop
			}
			return nil
		})
		if err != nil && !stopped {
			yield(nil, err)
		}
	}
}

// Documents yields the documents of all inputs in order. A document's slices are
// reused for the next one. The stream ends at the first error.
func (s *Source) Documents() document.Stream {
	return func(yield func(document.Document, error) bool) {
		for batch, err := range s.Batches() {
			if err != nil {
				yield(document.Document{}, err)
				return
			}
			for d, err := range batch {
				if !yield(d, err) || err != nil {
					return
				}
			}
		}
		if err := s.Check(); err != nil {
			yield(document.Document{}, err)
		}
	}
}

// batch returns the documents of a frame as a stream.
func (s *Source) batch(f frame) document.Stream {
	return func(yield func(document.Document, error) bool) {
		err := s.parse(f, func(d document.Document) error {
			if !yield(d, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(document.Document{}, err)
		}
	}
}

// frames cuts all inputs, in order.
func (s *Source) frames(out func(frame) error) error {
	behind := int64(0)
	for _, size := range s.sizes {
		behind += size
	}
	for i, input := range s.inputs {
		behind -= s.sizes[i]
		var err error
		if s.leftToOne(i, behind) {
			s.meter.packed += s.sizes[i]
			err = out(frame{pos: document.Position{File: input}, parse: parseWhole})
		} else {
			err = s.open(input, &s.meter, out)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// open cuts one input, counted by a meter.
func (s *Source) open(name string, m *meter, out func(frame) error) error {
	in := &input{s, name, m, out}
	if name == "-" {
		in.name = "stdin" // in documents and errors
		if s.opt.Stdin == nil {
			return in.pumped(os.Stdin)
		}
		return in.pumped(s.opt.Stdin)
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return in.tree()
	case !info.Mode().IsRegular():
		return in.pumped(file)
	}
	in.out = func(f frame) error {
		parse := f.parse
		f.parse = func(p *parser, f *frame) error {
			err := parse(p, f)
			if now, statErr := os.Stat(name); err != nil && statErr == nil && os.SameFile(info, now) {
				err = unchanged(s, name, info, now, err)
			}
			return err
		}
		return out(f)
	}
	err = in.stream(file)
	now, statErr := file.Stat()
	if statErr != nil {
		return cmp.Or(err, statErr)
	}
	return unchanged(s, name, info, now, err)
}

// What follows leaves compressed inputs to one worker each, so that several are decompressed side
// by side: an input is one frame, whose documents come where its place is, and nothing of it
// is held back. What is not compressed is cut, which takes little time and keeps all workers
// busy to its end.

// sizesOf returns the sizes of the inputs in bytes, 0 for what is no regular file, and their sum, 0 if
// one of them is none. It is an error if one is missing.
func sizesOf(inputs []string) (sizes []int64, all int64, err error) {
	sizes = make([]int64, len(inputs))
	known := !slices.Contains(inputs, "-")
	for i, input := range inputs {
		if input == "-" {
			continue
		}
		info, err := os.Stat(input)
		if err != nil {
			return nil, 0, err
		}
		if info.Mode().IsRegular() {
			sizes[i] = info.Size()
		}
		all += sizes[i]
		known = known && info.Mode().IsRegular()
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

// errEarlier ends what is read of an input when an earlier one has an error, which is
// reported.
var errEarlier = errors.New("an input before this one has an error")

// Check returns an error that wraps [ErrEmpty] if a stream that has ended had no documents, and
// an [Error] if most rows of its CSV were left out.
func (s *Source) Check() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.total.textless; err != nil && s.total.inFolders == 0 {
		return err
	}
	if s.total.documents > 0 {
		return s.total.mostRagged()
	}
	where := strings.Join(s.inputs, ", ")
	var why []string
	for _, reason := range slices.Sorted(maps.Keys(s.total.skipped)) {
		why = append(why, fmt.Sprintf("%d: %s", s.total.skipped[reason], reason))
	}
	for _, p := range s.total.problems.sorted() {
		why = append(why, fmt.Sprintf("%d: %s, the first is %v", p.Count, p.Kind, p.Places[0]))
	}
	if len(why) > 0 {
		where += " (" + strings.Join(why, ", ") + ")"
	}
	if s.total.skipped[outsideReason] > 0 {
		where += "; --label-from none reads texts without classes from any folder"
	}
	if s.opt.Split == "" {
		if s.opt.Target != "" && s.total.unlabelled != nil {
			where += "; " + s.labelHint()
		}
		return fmt.Errorf("%w in %s", ErrEmpty, where)
	}
	what, seen := "folders at its top", s.folders
	if len(s.total.splits) > 0 {
		what, seen = "the splits it has", s.total.splits
	}
	names := slices.Sorted(maps.Keys(seen))
	return fmt.Errorf("%w: %s has nothing for --split %s; %s: %s",
		ErrEmpty, where, s.opt.Split, what, strings.Join(names[:min(len(names), mostSplits)], " "))
}

// note adds a note to the Summary.
func (s *Source) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// skip counts a file or member that is no document, by the reason.
func (s *Source) skip(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total.skipped[reason]++
}
