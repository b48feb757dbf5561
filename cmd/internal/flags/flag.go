// Package flags has the flags that the programs of this repository share, and makes options of
// the engine of them: how text is read ([Reading]) and analysed ([Analysis]), how terms are
// scored ([Scoring]) and how many are kept ([Selecting]). Its types are plain values: a program
// of several machines sends them from one to another.
package flags

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/usage"
)

// A Flag is a flag of a command with all that is known of it. Registration, help, manual pages,
// completion, refusals and the check that no output is an input go by this value.
type Flag struct {
	Name, Short string
	// To points to the variable of the flag, a string, number, bool or a slice of strings or
	// whole numbers, or is a [pflag.Value].
	To      any
	Default any    // of the type that To points to; nil is its zero value
	Help    string // a line
	Takes   string // names the value in the help; "" goes by its type
	Group   Group
	More    bool // only --help-all shows the flag

	// Choices returns what a shell completes. args are the arguments before.
	Choices func(args []string) []string
	List    bool // several values, separated by commas

	// Reads returns the files that a value names; one of Choices names none.
	Reads  func(value string) []string
	Writes bool   // the value is a file to write
	Folder bool   // the value is a folder
	Ending string // of the files that are written to a folder

	Positive, NotNegative bool // what the number must be
	Share                 bool // the number is above 0 and below 1
	Least, Most           int  // the least and the largest number; Unlimited needs no memory, however large it is
	Applies               Use
	OneOf                 bool // no other values than Choices are taken

	// Needs names flags of which one must be given as well, and Excludes those that must not. by=cvalue stands for a
	// flag with this value. What a command has no flag of does not count. Why says what the flag does that explains it.
	Needs, Excludes, Why string
	// Missing says what a command needs that the flag was not given to.
	Missing string
}

// A Use is a set of what a flag applies to.
type Use uint

// The uses of flags.
const (
	OfRaw       Use = 1 << iota // raw text only: the flag says how it is read
	OfAnalysis                  // terms: the flag says how text becomes terms
	OfInput                     // any input, whatever is computed from it
	OfDocuments                 // documents, which statistics do not have
	OfSingle                    // terms that are valued one by one
	OfBestTerms                 // the method best-terms only
	OfLabels                    // labels: whoever gives the flag wants documents to have some
	OfWork                      // how a run works: nothing that it gives depends on the flag
	OfClasses                   // measures of classes: whoever gives the flag asks for no measure of a target
	OfMethods                   // any method of selection
)

// Unlimited is the largest number of flags that bound what there is.
const Unlimited = math.MaxInt

// A Group is a section of the help.
type Group string

// The groups. Flags without one are in GroupOther.
const (
	GroupScoring    Group = "Scoring"
	GroupSelection  Group = "Selection"
	GroupEvaluation Group = "Evaluation"
	GroupMeasuring  Group = "Measuring"
	GroupInput      Group = "Input"
	GroupText       Group = "Text"
	GroupOutput     Group = "Output"
	GroupLimits     Group = "Limits"
	GroupProfiling  Group = "Profiling"
	GroupOther      Group = "Other"
	GroupHelp       Group = "Help"
)

// Groups are the groups in the order of the help.
var Groups = []Group{
	GroupScoring, GroupSelection, GroupEvaluation, GroupMeasuring, GroupInput, GroupText, GroupOutput, GroupLimits, GroupProfiling, GroupOther, GroupHelp,
}

// In puts flags into a group, but those that have one.
func In(group Group, all []Flag) []Flag { return Like(Flag{Group: group}, all) }

// Like gives flags what they have in common: a group and a largest number, unless they have their
// own, and what else is set in common.
func Like(common Flag, all []Flag) []Flag {
	for i := range all {
		f := &all[i]
		f.Group, f.Most, f.Applies = cmp.Or(f.Group, common.Group), cmp.Or(f.Most, common.Most), f.Applies|common.Applies
		f.More, f.Writes, f.Positive = f.More || common.More, f.Writes || common.Writes, f.Positive || common.Positive
		f.Needs, f.Excludes, f.Why = cmp.Or(f.Needs, common.Needs), cmp.Or(f.Excludes, common.Excludes), cmp.Or(f.Why, common.Why)
	}
	return all
}

