package reader

import "slices"

// A filter decides by its labels what becomes of a document, in this order: a
// document without exactly one label as written goes; all labels but the first
// go; those of other classes go; the document goes if none is left. What stays is a
// set.
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

// apply gives the labels that stay, in the memory of the given ones, or the
// reason why the document does not.
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

// fewLabels is up to where all are compared with each other. The 10,000 that a
// hostile document may have would take 50 million comparisons.
const fewLabels = 32

// distinct makes labels a set, in their memory and order.
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
