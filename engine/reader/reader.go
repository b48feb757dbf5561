// Package reader turns files into documents: directory trees with a folder for
// each class, the same inside tar, and files of many documents (JSON lines,
// svmlight, Reuters SGML, CSV and others), alone, in directories and in archives.
// Compression and format are told from the first bytes.
//
// An input is cut into frames, in order and without looking further than that
// takes; frames are parsed independently of each other, on any number of
// goroutines. A format is one file of this package and one line in the table of
// formats.
package reader

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/termsift/termsift/engine/document"
)

// Options say how to read. The zero value detects the format and the charset
// and takes every document.
type Options struct {
	Format Format
	// Split keeps the documents of one part: "train", "test" or "unused"; "" and
	// "all" keep all. In trees and archives it is a folder whose name is or ends
	// in it, the nearest above the class; in JSON lines the field and in CSV the
	// column "split"; in Reuters what ReutersSplit says.
	Split string
	// ReutersSplit is "modapte" (also ""), "modlewis" or "modhayes".
	ReutersSplit string
	// Labels says which of Reuters' label sets are the classes: "topics" (also
	// ""), "places", "people", "orgs" or "exchanges".
	Labels string
	// SingleLabel drops documents that do not have exactly one label as written,
	// before all that follows. FirstLabel keeps the first label of each document.
	SingleLabel, FirstLabel bool
	// Classes are the labels that are kept; nil keeps all. Labelled drops the
	// documents that have none then, as SingleLabel does.
	Classes  []string
	Labelled bool
	// Charset is "auto" (also ""), or one of Charsets.
	Charset string
	// TextField, LabelField and IDField name the fields of JSON lines and the
	// columns of CSV, there also by number from 1 on; the defaults are text,
	// labels (or label) and id. NoHeader says that CSV has no header line.
	TextField, LabelField, IDField string
	NoHeader                       bool
	// Qrels is a file of lines "label document 1" that has the labels of LYRL2004
	// token files and of svmlight whose first field is the document's number.
	Qrels string
	// StripMetadata takes the metadata lines off documents in the layout of the
	// Fudan corpus, which name the class: "auto" (also ""), "on" or "off".
	StripMetadata string
	// SkipBad leaves documents out that cannot be understood. The summary has
	// where they are.
	SkipBad bool

	// MaxDocument and MaxLine are limits in bytes; 0 is 64 MiB and 16 MiB.
	MaxDocument, MaxLine int64
	// MaxLabels bounds the labels of a document, MaxClasses the distinct labels,
	// MaxMembers the members of an archive; 0 is 10,000, a million and 10 million.
	MaxLabels, MaxClasses, MaxMembers int
	// MaxExpansion bounds how many times larger than its input decompressed data
	// may be, after the first 64 MiB; 0 is 1000.
	MaxExpansion int64

	// Stdin is what the input "-" reads; nil is os.Stdin. It is read ahead, and
	// a read that blocks may outlive an interrupted stream.
	Stdin io.Reader
}

// setDefaults fills in what is 0.
func (o *Options) setDefaults() {
	size := func(value *int64, otherwise int64) {
		if *value <= 0 {
			*value = otherwise
		}
	}
	number := func(value *int, otherwise int) {
		if *value <= 0 {
			*value = otherwise
		}
	}
	name := func(value *string, otherwise string) {
		if *value == "" {
			*value = otherwise
		}
	}
	size(&o.MaxDocument, 64<<20)
	size(&o.MaxLine, 16<<20)
	size(&o.MaxExpansion, 1000)
	number(&o.MaxLabels, 10_000)
	number(&o.MaxClasses, 1_000_000)
	number(&o.MaxMembers, 10_000_000)
	name(&o.Split, "all")
	name(&o.ReutersSplit, "modapte")
	name(&o.Labels, "topics")
	name(&o.Charset, "auto")
	name(&o.StripMetadata, "auto")
}

