package main

import (
	"slices"
	"strings"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
)

// This file determines the optional contents of an index that is made from others.

// storeNothing is the value of --store for no optional contents.
const storeNothing = "none"

// storeFlag returns the flag of the optional contents of an index.
func storeFlag(to *string, without string) flags.Flag {
	return flags.Flag{
		Name: "store", To: to, List: true, Choices: flags.From(storeNames), Group: flags.GroupOutput,
		Help: "what the result holds for speed: " + storable + " (default " + without + ")",
	}
}

// stored returns the optional contents of an index made from others: those asked for,
// else those that all of them have. It prints which are left out because only some have
// them.
func (a *app) stored(asked string, corpora ...*corpus.Corpus) (o corpus.SaveOptions, err error) {
	if asked != "" {
		return parseStore(asked)
	}
	o = corpora[0].Stored()
	var some []string
	for _, c := range corpora {
		own := c.Stored()
		some = append(some, storedNames(own)...)
		o.Forward, o.NoCells = o.Forward && own.Forward, o.NoCells || own.NoCells
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

// bounded returns those of the optional contents that --max-memory bounds: the cells. It
// prints which others are left out, and refuses them if they were asked for.
func (a *app) bounded(asked string, o corpus.SaveOptions) (corpus.SaveOptions, error) {
	names := storedNames(corpus.SaveOptions{Forward: o.Forward, NoCells: true, Weights: o.Weights})
	switch {
	case len(names) > 0 && asked != "":
		return o, usageError("--store takes cells or none with --max-memory, which does not bound the others: append, then index --store the result")
	case len(names) > 0:
		a.note("note: the result does not hold %s, which --max-memory does not bound: index --store makes it anew", strings.Join(names, ","))
	}
	return corpus.SaveOptions{NoCells: o.NoCells}, nil
}

// storedNames returns optional contents in the words of --store.
func storedNames(o corpus.SaveOptions) (names []string) {
	if o.Forward {
		names = append(names, "forward")
	}
	if !o.NoCells {
		names = append(names, "cells")
	}
	if o.Weights != "" {
		names = append(names, "weights="+string(o.Weights))
	}
	return names
}
