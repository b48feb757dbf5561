package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
)

// This file writes the help of a command: wrapped to the terminal, its flags in groups, those
// that matter first.

// helpAll is the flag that shows the help with all flags.
const helpAll = "help-all"

// setHelp makes the help of all commands below root ours.
func (a *app) setHelp(root *cobra.Command) {
	root.PersistentFlags().BoolFunc(helpAll, "help with all flags", func(string) error {
		a.helpAll = true
		return pflag.ErrHelp // which ends the reading of the flags, as --help does
	})
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	root.InitDefaultVersionFlag()
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { a.writeHelp(c) })
}

// flagsOf returns what is known of the flags of a command, by groups: those of the command before
// those of all. It has hidden and deprecated flags as well.
func flagsOf(c *cobra.Command) map[flags.Group][]shownFlag {
	c.InitDefaultHelpFlag()
	c.InheritedFlags() // adds those of the root to c.Flags
	groups := map[flags.Group][]shownFlag{}
	for _, more := range []bool{false, true} { // those that only --help-all shows come last
		c.Flags().VisitAll(func(p *pflag.Flag) {
			f := shownFlag{registered: p, Flag: flags.Of(p)}
			f.needs = flags.Others(c.Flags(), flags.Known(c.Flags(), f.Needs)...)
			if slices.Contains([]string{"help", helpAll, "version"}, p.Name) {
				f.Flag = &flags.Flag{Name: p.Name, Group: flags.GroupHelp, More: true}
			}
			if f.More == more && !p.Hidden && p.Deprecated == "" {
				groups[f.Group] = append(groups[f.Group], f)
			}
		})
	}
	return groups
}

// A shownFlag is a registered flag with what is known of it.
type shownFlag struct {
	registered *pflag.Flag
	needs      string // of the command
	*flags.Flag
}

// writeHelp writes the help of a command to its output. The failure of standard output is that
// of the run.
func (a *app) writeHelp(c *cobra.Command) {
	h := helpWriter{Screen: a.stdout.Screen, all: a.helpAll}
	if c.OutOrStdout() == a.stderr {
		h.Screen = a.errScreen
		h.command(c)
		_, _ = io.WriteString(a.stderr, h.text.String()) // whose failure cannot be reported
		return
	}
	h.command(c)
	_ = a.stdout.Styled(h.text.String()) // the failure shows when the output is flushed
}

// A helpWriter writes the help of a command.
type helpWriter struct {
	tables.Screen
	all  bool // show all flags
	text strings.Builder
}

// listsMeasures is the annotation of a command with the kind of the measures that its help lists.
const listsMeasures = "measures"

// description returns what the help and the manual say of a command: its text and, by families, the measures that it
// lists.
func description(c *cobra.Command) string {
	kind, text, family := score.Kind(c.Annotations[listsMeasures]), cmp.Or(c.Long, c.Short), ""
	for m := range score.Described() {
		switch {
		case kind == "":
			return text
		case m.Kind != kind:
			continue
		case family == "":
			text += "\n\nThe measures, of which termsift measures NAME tells more:"
		}
		if m.FamilyOf != family {
			family = m.FamilyOf
			text += "\n\n" + family
		}
		text += fmt.Sprintf("\n  %-13s  %s", m.Name, m.Question)
	}
	return text
}

func (h *helpWriter) command(c *cobra.Command) {
	h.paragraphs(description(c))
	h.heading("Usage")
	h.text.WriteString(wrapped("  ", c.UseLine(), h.Width, 6))
	if c.Example != "" {
		h.heading("Examples")
		for line := range strings.Lines(c.Example) {
			h.text.WriteString(wrappedCommand(strings.TrimSuffix(line, "\n"), h.Width))
		}
	}
	h.commands(c)
	if c.HasAvailableSubCommands() {
		h.text.WriteString("\n" + wrapped("", c.CommandPath()+" COMMAND --help has the flags of a command.", h.Width, 0))
	}
	h.flags(c)
}

