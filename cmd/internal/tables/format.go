package tables

import (
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/usage"
)

// A Format is a value of --format.
type Format string

// Formats are the names of the formats.
var Formats = []string{"table", "csv", "tsv", "json", "jsonl", "md"}

// Set implements [pflag.Value]. It accepts text for table, the former name in info and
// check.
func (f *Format) Set(name string) error {
	if name == "text" {
		name = "table"
	}
	if !slices.Contains(Formats, name) {
		return usage.Errorf("unknown format %q; known: %s", name, strings.Join(Formats, " "))
	}
	*f = Format(name)
	return nil
}

// String implements [pflag.Value].
func (f *Format) String() string { return string(*f) }

// Type implements [pflag.Value].
func (f *Format) Type() string { return "string" }

// An Audience is the set of formats that show a column; 0 means all.
type Audience int

const (
	ForPeople   Audience = 1 << iota // table and md
	ForLines                         // csv and tsv
	ForJSON                          // json and jsonl
	ForPrograms = ForLines | ForJSON
)

// Audience returns the audience to which the format belongs.
func (f Format) Audience() Audience {
	switch f {
	case "csv", "tsv":
		return ForLines
	case "json", "jsonl":
		return ForJSON
	}
	return ForPeople
}
