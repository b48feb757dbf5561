package indexfile

import (
	"encoding/json"
	"io"
	"slices"
	"sync/atomic"

	"github.com/zeebo/xxh3"

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
		return readHeader(prefix, size)
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
	f, err := readBody(data)
	if err != nil {
		return nil, err
	}
	f.mapping = m
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
	x := &indexFile{body: f, cells: readCells(f, meta.Cells)}
	x.Index = postings.New(postings.Memory{
		Classes: meta.Classes, Pruned: meta.Pruned, Meta: meta.Caller,
		Input:      files.ElementsOf[uint32](f.content(inputPlaces)),
		LabelStart: own[uint32](f, labelStarts),
		LabelOf:    own[uint32](f, labelSection),
		Terms:      terms,
		DocFreq:    df,
		Start:      start,
		DenseAt:    own[uint64](f, denseOffsets),
		Dense:      f.content(denseSection),
		Values: postings.Column{
			Counts:   f.content(countSection),
			EscapeAt: own[uint64](f, escapePlaces),
			Escaped:  own[uint32](f, escapeSection),
			Single:   files.ElementsOf[float32](f.content(valueSection)),
			Double:   files.ElementsOf[float64](f.content(exactSection)),
		},
	}, x, m)
	if x.cells.present {
		x.cells.form = x.Form()
	}
	if err := x.check(); err != nil {
		return nil, err
	}
	x.Flat = m.RoomFor(int(x.Start[len(df)] - x.FirstFlat()))
	return x.Index, nil
}

// own returns the numbers of a section in memory that does not belong to a mapping.
func own[T files.Element](f *body, kind sectionKind) []T {
	values := files.ElementsOf[T](f.content(kind))
	if f.mapping != nil {
		values = slices.Clone(values)
	}
	return values
}

// A body has the bytes of an index file and what has been verified of them. Blocks
// are verified when they are first read; several goroutines may verify the same block.
type body struct {
	data     []byte
	features uint64 // that a reader must know
	sections [numSections]section
	sums     []byte
	verified []atomic.Uint64 // one bit per block
	mapping  *files.Mapping  // nil if the bytes are in memory
}

// A section is a part of the file.
type section struct {
	data       []byte // with its padding
	length     int    // without it
	offset     int    // in the file
	firstBlock int
}

// readBody verifies what locates the sections: header, footer, table of contents and
// sums.
func readBody(data []byte) (*body, error) {
	if err := readHeader(data, int64(len(data))); err != nil {
		return nil, err
	}
	contents, end, err := readContents(data)
	if err != nil {
		return nil, err
	}
	f := &body{data: data, features: le.Uint64(data[24:])}
	next, block := headerSize, 0
	for kind := range numSections {
		e := contents[int(kind)*entrySize:]
		offset, length := le.Uint64(e[8:]), le.Uint64(e[16:])
		if le.Uint64(e) != uint64(kind) || offset != uint64(next) || length > uint64(end-next) || aligned(int(length)) > end-next {
			return nil, files.Broken("contents", end+int(kind)*entrySize, files.ErrFormat, "section %v is not where it should be", kind)
		}
		if length%uint64(sectionElements[kind]) != 0 {
			return nil, files.Broken(kind.String(), 0, files.ErrFormat, "%d bytes are no whole number of elements", length)
		}
		padded := aligned(int(length))
		f.sections[kind] = section{data[next : next+padded : next+padded], int(length), next, block}
		next += padded
		if kind != sumSection {
			block += blocks(int(length))
		}
	}
	if next != end {
		return nil, files.Broken("contents", next, files.ErrFormat, "bytes that no section covers")
	}
	f.verified = make([]atomic.Uint64, (block+63)/64)
	return f, f.checkSums(contents, block)
}

// checkSums verifies the sums of the blocks.
func (f *body) checkSums(contents []byte, blockCount int) error {
	s := &f.sections[sumSection]
	f.sums = s.data[:s.length]
	if s.length != 8*blockCount {
		return files.Broken("sums", 0, files.ErrFormat, "%d bytes for %d blocks", s.length, blockCount)
	}
	check := func(kind sectionKind, covered []byte) error {
		if xxh3.Hash(covered) != le.Uint64(contents[int(kind)*entrySize+24:]) {
			return files.Broken("sums", 8*f.sections[kind].firstBlock, files.ErrChecksum, "of section %v", kind)
		}
		return nil
	}
	if err := check(sumSection, s.data); err != nil {
		return err
	}
	for kind := range sumSection {
		first := f.sections[kind].firstBlock
		if err := check(kind, f.sums[8*first:8*(first+blocks(f.sections[kind].length))]); err != nil {
			return err
		}
	}
	return nil
}

// content returns a section, which may not have been verified yet.
func (f *body) content(kind sectionKind) []byte {
	s := &f.sections[kind]
	return s.data[:s.length:s.length]
}

// verify verifies the blocks of a section that hold the bytes [from, to).
func (f *body) verify(kind sectionKind, from, to int) error {
	s := &f.sections[kind]
	for b := from / blockSize; b*blockSize < to; b++ {
		n := s.firstBlock + b
		word, bit := &f.verified[n/64], uint64(1)<<(n%64)
		if word.Load()&bit != 0 {
			continue
		}
		at := b * blockSize
		if xxh3.Hash(s.data[at:min(at+blockSize, len(s.data))]) != le.Uint64(f.sums[8*n:]) {
			return files.Broken(kind.String(), at, files.ErrChecksum, "")
		}
		word.Or(bit)
	}
	return nil
}

// verifyWhole verifies all blocks of sections.
func (f *body) verifyWhole(kinds ...sectionKind) error {
	for _, kind := range kinds {
		if err := f.verify(kind, 0, len(f.sections[kind].data)); err != nil {
			return err
		}
		if err := f.checkPadding(kind); err != nil {
			return err
		}
	}
	return nil
}

// checkPadding verifies that the padding is zero, so that an index has exactly one
// file.
func (f *body) checkPadding(kind sectionKind) error {
	s := &f.sections[kind]
	return s.checkPadding(kind, s.data)
}

// checkPadding verifies the padding behind the bytes of a section in data.
func (s *section) checkPadding(kind sectionKind, data []byte) error {
	for i, b := range data[s.length:] {
		if b != 0 {
			return files.Broken(kind.String(), s.length+i, files.ErrFormat, "the padding is not 0")
		}
	}
	return nil
}

// copyOf returns a section, all of it verified, in memory of its own with room for more bytes. A
// mapped file is read by calls: its bytes are verified, and given to the function look with their place,
// while they are in the caches, and a page of a mapping costs a fault.
func (f *body) copyOf(kind sectionKind, more int, look func(bytes []byte, at int)) ([]byte, error) {
	s := &f.sections[kind]
	if f.mapping == nil || !f.mapping.Mapped() {
		look(s.data[:s.length], 0)
		return append(make([]byte, 0, s.length+more), s.data[:s.length]...), f.verifyWhole(kind)
	}
	data := make([]byte, len(s.data), len(s.data)+more)
	for b := range blocks(s.length) {
		at, n := b*blockSize, s.firstBlock+b
		block := data[at:min(at+blockSize, len(data))]
		if err := f.mapping.ReadAt(block, s.offset+at); err != nil {
			return nil, err
		}
		if xxh3.Hash(block) != le.Uint64(f.sums[8*n:]) {
			return nil, files.Broken(kind.String(), at, files.ErrChecksum, "")
		}
		look(block[:min(len(block), s.length-at)], at)
	}
	return data[:s.length], s.checkPadding(kind, data)
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
