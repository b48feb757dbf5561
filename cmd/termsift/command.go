package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
)

// A command is one of the commands: its words, its flags, the files that it writes, and what it
// does.
type command struct {
	use, short, long, example string
	args                      cobra.PositionalArgs
	complete                  cobra.CompletionFunc // of the arguments; nil completes files
	flags                     []flags.Flag
	run                       func(c *cobra.Command, args []string) error

	output     func(args []string) fileKind // what -o gets; nil is another file
	beside     func(output string) []string // the files that are written beside that of -o
	replaces   bool                         // without -o, an index that is read is replaced
	writesTo   bool                         // the argument is a folder to write to
	unlabelled bool                         // the inputs need no classes
}

func (c *command) name() string {
	name, _, _ := strings.Cut(c.use, " ")
	return name
}

// cobra returns the command as cobra runs it.
func (c *command) cobra() *cobra.Command {
	made := &cobra.Command{
		Use: c.use, Short: c.short, Long: c.long, Example: c.example, Args: c.args, RunE: c.run, GroupID: groupOf(c.name()),
	}
	flags.Add(made.Flags(), c.flags...)
	return made
}

// always returns the kind of an output that does not depend on the arguments.
func always(kind fileKind) func([]string) fileKind { return func([]string) fileKind { return kind } }

// commandGroups are the sections of the list of commands in their order. Commands without a
// group come last.
var commandGroups = []struct {
	title    string
	commands []string
}{
	{"Look at text, and count it", []string{"demo", "check", "index", "info", "verify"}},
	{"Score and select terms", []string{"score", "select", "explain", "keyness", "compare", "stability"}},
	{"Reduce, learn and predict", []string{"transform", "project", "train", "predict", "evaluate"}},
	{"Change indexes", []string{"merge", "split", "append", "remove"}},
	{"Measure", []string{"bench", "generate"}},
}

// groupOf returns the title of the group of a command, or "".
func groupOf(name string) string {
	for _, g := range commandGroups {
		if slices.Contains(g.commands, name) {
			return g.title
		}
	}
	return ""
}

// makeCommands makes the commands.
func (a *app) makeCommands() []*command {
	return []*command{
		indexCommand(a), scoreCommand(a), selectCommand(a), transformCommand(a), explainCommand(a), compareCommand(a), keynessCommand(a),
		benchCommand(a), projectCommand(a), evaluateCommand(a), trainCommand(a), predictCommand(a), stabilityCommand(a), infoCommand(a),
		checkCommand(a), verifyCommand(a), mergeCommand(a), splitCommand(a), appendCommand(a), removeCommand(a), generateCommand(a),
		demoCommand(a), manCommand(a), versionCommand(a),
	}
}

// commandOf returns the command that cobra runs. That of a command of cobra's has no flags.
func (a *app) commandOf(c *cobra.Command) *command {
	if i := slices.IndexFunc(a.commands, func(own *command) bool { return own.name() == c.Name() }); i >= 0 {
		return a.commands[i]
	}
	return &command{use: c.Use}
}

// formatFlag returns the flag --format with a default value.
func formatFlag(f *tables.Format, value tables.Format) flags.Flag {
	*f = value
	return flags.Flag{Name: "format", To: f, Choices: flags.Among(tables.Formats...), Group: flags.GroupOutput, Help: strings.Join(tables.Formats, ", ")}
}

// style returns how a table in a format is shown.
func (o *outputs) style(format tables.Format) tables.Style {
	return tables.Style{Format: format, Terminal: o.toTerminal}
}
