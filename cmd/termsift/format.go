package main

import (
	"slices"
	"strings"

	"github.com/termsift/termsift/cmd/internal/flags"
)

// A tableFormat is a value of --format.
type tableFormat string

var tableFormats = []string{"table", "csv", "tsv", "json", "jsonl", "md"}

// formatFlag returns the flag --format with a default value.
func formatFlag(f *tableFormat, value tableFormat) flags.Flag {
	*f = value
	return flags.Flag{Name: "format", To: f, Choices: flags.Among(tableFormats...), Group: flags.GroupOutput, Help: strings.Join(tableFormats, ", ")}
}

// Set implements [pflag.Value]. It accepts text for table, the former name in info and
// check.
func (f *tableFormat) Set(name string) error {
	if name == "text" {
		name = "table"
	}
	if !slices.Contains(tableFormats, name) {
		return usageError("unknown format %q; known: %s", name, strings.Join(tableFormats, " "))
	}
	*f = tableFormat(name)
	return nil
}

// String implements [pflag.Value].
func (f *tableFormat) String() string { return string(*f) }

// Type implements [pflag.Value].
func (f *tableFormat) Type() string { return "string" }

// An audience is the set of formats that show a column; 0 means all.
type audience int

const (
	forPeople   audience = 1 << iota // table and md
	forLines                         // csv and tsv
	forJSON                          // json and jsonl
	forPrograms = forLines | forJSON
)

// audience returns the audience to which the format belongs.
func (f tableFormat) audience() audience {
	switch f {
	case "csv", "tsv":
		return forLines
	case "json", "jsonl":
		return forJSON
	}
	return forPeople
}
