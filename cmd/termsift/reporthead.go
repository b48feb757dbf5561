package main

import (
	"os"
	"slices"
	"strings"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/report/display"
)

// This file says at the head of a report how it was made.

// commandLine returns the command of some arguments, as it is typed in a shell, without the
// flags that name outputs: runs that differ in these alone make equal reports.
func (a *app) commandLine() string {
	args := a.args
	line := []string{"termsift"}
	for i := 0; i < len(args); i++ {
		name, _, whole := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		switch isFlag := strings.HasPrefix(args[i], "--"); {
		case isFlag && a.writesBy(name):
			if !whole {
				i++ // its value
			}
		default:
			line = append(line, quoted(args[i]))
		}
	}
	return strings.Join(line, " ")
}

// writesBy reports whether a flag names an output.
func (a *app) writesBy(flag string) bool {
	writes := func(f flags.Flag) bool { return f.Name == flag && f.Writes }
	return slices.ContainsFunc(a.ownFlags(), writes) || slices.ContainsFunc(a.commands, func(c *command) bool { return slices.ContainsFunc(c.flags, writes) })
}

// quoted returns an argument in quotes if a shell would take it for something else.
func quoted(arg string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-+=:,./@%", r) || r > 127
	}
	if arg != "" && strings.IndexFunc(arg, func(r rune) bool { return !plain(r) }) < 0 {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// fileFacts returns the names of the inputs with their sizes.
func fileFacts(paths []string, more ...string) (facts []report.Fact) {
	var seen []string
	for _, path := range append(more, paths...) {
		if path == "" || slices.Contains(seen, path) {
			continue
		}
		seen = append(seen, path)
		value := path
		if path == "-" {
			value = "standard input"
		} else if info, err := os.Stat(path); err == nil && info.IsDir() {
			value += ", a folder"
		} else if err == nil && info.Mode().IsRegular() {
			value += ", " + display.Count(int(info.Size())) + " bytes"
		}
		facts = append(facts, report.Fact{Name: "file", Value: value})
	}
	return facts
}