// heading begins a section.
func (h *helpWriter) heading(title string) {
	fmt.Fprintf(&h.text, "\n%s%s:%s\n", h.Bold(), title, h.Plain())
}

// paragraphs writes prose, in which lists may stand. A line that begins with white space is
// an item of a list, or goes on with the one before it if it stands under its second column.
func (h *helpWriter) paragraphs(text string) {
	var head string
	var running []string
	indent := 0
	end := func() {
		if head != "" || len(running) > 0 {
			h.text.WriteString(wrapped(head, strings.Join(running, " "), h.Width, indent))
		}
		head, running, indent = "", nil, 0
	}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimRight(line, " \n")
		lead := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case line == "":
			end()
			h.text.WriteByte('\n')
		case line[0] == '\t':
			end()
			fmt.Fprintf(&h.text, "    %s\n", strings.TrimSpace(line))
		case lead > 0 && (indent == 0 || lead < indent):
			end()
			var rest string
			head, rest, indent = listItem(line)
			running = []string{rest}
		case lead == 0 && indent > 0:
			end()
			fallthrough
		default:
			running = append(running, line)
		}
	}
	end()
}

// listItem cuts a line of a list, whose columns two spaces or more divide, before its second
// column, and returns where its further lines begin.
func listItem(line string) (head, text string, indent int) {
	text = strings.TrimLeft(line, " ")
	head = line[:len(line)-len(text)]
	first, rest, found := strings.Cut(text, "  ")
	if !found {
		return head, text, len(head) + 2
	}
	text = strings.TrimLeft(rest, " ")
	head = line[:len(line)-len(text)]
	return head, text, len(head) - len(first) + utf8.RuneCountInString(first)
}

// commands writes the list of the commands below one, by groups.
func (h *helpWriter) commands(parent *cobra.Command) {
	width := 0
	of := map[string][]*cobra.Command{}
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() {
			of[c.GroupID] = append(of[c.GroupID], c)
			width = max(width, len(c.Name()))
		}
	}
	others := "Commands"
	if len(parent.Groups()) > 0 {
		others = "Other commands"
	}
	for _, g := range slices.Concat(parent.Groups(), []*cobra.Group{{Title: others}}) {
		if len(of[g.ID]) > 0 {
			h.heading(g.Title)
		}
		for _, c := range of[g.ID] {
			text := wrapped(fmt.Sprintf("  %-*s  ", width, c.Name()), c.Short, h.Width, width+4)
			h.text.WriteString(strings.Replace(text, c.Name(), h.Bold()+c.Name()+h.Plain(), 1))
		}
	}
}

// flags writes the flags of a command by groups, and how many are left out.
func (h *helpWriter) flags(c *cobra.Command) {
	groups, width, hidden, more := flagsOf(c), 0, 0, []string{}
	for _, title := range flags.Groups {
		all := groups[title]
		shown := slices.DeleteFunc(slices.Clone(all), func(f shownFlag) bool { return f.More && !h.all })
		if n := len(all) - len(shown); n > 0 && title != flags.GroupHelp {
			hidden, more = hidden+n, append(more, strings.ToLower(string(title)))
		}
		groups[title] = shown
		for _, f := range shown {
			width = max(width, len(f.typed()))
		}
	}
	width = min(width, 28)
	for _, title := range flags.Groups {
		if len(groups[title]) == 0 {
			continue
		}
		h.heading(string(title))
		for _, f := range groups[title] {
			h.flag(f, width)
		}
	}
	if hidden > 0 {
		text := fmt.Sprintf("%s --%s has %d more flags: %s.", c.CommandPath(), helpAll, hidden, strings.Join(more, ", "))
		h.text.WriteString("\n" + wrapped("", text, h.Width, 0))
	}
}

// value names the value of a flag, "" if it takes none.
func (f shownFlag) value() string {
	switch kind, _ := pflag.UnquoteUsage(f.registered); {
	case f.Takes != "":
		return f.Takes
	case f.Folder:
		return "DIR"
	case f.Writes || f.Reads != nil && f.Choices == nil:
		return "FILE"
	case kind == "string" && f.Choices != nil:
		return "NAME"
	default:
		return kind
	}
}

