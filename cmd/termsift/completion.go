package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/evidence"
	"github.com/termsift/termsift/engine/keyness"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/reader/charset"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
)

// This file completes the values of flags and arguments in a shell.

// A choice is what a value can be.
type choice struct {
	values func(c *cobra.Command, args []string) []string
	list   bool // several values, separated by commas
	files  bool // or the name of a file
}

// choices are those of the flags. A name such as "score.by" is a flag of one command.
func choices() map[string]choice {
	splits := among("all", "train", "test", "unused")
	return map[string]choice{
		"by":               {values: among(combined(methods.Names())...), list: true},
		"score.by":         {values: among(append(measureNames(), "all")...), list: true},
		"compare.by":       {values: among(append(combined(measureNames()), "all")...), list: true},
		"charset":          {values: among(charset.Names()...)},
		"class":            {values: classesIn},
		"classes":          {values: among("all", "both"), files: true},
		"classifier":       {values: among(classify.LearnerKinds()...), list: true},
		"cluster-weight":   {values: among(projection.ClusterLog, projection.ClusterTFIDF)},
		"combine":          {values: among(rank.Combinations()...)},
		"correct":          {values: among(keyness.Corrections()...)},
		"counts":           {values: among(bestterms.CountsTraining, bestterms.CountsReduced)},
		"discriminate":     {values: among(projection.DiscriminatePR, projection.DiscriminateLogPR)},
		"factors":          {values: among(selection.Factors()...), list: true},
		"format":           {values: among(tableFormats...)},
		"function":         {values: among(bestterms.Functions()...)},
		"generate.to":      {values: among(append(slices.Sorted(maps.Keys(lineFormats)), "index")...)},
		"headers":          {values: among("keep", "none")},
		"normalize":        {values: among(analysis.NormalForms()...)},
		"markup":           {values: among(analysis.Markups()...)},
		"input-format":     {values: among(reader.Formats()...)},
		"keyness.by":       {values: among(keyness.Measures()...)},
		"kwic-sort":        {values: among(evidence.Orders()...)},
		"labels":           {values: among("topics", "places", "people", "orgs", "exchanges")},
		"label-from":       {values: among("folder", "file")},
		"quote":            {values: among("auto", "none", "double")},
		"project.rule":     {values: among(projection.Positive, projection.Literal)},
		"reuters-split":    {values: among("modapte", "modlewis", "modhayes")},
		"rule":             {values: among(bestterms.RuleInterpolated, bestterms.RuleMax)},
		"scope":            {values: among(bestterms.ScopeReduced, bestterms.ScopeAll)},
		"stability.by":     {values: among(combined(measureNames())...)},
		"split":            {values: splits},
		"stem":             {values: among(analysis.Stemmers()...)},
		"stop":             {values: among(analysis.StopLists()...), files: true},
		"store":            {values: among("cells", storeNothing)},
		"summary":          {values: among(summaryJSON)},
		"strip-metadata":   {values: among("auto", "on", "off")},
		"test-split":       {values: splits},
		"then":             {values: among(measureNames()...)},
		"to":               {values: among(rowFormatNames()...)},
		"tokens":           {values: among(analysis.Tokenizers()...)},
		"weight":           {values: among(selection.Weightings()...)},
		"compare.weight":   {values: among(weightings()...)},
		"explain.weight":   {values: among(weightings()...)},
		"score.weight":     {values: among(weightings()...)},
		"stability.weight": {values: among(weightings()...)},
	}
}

// arguments complete those of commands; the arguments of other commands are files.
var arguments = map[string]cobra.CompletionFunc{
	"demo":     cobra.NoFileCompletions,
	"explain":  completeExplain,
	"generate": cobra.NoFileCompletions,
	"version":  cobra.NoFileCompletions,
}

// among returns a function that returns names.
func among[T ~string](names ...T) func(*cobra.Command, []string) []string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = string(name)
	}
	return func(*cobra.Command, []string) []string { return texts }
}

func measureNames() (names []string) {
	for _, m := range rank.Measures() {
		names = append(names, m.Name)
	}
	return names
}

// combined adds to each measure among names those with a combination.
func combined(names []string) []string {
	all := slices.Clone(names)
	for _, m := range rank.Measures() {
		if !m.Combinable || !slices.Contains(names, m.Name) {
			continue
		}
		for _, c := range rank.Combinations() {
			if c != string(rank.ByClass) {
				all = append(all, m.Name+":"+c)
			}
		}
	}
	return all
}

// setCompletion sets the completion of all flags and arguments below root. cobra keeps it in
// the process: it is set in those that complete something only.
func setCompletion(root *cobra.Command) error {
	known := choices()
	for _, c := range append(root.Commands(), root) {
		if complete := arguments[c.Name()]; complete != nil {
			c.ValidArgsFunction = complete
		}
		var failed error
		c.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			choose, ok := known[c.Name()+"."+flag.Name]
			if !ok {
				choose, ok = known[flag.Name]
			}
			kind := flag.Value.Type()
			isText := kind == "string" || kind == "stringArray"
			var err error
			switch {
			case ok && isText:
				err = c.RegisterFlagCompletionFunc(flag.Name, choose.complete)
			case kind != "bool" && !namesFile(flag.Name):
				err = c.RegisterFlagCompletionFunc(flag.Name, cobra.NoFileCompletions)
			}
			if failed == nil {
				failed = err
			}
		})
		if failed != nil {
			return failed
		}
	}
	return nil
}

// namesFile reports whether the value of a flag is a file or a folder.
func namesFile(flag string) bool {
	return readFlags[flag] != nil || slices.Contains(writtenFlags, flag) || writtenInFolder[flag] != "" || flag == "temp-dir"
}

// complete implements [cobra.CompletionFunc].
func (o choice) complete(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	values := o.values(c, args)
	directive := cobra.ShellCompDirectiveNoFileComp
	if o.files {
		directive = cobra.ShellCompDirectiveDefault
	}
	before := ""
	if o.list {
		before = begun[:strings.LastIndexByte(begun, ',')+1]
	}
	if o.list {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	taken, last := strings.Split(before, ","), begun[len(before):]
	var found []string
	for _, v := range values {
		hidden := strings.Contains(v, ":") && !strings.Contains(last, ":") // there are too many to show them at once
		if !hidden && strings.HasPrefix(v, last) && !slices.Contains(taken, v) && typeable(v) {
			found = append(found, before+v)
		}
	}
	return found, directive
}

// typeable reports whether a shell can show a value and a person type it.
func typeable(s string) bool { return s != "" && withoutControls(s, "") == s }

// classesIn returns the classes of the indexes and the statistics among the arguments.
func classesIn(_ *cobra.Command, args []string) (classes []string) {
	for _, path := range args {
		switch kindOf(path) {
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
	switch kindOf(path) {
	case indexFile:
	case statisticsFile:
		s, err := corpus.OpenStatistics(path)
		if err != nil {
			return nil
		}
		return termsBeginning(s.Counts().Terms, begun)
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
