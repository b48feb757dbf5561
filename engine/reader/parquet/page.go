package parquet

import (
	"hash/crc32"
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
	n, width := int(p.header.values), bits.Len(uint(limit))
	if limit == p.column.maxDef && p.column.maxRep == 0 {
		r, _, err := nextRun(data, width, n)
		if err == nil && r.packed == nil && r.count == n && int(r.value) == limit {
			return nil, nil // no nulls, as in most pages
		}
	}
	levels, err := decodeHybrid[byte](nil, data, width, n, uint32(limit))
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
func (p *page) present(defs []byte) (n int) {
	for _, level := range defs {
		if int(level) == p.column.maxDef {
			n++
		}
	}
	return n
}
