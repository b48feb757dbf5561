package parquet

import (
	"fmt"
	"math"
)

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
	case h.kind == dataPageV2:
		return h.checkV2()
	}
	return nil
}

func (h *pageHeader) checkV2() error {
	levels := h.defBytes + h.repBytes
	if h.defBytes < 0 || h.repBytes < 0 || h.defBytes > h.packed || h.repBytes > h.packed || levels > min(h.packed, h.unpacked) {
		return damaged("the levels of a page have more bytes than the page")
	}
	if h.nulls < 0 || h.nulls > h.values || h.rows < 0 || h.rows > h.values {
		return damaged("a page of %d values should have %d nulls and %d rows", h.values, h.nulls, h.rows)
	}
	return nil
}
