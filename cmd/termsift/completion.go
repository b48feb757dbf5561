package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/terminal"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/table"
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
				err = c.RegisterFlagCompletionFunc(p.Name, completer(f))
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

// completer completes the value of a flag with choices.
func completer(f *flags.Flag) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		return complete(f, args, begun)
	}
}

func complete(f *flags.Flag, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp
	if f.Reads != nil {
		directive = cobra.ShellCompDirectiveDefault
	}
	before := ""
	if f.List {
		before = begun[:strings.LastIndexByte(begun, ',')+1]
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	taken, last := strings.Split(before, ","), begun[len(before):]
	var found []string
	for _, v := range f.Choices(args) {
		hidden := strings.Contains(v, ":") && !strings.Contains(last, ":") // there are too many to show them at once
		if !hidden && strings.HasPrefix(v, last) && !slices.Contains(taken, v) && typeable(v) {
			found = append(found, before+v)
		}
	}
	return found, directive
}

// typeable reports whether a shell can show a value and a person type it.
func typeable(s string) bool { return s != "" && terminal.WithoutControls(s, "") == s }

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
