package indexfile

import (
	"sync/atomic"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/postings"
	"github.com/zeebo/xxh3"
)

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
