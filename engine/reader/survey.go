package reader

import (
	"slices"
	"strings"

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
	Repeats                      Repeats
	// AlikeLabels are the groups of labels that people take for one: they are equal in Unicode's
	// form NFC, without white space around them and without regard to case.
	AlikeLabels [][]string
}

// Repeats counts documents that repeat an earlier one, white space and case ignored.
type Repeats struct {
	Documents    int // repeated ones, without the first of each group
	Groups       int
	AcrossSplits int // groups with members in more than one split
	AcrossLabels int // groups whose members have different labels
	Places       []RepeatedAt
}

// RepeatedAt is the position of a document that repeats another, and of that other.
type RepeatedAt struct{ Here, First document.Position }

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
	v.Summary, v.AlikeLabels = s.Summary(), alikeLabels(v.Classes)
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
		r.Places = append(r.Places, RepeatedAt{d.Source, g.first})
	}
}
