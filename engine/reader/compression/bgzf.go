package compression

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// Sizes of BGZF, the gzip of bgzip and its relatives. A member says its length in an extra
// field of its header, and neither it nor what it becomes is longer than bgzfMost.
const (
	gzipHeader = 12 // with the length of the extra fields
	gzipFooter = 8  // checksum and size
	bgzfMost   = 1 << 16
)

// bgzfBlocks finds the members of BGZF.
type bgzfBlocks struct{ readers sync.Pool }

// newBGZFBlocks returns nil unless in begins with a member of BGZF.
func newBGZFBlocks(in *bufio.Reader, _ int64, _ int) blockFormat {
	if bgzfSize(in) == 0 {
		return nil
	}
	return &bgzfBlocks{readers: sync.Pool{New: func() any { return new(gzip.Reader) }}}
}

// bgzfSize returns the length of the member at the front of in, 0 if it is none of BGZF.
func bgzfSize(in *bufio.Reader) int {
	head, err := in.Peek(gzipHeader)
	if err != nil || string(head[:4]) != "\x1f\x8b\x08\x04" {
		return 0
	}
	if head, err = in.Peek(gzipHeader + int(binary.LittleEndian.Uint16(head[10:]))); err != nil {
		return 0
	}
	return bgzfLength(head)
}

// bgzfLength returns the length that the header of a member says, 0 if it says none.
func bgzfLength(header []byte) int {
	extra := int(binary.LittleEndian.Uint16(header[10:]))
	for fields := header[gzipHeader : gzipHeader+extra]; len(fields) >= 4; {
		n := 4 + int(binary.LittleEndian.Uint16(fields[2:]))
		if n > len(fields) {
			return 0
		}
		if string(fields[:4]) == "BC\x02\x00" {
			size := int(binary.LittleEndian.Uint16(fields[4:])) + 1
			if size < gzipHeader+extra+gzipFooter {
				return 0
			}
			return size
		}
		fields = fields[n:]
	}
	return 0
}

func (z *bgzfBlocks) next(in *bufio.Reader, packed []byte) (longer []byte, size int, ok bool) {
	n := bgzfSize(in)
	if n == 0 {
		return packed, 0, false
	}
	member, err := in.Peek(n)
	if err != nil || sizeOfMember(member) > bgzfMost {
		return packed, 0, false
	}
	size = int(sizeOfMember(member))
	packed = append(packed, member...)
	_, _ = in.Discard(n) // it is in the buffer
	return packed, size, true
}

// sizeOfMember returns the number of bytes that a member says it becomes.
func sizeOfMember(member []byte) uint32 { return binary.LittleEndian.Uint32(member[len(member)-4:]) }

// errNotBGZF says that a member is not as long as its header says.
var errNotBGZF = errors.New("not as long as its header says")

func (z *bgzfBlocks) decode(dst, packed []byte) (_ []byte, err error) {
	r := z.readers.Get().(*gzip.Reader)
	defer z.readers.Put(r)
	for len(packed) > 0 {
		n := bgzfLength(packed)
		if dst, err = appendMember(dst, r, packed[:n]); err != nil {
			return dst, err
		}
		packed = packed[n:]
	}
	return dst, nil
}

// appendMember appends to dst what a member becomes.
func appendMember(dst []byte, r *gzip.Reader, member []byte) ([]byte, error) {
	in := bytes.NewReader(member)
	if err := r.Reset(in); err != nil {
		return dst, err
	}
	r.Multistream(false)
	from, size := len(dst), int(sizeOfMember(member))
	dst = slices.Grow(dst, size)[:from+size]
	if _, err := io.ReadFull(r, dst[from:]); err != nil {
		return dst[:from], err
	}
	// The checksum is compared at the end of the member.
	if n, err := r.Read(make([]byte, 1)); n > 0 || !errors.Is(err, io.EOF) || in.Len() > 0 {
		return dst[:from], errors.Join(errNotBGZF, err)
	}
	return dst, nil
}

func (z *bgzfBlocks) rest(in *bufio.Reader, place unitPlace) (io.Reader, func(), error) {
	if place.units == 0 {
		return openGzip(in, 0)
	}
	place.kind = "members"
	g := &gzipReader{in: in, z: new(gzip.Reader), place: place}
	g.err = place.after(g.next())
	return g, func() {}, nil
}
