package table

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/usage"
)

// Provenance says how a corpus was made.
type Provenance struct {
	Version  string           `json:"version"`
	Analysis analysis.Options `json:"analysis"`
	MinDF    float64          `json:"min_df,omitempty"`
	MaxDF    float64          `json:"max_df,omitempty"`
	Charset  string           `json:"charset,omitempty"`
	Fields   Fields           `json:"fields,omitzero"`
	// Target is the name of the field whose number is the one label of each document, as
	// reader.Options has it; "" where labels are classes.
	Target string `json:"target,omitempty"`
	// InputHash is a hash of the names, labels and contents of the documents in their
	// order. That of merged corpora is the hash of their documents one behind the other.
	InputHash string `json:"input_hash"`
	// Repeats counts the documents that Dedupe dropped, Relabelled those of them whose
	// labels differ from those of the first document with the same contents.
	Dedupe     bool `json:"dedupe,omitempty"`
	Repeats    int  `json:"repeats,omitempty"`
	Relabelled int  `json:"relabelled,omitempty"`
	// Segment is the number of tokens of the segments that the texts were cut into, which are the
	// documents; 0 if they were not cut. Short counts the texts without a segment.
	Segment int `json:"segment,omitempty"`
	Short   int `json:"short,omitempty"`
	// LongTokens counts the tokens that Analysis.MaxToken dropped.
	LongTokens int64 `json:"long_tokens,omitempty"`
	// Subsets say which documents of the input are left if not all are: each is a subset
	// of the one before.
	Subsets []SubsetRecord `json:"subsets,omitempty"`
	// Reference is the provenance of the reference corpus if [corpus.Contrast] made this
	// one.
	Reference *Provenance `json:"reference,omitempty"`
	// Shards are the corpora that [corpus.Merge] has merged, unless one build of their
	// inputs gives the same. Documents is the number of documents of a shard, else 0.
	Shards    []Provenance `json:"shards,omitempty"`
	Documents int          `json:"documents,omitempty"`
}

var (
	errPart    = usage.NewError(usage.ErrData, "it is a part of the terms, which version 0.1 split: take the statistics that were split, or count again")
	errControl = usage.NewError(usage.ErrData, "its documents are divided by a control, which went in 0.2.0: count again from the text")
)

// UnmarshalJSON reads a record. It refuses that of a part of the terms, which version 0.1 split statistics into, and
// that of documents whose labels are pairs of a class and a value of a control.
func (p *Provenance) UnmarshalJSON(data []byte) error {
	type record Provenance // without this method
	var read struct {
		record
		Part    json.RawMessage `json:"part"`
		Control string          `json:"control"`
	}
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	switch {
	case read.Part != nil:
		return errPart
	case read.Control != "":
		return errControl
	}
	*p = Provenance(read.record)
	return nil
}

// Fields are the names of the fields that the documents were read from, as
// reader.Options has them: "" for the usual one.
type Fields struct {
	Text     string `json:"text,omitempty"`
	Label    string `json:"label,omitempty"`
	ID       string `json:"id,omitempty"`
	NoHeader bool   `json:"no_header,omitempty"`
	// Quote is "" where it was found by looking.
	Quote          string `json:"quote,omitempty"`
	LabelSeparator string `json:"label_separator,omitempty"`
}

// A SubsetRecord says which documents of a corpus a subset has.
type SubsetRecord struct {
	Docs      string `json:"docs,omitempty"` // see corpus.SubsetOptions
	Documents int    `json:"documents"`      // in the subset
	Of        int    `json:"of"`             // in the whole corpus
	// Hash is the xxh3-64 of the documents' places in the input of the corpus, ascending.
	Hash string `json:"hash"`
}

// A DifferenceError names the setting in which two corpora differ that cannot be
// contrasted or merged for it. It is a [usage.ErrContradiction].
type DifferenceError struct {
	Setting           string    // for example "stemmer"
	Target, Reference string    // its values
	Of                [2]string // the names of the corpora; "" for target and reference
}

func (e *DifferenceError) Error() string {
	setting, remedy := e.Setting, "count both with the same"
	switch e.Setting {
	case "tokens":
		remedy += ", by name, since auto goes by the texts of each alone"
	case "phrases":
		setting, remedy = "list of phrases", remedy+": count both with the same list"
	}
	if e.Of[0] != "" {
		return fmt.Sprintf("%s and %s do not fit together: the %s of the first is %s, that of the other %s; %s", e.Of[0], e.Of[1], setting, e.Target, e.Reference, remedy)
	}
	return fmt.Sprintf("target and reference were not analysed alike: the %s of the target is %s, that of the reference %s; %s", setting, e.Target, e.Reference, remedy)
}

// Unwrap makes a difference an [usage.ErrContradiction].
func (e *DifferenceError) Unwrap() error { return usage.ErrContradiction }

