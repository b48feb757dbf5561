// Package bitmap writes and reads sets of document numbers in the portable serialised form
// of Roaring bitmaps (github.com/RoaringBitmap/RoaringFormatSpec).
//
// It takes ascending numbers and gives bytes ([Append]), or takes bytes and gives numbers
// ([View]). Begin reading at bitmap.go. Sets are read in place: a View is the bytes
// themselves, without heap objects, where a *roaring.Bitmap costs 170 to 740 bytes a term. The
// package never trusts its input: [Parse] checks every length first.
package bitmap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

const (
	cookiePlain    = 12346 // no run containers
	cookieRuns     = 12347
	arrayMax       = 4096 // an array container holds at most so many values
	bitmapBytes    = 8192
	offsetsFrom    = 4 // with runs, offsets are stored from so many containers on
	maxContainers  = 1 << 16
	containerShift = 16
)

// ErrFormat is returned for bytes that are no portable Roaring bitmap.
var ErrFormat = errors.New("bitmap: not a portable Roaring bitmap")

var le = binary.LittleEndian

// Append appends the portable form of ids, which must be ascending without
// repeats, and returns the extended buffer. Containers are arrays up to 4,096
// values and bitmaps above; run containers never pay in class-major order.
func Append(dst []byte, ids []uint32) []byte {
	var cardinalities []uint32
	for begin := 0; begin < len(ids); {
		key := ids[begin] >> containerShift
		end := begin + 1
		for end < len(ids) && ids[end]>>containerShift == key {
			end++
		}
		cardinalities = append(cardinalities, make([]uint32, int(key)-len(cardinalities))...)
		cardinalities = append(cardinalities, uint32(end-begin))
		begin = end
	}
	start, containers := len(dst), 0
	dst = slices.Grow(dst, size(cardinalities))
	dst = le.AppendUint32(dst, cookiePlain)
	dst = le.AppendUint32(dst, 0)
	for key, card := range cardinalities {
		if card > 0 {
			dst = le.AppendUint16(dst, uint16(key))
			dst = le.AppendUint16(dst, uint16(card-1))
			containers++
		}
	}
	le.PutUint32(dst[start+4:], uint32(containers))
	offset := uint32(len(dst) - start + 4*containers)
	for _, card := range cardinalities {
		if card > 0 {
			dst = le.AppendUint32(dst, offset)
			offset += uint32(payloadBytes(int(card)))
		}
	}
	for _, card := range cardinalities {
		dst = appendContainer(dst, ids[:card])
		ids = ids[card:]
	}
	return dst
}

// size returns the length of what [Append] appends for a set that has cardinalities[i] ids
// with id/65536 == i.
func size(cardinalities []uint32) int {
	n := 8
	for _, c := range cardinalities {
		if c > 0 {
			n += 8 + payloadBytes(int(c))
		}
	}
	return n
}

func payloadBytes(card int) int {
	if card <= arrayMax {
		return 2 * card
	}
	return bitmapBytes
}

func appendContainer(dst []byte, ids []uint32) []byte {
	at, n := len(dst), payloadBytes(len(ids))
	dst = slices.Grow(dst, n)[:at+n]
	out := dst[at:]
	if len(ids) <= arrayMax {
		for i, id := range ids {
			le.PutUint16(out[2*i:], uint16(id))
		}
		return dst
	}
	clear(out)
	bits := (*[bitmapBytes]byte)(out)
	for _, id := range ids {
		low := uint16(id)
		bits[low>>3] |= 1 << (low & 7)
	}
	return dst
}

// A View is a set in its serialised form. It aliases the bytes it was parsed
// from, which must not change while it lives; it is safe for concurrent use.
type View struct {
	data       []byte
	containers int
	headers    int // offset of the (key, cardinality-1) pairs
	runs       []byte
	card       int
}

// Parse checks the structure of data, which may extend beyond the bitmap, and
// returns its view. It allocates nothing. The error is [ErrFormat] with detail.
func Parse(data []byte) (View, error) {
	v := View{data: data}
	if len(data) < 8 {
		return v, fmt.Errorf("%w: %d bytes", ErrFormat, len(data))
	}
	cookie := le.Uint32(data)
	at := 8
	switch {
	case cookie == cookiePlain:
		n := le.Uint32(data[4:])
		if n > maxContainers {
			return v, fmt.Errorf("%w: %d containers", ErrFormat, n)
		}
		v.containers = int(n)
	case cookie&0xFFFF == cookieRuns:
		v.containers = int(cookie>>16) + 1
		at = 4 + (v.containers+7)/8
		if at > len(data) {
			return v, fmt.Errorf("%w: the run marks are cut", ErrFormat)
		}
		v.runs = data[4:at]
	default:
		return v, fmt.Errorf("%w: cookie %d", ErrFormat, cookie)
	}
	v.headers = at
	if v.headers+4*v.containers > len(v.data) {
		return v, fmt.Errorf("%w: the headers are cut", ErrFormat)
	}
	last := -1
	err := v.each(func(key uint32, card int, _ kind, _ []byte) error {
		if int(key) <= last {
			return fmt.Errorf("%w: keys do not ascend", ErrFormat)
		}
		last = int(key)
		v.card += card
		return nil
	})
	return v, err
}

type kind uint8

const (
	arrayKind kind = iota
	bitmapKind
	runKind
)

