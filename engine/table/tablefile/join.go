package tablefile

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file joins files of statistics that have the same documents and no term in common, as
// streams.

// ErrNotParts is wrapped by the errors of [Join] for files that are not parts of the
// same statistics.
var ErrNotParts = usage.NewError(usage.ErrContradiction, "statistics that are no parts of the same")

// Join writes the file of the terms of n files, which open opens, with the totals and
// classes that all must have. It takes as many passes as [Merge]. It returns an
// [ErrNotParts] if totals or classes differ, or if two files have a term.
func Join(ctx context.Context, w io.Writer, n int, open func(i int) (*File, error), o MergeOptions) error {
	return mergeInPasses(ctx, w, n, open, o, (*merging).joinHeads)
}

// joinHeads sets the margins and classes to those of each part.
func (m *merging) joinHeads() error {
	m.disjoint = true
	for i, p := range m.parts {
		if i == 0 {
			m.head.Cells.Margins, m.head.ClassNames, m.head.Pruned, m.head.Missing = p.f.Margins, p.f.Classes, p.f.Pruned, p.f.Missing
			p.class = make([]uint32, len(p.f.Classes))
			for c := range p.class {
				p.class[c] = uint32(c)
			}
		}
		first := m.parts[0]
		if !first.f.SameTotals(p.f) {
			return fmt.Errorf("%w: %s and %s have other totals", ErrNotParts, first.f.nameOr(0), p.f.nameOr(i))
		}
		p.class, p.alike = first.class, true
	}
	return nil
}

// SameTotals reports whether two files have the same margins and classes.
func (f *File) SameTotals(o *File) bool {
	return f.Pruned == o.Pruned && f.Missing == o.Missing && f.Margins.Same(&o.Margins) && slices.Equal(f.Classes, o.Classes)
}

// nameOr returns the name of the file, or else its place.
func (f *File) nameOr(i int) string {
	if f.Name == "" {
		return fmt.Sprintf("file %d", i+1)
	}
	return f.Name
}

// join completes the current term where several parts have it, which is an error, or where it
// needs what real values have beside their sums.
func (m *merging) join(parts []int) error {
	p := m.parts[parts[0]]
	if len(parts) > 1 {
		return p.f.named(fmt.Errorf("%w: another has the term %q, too", ErrNotParts, usage.Cut(string(p.names.last))))
	}
	c := &table.Cells{}
	if m.out.form == table.CentredCells {
		c.Centred = &table.Centred{}
	}
	c.AppendTerms(p.cells(), 0, 1)
	m.out.block.cellsOf(c, 0)
	return nil
}

// MergeTemporary opens a temporary file of the sum that [Merge] writes.
func MergeTemporary(ctx context.Context, n int, open func(i int) (*File, error), o MergeOptions) (*File, error) {
	return Temporary(o.Temporary, o.Dir, func(w io.Writer) error { return Merge(ctx, w, n, open, o) })
}
