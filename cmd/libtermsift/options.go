package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// The options of an operation are [usage.Setting] values, which termsift.h and the packages for Python and R read, too,
// by the operation options. What To points to beside texts, numbers and lists is a number, a rowCount or a
// frequencyList.

// optionsOf reads the options of a call, and checks what they say together.
func optionsOf[T interface{ settings() []usage.Setting }](text string, options T) T {
	given := readOptions(text, options.settings())
	if checked, ok := any(options).(interface{ validate(given map[string]bool) }); ok {
		checked.validate(given)
	}
	return options
}

// threadsSetting is the option of all that takes time.
func threadsSetting(to *int) usage.Setting {
	return usage.Setting{
		Name: "threads", To: to, NotNegative: true, Most: pool.MostThreads,
		Help: "the most workers; 0 is the number of CPUs. Results do not depend on it",
	}
}

// A number is the value of an option that says how many terms are kept.
type number struct {
	all   bool
	value float64
}

// UnmarshalJSON reads a number, or "all".
func (n *number) UnmarshalJSON(value []byte) error {
	if *n = (number{all: string(value) == `"all"`}); n.all {
		return nil
	}
	return json.Unmarshal(value, &n.value)
}

// A rowCount is the value of an option that bounds the rows of a list; 0 is all.
type rowCount int

// UnmarshalJSON reads a number of rows, or "all".
func (n *rowCount) UnmarshalJSON(value []byte) error {
	if *n = 0; string(value) == `"all"` {
		return nil
	}
	rows := int32(0)
	if err := json.Unmarshal(value, &rows); err != nil || rows < 1 {
		return strconv.ErrRange
	}
	*n = rowCount(rows)
	return nil
}

// setDefaults gives the values of settings their defaults.
func setDefaults(settings []usage.Setting) {
	for _, s := range settings {
		if s.Default != nil {
			to := reflect.ValueOf(s.To).Elem()
			to.Set(reflect.ValueOf(s.Default).Convert(to.Type()))
		}
	}
}

// readOptions reads a JSON object into the values of the settings. An empty text has no
// options, and null leaves a default as it is. It returns the names of those that were given.
func readOptions(text string, settings []usage.Setting) (given map[string]bool) {
	setDefaults(settings)
	if strings.TrimSpace(text) == "" {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(text))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		panic(refused("options must be a JSON object such as {\"by\": \"chi\"}, not %q", usage.Cut(text)))
	}
	given = map[string]bool{}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err == nil {
			err = d.Decode(&value)
		}
		wellFormed(text, err)
		key := name.(string) // the name of a member
		if _, twice := given[key]; twice {
			panic(refused("option %q stands twice", usage.Cut(key)))
		}
		given[key] = string(value) != "null"
		setOption(key, value, settings)
	}
	_, err := d.Token()
	wellFormed(text, err)
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		panic(refused("something follows the object of options %q", usage.Cut(text)))
	}
	return given
}

func wellFormed(text string, err error) {
	if err != nil {
		panic(refused("options %q are no JSON: %v", usage.Cut(text), err))
	}
}

// setOption stores the value of one option.
func setOption(name string, value json.RawMessage, settings []usage.Setting) {
	known := make([]string, len(settings))
	for i, s := range settings {
		if known[i] = s.Name; s.Name == name {
			check(set(s, value))
			return
		}
	}
	if instead, gone := goneOptions[name]; gone {
		panic(refused("option %q went in 0.2.0: %s", name, instead))
	}
	check(usage.Unknown("option", usage.Cut(name), known))
}

// goneOptions are options that went, with what to do instead.
var goneOptions = map[string]string{
	"continuity": "it was of mh, which went too",
	"control":    "rank the documents of each value alone and compare the rankings",
	"strata":     "rank the documents of each value alone and compare the rankings",
}

