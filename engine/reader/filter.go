package reader

import (
	"fmt"
	"slices"
)

// A filter drops labels and documents, in this order: documents without exactly one label
// as written; all labels but the first; labels of other classes; documents without any
// label left. Each step is optional. The labels that stay are made a set.
type filter struct {
	single, first, labelled bool
	classes                 map[string]bool // nil = all
}

func newFilter(opt *Options) filter {
	f := filter{single: opt.SingleLabel, first: opt.FirstLabel, labelled: opt.Labelled || opt.SingleLabel}
	if opt.Classes != nil {
		f.classes = make(map[string]bool, len(opt.Classes))
		for _, c := range opt.Classes {
			f.classes[c] = true
		}
	}
	return f
}

// apply returns the labels that stay, in the memory of the given ones, or the reason why
// the document is dropped.
func (f *filter) apply(labels []string) (kept []string, reason string) {
	if f.single && len(labels) != 1 {
		return nil, "document without exactly one label"
	}
	if f.first && len(labels) > 1 {
		labels = labels[:1]
	}
	if f.classes != nil {
		labels = slices.DeleteFunc(labels, func(label string) bool { return !f.classes[label] })
	}
	if f.labelled && len(labels) == 0 {
		return nil, "document without a label of these classes"
	}
	return distinct(labels), ""
}

// missingClasses says which of the classes asked for no document has had as a label, "" if all
// were there. The caller holds the lock.
func (s *Source) missingClasses() string {
	if s.opt.Classes != nil && len(s.opt.Classes) == 0 {
		return "the list of the classes asked for is empty"
	}
	n, first := 0, ""
	for _, class := range s.opt.Classes {
		if _, ok := s.labels[class]; !ok {
			if n++; n == 1 {
				first = class
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d of the %d classes asked for are labels of no document; the first is %q", n, len(s.opt.Classes), quotable(first))
}

// fewLabels is the number up to which distinct compares each label with all others. The
// 10,000 labels that a hostile document may have would take 50 million comparisons.
const fewLabels = 32

// distinct removes repeated labels, in their memory and keeping their order.
func distinct(labels []string) []string {
	if len(labels) > fewLabels {
		seen := make(map[string]bool, len(labels))
		return slices.DeleteFunc(labels, func(label string) bool {
			again := seen[label]
			seen[label] = true
			return again
		})
	}
	kept := labels[:0]
	for _, label := range labels {
		if !slices.Contains(kept, label) {
			kept = append(kept, label)
		}
	}
	return kept
}
