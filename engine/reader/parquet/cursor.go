package parquet

// A Batch is some rows. Any goroutine may read it, at the same time as others.
type Batch struct {
	First  int64 // number of its first row in the file, from 0 on
	Rows   int
	file   *File
	pieces [][]piece // by the columns that are read
}

// A Cursor goes through the rows of a batch in one column. NextRow is called once for each
// row, and NextValue until it says that the row has no more.
type Cursor struct {
	column  *Column
	pieces  []piece // from the one at hand on
	at      int     // entry of the piece that is next
	value   int     // of the page that is next
	level   int     // of the entry at hand
	pending bool    // its value has not been given
}

// Cursor decodes a column of the batch, by its place in the arguments of [File.Batches].
func (b *Batch) Cursor(column int) (*Cursor, error) {
	pieces := b.pieces[column]
	for _, p := range pieces {
		if err := p.page.decode(); err != nil {
			return nil, within(err, "the column %.80q", p.page.column.Name)
		}
	}
	c := &Cursor{column: pieces[0].page.column, pieces: pieces}
	c.enter()
	return c, nil
}

// enter goes to the beginning of the piece at hand.
func (c *Cursor) enter() {
	p := &c.pieces[0]
	c.at, c.value = p.from, p.from
	if p.page.defs != nil {
		c.value = p.page.present(p.page.defs[:p.from])
	}
}

// NextRow goes to the next row and reports whether it has a value, or a list, if an empty one.
func (c *Cursor) NextRow() bool {
	if c.column.List {
		for c.goesOn() {
			c.load()
		}
	}
	c.load()
	if c.column.List {
		c.pending = c.level >= c.column.listDef
		return c.level >= c.column.listDef-1
	}
	c.pending = c.level == c.column.maxDef
	return c.pending
}

// NextValue goes to the next value of the row and reports whether there is one.
func (c *Cursor) NextValue() bool {
	if c.pending {
		c.pending = false
		return true
	}
	if !c.column.List || !c.goesOn() {
		return false
	}
	c.load()
	return true
}

// goesOn reports whether the next entry belongs to the row at hand.
func (c *Cursor) goesOn() bool {
	p := &c.pieces[0]
	at := c.at
	if at == p.to {
		if len(c.pieces) == 1 {
			return false
		}
		p = &c.pieces[1]
		at = p.from
	}
	return p.page.reps[at] != 0
}

// load makes the next entry the one at hand.
func (c *Cursor) load() {
	if c.at == c.pieces[0].to {
		c.pieces = c.pieces[1:]
		c.enter()
	}
	c.level = c.column.maxDef
	if defs := c.pieces[0].page.defs; defs != nil {
		c.level = int(defs[c.at])
	}
	if c.level == c.column.maxDef {
		c.value++
	}
	c.at++
}

// Null reports whether the value at hand, of a list, is null.
func (c *Cursor) Null() bool { return c.level < c.column.maxDef }

// Text returns the value at hand of a column of texts.
func (c *Cursor) Text() []byte { return c.pieces[0].page.values.text(c.value - 1) }

// Number returns the value at hand of a column of another kind: Uint is to be converted to
// uint64.
func (c *Cursor) Number() int64 { return c.pieces[0].page.values.number(c.value - 1) }

// Grown reports whether the value at hand may be longer than what the file has of it: it is
// one of a dictionary, or shares bytes with others.
func (c *Cursor) Grown() bool {
	v := &c.pieces[0].page.values
	return v.dict != nil || v.made
}
