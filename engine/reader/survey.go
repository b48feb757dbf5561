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

// A Survey describes a corpus.
type Survey struct {
	Summary
	Labelled int
	// Empty are the documents without text and features.
	Empty int
	// Longest is the largest document in bytes of text, or in features.
	LongestText, LongestFeatures int
	Classes                      map[string]int // documents
	MostLabels                   int            // of a document
	Labels                       int            // of all documents
	Splits                       map[string]int // documents, where the input has splits
	// Repeats counts documents that repeat an earlier one, white space and case ignored.
	Repeats struct {
		Documents    int                    // repeated ones, without the first of each group
		Groups       int                    // of documents with the same contents
		AcrossSplits int                    // groups with members in more than one split
		AcrossLabels int                    // groups whose members have different labels
		Places       [][2]document.Position // of one that repeats another, and of that other
	}
	// AlikeLabels are the groups of labels that people take for one: they are one number, or equal in
	// Unicode's form NFC, without white space around them and characters that nobody sees, and without
	// regard to case and kinds of white space.
	AlikeLabels [][]string
}

// Survey reads the source to its end. Documents that cannot be understood are
// counted if the options say SkipBad; any other problem ends it, and what was found
// until then comes with the error.
func (s *Source) Survey() (*Survey, error) {
	v := &Survey{Classes: map[string]int{}, Splits: map[string]int{}}
	groups := map[document.Fingerprint]*group{}
	var prints document.Fingerprinter
	var failed error
	for d, err := range s.Documents() {
		if err != nil {
			failed = err
			break
		}
		v.add(d)
		if len(d.Text) > 0 || len(d.Features) > 0 {
			v.repeat(groups, prints.Of(d), d)
		}
	}
	v.Summary, v.AlikeLabels = s.Summary(), alikeLabels(v.Classes, labelKey)
	return v, failed
}

// A group is documents with the same contents.
type group struct {
	first                      document.Position
	labels, split              string
	members                    int
	acrossSplits, acrossLabels bool
}

func (v *Survey) add(d document.Document) {
	labels := slices.Compact(slices.Sorted(slices.Values(d.Labels)))
	for _, label := range labels {
		v.Classes[label]++
	}
	v.Labels += len(labels)
	v.MostLabels = max(v.MostLabels, len(labels))
	if len(labels) > 0 {
		v.Labelled++
	}
	if len(strings.TrimSpace(string(d.Text))) == 0 && len(d.Features) == 0 {
		v.Empty++
	}
	v.LongestText, v.LongestFeatures = max(v.LongestText, len(d.Text)), max(v.LongestFeatures, len(d.Features))
	if d.Split != "" {
		v.Splits[d.Split]++
	}
}

// repeat adds a document to the group of its fingerprint and counts it if it repeats one.
func (v *Survey) repeat(groups map[document.Fingerprint]*group, print document.Fingerprint, d document.Document) {
	labels := strings.Join(slices.Sorted(slices.Values(d.Labels)), "\x00")
	g := groups[print]
	if g == nil {
		groups[print] = &group{first: d.Source, labels: labels, split: d.Split, members: 1}
		return
	}
	r := &v.Repeats
	r.Documents++
	if g.members++; g.members == 2 {
		r.Groups++
	}
	if labels != g.labels && !g.acrossLabels {
		g.acrossLabels = true
		r.AcrossLabels++
	}
	if d.Split != g.split && !g.acrossSplits {
		g.acrossSplits = true
		r.AcrossSplits++
	}
	if len(r.Places) < mostPlaces {
		r.Places = append(r.Places, [2]document.Position{d.Source, g.first})
	}
}

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

// labelKey returns the same text for labels that are equal as [Survey.AlikeLabels] says.
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