// check names the first option that is not known.
func (o *Options) check() error {
	for _, c := range []struct {
		what, value string
		known       []string
	}{
		{"split", o.Split, []string{"all", "train", "test", "unused"}},
		{"Reuters split", o.ReutersSplit, []string{"modapte", "modlewis", "modhayes"}},
		{"label set", o.Labels, []string{"topics", "places", "people", "orgs", "exchanges"}},
		{"charset", o.Charset, Charsets()},
		{"choice for metadata", o.StripMetadata, []string{"auto", "on", "off"}},
	} {
		if !slices.Contains(c.known, c.value) {
			return fmt.Errorf("unknown %s %q; known: %s", c.what, c.value, strings.Join(c.known, " "))
		}
	}
	return nil
}

// A Source reads inputs one after another. It serves one stream.
type Source struct {
	ctx    context.Context
	inputs []string
	opt    Options
	filter filter
	qrels  qrels // nil = none

	mu      sync.Mutex // around what follows
	parsers []*parser  // that nobody uses
	buffers [][]byte   // likewise
	readers []*bufio.Reader
	labels  map[string]string
	total   tally
	notes   []string
	folders map[string]bool // at the top, seen while looking for a split
}

// Read checks the options and that the inputs are there; it opens none. "-" is
// standard input. An input that is missing gives an fs.PathError.
func Read(ctx context.Context, inputs []string, opt Options) (*Source, error) {
	var err error
	if opt.Format, err = ParseFormat(string(opt.Format)); err != nil {
		return nil, err
	}
	opt.setDefaults()
	if err := opt.check(); err != nil {
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
	if opt.Split == "all" {
		opt.Split = ""
	}
	known, err := readQrels(opt.Qrels)
	if err != nil {
		return nil, err
	}
	return &Source{
		ctx: ctx, inputs: inputs, opt: opt, filter: newFilter(&opt), qrels: known,
		labels: map[string]string{}, total: newTally(), folders: map[string]bool{},
	}, nil
}

// errStop ends a stream whose consumer has seen enough.
var errStop = errors.New("stop")

// Batches yields the documents of all inputs in order, some at a time. A
// document's slices are reused for the next one of its batch. A stream of a batch
// ends at its first error. What is to be said of the whole, Summary and Check say
// when all batches have been run.
func (s *Source) Batches() document.Batches {
	return func(yield func(document.Stream, error) bool) {
		number := 0
		err := s.frames(func(f frame) error {
			f.number = number
			number++
			if !yield(s.batch(f), nil) {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
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

// batch gives the documents of a frame.
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
	for _, input := range s.inputs {
		if err := s.open(input, out); err != nil {
			return err
		}
	}
	return nil
}

// open cuts one input.
func (s *Source) open(input string, out func(frame) error) error {
	if input == "-" {
		stdin := s.opt.Stdin
		if stdin == nil {
			stdin = os.Stdin
		}
		return s.pumped("stdin", stdin, out)
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
		return s.tree(input, out)
	case info.Mode().IsRegular():
		return s.stream(input, file, out)
	}
	return s.pumped(input, file, out)
}

// pumped reads what may block forever.
func (s *Source) pumped(name string, r io.Reader, out func(frame) error) error {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	return s.stream(name, newPump(ctx, r), out)
}

// Check says what is wrong with a stream that has ended: it had no documents.
func (s *Source) Check() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.total.documents > 0 {
		return nil
	}
	where := strings.Join(s.inputs, ", ")
	if why := append(reasons(s.total.skipped), s.total.failures()...); len(why) > 0 {
		where += " (" + strings.Join(why, ", ") + ")"
	}
	if s.opt.Split == "" {
		return fmt.Errorf("%w in %s", ErrEmpty, where)
	}
	what, seen := "folders at its top", s.folders
	if len(s.total.splits) > 0 {
		what, seen = "the splits it has", s.total.splits
	}
	names := slices.Sorted(maps.Keys(seen))
	return fmt.Errorf("%w: %s has nothing for --split %s; %s: %s",
		ErrEmpty, where, s.opt.Split, what, strings.Join(names[:min(len(names), 10)], " "))
}

// note keeps something to be said at the end.
func (s *Source) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// skip counts a file or member that is no document.
func (s *Source) skip(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total.skipped[reason]++
}
