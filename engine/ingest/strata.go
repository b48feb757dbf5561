package ingest

import (
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/usage"
)

// This file gives documents that a control divides the labels by which their classes are counted
// in each stratum.

// inStrata yields documents with the labels of [document.InStrata] in place of their classes.
func inStrata(batches document.Batches) document.Batches {
	return func(yield func(document.Stream, error) bool) {
		batches(func(docs document.Stream, err error) bool {
			if err != nil {
				return yield(nil, err)
			}
			return yield(streamInStrata(docs), nil)
		})
	}
}

// streamInStrata is inStrata for a stream.
func streamInStrata(docs document.Stream) document.Stream {
	return func(yield func(document.Document, error) bool) {
		l := strataLabels{of: map[[2]string]string{}}
		docs(func(d document.Document, err error) bool {
			if err == nil {
				err = l.setLabels(&d)
			}
			return yield(d, err)
		})
	}
}

// strataLabels makes the labels of documents.
type strataLabels struct {
	own []string             // of the current document
	of  map[[2]string]string // by class and stratum
}

// setLabels sets the labels of a document.
func (l *strataLabels) setLabels(d *document.Document) error {
	if d.Stratum == "" {
		return NewDocumentError(d, "it has no stratum, the value of the control: leave it out")
	}
	if slices.Contains(d.Labels, "") {
		return NewDocumentError(d, "a label is empty: leave it out")
	}
	l.own = l.own[:0]
	for class, stratum := range document.InStrata(d.Labels, d.Stratum) {
		label, ok := l.of[[2]string{class, stratum}]
		if !ok {
			for _, name := range []string{class, stratum} {
				if strings.Contains(name, document.Mark()) {
					return NewDocumentError(d, "the name %q has the character %q, which stands between a class and a stratum: leave it out of names",
						usage.Cut(name), document.Mark())
				}
			}
			label = document.InStratum(class, stratum)
			l.of[[2]string{class, stratum}] = label
		}
		l.own = append(l.own, label)
	}
	d.Labels = l.own
	return nil
}

// anyClass reports whether some document of src has a class.
func (opt *Options) anyClass(src *postings.Source) bool {
	if opt.Control == "" {
		return len(src.Labels) > 0
	}
	return slices.ContainsFunc(src.Classes, func(label string) bool {
		class, _, _ := document.CutStratum(label)
		return class != ""
	})
}

// classes returns how many classes the labels of indexes are, of which there are so many different
// ones: fewer than these if they are pairs of a class and a stratum.
func (opt *Options) classes(labels int, of ...*postings.Index) int {
	if opt.Control == "" {
		return labels
	}
	classes := map[string]bool{}
	for _, x := range of {
		for _, label := range x.Classes {
			if class, _, _ := document.CutStratum(label); class != "" {
				classes[class] = true
			}
		}
	}
	return len(classes)
}