// JoinProvenances returns the provenance of the documents of several corpora one behind
// the other. name gives the name of a corpus for errors. Corpora made with different
// settings give a [DifferenceError]. The charset auto
// and none are the same. The names of
// fields are recorded if all have the same.
func JoinProvenances(shards []Provenance, name func(int) string) (Provenance, error) {
	if len(shards) == 0 {
		return Provenance{}, usage.Errorf("nothing to merge")
	}
	first := shards[0]
	p := Provenance{
		Version: Version, Analysis: first.Analysis, Charset: first.Charset, Fields: first.Fields, Target: first.Target, Dedupe: first.Dedupe,
		Segment: first.Segment,
	}
	var hash InputHash
	whole := true
	for i, s := range shards {
		if err := checkAlike(&first, &s); err != nil {
			err.Of = [2]string{name(0), name(i)}
			return p, err
		}
		own, err := parseInputHash(s.InputHash, s.documentsRead())
		if err != nil {
			return p, fmt.Errorf("%s: %w: build it again", name(i), err)
		}
		hash.Append(own)
		if s.Fields != first.Fields {
			p.Fields = Fields{}
		}
		p.Repeats += s.Repeats
		p.Relabelled += s.Relabelled
		p.LongTokens += s.LongTokens
		p.Short += s.Short
		if p.Charset == "" && s.usualCharset() {
			p.Charset = s.Charset // by its name, if one has that
		}
		whole = whole && !s.Dedupe && len(s.Subsets) == 0 && len(s.Shards) == 0
	}
	p.InputHash = hash.String()
	if whole || len(shards) == 1 && len(first.Subsets) == 0 {
		p.Shards = first.Shards
		return p, nil
	}
	for _, s := range shards {
		if len(s.Shards) > 0 && len(s.Subsets) == 0 {
			p.Shards = append(p.Shards, s.Shards...)
		} else {
			p.Shards = append(p.Shards, s)
		}
	}
	return p, nil
}

// checkAlike returns an error for the first setting in which two corpora differ that must
// be equal to merge them. MinDF and MaxDF need not be.
func checkAlike(a, b *Provenance) *DifferenceError {
	if err := SameAnalysis(a.Analysis, b.Analysis); err != nil {
		return err
	}
	switch {
	case a.Target != b.Target:
		return &DifferenceError{Setting: "target", Target: formatTarget(a.Target), Reference: formatTarget(b.Target)}
	case a.Charset != b.Charset && !(a.usualCharset() && b.usualCharset()):
		return &DifferenceError{Setting: "charset", Target: formatSetting(a.Charset), Reference: formatSetting(b.Charset)}
	case a.Segment != b.Segment:
		return differentSegments(a, b)
	case a.Dedupe != b.Dedupe:
		return &DifferenceError{Setting: "dedupe", Target: formatSetting(a.Dedupe), Reference: formatSetting(b.Dedupe)}
	case (a.Reference == nil) != (b.Reference == nil) || a.Reference != nil:
		return &DifferenceError{Setting: "reference", Target: formatSetting(a.Reference != nil), Reference: formatSetting(b.Reference != nil)}
	}
	return nil
}

// formatTarget returns the name of a target as messages show it.
func formatTarget(name string) string {
	if name == "" {
		return "none, for labels are classes"
	}
	return formatSetting(name)
}

// differentSegments returns the error for segments of different lengths.
func differentSegments(a, b *Provenance) *DifferenceError {
	return &DifferenceError{Setting: "length of segments", Target: formatSetting(a.Segment), Reference: formatSetting(b.Segment)}
}

// usualCharset reports whether each text was decoded by what it looks like, which the command
// calls auto.
func (p *Provenance) usualCharset() bool { return p.Charset == "" || p.Charset == "auto" }

// documentsRead returns the number of documents of the input, repeats included.
func (p *Provenance) documentsRead() int {
	switch {
	case len(p.Shards) > 0:
		n := 0
		for i := range p.Shards {
			n += p.Shards[i].documentsRead()
		}
		return n
	case len(p.Subsets) > 0:
		return p.Subsets[0].Of + p.Repeats
	}
	return p.Documents + p.Repeats
}

// SameAnalysis returns an error for the first setting that differs, nil if all are equal.
func SameAnalysis(target, reference analysis.Options) *DifferenceError {
	a, b := reflect.ValueOf(target), reflect.ValueOf(reference)
	for i := range a.NumField() {
		if left, right := a.Field(i).Interface(), b.Field(i).Interface(); !equalSettings(left, right) {
			name, _, _ := strings.Cut(a.Type().Field(i).Tag.Get("json"), ",")
			return &DifferenceError{Setting: strings.ReplaceAll(name, "_", " "), Target: usage.Cut(formatSetting(left)), Reference: usage.Cut(formatSetting(right))}
		}
	}
	return nil
}

// equalSettings reports whether two values of a setting are equal: texts, numbers, lists of
// texts or phrases.
func equalSettings(a, b any) bool {
	switch a := a.(type) {
	case []string:
		return slices.Equal(a, b.([]string))
	case analysis.Phrases:
		return slices.Equal(a, b.(analysis.Phrases))
	}
	return a == b
}

// formatSetting returns the value of a setting as messages show it, strings quoted.
func formatSetting(setting any) string {
	if text, ok := setting.(string); ok {
		return fmt.Sprintf("%q", text)
	}
	return fmt.Sprint(setting)
}
