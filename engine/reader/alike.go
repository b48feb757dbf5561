package reader

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/termsift/termsift/engine/document"
)

// This file compares labels: those that look like one, and those of the training and the test part.

// AlikeLabels returns the groups of labels that people take for one: they are one number, or equal in Unicode's form NFC,
// without white space around them and characters that nobody sees, and without regard to case and kinds of white space.
func AlikeLabels(classes map[string]int) [][]string { return alikeLabels(classes, labelKey) }

// alikeLabels returns the groups of two labels and more with the same key, in the order of their first labels.
func alikeLabels[T any](classes map[string]T, key func(label string) string) (groups [][]string) {
	byKey := map[string][]string{}
	for label := range classes {
		k := key(label)
		byKey[k] = append(byKey[k], label)
	}
	for _, labels := range byKey {
		if slices.Sort(labels); len(labels) > 1 {
			groups = append(groups, labels)
		}
	}
	slices.SortFunc(groups, slices.Compare)
	return groups
}

// labelKey returns the same text for labels that are equal as [AlikeLabels] says.
func labelKey(label string) string {
	if !utf8.ValidString(label) {
		return label
	}
	return norm.NFC.String(strings.Map(fold, printedKey(label)))
}

// printedKey returns the same text for labels that are one number, or print alike: they differ in white space
// around them or its kind, in characters that nobody sees, or in how letters with accents are composed.
func printedKey(label string) string {
	if !utf8.ValidString(label) {
		return label
	}
	label = strings.TrimSpace(strings.Map(visible, label))
	if number, err := document.AppendNumber(nil, []byte(label)); err == nil {
		return string(number)
	}
	return norm.NFC.String(label)
}

// visible returns -1 for a character that is not seen, as a soft hyphen, a mark of UTF-8 or a joiner, and a space for
// one that is seen as such.
func visible(r rune) rune {
	if unicode.IsSpace(r) {
		return ' '
	}
	if unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) || unicode.Is(unicode.Variation_Selector, r) || r == '\u034f' {
		return -1
	}
	return r
}

// fold returns the least of the characters that differ from r in case only.
func fold(r rune) rune {
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return least
}

// ErrOnce is returned for an input that must be read twice and cannot be.
var ErrOnce = errors.New("the input can be read only once")

// CommonClasses gives the labels that occur in the training part and in the test
// part, in the order of their bytes, after SingleLabel or FirstLabel; Classes and
// Labelled do not matter. It is never nil, so that Options.Classes keeps nothing
// where there are none. The inputs are read twice.
func CommonClasses(ctx context.Context, inputs []string, opt Options) ([]string, error) {
	for _, input := range inputs {
		if !ReadableTwice(input) {
			return nil, fmt.Errorf("%w: the classes of both parts are asked for, and %s is a pipe; name a file", ErrOnce, input)
		}
	}
	opt.Classes, opt.Labelled = nil, false
	parts := map[string]int{} // that have a label
	for _, opt.Split = range []string{"train", "test"} {
		labels, err := labelsOf(ctx, inputs, opt)
		if err != nil {
			return nil, err
		}
		for label := range labels {
			parts[label]++
		}
	}
	maps.DeleteFunc(parts, func(_ string, n int) bool { return n < 2 })
	common := slices.AppendSeq([]string{}, maps.Keys(parts))
	slices.Sort(common)
	return common, nil
}

// ReadableTwice reports whether an input can be read again: a file or a directory can, a
// pipe or a terminal cannot. It reports true for an input that is missing, which Read
// finds.
func ReadableTwice(input string) bool {
	info, err := os.Stat(input)
	return input != "-" && (err != nil || info.IsDir() || info.Mode().IsRegular())
}

// labelsOf reads the inputs and returns the labels that occur.
func labelsOf(ctx context.Context, inputs []string, opt Options) (map[string]bool, error) {
	s, err := Read(ctx, inputs, opt)
	if err != nil {
		return nil, err
	}
	labels := map[string]bool{}
	for d, err := range s.Documents() {
		if err != nil {
			return nil, err
		}
		for _, label := range d.Labels {
			labels[label] = true
		}
	}
	return labels, nil
}
