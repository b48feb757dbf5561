package parquet

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"sync"
)

// A page is a part of a column, decoded by whoever needs it first. Batches that share it use
// it side by side.
type page struct {
	file   *File
	column *Column
	codec  codec
	header pageHeader
	offset int64  // of the header in the file
	packed []byte // the body, until it is decoded
	dict   *page  // that its indexes refer to; nil = none

	once sync.Once
	err  error
	// reps and defs are the levels; nil = they are all the same: none repeated, all there.
	reps, defs []byte
	values     values
}

// decode makes the values, once. Its error is the same for all that call it.
func (p *page) decode() error {
	p.once.Do(func() {
		if p.err = p.decodeBody(); p.err != nil {
			p.err = within(p.err, "the page at byte %d", p.offset)
		}
	})
	return p.err
}

func (p *page) decodeBody() error {
	if h := &p.header; h.crc != noCRC && crc32.ChecksumIEEE(p.packed) != uint32(h.crc) {
		return damaged("its checksum is not that of its bytes")
	}
	var dict *values
	if p.dict != nil {
		if err := p.dict.decode(); err != nil {
			return err
		}
		dict = &p.dict.values
	}
	if p.header.kind == dataPageV2 {
		return p.decodeV2(dict)
	}
	body, err := p.file.decompress(p.codec, p.packed, int(p.header.unpacked))
	if err != nil {
		return err
	}
	p.packed = nil
	if p.header.kind == dictionaryPage {
		p.values, err = decodeValues(p.column, plain, body, int(p.header.values), nil, p.file.limits.Page)
		return err
	}
	if p.reps, body, err = p.levelsV1(body, p.header.repLevels, p.column.maxRep); err != nil {
		return err
	}
	if p.defs, body, err = p.levelsV1(body, p.header.defLevels, p.column.maxDef); err != nil {
		return err
	}
	return p.decodeRest(body, dict)
}

// levelsV1 decodes the levels at the front of a body of version 1, which have their length
// in front.
func (p *page) levelsV1(body []byte, e encoding, limit int) (levels, rest []byte, err error) {
	if limit == 0 {
		return nil, body, nil
	}
	if e != runLength {
		return nil, nil, e.refused("its levels")
	}
	data, rest, err := withLength(body)
	if err != nil {
		return nil, nil, within(err, "its levels")
	}
	levels, err = p.levels(data, limit)
	return levels, rest, err
}

// levels decodes levels up to a limit.
func (p *page) levels(data []byte, limit int) ([]byte, error) {
	if limit == 0 || p.header.values == 0 {
		return nil, nil
	}
	levels, err := decodeHybrid[byte](data, bits.Len(uint(limit)), int(p.header.values), uint32(limit))
	return levels, within(err, "its levels")
}

// decodeV2 decodes a page of version 2, whose levels are never compressed.
func (p *page) decodeV2(dict *values) (err error) {
	h := &p.header
	reps, defs, body := p.packed[:h.repBytes], p.packed[h.repBytes:h.repBytes+h.defBytes], p.packed[h.repBytes+h.defBytes:]
	if p.reps, err = p.levels(reps, p.column.maxRep); err != nil {
		return err
	}
	if p.defs, err = p.levels(defs, p.column.maxDef); err != nil {
		return err
	}
	c, size := p.codec, h.unpacked-h.repBytes-h.defBytes
	if h.stored || size == 0 && len(body) == 0 {
		c = stored
	}
	out, err := p.file.decompress(c, body, int(size))
	if err != nil {
		return err
	}
	p.packed = nil
	return p.decodeRest(out, dict)
}

// decodeRest decodes the values, of which there is one for each level that says so.
func (p *page) decodeRest(data []byte, dict *values) (err error) {
	n := int(p.header.values)
	if p.defs != nil {
		n = p.present(p.defs)
	}
	if h := &p.header; h.kind == dataPageV2 && int64(n) != h.values-h.nulls {
		return damaged("it has %d values, and should have %d", n, h.values-h.nulls)
	}
	p.values, err = decodeValues(p.column, p.header.encoding, data, n, dict, p.file.limits.Page)
	return err
}

// present counts the levels at which a value is there.
func (p *page) present(defs []byte) int { return bytes.Count(defs, []byte{byte(p.column.maxDef)}) }