// Declared returns the flags of settings.
func Declared(settings []usage.Setting) (all []Flag) {
	for _, s := range settings {
		f := Flag{
			Name: s.Name, To: s.To, Default: s.Default, Help: s.Help, Takes: s.Takes, More: s.More,
			Positive: s.Positive, NotNegative: s.NotNegative, Share: s.Share, Most: s.Most,
		}
		if s.Choices != nil {
			f.Choices = Among(s.Choices...)
		}
		all = append(all, f)
	}
	return all
}

// Add registers flags.
func Add(set *pflag.FlagSet, all ...Flag) {
	set.SortFlags = false
	for i := range all {
		all[i].add(set)
	}
}

func (f *Flag) add(set *pflag.FlagSet) {
	switch to := f.To.(type) {
	case *string:
		set.StringVarP(to, f.Name, f.Short, orZero[string](f.Default), f.Help)
	case *bool:
		set.BoolVarP(to, f.Name, f.Short, orZero[bool](f.Default), f.Help)
	case *int:
		set.IntVarP(to, f.Name, f.Short, orZero[int](f.Default), f.Help)
	case *int64:
		set.Int64VarP(to, f.Name, f.Short, orZero[int64](f.Default), f.Help)
	case *uint64:
		set.Uint64VarP(to, f.Name, f.Short, orZero[uint64](f.Default), f.Help)
	case *float64:
		set.Float64VarP(to, f.Name, f.Short, orZero[float64](f.Default), f.Help)
	case *[]int:
		set.IntSliceVarP(to, f.Name, f.Short, orZero[[]int](f.Default), f.Help)
	case *[]string:
		if f.List {
			set.StringSliceVarP(to, f.Name, f.Short, nil, f.Help)
		} else {
			set.StringArrayVarP(to, f.Name, f.Short, nil, f.Help)
		}
	case pflag.Value:
		set.VarP(to, f.Name, f.Short, f.Help)
	default:
		panic(fmt.Sprintf("flag --%s: no value can go to a %T", f.Name, f.To))
	}
	p := set.Lookup(f.Name)
	p.Value = known{p.Value, f}
}

// orZero returns a value of a type, or its zero for nil.
func orZero[T any](v any) (t T) {
	if v != nil {
		t = v.(T)
	}
	return t
}

// A known is the value of a registered flag, with what is known of it.
type known struct {
	pflag.Value
	flag *Flag
}

// Of returns what is known of a registered flag. Of a flag that was registered otherwise that is
// its name and help.
func Of(p *pflag.Flag) *Flag {
	if v, ok := p.Value.(known); ok {
		return v.flag
	}
	return &Flag{Name: p.Name, Short: p.Shorthand, Help: p.Usage, Group: GroupOther}
}

// Typed returns a flag as a user types it.
func (f *Flag) Typed() string {
	if f.Short != "" {
		return "-" + f.Short
	}
	return "--" + f.Name
}

// Texts returns the values of a flag of texts that are not empty by default.
func (f *Flag) Texts() []string {
	switch to := f.To.(type) {
	case *string:
		if *to != "" {
			return []string{*to}
		}
	case *[]string:
		return *to
	}
	return nil
}

// Inputs returns the files that the values of a flag name.
func (f *Flag) Inputs() (paths []string) {
	if f.Reads == nil {
		return nil
	}
	for _, text := range f.Texts() {
		if f.Choices == nil || !slices.Contains(f.Choices(nil), text) {
			paths = append(paths, f.Reads(text)...)
		}
	}
	return paths
}

// ByName returns the flag with a name among all.
func ByName(all []Flag, name string) *Flag {
	return &all[slices.IndexFunc(all, func(f Flag) bool { return f.Name == name })]
}

// AFile is Reads of a flag whose values are paths.
func AFile(value string) []string { return []string{value} }

// Among returns choices among names.
func Among[T ~string](names ...T) func([]string) []string {
	return func([]string) []string { return textsOf(names) }
}

// From returns choices among the names that a function returns.
func From[T ~string](names func() []T) func([]string) []string {
	return func([]string) []string { return textsOf(names()) }
}

func textsOf[T ~string](names []T) []string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = string(name)
	}
	return texts
}

// Given returns the first flag of a use that was given, or nil.
func Given(set *pflag.FlagSet, of Use) (given *Flag) {
	set.Visit(func(p *pflag.Flag) {
		if f := Of(p); given == nil && f.Applies&of != 0 {
			given = f
		}
	})
	return given
}

