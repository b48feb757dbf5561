package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/text/unicode/norm"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// errFindings is returned by a check with findings. It gives exit code 1 and is not
// printed.
var errFindings = usage.NewError(usage.ErrNothing, "there are findings")

func checkCommand(a *app) *command {
	var f inputFlags
	f.app = a
	return &command{
		use:   "check INPUT...",
		short: "tell what is in raw input and what is wrong with it",
		long: "check reads raw input without indexing it: documents, classes, sizes, encodings, repeated documents, and\n" +
			"what could not be understood, by kind with the first 20 places. The exit code is 1 where it finds\n" +
			"something: a document that is not understood, repeated, empty or without a label where others have one\n" +
			"(with --target, a number), or labels that differ only in case, white space around them or Unicode's\n" +
			"normal form.",
		example: "  termsift check corpus/\n  termsift check --format json reviews.csv.gz --text-field review --label-field cat",
		flags:   slices.Concat(f.Reading.Flags(), []flags.Flag{flags.MaxList(&f.Read.MaxList)}, a.tableFlags("table")),
		classes: classesOptional,
		run: func(c *cobra.Command, args []string) error {
			f.Read.SkipBad = true
			source, err := f.source(c.Context(), args)
			if err != nil {
				return err
			}
			survey, failed := surveyOf(source)
			a.summary.update(func(l *summaryLine) {
				l.addSource(survey.Summary)
				classes := len(survey.Classes)
				l.Classes, l.Warnings = &classes, append(l.Warnings, survey.Warnings...)
			})
			var target *table.Target
			if f.Read.Target != "" {
				target = table.DescribeTarget(f.Read.Target, survey.Classes)
			}
			facts := surveyFacts(survey)
			if a.table.Format == "table" {
				facts = append(surveyForPeople(survey), classFacts(target, survey.Classes)...)
			} else {
				facts = withTarget(facts, target)
			}
			return cmp.Or(failed, tables.WriteObject(a.stdout, a.table, facts), f.findings(survey))
		},
	}
}

// A survey describes a corpus.
type survey struct {
	reader.Summary
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
	AlikeLabels [][]string // see [reader.AlikeLabels]
}

// surveyOf reads a source to its end. Documents that cannot be understood are counted if its options say SkipBad; any
// other problem ends it, and what was found until then comes with the error.
func surveyOf(s *reader.Source) (*survey, error) {
	v := &survey{Classes: map[string]int{}, Splits: map[string]int{}}
	groups := map[document.Fingerprint]*repeats{}
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
	v.Summary, v.AlikeLabels = s.Summary(), reader.AlikeLabels(v.Classes)
	return v, failed
}

// Repeats are documents with the same contents.
type repeats struct {
	first                      document.Position
	labels, split              string
	members                    int
	acrossSplits, acrossLabels bool
}

