package main

import (
	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
)

// This file determines the optional contents of an index that is made from others.

// storeNothing is the value of --store for no optional contents.
const storeNothing = "none"

// storeFlag returns the flag of the optional contents of an index.
func storeFlag(to *string, without string) flags.Flag {
	return flags.Flag{
		Name: "store", To: to, Choices: flags.Among("cells", storeNothing), Group: flags.GroupOutput,
		Help: "what the result has for speed: cells, the counts of every term in every class, or none (default " + without + ")",
	}
}

// withoutCells reports whether an index made from others has no cells: none were asked for, or,
// where nothing was, some of the others have none. It prints a note if only some have.
func (tk *talk) withoutCells(asked string, corpora ...*corpus.Corpus) (bool, error) {
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
		tk.note("note: the result does not hold cells, for not all indexes do: --store cells makes them anew")
	}
	return having < len(corpora), nil
}
