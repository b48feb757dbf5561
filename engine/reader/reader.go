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
	// Stdin is what the input "-" reads; nil is os.Stdin.
	Stdin io.Reader
}

// A Format is a kind of input.
type Format string

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
// the cause where there is one.
type Error struct {
	Pos     document.Position
	Problem string
	Bytes   string // what is wrong, as it stands; quoted and cut at 80 bytes
	Remedy  string
	Err     error
}

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
	Bytes     int64          // of text, as it stood in the input
	Skipped   map[string]int // reason -> number of files or members
	Notes     []string
}

// A Source reads inputs one after another. It serves one stream.
type Source struct {
	ctx     context.Context
	inputs  []string
	opt     Options
	summary Summary

	latin   int             // documents that auto read as Latin-1
	folders map[string]bool // at the top, seen while looking for a split
	outer   map[string]bool // folders that hold folders
	decoder decoder
	names   map[string]string // labels, each once in memory
}

// Read checks the options and that the inputs are there. "-" is standard input.
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
	if opt.Format == "" {
		opt.Format = Auto
	}
	return &Source{
		ctx: ctx, inputs: inputs, opt: opt, decoder: d,
		summary: Summary{Skipped: map[string]int{}}, folders: map[string]bool{}, outer: map[string]bool{}, names: map[string]string{},
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
			err := s.read(input, func(d document.Document) error {
				if !yield(d, nil) {
					return errStop
				}
				s.summary.Documents++
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
	if s.summary.Documents > 0 {
		return nil
	}
	where := strings.Join(s.inputs, ", ")
	if s.opt.Split != "" {
		seen := make([]string, 0, len(s.folders))
		for f := range s.folders {
			seen = append(seen, f)
		}
		slices.Sort(seen)
		return fmt.Errorf("%w: %s has nothing for --split %s; folders at its top: %s",
			ErrEmpty, where, s.opt.Split, strings.Join(seen[:min(len(seen), 10)], " "))
	}
	return fmt.Errorf("%w in %s", ErrEmpty, where)
}

func (s *Source) note(format string, args ...any) {
	s.summary.Notes = append(s.summary.Notes, fmt.Sprintf(format, args...))
}

// emit hands a document on.
type emit func(document.Document) error

// read delivers one input.
func (s *Source) read(input string, f emit) error {
	if input == "-" {
		stdin := s.opt.Stdin
		if stdin == nil {
			stdin = os.Stdin
		}
		return s.stream("stdin", stdin, f)
	}
	file, err := os.Open(input)
	if err != nil {
		return err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil {
		return err
	} else if info.IsDir() {
		return s.tree(input, f)
	}
	return s.stream(input, file, f)
}

const bufferBytes = 1 << 18

// stream unwraps the compression and reads what is inside.
func (s *Source) stream(name string, r io.Reader, f emit) error {
	in := bufio.NewReaderSize(contextReader{s.ctx, r}, bufferBytes)
	prefix, err := in.Peek(512)
	if len(prefix) == 0 && err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", name, err)
	}
	if kind := compression(prefix); kind == "gzip" {
		z, err := gzip.NewReader(in)
		if err != nil {
			return &Error{Pos: document.Position{File: name}, Problem: "broken gzip", Err: err}
		}
		defer z.Close()
		in = bufio.NewReaderSize(z, bufferBytes)
		prefix, _ = in.Peek(512)
	} else if kind != "" {
		return &Error{
			Pos: document.Position{File: name}, Problem: kind + " compression is not read",
			Remedy: "decompress it first, for example with " + kind + " -dc FILE | termsift ... -",
		}
	}
	format := s.opt.Format
	if format == Auto {
		format = detect(prefix)
	}
	switch format {
	case Tar:
		return s.tar(name, in, f)
	case JSONL:
		return s.lines(name, in, f, s.jsonDocument)
	case SVMLight:
		return s.lines(name, in, f, s.svmlightDocument)
	case Tree:
		return &Error{Pos: document.Position{File: name}, Problem: "a tree must be a directory, this is a file"}
	}
	if len(prefix) == 0 {
		return nil // an empty file has no documents
	}
	return &Error{
		Pos: document.Position{File: name, Line: 1}, Problem: "the format is not known", Bytes: string(prefix[:min(len(prefix), 60)]),
		Remedy: fmt.Sprintf("name it with --input-format, one of %v", Formats()[1:]),
	}
}

// A contextReader ends when its context does, so that a read of a pipe that
// delivers forever can be interrupted.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.r.Read(p)
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

// detect tells the format from the first bytes; "" for none.
func detect(prefix []byte) Format {
	if len(prefix) >= 262 && string(prefix[257:262]) == "ustar" {
		return Tar
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(prefix, utf8BOM), " \t\r\n")
	if bytes.HasPrefix(text, []byte("{")) {
		return JSONL
	}
	if looksLikeSVMLight(prefix) {
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