// set parses the value of a setting and stores it.
func set(s usage.Setting, value json.RawMessage) (err error) {
	if string(value) == "null" {
		return nil
	}
	n := math.NaN()
	switch to := s.To.(type) {
	case *[]string:
		err = readList(to, value)
	case *frequencyList:
		if err := to.UnmarshalJSON(value); err != nil {
			return usage.Errorf("option %q: %v", s.Name, err)
		}
	case *number:
		err = to.UnmarshalJSON(value)
		n = to.value
	case *float64:
		err = json.Unmarshal(value, to)
		n = *to
	case *int:
		if err = json.Unmarshal(value, to); *to != int(int32(*to)) {
			err = strconv.ErrRange
		}
		n = float64(*to)
	default:
		if s.List != nil && value[0] == '[' {
			err = readList(s.List, value)
		} else {
			err = json.Unmarshal(value, s.To)
		}
	}
	want, within := domain(s), bounds(s)
	if within != "" && (err == nil || strings.HasPrefix(within, want)) {
		want = within
	}
	if err != nil || outside(s, n) {
		return usage.Errorf("option %q must be %s, not %s", s.Name, want, usage.Cut(string(value)))
	}
	return nil
}

// outside reports whether a number is none that a setting takes.
func outside(s usage.Setting, n float64) bool {
	return (s.Positive || s.Share) && n <= 0 || s.NotNegative && n < 0 || s.Share && n >= 1 || s.Most > 0 && n > float64(s.Most)
}

// bounds says what the number of a setting must be, "" for any.
func bounds(s usage.Setting) string {
	_, whole := s.To.(*int)
	bounded := s.Most > 0 && s.Most < math.MaxInt
	switch {
	case s.Share:
		return "above 0 and below 1"
	case s.Positive && bounded && whole:
		return fmt.Sprintf("a whole number from 1 to %d", s.Most)
	case s.Positive && bounded:
		return fmt.Sprintf("above 0 and at most %d", s.Most)
	case s.Positive && whole:
		return "1 or more"
	case s.Positive:
		return "a number above 0"
	case s.NotNegative && bounded:
		return fmt.Sprintf("in [0, %d]", s.Most)
	case s.NotNegative:
		return "0 or more"
	}
	return ""
}

// readList reads a list of texts, or a single one.
func readList(to *[]string, value json.RawMessage) error {
	*to = []string{}
	if value[0] == '"' {
		*to = make([]string, 1)
		return json.Unmarshal(value, &(*to)[0])
	}
	return json.Unmarshal(value, to)
}

// domain describes the values of a setting.
func domain(s usage.Setting) string {
	switch s.To.(type) {
	case *bool:
		return "true or false"
	case *int, *int64:
		return "a whole number"
	case *uint64:
		return "a whole number that is not negative"
	case *float64, *number:
		return "a number"
	case *rowCount:
		return `a whole number above 0, or "all"`
	case *[]float64:
		return "a list of numbers"
	case *[]string:
		return "a text or a list of texts"
	case *frequencyList:
		return frequencyListDomain
	}
	if s.List != nil {
		return "a text or a list of texts"
	}
	return "a text"
}

// initial is the default of a setting as JSON, null for none.
func initial(s usage.Setting) string {
	switch to := s.To.(type) {
	case *rowCount:
		if *to == 0 {
			return `"all"`
		}
	case *number, *frequencyList:
		return "null"
	}
	return string(need(json.Marshal(s.To)))
}

// optionColumns are the columns of the operation options: of each option that an operation takes the operation, the
// name, what its value is, what a number must be, the default as JSON, and the help.
func optionColumns() (all []column) {
	rows := [6][]string{}
	for _, name := range slices.Sorted(maps.Keys(operations)) {
		if operations[name].takes == nil {
			continue
		}
		settings := operations[name].takes()
		setDefaults(settings)
		for _, s := range settings {
			for i, text := range []string{name, s.Name, domain(s), bounds(s), initial(s), s.Help} {
				rows[i] = append(rows[i], text)
			}
		}
	}
	for _, texts := range rows {
		all = append(all, nameColumns(len(texts), func(i int) string { return texts[i] })...)
	}
	return all
}