// Check returns an error for a flag of a command that was given a number out of its bounds, or that does not go with
// the others, or for one that is missing.
func Check(set *pflag.FlagSet, command string) (err error) {
	var missing error
	set.VisitAll(func(p *pflag.Flag) {
		switch f := Of(p); {
		case err != nil:
		case f.Missing != "" && p.Value.String() == "":
			missing = usage.Errorf("%s needs %s", command, f.Missing)
		case p.Changed:
			if value := p.Value.String(); f.OneOf && !slices.Contains(f.Choices(nil), value) {
				err = usage.Errorf("%s takes %s, not %q", f.Typed(), strings.Join(f.Choices(nil), " or "), value)
			}
			err = cmp.Or(err, f.checkNumber(), f.checkOthers(set))
		}
	})
	return cmp.Or(err, missing)
}

func (f *Flag) checkNumber() error {
	var n int64
	switch to := f.To.(type) {
	case *int:
		n = int64(*to)
	case *int64:
		n = *to
	case *[]int:
		n = int64(slices.Min(append(slices.Clone(*to), math.MaxInt32)))
	case *float64:
		switch {
		case f.Positive && f.Most > 0 && !(*to > 0 && *to <= float64(f.Most)):
			return usage.Errorf("%s must be above 0 and at most %d, not %v", f.Typed(), f.Most, *to)
		case f.Positive && !(*to > 0):
			return usage.Errorf("%s must be positive, not %v", f.Typed(), *to)
		case f.Share && !(*to > 0 && *to < 1):
			return usage.Errorf("%s must be above 0 and below 1, not %v", f.Typed(), *to)
		}
		return nil
	default:
		return nil
	}
	switch {
	case f.Positive && n <= 0:
		return usage.Errorf("%s must be positive, not %d%s", f.Typed(), n, f.takesRange())
	case f.Least > 0 && n < int64(f.Least):
		return usage.Errorf("%s must be %d at least, not %d", f.Typed(), f.Least, n)
	case f.Most > 0 && n > int64(f.Most):
		return usage.Errorf("%s can be %d at most, not %d%s", f.Typed(), f.Most, n, f.takesRange())
	case f.NotNegative && n < 0:
		return usage.Errorf("%s must not be negative: %d", f.Typed(), n)
	}
	return nil
}

// checkOthers returns an error if a flag that was given lacks another, or meets one that it excludes.
func (f *Flag) checkOthers(set *pflag.FlagSet) error {
	given := func(name string) bool {
		name, value, valued := strings.Cut(name, "=")
		p := set.Lookup(name)
		if p == nil || valued {
			return p != nil && p.Value.String() == value
		}
		return p.Changed && p.Value.String() != "false" && p.Value.String() != ""
	}
	if !given(f.Name) {
		return nil
	}
	name := f.Typed()
	if needed := Known(set, f.Needs); len(needed) > 0 && !slices.ContainsFunc(needed, given) {
		if f.Why != "" {
			name += " " + f.Why + ": it"
		}
		return usage.Errorf("%s goes with %s", name, Others(set, needed...))
	}
	for _, other := range strings.Fields(f.Excludes) {
		switch {
		case !given(other):
		case f.Why != "":
			return usage.Errorf("%s %s: omit it or %s", name, f.Why, Others(set, other))
		default:
			return usage.Errorf("%s and %s contradict each other: omit one", name, Others(set, other))
		}
	}
	return nil
}

// Known returns those of the names of Needs or Excludes that a command has flags of.
func Known(set *pflag.FlagSet, names string) []string {
	return slices.DeleteFunc(strings.Fields(names), func(name string) bool {
		name, _, _ = strings.Cut(name, "=")
		return set.Lookup(name) == nil
	})
}

// Others returns such names as they are typed.
func Others(set *pflag.FlagSet, names ...string) string {
	var typed []string
	for _, name := range names {
		name, value, _ := strings.Cut(name, "=")
		typed = append(typed, strings.TrimSpace(Of(set.Lookup(name)).Typed()+" "+value))
	}
	return strings.Join(typed, " or ")
}

// takesRange says which whole numbers a flag takes that has a least and a largest one.
func (f *Flag) takesRange() string {
	if !f.Positive || f.Most <= 0 || f.Most == Unlimited {
		return ""
	}
	return fmt.Sprintf(": it takes 1 to %d", f.Most)
}

// numbers says what flags of pflag's types of numbers take.
var numbers = map[string]string{
	"bool":     "true or false",
	"float":    "a number", // of a Rule
	"float64":  "a number",
	"int":      "a whole number",
	"int64":    "a whole number",
	"intSlice": "a list of whole numbers",
	"uint64":   "a whole number that is not negative",
}

