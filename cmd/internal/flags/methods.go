package flags

import (
	"strings"

	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// This file parses --by.

// Method parses a method. The flags supply what the text leaves open.
func (f *Scoring) Method(text string, threads int) (selection.Method, error) {
	return methods.Parse(text, f.Defaults(text, threads))
}

// Methods parses methods separated by commas.
func (f *Scoring) Methods(list string, threads int) (all []selection.Method, err error) {
	for _, text := range usage.SplitNames(list) {
		m, err := f.Method(text, threads)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// Measure parses a measure, possibly with a combination.
func (f *Scoring) Measure(text string, threads int) (rank.Options, error) {
	return methods.ParseMeasure(text, f.Defaults(text, threads).Scoring)
}

// Defaults returns the options that the flags give for a method, whose name text begins with.
func (f *Scoring) Defaults(text string, threads int) methods.Options {
	name, _, _ := strings.Cut(strings.TrimSpace(text), ":")
	return methods.Options{Scoring: f.Options(name, threads)}
}