func (v *survey) add(d document.Document) {
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
func (v *survey) repeat(groups map[document.Fingerprint]*repeats, print document.Fingerprint, d document.Document) {
	labels := strings.Join(slices.Sorted(slices.Values(d.Labels)), "\x00")
	g := groups[print]
	if g == nil {
		groups[print] = &repeats{first: d.Source, labels: labels, split: d.Split, members: 1}
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
	const most = 20
	if len(r.Places) < most {
		r.Places = append(r.Places, [2]document.Position{d.Source, g.first})
	}
}

// findings returns errFindings if the survey has findings. A collection without classes is none.
func (f *inputFlags) findings(s *survey) error {
	bare := s.Labelled < s.Documents && (s.Labelled > 0 || !f.optionalLabels())
	if len(s.Problems) > 0 || s.Repeats.Documents > 0 || s.Empty > 0 || bare || s.WithoutTarget > 0 || len(s.AlikeLabels) > 0 {
		return errFindings
	}
	return nil
}

// surveyForPeople returns the survey for people, but for its classes.
func surveyForPeople(s *survey) []tables.Fact {
	facts := []tables.Fact{
		{Key: "documents", Value: s.Documents},
		{Key: "labelled", Value: s.Labelled},
		{Key: "empty", Value: s.Empty},
		{Key: "bytes", Value: s.Bytes},
		{Key: "longest", Value: longest(s)},
	}
	add := func(key string, value any) { facts = append(facts, tables.Fact{Key: key, Value: value}) }
	add("labels", fmt.Sprintf("%.2f a document, %d at most", float64(s.Labels)/float64(max(s.Documents, 1)), s.MostLabels))
	if len(s.Splits) > 0 {
		add("splits", counts(s.Splits))
	}
	if len(s.Encodings) > 0 {
		add("encodings", counts(s.Encodings))
	}
	r := &s.Repeats
	add("repeats", fmt.Sprintf("%d documents in %d groups; groups with several splits: %d, with different labels: %d",
		r.Documents, r.Groups, r.AcrossSplits, r.AcrossLabels))
	var repeats []string
	for _, at := range r.Places {
		repeats = append(repeats, fmt.Sprintf("%v repeats %v", at[0], at[1]))
	}
	add("repeats", repeats)
	for _, labels := range s.AlikeLabels {
		add("alike labels", alike(labels, s.Classes))
	}
	for _, reason := range slices.Sorted(maps.Keys(s.Skipped)) {
		add("skipped", fmt.Sprintf("%d: %s", s.Skipped[reason], reason))
	}
	for _, problem := range s.Problems {
		add("problem", fmt.Sprintf("%d: %s", problem.Count, problem.Kind))
		add("problem", textsOf(problem.Places))
	}
	for _, w := range s.Warnings {
		add("warning", w)
	}
	for _, n := range s.Notes {
		add("note", n)
	}
	return facts
}

// textsOf returns the texts of errors.
func textsOf[E error](errs []E) []string {
	texts := []string{}
	for _, err := range errs {
		texts = append(texts, err.Error())
	}
	return texts
}

func longest(s *survey) string {
	var parts []string
	if s.LongestText > 0 || s.LongestFeatures == 0 {
		parts = append(parts, fmt.Sprintf("%d bytes of text", s.LongestText))
	}
	if s.LongestFeatures > 0 {
		parts = append(parts, fmt.Sprintf("%d terms", s.LongestFeatures))
	}
	return strings.Join(parts, ", ")
}

// counts returns numbers by name as text: "latin-1 73, utf-8 18773".
func counts(of map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, of[name]))
	}
	return strings.Join(parts, ", ")
}

// alike returns labels that look alike with their documents as text: "A" 2, "a" 13.
func alike(labels []string, documents map[string]int) string {
	var parts []string
	for _, label := range labels {
		quoted := strconv.Quote(label)
		if !norm.NFC.IsNormalString(label) {
			quoted = strconv.QuoteToASCII(label)
		}
		parts = append(parts, fmt.Sprintf("%s %d", quoted, documents[label]))
	}
	return strings.Join(parts, ", ")
}

// surveyFacts returns the survey for programs.
func surveyFacts(s *survey) []tables.Fact {
	type problem struct {
		Kind   string   `json:"kind"`
		Count  int      `json:"count"`
		Places []string `json:"places"`
	}
	type repeat struct {
		Here  string `json:"here"`
		First string `json:"first"`
	}
	problems, repeats, alike := []problem{}, []repeat{}, []map[string]int{}
	for _, p := range s.Problems {
		problems = append(problems, problem{p.Kind, p.Count, textsOf(p.Places)})
	}
	for _, r := range s.Repeats.Places {
		repeats = append(repeats, repeat{r[0].String(), r[1].String()})
	}
	for _, labels := range s.AlikeLabels {
		group := map[string]int{}
		for _, label := range labels {
			group[label] = s.Classes[label]
		}
		alike = append(alike, group)
	}
	return []tables.Fact{
		{Key: "documents", Value: s.Documents},
		{Key: "labelled", Value: s.Labelled},
		{Key: "empty_documents", Value: s.Empty},
		{Key: "bytes", Value: s.Bytes},
		{Key: "longest_text", Value: s.LongestText},
		{Key: "longest_features", Value: s.LongestFeatures},
		{Key: "labels", Value: s.Labels},
		{Key: "most_labels", Value: s.MostLabels},
		{Key: "class_sizes", Value: s.Classes},
		{Key: "splits", Value: s.Splits},
		{Key: "encodings", Value: s.Encodings},
		{Key: "repeats", Value: s.Repeats.Documents},
		{Key: "repeat_groups", Value: s.Repeats.Groups},
		{Key: "repeat_groups_across_splits", Value: s.Repeats.AcrossSplits},
		{Key: "repeat_groups_across_labels", Value: s.Repeats.AcrossLabels},
		{Key: "repeat_places", Value: repeats},
		{Key: "alike_labels", Value: alike},
		{Key: "skipped", Value: s.Skipped},
		{Key: "problems", Value: problems},
		{Key: "notes", Value: append([]string{}, s.Notes...)},
		{Key: "warnings", Value: append([]string{}, s.Warnings...)},
	}
}
