package bagofwords

import "github.com/termsift/termsift/engine/analysis"

// blockEntries is the number of elements that a block of rows has room for, if no row has more.
const blockEntries = 64 << 10

// rowBlocks are rows one behind the other, in pieces of memory that are never moved.
type rowBlocks struct {
	blocks  [][]analysis.TermCount
	lengths []uint32 // of all rows
}

// add adds a row.
func (b *rowBlocks) add(row []analysis.TermCount) {
	last := len(b.blocks) - 1
	if last < 0 || cap(b.blocks[last])-len(b.blocks[last]) < len(row) {
		b.blocks = append(b.blocks, make([]analysis.TermCount, 0, max(b.nextBlock(), len(row))))
		last++
	}
	b.blocks[last] = append(b.blocks[last], row...)
	b.lengths = append(b.lengths, uint32(len(row)))
}

// nextBlock returns the room of a block: few texts need a small one.
func (b *rowBlocks) nextBlock() int { return min(1<<10<<(2*len(b.blocks)), blockEntries) }

// each yields the rows. A row lies in one block.
func (b *rowBlocks) each(yield func(row []analysis.TermCount) bool) {
	var block []analysis.TermCount
	next := 0
	for _, n := range b.lengths {
		if len(block) == 0 && n > 0 {
			block = b.blocks[next]
			next++
		}
		if !yield(block[:n]) {
			return
		}
		block = block[n:]
	}
}

// stored is the number of elements.
func (b *rowBlocks) stored() (n int64) {
	for _, block := range b.blocks {
		n += int64(len(block))
	}
	return n
}
