package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/store"
)

// The classes of a corpus that [Against] has made.
const (
	ClassTarget    = "target"
	ClassReference = "reference"
)

// A DifferenceError says why a corpus cannot be held against a reference. It is an
// [ErrContradiction].
type DifferenceError struct {
	Setting           string // of the analysis: "stemmer", "tokens"
	Target, Reference string
}

func (e *DifferenceError) Error() string {
	return fmt.Sprintf("target and reference were not analysed alike: the %s of the target is %s, that of the reference %s; count both with the same",
		e.Setting, e.Target, e.Reference)
}

// Is makes a difference an [ErrContradiction].
func (e *DifferenceError) Is(target error) bool { return target == ErrContradiction }

// Against holds a target corpus against a reference, to find its key words: it makes a
// corpus of the documents of both with two classes, [ClassTarget] and [ClassReference],
// whatever their labels were, and any measure will do. A document of both counts twice:
// the caller sees to it that they are disjoint.
//
// Documents come in the order of their numbers, those of the target first. The corpora
// must have been analysed alike, else the error is a [DifferenceError], and must not be
// bounded by document frequency, else it wraps store.ErrPruned: what only one of them
// has left out would count as absent. 0 threads means GOMAXPROCS.
func Against(ctx context.Context, target, reference *Corpus, threads int) (*Corpus, error) {
	if err := sameAnalysis(target.provenance.Analysis, reference.provenance.Analysis); err != nil {
		return nil, err
	}
	for _, side := range []struct {
		name   string
		corpus *Corpus
	}{{ClassTarget, target}, {ClassReference, reference}} {
		if side.corpus.index.Pruned {
			return nil, fmt.Errorf("the %s: %w; count it without bounds", side.name, store.ErrPruned)
		}
	}
	p := target.provenance
	p.Reference = &reference.provenance
	meta, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	index, err := store.Oppose(ctx, [2]store.Side{{Index: target.index, Class: ClassTarget}, {Index: reference.index, Class: ClassReference}},
		store.OpposeOptions{Meta: meta, Threads: threads})
	if err != nil {
		return nil, err
	}
	return newCorpus(index)
}

// sameAnalysis names the first setting that differs.
func sameAnalysis(target, reference analysis.Options) error {
	a, b := reflect.ValueOf(target), reflect.ValueOf(reference)
	for i := range a.NumField() {
		if left, right := a.Field(i).Interface(), b.Field(i).Interface(); !reflect.DeepEqual(left, right) {
			name, _, _ := strings.Cut(a.Type().Field(i).Tag.Get("json"), ",")
			return &DifferenceError{strings.ReplaceAll(name, "_", " "), cut(quoted(left)), cut(quoted(right))}
		}
	}
	return nil
}

// quoted is the value of a setting in a message.
func quoted(setting any) string {
	if text, ok := setting.(string); ok {
		return fmt.Sprintf("%q", text)
	}
	return fmt.Sprint(setting)
}