// each calls f with the payload of every container in order.
func (v *View) each(f func(key uint32, card int, k kind, payload []byte) error) error {
	at := v.headers + 4*v.containers
	if v.runs == nil || v.containers >= offsetsFrom {
		at += 4 * v.containers
	}
	for i := range v.containers {
		h := v.data[v.headers+4*i:]
		key, card := uint32(le.Uint16(h)), int(le.Uint16(h[2:]))+1
		k, size := v.shape(i, card, at)
		if size < 0 || at+size > len(v.data) {
			return fmt.Errorf("%w: container %d is cut", ErrFormat, i)
		}
		if err := f(key, card, k, v.data[at:at+size]); err != nil {
			return err
		}
		at += size
	}
	return nil
}

// shape returns the kind of container i and its length in bytes, -1 if it is cut.
func (v *View) shape(i, card, at int) (kind, int) {
	if v.runs != nil && v.runs[i/8]>>(i%8)&1 == 1 {
		if at+2 > len(v.data) {
			return runKind, -1
		}
		return runKind, 2 + 4*int(le.Uint16(v.data[at:]))
	}
	if card <= arrayMax {
		return arrayKind, 2 * card
	}
	return bitmapKind, bitmapBytes
}

// Cardinality returns the number of ids in the set.
func (v *View) Cardinality() int { return v.card }

// AppendTo appends the ids in ascending order.
func (v *View) AppendTo(dst []uint32) []uint32 {
	dst = slices.Grow(dst, v.card)
	_ = v.each(func(key uint32, _ int, k kind, payload []byte) error {
		base := key << containerShift
		switch k {
		case arrayKind:
			dst = appendArray(dst, base, payload)
		case bitmapKind:
			dst = appendBits(dst, base, payload)
		case runKind:
			dst = appendRuns(dst, base, payload[2:])
		}
		return nil
	}) // Parse has walked the same containers without an error
	return dst
}

// appendArray writes into the room that is there: half the time of appending
// one by one.
func appendArray(dst []uint32, base uint32, payload []byte) []uint32 {
	n := len(payload) / 2
	dst = slices.Grow(dst, n)
	out := dst[len(dst) : len(dst)+n]
	for i := range out {
		out[i] = base | uint32(le.Uint16(payload[2*i:]))
	}
	return dst[:len(dst)+n]
}

func appendBits(dst []uint32, base uint32, payload []byte) []uint32 {
	for ; len(payload) >= 8; payload = payload[8:] {
		for word := le.Uint64(payload); word != 0; word &= word - 1 {
			dst = append(dst, base+uint32(bits.TrailingZeros64(word)))
		}
		base += 64
	}
	return dst
}

func appendRuns(dst []uint32, base uint32, payload []byte) []uint32 {
	for ; len(payload) >= 4; payload = payload[4:] {
		first, extra := uint32(le.Uint16(payload)), uint32(le.Uint16(payload[2:]))
		for i := uint32(0); i <= extra; i++ {
			dst = append(dst, base+first+i)
		}
	}
	return dst
}

// FromIDs returns the bitmap of ascending ids.
func FromIDs(ids []uint32) *roaring.Bitmap {
	b := roaring.New()
	b.AddMany(ids)
	return b
}

// Validate checks the ids themselves, which [Parse] does not look at: they must
// ascend, be below limit and be as many as the containers say. It expands nothing,
// for a few bytes of runs can stand for billions of ids.
func (v *View) Validate(limit uint64) error {
	return v.each(func(key uint32, card int, k kind, payload []byte) error {
		var n, last int
		switch k {
		case arrayKind:
			n, last = validArray(payload)
		case bitmapKind:
			n, last = validBits(payload)
		case runKind:
			n, last = validRuns(payload[2:])
		}
		if n != card {
			return fmt.Errorf("%w: a container of %d ids does not have them in order", ErrFormat, card)
		}
		if id := uint64(key)<<containerShift | uint64(last); id >= limit {
			return fmt.Errorf("%w: id %d is not below %d", ErrFormat, id, limit)
		}
		return nil
	})
}

// validArray gives the number of ids and the last of them, -1 where they do not
// ascend. Descents are counted, not branched on: 0.3 ns an id instead of 0.6.
func validArray(payload []byte) (n, last int) {
	descents, before := 0, -1
	for ; len(payload) >= 2; payload = payload[2:] {
		id := int(le.Uint16(payload))
		descents += int(uint(id-before-1) >> (bits.UintSize - 1))
		before = id
		n++
	}
	if descents > 0 {
		return -1, before
	}
	return n, before
}

func validBits(payload []byte) (n, last int) {
	for at := 0; at+8 <= len(payload); at += 8 {
		if word := le.Uint64(payload[at:]); word != 0 {
			n += bits.OnesCount64(word)
			last = 8*at + 63 - bits.LeadingZeros64(word)
		}
	}
	return n, last
}

// validRuns wants runs that neither touch nor overlap nor leave the container.
func validRuns(payload []byte) (n, last int) {
	last = -1
	for ; len(payload) >= 4; payload = payload[4:] {
		first, extra := int(le.Uint16(payload)), int(le.Uint16(payload[2:]))
		if first <= last || first+extra >= 1<<containerShift {
			return -1, last
		}
		last = first + extra
		n += extra + 1
	}
	return n, last
}
