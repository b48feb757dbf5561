package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine"
)

// This file says what an index that is made of others holds beside what it needs.

// storeNothing is the --store of those that hold nothing beside.
const storeNothing = "none"

func (f *mergeFlags) registerStore(c *cobra.Command, without string) {
	c.Flags().StringVar(&f.store, "store", "", "what the result holds for speed: "+storable+"; or none (default "+without+")")
}

// stored is what the result of indexes holds: what was asked for, else what all of them
// do. What only some hold is left out, and told.
func (a *app) stored(asked string, corpora ...*engine.Corpus) (o engine.WriteOptions, err error) {
	switch asked {
	case storeNothing:
		return o, nil
	case "":
	default:
		return parseStore(asked)
	}
	o = corpora[0].Stored()
	var some []string
	for _, c := range corpora {
		own := c.Stored()
		some = append(some, storedNames(own)...)
		o.Forward, o.Cells = o.Forward && own.Forward, o.Cells && own.Cells
		if own.Weights != o.Weights {
			o.Weights = ""
		}
	}
	slices.Sort(some)
	all := storedNames(o)
	some = slices.DeleteFunc(slices.Compact(some), func(name string) bool { return slices.Contains(all, name) })
	if len(some) > 0 {
		a.note("note: the result does not hold %s, for not all indexes do: --store makes it anew", strings.Join(some, ","))
	}
	return o, nil
}

// storedNames says with --store what an index holds.
func storedNames(o engine.WriteOptions) (names []string) {
	if o.Forward {
		names = append(names, "forward")
	}
	if o.Cells {
		names = append(names, "cells")
	}
	if o.Weights != "" {
		names = append(names, "weights="+o.Weights)
	}
	return names
}
