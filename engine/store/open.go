package store

import (
	"encoding/json"
	"io"
	"slices"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/postings"
)

// OpenOptions are the options of [Open]. The zero value maps the file.
type OpenOptions struct {
	// Read reads the whole file into memory, so that later changes of the file do not
	// matter.
	Read bool
	// Verify verifies every byte now, not when it is first needed.
	Verify bool
}

// Open opens the file of an index. It reads the tables of the file, the terms and the
// labels. Posting lists and columns are read and verified when they are first needed,
// unless the options say otherwise. The file may be replaced by renaming another over
// it; if it is changed in place, reads return files.ErrTruncated.
func Open(path string, opt OpenOptions) (*postings.Index, error) {
	m, err := files.OpenMapping(path, opt.mapping())
	if err != nil {
		return nil, err
	}
	return openMapping(m, opt)
}

// OpenTemporary is [Open] for a temporary file. It takes ownership of the file and
// closes it on error.
func OpenTemporary(f files.Temporary, opt OpenOptions) (*postings.Index, error) {
	m, err := files.NewMapping(f, opt.mapping())
	if err != nil {
		return nil, err
	}
	return openMapping(m, opt)
}

// mapping returns how the file is mapped: after its header was verified.
func (o OpenOptions) mapping() files.MappingOptions {
	return files.MappingOptions{Read: o.Read, Check: func(f io.ReaderAt, size int64) error {
		prefix := make([]byte, min(size, headerSize))
		if _, err := f.ReadAt(prefix, 0); err != nil {
			return err
		}
		return checkHeader(prefix, indexMagic)
	}}
}

// openMapping decodes the index of a mapping. It closes the mapping on error.
func openMapping(m *files.Mapping, opt OpenOptions) (x *postings.Index, err error) {
	err = m.Guard(func() (err error) {
		x, err = decode(m.Bytes(), m)
		return err
	})
	if err == nil && opt.Verify {
		err = x.Verify()
	}
	if err != nil {
		_ = m.Close() // err is the more useful error
		return nil, err
	}
	return x, nil
}

// Decode returns the index in the bytes of a file. The index keeps data, which must not
// change. Everything is verified.
func Decode(data []byte) (*postings.Index, error) {
	x, err := decode(data, nil)
	if err != nil {
		return nil, err
	}
	return x, x.Verify()
}

// decode returns the index in data and verifies what every use of it relies on. These
// parts are copied out of a mapping, because the methods that read them return no
// error.
func decode(data []byte, m *files.Mapping) (*postings.Index, error) {
	var calls io.ReaderAt
	if m != nil && m.Mapped() {
		calls = m
	}
	f, err := openContainer(data, calls, int64(len(data)), indexMagic)
	if err != nil {
		return nil, err
	}
	if f.sections[marginSection].length > 0 {
		return nil, files.Broken("margins", 0, files.ErrFormat, "an index has none")
	}
	err = f.verifyWhole(metaSection, labelStarts, labelSection, termText, termLengths, dfRuns, denseOffsets, escapePlaces, escapeSection)
	if err != nil {
		return nil, err
	}
	var meta fileMeta
	if err := json.Unmarshal(f.content(metaSection), &meta); err != nil {
		return nil, files.Broken("meta", 0, files.ErrFormat, "%v", err)
	}
	terms, err := readDictionary(f, termText, termLengths, string(f.content(termText)))
	if err != nil {
		return nil, err
	}
	if lists := f.sections[denseOffsets].length/8 + f.sections[flatSection].length; terms.Len() > lists {
		return nil, files.Broken("term-lengths", 0, files.ErrFormat, "%d terms for %d lists", terms.Len(), lists)
	}
	df, start, err := readRuns(f.content(dfRuns), terms.Len(), f.sections[inputPlaces].length/4)
	if err != nil {
		return nil, err
	}
	x := &indexFile{body: f, hasCells: meta.Cells != ""}
	if x.layout, err = meta.layout(false); err != nil {
		return nil, err
	}
	x.Index = postings.New(postings.Memory{
		Classes: meta.Classes, Pruned: meta.Pruned, Meta: meta.Caller,
		Input:      files.ElementsOf[uint32](f.content(inputPlaces)),
		LabelStart: own[uint32](x, labelStarts),
		LabelOf:    own[uint32](x, labelSection),
		Terms:      terms,
		DocFreq:    df,
		Start:      start,
		DenseAt:    own[uint64](x, denseOffsets),
		Dense:      f.content(denseSection),
		Values: postings.Column{
			Counts:   f.content(countSection),
			EscapeAt: own[uint64](x, escapePlaces),
			Escaped:  own[uint32](x, escapeSection),
			Single:   files.ElementsOf[float32](f.content(valueSection)),
			Double:   files.ElementsOf[float64](f.content(exactSection)),
		},
	}, x, m)
	if err := x.check(); err != nil {
		return nil, err
	}
	x.Flat = m.RoomFor(int(x.Start[len(df)] - x.FirstFlat()))
	return x.Index, nil
}

// own returns the numbers of a section in memory that does not belong to a mapping.
func own[T files.Element](x *indexFile, kind sectionKind) []T {
	values := files.ElementsOf[T](x.body.content(kind))
	if x.body.calls != nil {
		values = slices.Clone(values)
	}
	return values
}

// A SectionSize is the number of bytes of a section of a file, without padding.
type SectionSize struct {
	Name  string
	Bytes int
}

// Sections returns the sections of the file that an index came from, in order, without
// empty ones. It returns nil for an index that was built.
func Sections(x *postings.Index) []SectionSize {
	f := fileOf(x)
	if f == nil {
		return nil
	}
	var sizes []SectionSize
	for kind, s := range f.body.sections {
		if s.length > 0 {
			sizes = append(sizes, SectionSize{sectionNames[kind], s.length})
		}
	}
	return sizes
}
