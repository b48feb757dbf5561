package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/terminal"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/table"
)

// This file completes names that files have: classes and terms.

// namesIn gives the classes and the terms of an index or of statistics, if a path names one.
func namesIn(path string, use func(classes []string, terms *table.Dictionary)) {
	switch kind, _ := kindOf(path); kind {
	case indexFile:
		if c, err := corpus.Open(path, corpus.OpenOptions{}); err == nil {
			use(c.Classes(), c.Index().Terms)
			_ = c.Close() // nothing was written
		}
	case statisticsFile:
		if s, err := corpus.OpenStatistics(path); err == nil {
			use(s.Classes(), s.Names)
		}
	}
}

// classesIn returns the classes of the indexes and the statistics among the arguments.
func classesIn(args []string) (all []string) {
	for _, path := range args {
		namesIn(path, func(classes []string, _ *table.Dictionary) { all = append(all, classes...) })
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// mostTerms is the number of terms that are offered.
const mostTerms = 100

// completeTerms returns what completes an input and so many terms behind it: of an index or statistics those
// with the highest df that begin so.
func completeTerms(most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) (found []string, _ cobra.ShellCompDirective) {
		switch {
		case len(args) == 0:
			return nil, cobra.ShellCompDirectiveDefault
		case len(args) <= most:
			namesIn(args[0], func(_ []string, terms *table.Dictionary) {
				for i := 0; i < terms.Len() && len(found) < mostTerms; i++ {
					if t := terms.Term(i); strings.HasPrefix(t, begun) && typeable(t) {
						found = append(found, strings.Clone(t))
					}
				}
			})
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// typeable reports whether a shell can show a value and a person type it.
func typeable(s string) bool { return s != "" && terminal.WithoutControls(s, "") == s }
