package main

import (
	"slices"

	"github.com/termsift/termsift/engine/classify"
)

// This file says, before work begins that grows with terms times classes, how much it is and what takes
// less. It goes by counts, so that the same run always says the same.

// longWork is the number of lines, values or visits from which work is announced.
const longWork = 100_000_000

// announce prints the note on values of each term and class, unless they are few.
func (s *scorer) announce(measures int) {
	of, ok := s.of.(interface {
		Terms() int
		Classes() []string
	})
	if !ok || s.f.class != "" {
		return
	}
	terms, classes := of.Terms(), len(of.Classes())
	n := int64(measures) * int64(terms) * int64(classes)
	switch {
	case n < longWork:
	case s.f.all:
		s.f.note("writes %d lines, one for each of %d terms and %d classes; --class CLASS writes those of one class, --top K without --all the best terms of each", n, terms, classes)
	default:
		s.f.note("ranks %d terms for each of %d classes; --class CLASS ranks them for one", terms, classes)
	}
}

// announceTraining prints the note on classifiers that learn one class after the other, if there is such a
// learner, unless they visit few elements or documents.
func (tk *talk) announceTraining(learners []classify.Learner, classes int, visited int) {
	isSVM := func(l classify.Learner) bool { return l.Kind == "svm" }
	if int64(classes)*int64(visited) >= longWork && slices.ContainsFunc(learners, isSVM) {
		tk.note("svm trains %d classifiers, one for each class; centroid and nb read the documents once for all classes", classes)
	}
}
