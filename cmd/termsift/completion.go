package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file completes the values of flags and arguments in a shell.

// setCompletion sets the completion of all flags and arguments below root. cobra keeps it in
// the process: it is set in those that complete something only.
func (a *app) setCompletion(root *cobra.Command) error {
	for _, c := range append(root.Commands(), root) {
		if complete := a.commandOf(c).complete; complete != nil {
			c.ValidArgsFunction = complete
		}
		var failed error
		c.LocalFlags().VisitAll(func(p *pflag.Flag) {
			f, err := flags.Of(p), error(nil)
			switch {
			case f.Choices != nil:
				err = c.RegisterFlagCompletionFunc(p.Name, func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
					return complete(f, args, begun)
				})
			case p.Value.Type() != "bool" && f.Reads == nil && !f.Writes && !f.Folder:
				err = c.RegisterFlagCompletionFunc(p.Name, cobra.NoFileCompletions)
			}
			failed = cmp.Or(failed, err)
		})
		if failed != nil {
			return failed
		}
	}
	return nil
}

func complete(f *flags.Flag, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp
	if f.Reads != nil {
		directive = cobra.ShellCompDirectiveDefault
	}
	taken := []string{begun}
	if f.List {
		taken = usage.SplitNames(begun)
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	last := taken[len(taken)-1]
	taken = taken[:len(taken)-1]
	before := strings.TrimSuffix(begun, last)
	var found []string
	for _, v := range f.Choices(args) {
		hidden := strings.Contains(v, ":") && !strings.Contains(last, ":") // there are too many to show them at once
		if !hidden && strings.HasPrefix(v, last) && !slices.Contains(taken, v) && typeable(v) {
			found = append(found, before+v)
		}
	}
	return found, directive
}

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
func typeable(s string) bool { return s != "" && tables.WithoutControls(s, "") == s }