// ValueError returns the error of a flag that was given no number, or one out of range, in words of its own in
// place of those of package strconv. It returns other errors as they are.
func ValueError(err error) error {
	var invalid *pflag.InvalidValueError
	var number *strconv.NumError
	if !errors.As(err, &invalid) || !errors.As(err, &number) {
		return err
	}
	flag := invalid.GetFlag()
	takes, ok := numbers[flag.Value.Type()]
	if !ok {
		return err
	}
	problem := "it takes " + takes
	switch most := Of(flag).Most; {
	case errors.Is(err, strconv.ErrRange) && most > 0 && most < Unlimited:
		return fmt.Errorf("--%s can be %d at most, not %s", flag.Name, most, invalid.GetValue())
	case errors.Is(err, strconv.ErrRange):
		problem = "the number is out of range"
	}
	name := "--" + flag.Name
	if flag.Shorthand != "" { // which may be what was typed
		name = "-" + flag.Shorthand + ", " + name
	}
	return fmt.Errorf("invalid argument %q for %q: %s", invalid.GetValue(), name, problem)
}

// Lists reads files up to a limit in bytes, because a device or a pipe may not end.
type Lists struct{ Limit int64 }

// mostList is the default limit.
const mostList = 64 << 20

// MaxList returns the flag of the limit.
func MaxList(limit *int64) Flag {
	return Flag{
		Name: "max-list", To: limit, Default: int64(mostList), Group: GroupLimits, More: true, Applies: OfInput,
		Help: "most bytes of a list: stop words, classes, terms, documents, --qrels",
	}
}

// A listLine is a line of a list that is not empty, without its end.
type listLine struct {
	number int // from 1
	text   string
}

// lines reads a list. A line ends with LF, CR LF or CR alone, and the mark of UTF-8 may stand
// before the first.
func (l Lists) lines(path string) ([]listLine, error) {
	if l.Limit <= 0 {
		return nil, usage.Errorf("--max-list must be positive, not %d", l.Limit)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := reader.ReadList(file, path, "--max-list", l.Limit)
	if err != nil {
		return nil, err
	}
	lines := []listLine{}
	for i, text := range strings.Split(lineEnds.Replace(string(data)), "\n") {
		if text != "" {
			lines = append(lines, listLine{i + 1, text})
		}
	}
	return lines, nil
}

// lineEnds has the line ends of other systems, CR CR LF among them, which programs make of CR LF.
var lineEnds = strings.NewReplacer("\r\r\n", "\n", "\r\n", "\n", "\r", "\n")

// utf8Lines is lines for names that are compared with text: malformed UTF-8 is an error.
func (l Lists) utf8Lines(path string) ([]listLine, error) {
	lines, err := l.lines(path)
	for _, line := range lines {
		if !utf8.ValidString(line.text) {
			return nil, &reader.Error{
				Pos: document.Position{File: path, Line: line.number}, Problem: "the line is not UTF-8", Bytes: line.text, Remedy: "write the list in UTF-8",
			}
		}
	}
	return lines, err
}

// StopWords reads a list of words separated by white space. What stands behind a | or a #, at the
// beginning of a line or behind white space, is a comment; no token begins with either.
func (l Lists) StopWords(path string) (words []string, err error) {
	lines, err := l.utf8Lines(path)
	for _, line := range lines {
		for word := range strings.FieldsSeq(line.text) {
			if word[0] == '#' || word[0] == '|' {
				break
			}
			words = append(words, word)
		}
	}
	return words, err
}

// Terms reads a list with one term per line, without surrounding white space. A line that begins
// with # is a term.
func (l Lists) Terms(path string) ([]string, error) {
	lines, err := l.utf8Lines(path)
	return trimmed(lines), err
}

// Names reads a list with one name per line, without surrounding white space. A line that begins
// with # is a name.
func (l Lists) Names(path string) ([]string, error) {
	lines, err := l.lines(path)
	return trimmed(lines), err
}

func trimmed(lines []listLine) []string {
	names := []string{}
	for _, line := range lines {
		if name := strings.TrimSpace(line.text); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// IDs reads a list with one document name per line. White space within a line is part
// of the name, and a line that begins with # is a name.
func (l Lists) IDs(path string) (ids []string, err error) {
	lines, err := l.lines(path)
	for _, line := range lines {
		ids = append(ids, line.text)
	}
	return ids, err
}