// A pageHeader stands before a page.
type pageHeader struct {
	kind                 pageKind
	unpacked, packed     int64 // bytes of the body
	crc                  int64 // noCRC = none
	values               int64 // nulls and empty lists included
	encoding             encoding
	defLevels, repLevels encoding // of a page of version 1
	// of a page of version 2:
	nulls, rows      int64
	defBytes         int64
	repBytes         int64
	stored           bool // the values are not compressed
	hasData, hasDict bool // the structure of the kind was there
}

const noCRC = math.MinInt64

type pageKind int64

const (
	dataPage       pageKind = 0
	indexPage      pageKind = 1
	dictionaryPage pageKind = 2
	dataPageV2     pageKind = 3
)

// An encoding says how values are written.
type encoding int64

const (
	plain           encoding = 0
	plainDictionary encoding = 2
	runLength       encoding = 3
	deltaBinary     encoding = 5
	deltaLength     encoding = 6
	deltaByteArray  encoding = 7
	runDictionary   encoding = 8
)

// encodingNames has the names of the encodings by their numbers.
var encodingNames = []string{
	"PLAIN", "GROUP_VAR_INT", "PLAIN_DICTIONARY", "RLE", "BIT_PACKED", "DELTA_BINARY_PACKED", "DELTA_LENGTH_BYTE_ARRAY",
	"DELTA_BYTE_ARRAY", "RLE_DICTIONARY", "BYTE_STREAM_SPLIT",
}

// refused returns the error for an encoding that is not read where it stands.
func (e encoding) refused(what string) error {
	if e < 0 || int(e) >= len(encodingNames) {
		return damaged("%s have the unknown encoding %d", what, e)
	}
	return notRead("write it with PLAIN, dictionaries or the DELTA encodings", "%s have the encoding %s", what, encodingNames[e])
}

// readPageHeader reads the header at the front of data and returns its length.
func readPageHeader(data []byte) (h pageHeader, length int, err error) {
	t := &thriftReader{data: data}
	h.kind, h.crc = -1, noCRC
	t.record(fields{
		1: number(t, &h.kind), 2: number(t, &h.unpacked), 3: number(t, &h.packed), 4: number(t, &h.crc),
		5: t.inner(&h.hasData, fields{1: number(t, &h.values), 2: number(t, &h.encoding), 3: number(t, &h.defLevels), 4: number(t, &h.repLevels)}),
		7: t.inner(&h.hasDict, fields{1: number(t, &h.values), 2: number(t, &h.encoding)}),
		8: t.inner(&h.hasData, fields{
			1: number(t, &h.values), 2: number(t, &h.nulls), 3: number(t, &h.rows), 4: number(t, &h.encoding), 5: number(t, &h.defBytes), 6: number(t, &h.repBytes),
			7: t.isFalse(&h.stored),
		}),
	})
	return h, t.at, t.err
}

// check compares the numbers of a header with each other and with the limits. left is the
// number of bytes that the column has behind the header.
func (h *pageHeader) check(left int64, limits *Limits) error {
	switch {
	case h.kind == dictionaryPage && !h.hasDict, (h.kind == dataPage || h.kind == dataPageV2) && !h.hasData:
		return damaged("the header of a page lacks what its kind needs")
	case h.unpacked < 0 || h.packed < 0 || h.values < 0:
		return damaged("the header of a page has a number below 0")
	case h.packed > left:
		return damaged("a page should have %d bytes, and %d are left of its column", h.packed, left)
	case h.unpacked > limits.Page || h.packed > limits.Page:
		return &Error{
			Problem: fmt.Sprintf("a page has %d bytes, more than %d", max(h.unpacked, h.packed), limits.Page),
			Remedy:  "write smaller pages; --max-document raises the limit",
		}
	case h.values > mostValues:
		return &Error{Problem: fmt.Sprintf("a page has %d values, more than %d", h.values, mostValues), Remedy: "write smaller pages"}
	case h.kind != dataPageV2:
	case h.defBytes < 0 || h.repBytes < 0 || h.defBytes > h.packed || h.repBytes > h.packed || h.defBytes+h.repBytes > min(h.packed, h.unpacked):
		return damaged("the levels of a page have more bytes than the page")
	case h.nulls < 0 || h.nulls > h.values || h.rows < 0 || h.rows > h.values:
		return damaged("a page of %d values should have %d nulls and %d rows", h.values, h.nulls, h.rows)
	}
	return nil
}