// countSettings are the options of what counts texts.
func countSettings(o *corpus.Options) []usage.Setting {
	return append(o.Analysis.Settings(), []usage.Setting{
		{Name: "min-df", To: &o.MinDF, NotNegative: true, Help: "terms of fewer documents are left out: a share below 1, else a number of them"},
		{Name: "max-df", To: &o.MaxDF, NotNegative: true, Help: "terms of more documents are left out; 0 for no bound"},
	}...)
}

// scoring is a measure's parameters.
type scoring struct{ rank.Options }

// settings are the options, without some, with a default of combine.
func (s *scoring) settings(combine rank.Combination, without ...string) []usage.Setting {
	all := slices.DeleteFunc(s.Settings(), func(one usage.Setting) bool { return slices.Contains(without, one.Name) })
	all[0].Default = combine
	return append(all, threadsSetting(&s.Threads))
}

// options returns the options of a measure. Of the measures only ocfs uses a column; a
// supervised weighting is one of rows.
func (s *scoring) options(measure string) rank.Options {
	o := s.Options
	o.Measure = rank.Measure(measure)
	if o.SeedWords != nil && len(o.SeedWords) == 0 {
		panic(refused("option \"seed-words\" has no word"))
	}
	if factor, err := selection.FactorOf(o.Weight); err == nil && factor != "" && o.Measure != rank.OCFS {
		o.Weight = ""
	}
	return o
}

// selecting says which terms are kept.
type selecting struct {
	scoring
	by                   string
	numbers              [len(criteria)]number
	criterion            string // that was given, and its number
	number               number
	perClass, roundRobin bool
	keep, drop           []string
}

// criteria are the options that say how many terms are kept, with their help. One of them can be given.
var criteria = [...][2]string{
	{"k", `how many terms are kept, or "all"; or one of the next seven`},
	{"percentile", "so many percent of the terms are kept"},
	{"min-score", "terms of this value or more are kept"},
	{"energy", "terms of this share of the sum of all values are kept"},
	{"fpr", "terms with a p-value of this or less are kept"},
	{"fdr", "the same, corrected for false discoveries"},
	{"fwe", "the same, corrected for any false one"},
	{"per-document", "so many of the best terms of each document are kept"},
}

func (s *selecting) settings() []usage.Setting {
	all := append(s.scoring.settings("", "positive"), usage.Setting{
		Name: "by", To: &s.by, Default: "chi",
		Help: `a measure, also as "ttest:avg" or a formula as "mine=A*D/(B*C)", or "mrmr", "jmi", "cmim", "best-terms:p=0.25", "project"; of statistics a measure`,
	})
	for i, c := range criteria {
		all = append(all, usage.Setting{Name: c[0], To: &s.numbers[i], Help: c[1]})
	}
	return append(all, []usage.Setting{
		{Name: "per-class", To: &s.perClass, Help: "whether k terms of each class are kept"},
		{Name: "round-robin", To: &s.roundRobin, Help: "whether the best of each class are taken in turn"},
		{Name: "keep", To: &s.keep, Help: "terms that are kept in any case"},
		{Name: "drop", To: &s.drop, Help: "terms that are not kept in any case"},
	}...)
}

// validate finds errors in the options before any text is read.
func (s *selecting) validate(given map[string]bool) {
	for i, n := range s.numbers {
		switch name := criteria[i][0]; {
		case !given[name]:
			continue
		case s.criterion != "":
			panic(refused("say how many terms to select by one option, not by %s and %s", s.criterion, name))
		case n.all && name != "k":
			panic(refused("option %q must be a number, not \"all\"", name))
		case (name == "k" || name == "per-document") && n.value != float64(int32(n.value)):
			panic(refused("option %q must be a whole number, not %v", name, n.value))
		}
		s.criterion, s.number = criteria[i][0], n
	}
	s.method()
}

// method returns the method of the option by.
func (s *selecting) method() selection.Method {
	name, _, _ := strings.Cut(strings.TrimSpace(s.by), ":")
	scoring := s.scoring
	scoring.PValues = s.PValues || slices.Contains([]string{"fpr", "fdr", "fwe"}, s.criterion)
	m := need(methods.Parse(s.by, methods.Options{Scoring: scoring.options(name)}))
	check(m.Validate())
	return m
}
