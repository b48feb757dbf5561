package main

import (
	"strings"

	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// This file parses --by, for all commands.

// method parses a method. The flags supply what the text leaves open.
func (f *scoringFlags) method(text string, threads int) (selection.Method, error) {
	return methods.Parse(text, f.defaults(text, threads))
}

// methods parses methods separated by commas.
func (f *scoringFlags) methods(list string, threads int) (all []selection.Method, err error) {
	for _, text := range usage.SplitNames(list) {
		m, err := f.method(text, threads)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// measure parses a measure, possibly with a combination.
func (f *scoringFlags) measure(text string, threads int) (rank.Options, error) {
	return methods.ParseMeasure(text, f.defaults(text, threads).Scoring)
}

// defaults returns the options that the flags give for a method.
func (f *scoringFlags) defaults(text string, threads int) methods.Options {
	name, _, _ := strings.Cut(strings.TrimSpace(text), ":")
	return methods.Options{Scoring: f.scoring(name, threads)}
}

// method parses --by, with the flags of Best Terms as well.
func (f *selectingFlags) method(threads int) (selection.Method, error) {
	o := f.defaults(f.by, threads)
	o.BestTerms = f.best.Options
	return methods.Parse(f.by, o)
}