// typed returns a flag as it is typed, with the name of its value.
func (f shownFlag) typed() string {
	text := "      --" + f.registered.Name
	if f.registered.Shorthand != "" {
		text = "  -" + f.registered.Shorthand + ", --" + f.registered.Name
	}
	if value := f.value(); value != "" {
		text += " " + value
	}
	return text
}

// what returns what a flag does, and its default.
func (f shownFlag) what() string {
	text := f.registered.Usage
	if f.needs != "" && !strings.Contains(text, f.needs) {
		text += " (with " + f.needs + ")"
	}
	if was := f.registered.DefValue; !slices.Contains([]string{"", "0", "false", "[]"}, was) {
		text += " (default " + strings.Trim(was, "[]") + ")"
	}
	return text
}

// flag writes a flag with what it does and its default.
func (h *helpWriter) flag(f shownFlag, width int) {
	name, text := f.typed(), ""
	if len(name) > width {
		text = name + "\n" + wrapped(strings.Repeat(" ", width+3), f.what(), h.Width, width+3)
	} else {
		text = wrapped(fmt.Sprintf("%-*s   ", width, name), f.what(), h.Width, width+3)
	}
	typed := "--" + f.Name
	styled := h.Bold() + typed + h.Plain()
	if value := f.value(); value != "" {
		typed, styled = typed+" "+value, styled+" "+h.Dim()+value+h.Plain()
	}
	h.text.WriteString(strings.Replace(text, typed, styled, 1))
}

// wrapped returns the words of a text as lines of at most width columns: the first behind a
// head, the others indented. A word that is wider stands alone.
func wrapped(head, text string, width, indent int) string {
	var b strings.Builder
	b.WriteString(head)
	used, empty := utf8.RuneCountInString(head), true
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case empty:
		case used+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			used = indent
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
		empty = false
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}

