package classify

import (
	"fmt"
	"slices"

	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// A Scope is what one class is learnt from and told by: columns of its own and rows of
// its own.
type Scope struct {
	Class   uint32
	Columns []uint32 // ascending
	// Needs are those of the Columns, ascending, of which a row must have one: without
	// any it is outside the class, and no model is asked. nil needs none.
	Needs []uint32
}

// ScopesOf gives the scopes of Best Terms over the features of a selection: a class is
// told by its positive and negative terms, and a document without a positive one is
// outside it. A class without a positive term has no scope, and no document can be in
// it. A selection that lacks a term or a class is refused with
// [usage.ErrContradiction].
func ScopesOf(b *bestterms.Choice, s *selection.Selection) (scopes []Scope, err error) {
	if b == nil || s == nil {
		return nil, usage.Errorf("a nil choice or selection was given")
	}
	scopes = []Scope{}
	column := make(map[string]uint32, len(s.Features))
	for i, f := range s.Features {
		column[f.Term] = uint32(i)
	}
	for _, c := range b.Classes {
		class, found := slices.BinarySearch(s.Classes, c.Class)
		if !found {
			return nil, fmt.Errorf("%w: it does not have the class %q; take both from the same corpus", usage.ErrContradiction, c.Class)
		}
		scope := Scope{Class: uint32(class)}
		if scope.Needs, err = columnsOf(c.Positive, column); err != nil {
			return nil, err
		}
		against, err := columnsOf(c.Negative, column)
		if err != nil {
			return nil, err
		}
		if len(scope.Needs) > 0 {
			scope.Columns = slices.Concat(scope.Needs, against)
			slices.Sort(scope.Columns)
			scope.Columns = slices.Compact(scope.Columns)
			scopes = append(scopes, scope)
		}
	}
	return scopes, nil
}

// columnsOf gives the columns of terms, ascending.
func columnsOf(terms []bestterms.Term, column map[string]uint32) ([]uint32, error) {
	columns := make([]uint32, len(terms))
	for i, t := range terms {
		at, ok := column[t.Term]
		if !ok {
			return nil, fmt.Errorf("%w: it lacks %q, which Best Terms chose; take both from the same corpus", usage.ErrContradiction, t.Term)
		}
		columns[i] = at
	}
	slices.Sort(columns)
	return columns, nil
}

// checkScopes returns an error unless scopes fit columns and classes: lists ascend, needs
// are among the columns, and no class has two scopes.
func checkScopes(scopes []Scope, columns, classes int) error {
	seen := make([]bool, classes)
	for i, s := range scopes {
		switch {
		case uint64(s.Class) >= uint64(classes):
			return fmt.Errorf("%w: scope %d is of class %d of %d", ErrBadRows, i, s.Class, classes)
		case seen[s.Class]:
			return fmt.Errorf("%w: class %d has two scopes", ErrBadRows, s.Class)
		case !ascend(s.Columns, columns) || !ascend(s.Needs, columns):
			return fmt.Errorf("%w: the columns of class %d do not ascend below %d", ErrBadRows, s.Class, columns)
		case len(s.Columns) == 0:
			return fmt.Errorf("%w: the scope of class %d has no columns", ErrBadRows, s.Class)
		}
		for _, c := range s.Needs {
			if _, found := slices.BinarySearch(s.Columns, c); !found {
				return fmt.Errorf("%w: class %d needs column %d, which it does not have", ErrBadRows, s.Class, c)
			}
		}
		seen[s.Class] = true
	}
	return nil
}
