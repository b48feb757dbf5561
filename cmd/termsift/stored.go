package main

import (
	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine/corpus"
)

// This file determines the optional contents of an index that is made from others.

// storeNothing is the value of --store for no optional contents.
const storeNothing = "none"

func (f *mergeFlags) registerStore(c *cobra.Command, without string) {
	c.Flags().StringVar(&f.store, "store", "", "what the result has for speed: cells, or none (default "+without+")")
}

// withoutCells reports whether an index made from others has no cells: none were asked for, or,
// where nothing was, some of the others have none. It prints a note if only some have.
func (a *app) withoutCells(asked string, corpora ...*corpus.Corpus) (bool, error) {
	if asked != "" {
		return parseStore(asked)
	}
	having := 0
	for _, c := range corpora {
		if c.HasCells() {
			having++
		}
	}
	if having > 0 && having < len(corpora) {
		a.note("note: the result does not hold cells, for not all indexes do: --store cells makes them anew")
	}
	return having < len(corpora), nil
}
