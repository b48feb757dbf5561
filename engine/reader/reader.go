// Package reader turns files into documents: directory trees with a folder for
// each class, the same inside tar, JSON lines, and svmlight. Compression and
// format are told from the first bytes.
//
// A format is one file of this package and one line in the table of formats.
package reader

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/termsift/termsift/engine/document"
)

// Options say how to read. The zero value detects the format and the charset
// and takes every document.
type Options struct {
	Format Format
	// Split keeps the documents below folders whose name is or ends in "train"
	// or "test", or whose JSON field "split" says so; "" and "all" keep all.
	Split string
	// Charset is "auto" (the default: UTF-8, else Latin-1), "utf-8", "latin-1"
	// or "gb18030".
	Charset string
	// TextField, LabelField and IDField name the fields of JSON lines; the
	// defaults are text, labels and id.
	TextField, LabelField, IDField string
	// MaxDocument and MaxLine are limits in bytes; 0 is 64 MiB and 16 MiB.
	MaxDocument, MaxLine int64
	// Stdin is what the input "-" reads; nil is os.Stdin. It is read ahead, and
	// a read that blocks may outlive an interrupted stream.
	Stdin io.Reader
}

// A Format is a kind of input. The zero value is Auto.
type Format string

// String gives the name that ParseFormat takes.
func (f Format) String() string {
	if f == "" {
		return string(Auto)
	}
	return string(f)
}

// The known formats.
const (
	Auto     Format = "auto"
	Tree     Format = "tree"
	Tar      Format = "tar"
	JSONL    Format = "jsonl"
	SVMLight Format = "svmlight"
)

// Formats lists what ParseFormat takes.
func Formats() []Format { return []Format{Auto, Tree, Tar, JSONL, SVMLight} }

// ParseFormat finds a format by its name; "" is auto.
func ParseFormat(name string) (Format, error) {
	if name == "" {
		return Auto, nil
	}
	if f := Format(name); slices.Contains(Formats(), f) {
		return f, nil
	}
	return "", fmt.Errorf("unknown input format %q; known: %v", name, Formats())
}

var (
	// ErrBadInput marks data that is not what its format says.
	ErrBadInput = errors.New("bad input")
	// ErrEmpty is returned where the inputs hold no document.
	ErrEmpty = errors.New("no documents")
)

// An Error is a problem at a place of an input. It is ErrBadInput, and wraps
// the cause where there is one. A read that fails is no Error but the
// fs.PathError of the operating system.
type Error struct {
	Pos     document.Position
	Problem string
	Bytes   string // what is wrong, as it stands; quoted and cut at 80 bytes
	Remedy  string
	Err     error
}