// wrappedCommand returns a command line as lines of at most width columns that a shell joins.
func wrappedCommand(line string, width int) string {
	const indent = "      "
	var b strings.Builder
	for {
		cut := commandCut(line, width-len(`\`)-1)
		if utf8.RuneCountInString(line) <= width || cut < 0 {
			return b.String() + line + "\n"
		}
		b.WriteString(line[:cut] + " \\\n")
		line = indent + line[cut+1:]
	}
}

// commandCut returns the last space within the first width columns at which a command line can
// be cut: outside of single quotes and, if there is one, before a flag. It is -1 if there is
// none.
func commandCut(line string, width int) int {
	cut, beforeFlag, quoted := -1, -1, false
	lead := len(line) - len(strings.TrimLeft(line, " "))
	columns := 0
	for i, r := range line {
		quoted = quoted != (r == '\'')
		if r == ' ' && !quoted && i > lead && columns <= width {
			cut = i
			if strings.HasPrefix(line[i:], " -") {
				beforeFlag = i
			}
		}
		columns++
	}
	if beforeFlag >= 0 {
		return beforeFlag
	}
	return cut
}

func manCommand(a *app) *command {
	return &command{
		use:   "man DIR",
		short: "write the manual pages",
		long: "man writes a manual page for each command to the folder DIR, termsift.1 and termsift-score.1 and so on,\n" +
			"for man -l DIR/termsift.1 or a folder man1 on the path of man.",
		example:  "  termsift man man1",
		args:     arguments(1, 1, "one DIR"),
		writesTo: true,
		run:      func(c *cobra.Command, args []string) error { return a.man(c.Root(), args[0]) },
	}
}

func versionCommand(a *app) *command {
	return &command{
		use:      "version",
		short:    "print the version, as --version does",
		args:     noArgs,
		complete: cobra.NoFileCompletions,
		run: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(a.stdout, "%s version %s\n", c.Root().Name(), table.Version)
			return err
		},
	}
}

// man writes the pages of a command, and of those below it, to a folder: all of them or none.
func (a *app) man(c *cobra.Command, dir string) error {
	var pages []filled
	var add func(c *cobra.Command)
	add = func(c *cobra.Command) {
		pages = append(pages, filled{filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"), func(w io.Writer) error {
			_, err := w.Write(manPage(c))
			return err
		}})
		for _, child := range c.Commands() {
			if child.IsAvailableCommand() && child.Name() != "help" {
				add(child)
			}
		}
	}
	add(c)
	return a.writeAll(dir, pages)
}

// manPage returns the page of a command in troff.
//
// cobra's own writer would link a reader of Markdown and one of YAML, whose tables of regular
// expressions are made at the start of every command: 1.2 ms of the 5 that the start takes.
func manPage(c *cobra.Command) []byte {
	var p troff
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	p.macro(".TH %s 1 %q %q %q", strings.ToUpper(name), "", "termsift "+table.Version, "termsift")
	p.macro(".nh")
	p.macro(".SH NAME")
	p.line(name + " - " + c.Short)
	p.macro(".SH SYNOPSIS")
	p.bold(c.UseLine())
	p.macro(".SH DESCRIPTION")
	p.prose(description(c))
	p.flags(c)
	if c.Example != "" {
		p.macro(".SH EXAMPLES")
		p.macro(".nf")
		for line := range strings.Lines(c.Example) {
			p.line(strings.TrimSuffix(line, "\n"))
		}
		p.macro(".fi")
	}
	if others := relatives(c); len(others) > 0 {
		p.macro(".SH SEE ALSO")
		p.bold(strings.Join(others, "(1), ") + "(1)")
	}
	return p.Bytes()
}

// relatives returns the names of the pages of the command above and of those below one.
func relatives(c *cobra.Command) (names []string) {
	all := c.Commands()
	if c.HasParent() {
		all = append([]*cobra.Command{c.Parent()}, all...)
	}
	for _, other := range all {
		if other == c.Parent() || other.IsAvailableCommand() && other.Name() != "help" {
			names = append(names, strings.ReplaceAll(other.CommandPath(), " ", "-"))
		}
	}
	return names
}

// A troff is the text of a page.
type troff struct{ bytes.Buffer }

// macro writes a line that troff obeys.
func (p *troff) macro(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

var troffEscaper = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)

// inTroff escapes a text so that troff shows it as it is.
func inTroff(text string) string {
	text = troffEscaper.Replace(text)
	if strings.HasPrefix(text, ".") {
		return `\&` + text // else it would be a macro
	}
	return text
}

// line writes a line of text.
func (p *troff) line(text string) { p.WriteString(inTroff(text) + "\n") }

// bold writes a line of bold text.
func (p *troff) bold(text string) { p.WriteString(`\fB` + inTroff(text) + "\\fR\n") }

// prose writes paragraphs. Lines that begin with white space stay as they are.
func (p *troff) prose(text string) {
	kept := false
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimRight(line, " \n")
		indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		switch {
		case indented && !kept:
			p.macro(".PP\n.nf")
		case !indented && kept:
			p.macro(".fi\n.PP")
		}
		kept = indented
		if line == "" {
			p.macro(".PP")
		} else {
			p.line(strings.ReplaceAll(line, "\t", "    "))
		}
	}
	if kept {
		p.macro(".fi")
	}
}

// flags writes all flags of a command by groups.
func (p *troff) flags(c *cobra.Command) {
	groups := flagsOf(c)
	p.macro(".SH OPTIONS")
	for _, title := range flags.Groups {
		if len(groups[title]) == 0 {
			continue
		}
		p.macro(".SS %s", title)
		for _, f := range groups[title] {
			p.macro(".TP")
			p.bold(strings.TrimLeft(f.typed(), " "))
			p.line(f.what())
			if others := flags.Known(c.Flags(), f.Excludes); len(others) > 0 {
				p.line("Not with " + flags.Others(c.Flags(), others...) + ".")
			}
		}
	}
}
