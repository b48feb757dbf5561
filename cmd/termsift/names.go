package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/terminal"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/table"
)

// classesIn returns the classes of the indexes and the statistics among the arguments.
func classesIn(args []string) (classes []string) {
	for _, path := range args {
		switch kind, _ := kindOf(path); kind {
		case indexFile:
			if c, err := corpus.Open(path, corpus.OpenOptions{}); err == nil {
				classes = append(classes, c.Classes()...)
				_ = c.Close() // nothing was written
			}
		case statisticsFile:
			if s, err := corpus.OpenStatistics(path); err == nil {
				classes = append(classes, s.Classes()...)
			}
		}
	}
	slices.Sort(classes)
	return slices.Compact(classes)
}

// mostTerms is the number of terms that are offered.
const mostTerms = 100

// completeExplain completes the arguments of explain: an input and, of an index or statistics, the terms
// with the highest df that begin so.
func completeExplain(_ *cobra.Command, args []string, begun string) (terms []string, _ cobra.ShellCompDirective) {
	switch len(args) {
	case 0:
		return nil, cobra.ShellCompDirectiveDefault
	case 1:
		return termsIn(args[0], begun), cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// termsIn returns the terms of an index, or of statistics, that begin so.
func termsIn(path, begun string) []string {
	switch kind, _ := kindOf(path); kind {
	case indexFile:
	case statisticsFile:
		s, err := corpus.OpenStatistics(path)
		if err != nil {
			return nil
		}
		return termsBeginning(s.Names, begun)
	default:
		return nil
	}
	c, err := corpus.Open(path, corpus.OpenOptions{})
	if err != nil {
		return nil
	}
	defer c.Close()
	return termsBeginning(c.Index().Terms, begun)
}

// termsBeginning returns the first terms that begin so, those with the highest df.
func termsBeginning(names *table.Dictionary, begun string) (terms []string) {
	for i := 0; i < names.Len() && len(terms) < mostTerms; i++ {
		if t := names.Term(i); strings.HasPrefix(t, begun) && typeable(t) {
			terms = append(terms, strings.Clone(t))
		}
	}
	return terms
}

// typeable reports whether a shell can show a value and a person type it.
func typeable(s string) bool { return s != "" && terminal.WithoutControls(s, "") == s }