// Error gives the place, the problem, the offending bytes, the cause and the
// remedy, in this order, as far as they are known.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %s", e.Pos, e.Problem)
	if e.Bytes != "" {
		fmt.Fprintf(&b, ": %q", e.Bytes[:min(len(e.Bytes), 80)])
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	if e.Remedy != "" {
		b.WriteString("; " + e.Remedy)
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is makes every Error an ErrBadInput.
func (e *Error) Is(target error) bool { return target == ErrBadInput }

// A Summary tells what a stream delivered, once it has ended.
type Summary struct {
	Documents int
	Bytes     int64          // of text or lines, as they stood in the input
	Skipped   map[string]int // reason -> number of files or members
	Notes     []string
}

// A Source reads inputs one after another. It serves one stream.
type Source struct {
	ctx     context.Context
	inputs  []string
	opt     Options
	summary Summary

	latin     int             // documents that auto read as Latin-1
	malformed int             // JSON lines that are not UTF-8
	folders   map[string]bool // at the top, seen while looking for a split
	splits    map[string]bool // values of the field "split", seen likewise
	decoder   decoder
	names     map[string]string // labels, each once in memory

	// of the tree or archive that is being read:
	outer map[string]bool // folders that hold folders
	read  map[string]int  // documents delivered from each folder
}

// Read checks the options and that the inputs are there; it opens none. "-" is
// standard input. An input that is missing gives an fs.PathError.
func Read(ctx context.Context, inputs []string, opt Options) (*Source, error) {
	switch opt.Split {
	case "", "all", "train", "test":
	default:
		return nil, fmt.Errorf("unknown split %q; known: all train test", opt.Split)
	}
	d, err := newDecoder(opt.Charset)
	if err != nil {
		return nil, err
	}
	if opt.Format, err = ParseFormat(string(opt.Format)); err != nil {
		return nil, err
	}
	for _, input := range inputs {
		if input == "-" {
			continue
		}
		if _, err := os.Stat(input); err != nil {
			return nil, err
		}
	}
	def := func(value *int64, otherwise int64) {
		if *value <= 0 {
			*value = otherwise
		}
	}
	def(&opt.MaxDocument, 64<<20)
	def(&opt.MaxLine, 16<<20)
	if opt.Split == "all" {
		opt.Split = ""
	}
	return &Source{
		ctx: ctx, inputs: inputs, opt: opt, decoder: d,
		summary: Summary{Skipped: map[string]int{}}, folders: map[string]bool{}, splits: map[string]bool{},
		names: map[string]string{}, outer: map[string]bool{}, read: map[string]int{},
	}, nil
}

// Summary describes the stream after its end.
func (s *Source) Summary() Summary { return s.summary }

// errStop ends a stream whose consumer has seen enough.
var errStop = errors.New("stop")

// Documents yields the documents of all inputs in order. A document's Text is
// reused for the next one. The stream ends at the first error.
func (s *Source) Documents() document.Stream {
	return func(yield func(document.Document, error) bool) {
		for _, input := range s.inputs {
			err := s.open(input, func(d document.Document) error {
				s.summary.Documents++
				if !yield(d, nil) {
					return errStop
				}
				if s.ctx.Err() != nil {
					return context.Cause(s.ctx)
				}
				return nil
			})
			if errors.Is(err, errStop) {
				return
			}
			if err != nil {
				yield(document.Document{}, err)
				return
			}
		}
		if err := s.finish(); err != nil {
			yield(document.Document{}, err)
		}
	}
}

func (s *Source) finish() error {
	if s.latin > 0 {
		s.note("%d documents are not UTF-8 and were read as Latin-1; --charset says otherwise", s.latin)
	}
	if s.malformed > 0 {
		s.note("%d lines are not UTF-8, and what is malformed in them separates words; --charset says otherwise", s.malformed)
	}
	if s.summary.Documents > 0 {
		return nil
	}
	where := strings.Join(s.inputs, ", ")
	if s.opt.Split == "" {
		return fmt.Errorf("%w in %s", ErrEmpty, where)
	}
	what, seen := "folders at its top", s.folders
	if len(s.splits) > 0 {
		what, seen = "values of its field \"split\"", s.splits
	}
	names := slices.Sorted(maps.Keys(seen))
	return fmt.Errorf("%w: %s has nothing for --split %s; %s: %s",
		ErrEmpty, where, s.opt.Split, what, strings.Join(names[:min(len(names), 10)], " "))
}

func (s *Source) note(format string, args ...any) {
	s.summary.Notes = append(s.summary.Notes, fmt.Sprintf(format, args...))
}

// emit hands a document on.
type emit func(document.Document) error

// open delivers one input.
func (s *Source) open(input string, f emit) error {
	if input == "-" {
		stdin := s.opt.Stdin
		if stdin == nil {
			stdin = os.Stdin
		}
		return s.pumped("stdin", stdin, f)
	}
	file, err := os.Open(input)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return s.directory(input, f)
	case info.Mode().IsRegular():
		return s.stream(input, file, f)
	}
	return s.pumped(input, file, f)
}

// directory reads a directory, which can be a tree only.
func (s *Source) directory(input string, f emit) error {
	if s.opt.Format != Auto && s.opt.Format != Tree {
		return &Error{
			Pos: document.Position{File: input}, Problem: fmt.Sprintf("this is a directory, not a file of format %v", s.opt.Format),
			Remedy: "name the files in it, or leave --input-format away to read folders as classes",
		}
	}
	return s.tree(input, f)
}

// pumped reads what may block forever.
func (s *Source) pumped(name string, r io.Reader, f emit) error {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	return s.stream(name, newPump(ctx, r), f)
}

const (
	bufferBytes = 1 << 18
	prefixBytes = 512     // decides, as a rule
	longPrefix  = 1 << 16 // where a comment or white space fills the first
)

// stream unwraps the compression and reads what is inside.
func (s *Source) stream(name string, r io.Reader, f emit) error {
	pos := document.Position{File: name}
	in := bufio.NewReaderSize(inputReader{s.ctx, name, r}, bufferBytes)
	prefix, err := peek(in, prefixBytes)
	if err != nil && len(prefix) == 0 {
		return s.failure(pos, "the input cannot be read", err)
	}
	if kind := compression(prefix); kind == "gzip" {
		z, err := gzip.NewReader(in)
		if err != nil {
			return s.failure(pos, "broken gzip", err)
		}
		defer z.Close()
		in = bufio.NewReaderSize(z, bufferBytes)
	} else if kind != "" {
		return &Error{
			Pos: pos, Problem: kind + " compression is not read",
			Remedy: "decompress it first, for example with " + kind + " -dc FILE | termsift ... -",
		}
	}
	format, prefix, err := s.format(in)
	if err != nil {
		return s.failure(pos, "the input breaks off", err)
	}
	switch format {
	case Tar:
		return s.tar(name, in, f)
	case JSONL:
		return s.lines(name, in, f, s.jsonDocument)
	case SVMLight:
		return s.lines(name, in, f, s.svmlightDocument)
	case Tree:
		return &Error{Pos: pos, Problem: "a tree must be a directory, this is a file", Remedy: "leave --input-format away"}
	}
	if len(bytes.TrimSpace(prefix)) == 0 {
		return nil // an empty file has no documents
	}
	return &Error{
		Pos: document.Position{File: name, Line: 1}, Problem: "the format is not known", Bytes: string(prefix[:min(len(prefix), 60)]),
		Remedy: fmt.Sprintf("name it with --input-format, one of %v", Formats()[1:]),
	}
}

// format gives the format that was asked for, or else tells it from a prefix,
// which it returns as well. An error counts only where the format stays
// unknown; otherwise it comes again when what is before it has been read.
func (s *Source) format(in *bufio.Reader) (format Format, prefix []byte, err error) {
	if s.opt.Format != Auto {
		return s.opt.Format, nil, nil
	}
	for _, size := range []int{prefixBytes, longPrefix} {
		prefix, err = peek(in, size)
		if format = detect(prefix, len(prefix) < size); format != "" {
			return format, prefix, nil
		}
	}
	return "", prefix, err
}

// peek gives the next bytes without taking them, fewer only at the end of the
// input or with an error.
func peek(in *bufio.Reader, size int) ([]byte, error) {
	prefix, err := in.Peek(size)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return prefix, err
}

// failure tells bad data, an Error, from an interruption and from a read that
// failed, which it gives as they are.
func (s *Source) failure(pos document.Position, problem string, err error) error {
	var read *fs.PathError
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	if errors.As(err, &read) || errors.Is(err, ErrBadInput) {
		return err
	}
	return &Error{Pos: pos, Problem: problem, Err: err, Remedy: "it may be damaged or cut: fetch or write it again"}
}

// An inputReader reads an input until its context ends. Its errors are
// fs.PathErrors, so that they are known from those of a format.
type inputReader struct {
	ctx  context.Context
	name string
	r    io.Reader
}

func (i inputReader) Read(p []byte) (int, error) {
	if i.ctx.Err() != nil {
		return 0, context.Cause(i.ctx)
	}
	n, err := i.r.Read(p)
	var known *fs.PathError
	if err != nil && !errors.Is(err, io.EOF) && !errors.As(err, &known) {
		err = &fs.PathError{Op: "read", Path: i.name, Err: err}
	}
	return n, err
}

// compression names the compression that a prefix begins, "" for none.
func compression(prefix []byte) string {
	for _, m := range []struct{ name, magic string }{
		{"gzip", "\x1f\x8b"}, {"zstd", "\x28\xb5\x2f\xfd"}, {"xz", "\xfd7zXZ\x00"}, {"bzip2", "BZh"},
	} {
		if bytes.HasPrefix(prefix, []byte(m.magic)) {
			return m.name
		}
	}
	return ""
}

// detect tells the format from the first bytes; "" for none. Whole says that
// they are all there are.
func detect(prefix []byte, whole bool) Format {
	if len(prefix) >= 262 && string(prefix[257:262]) == "ustar" {
		return Tar
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(prefix, utf8BOM), " \t\r\n")
	if bytes.HasPrefix(text, []byte("{")) {
		return JSONL
	}
	if looksLikeSVMLight(prefix, whole) {
		return SVMLight
	}
	return ""
}

// label keeps one string for each distinct label.
func (s *Source) label(name string) string {
	if known, ok := s.names[name]; ok {
		return known
	}
	name = strings.Clone(name)
	s.names[name] = name
	return name
}
