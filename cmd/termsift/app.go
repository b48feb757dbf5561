package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
)

// An app is the state that the commands share.
type app struct {
	args     []string
	stdin    io.Reader
	commands []*command
	helpAll  bool // --help-all is set
	inputs
	talk
	outputs
	profiles profiles
	// ownsProcess allows a run to set the runtime of Go for the whole process.
	ownsProcess bool
	// optionalClasses says that the command takes inputs without classes, and that no flag asks for labels.
	optionalClasses bool
}

// A command is one of the commands: its words, its flags, the files that it writes, and what it
// does.
type command struct {
	use, short, long, example string
	args                      cobra.PositionalArgs // nil wants an INPUT
	complete                  cobra.CompletionFunc // of the arguments; nil completes files
	flags                     []flags.Flag
	run                       func(c *cobra.Command, args []string) error

	output     func(args []string) fileKind // what -o gets, or outputFlag; nil is another file
	outputFlag string
	beside     func(output string) []string // the files that are written beside that of -o
	writesTo   bool                         // the argument is a folder to write to
	classes    classNeed                    // what the inputs need of classes
}

// A classNeed says whether the inputs of a command must have classes.
type classNeed int

const (
	// The zero value makes raw text without a label an error.
	_ classNeed = iota
	// classesOptional reads a folder of texts, lines and records without labels, too, and says so. A
	// command that tells classes apart for some of its flags sets [inputFlags.classed].
	classesOptional
	// classesIgnored reads the same, and labels do not matter.
	classesIgnored
)

func (c *command) name() string {
	name, _, _ := strings.Cut(c.use, " ")
	return name
}

// cobra returns the command as cobra runs it for an app.
func (c *command) cobra(a *app) *cobra.Command {
	made := &cobra.Command{Use: c.use, Short: c.short, Long: c.long, Example: c.example, Args: c.args}
	made.RunE = func(cc *cobra.Command, args []string) error {
		return a.printTable(cc, func() error { return c.run(cc, args) })
	}
	if c.args == nil {
		made.Args = atLeast(1, "an INPUT")
	}
	flags.Add(made.Flags(), c.flags...)
	return made
}

// always returns the kind of an output that does not depend on the arguments.
func always(kind fileKind) func([]string) fileKind { return func([]string) fileKind { return kind } }

// noArgs implements [cobra.PositionalArgs] for commands without arguments.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError("%s takes no argument, and %q is one", c.Name(), args[0])
	}
	return nil
}

// atLeast requires at least n arguments. what names them in the error.
func atLeast(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < n {
			return usageError("%s needs %s; see termsift %s --help", c.Name(), what, c.Name())
		}
		return nil
	}
}
