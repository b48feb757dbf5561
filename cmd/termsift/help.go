package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// This file writes the help of a command: wrapped to the terminal, its flags in groups, those
// that matter first.

// A flagGroup is a section of the help. --help shows the flags of first, --help-all those of
// more as well. A name such as "generate.classes" is a flag of one command.
type flagGroup struct {
	title       string
	first, more []string
}

const (
	otherFlags = "Other" // flags that have no group; --help shows them
	helpFlags  = "Help"
)

// flagGroups are the groups in their order.
var flagGroups = []flagGroup{
	{
		"Scoring",
		[]string{
			"by", "combine", "class", "top", "all", "positive", "weight", "p-values", "max-p", "min-freq", "min-range", "keyness.terms", "drift",
			"project.alpha", "project.number", "project.rule",
		},
		[]string{
			"signed", "yates", "exact", "correct", "base", "rs-d", "g2-cells", "permutations", "score.seed",
			"project.cluster-weight", "project.discriminate", "project.occurrences",
		},
	},
	{
		"Selection",
		[]string{"number", "percentile", "min-score", "fdr", "per-class", "then", "keep", "drop", "features", "select.classifier"},
		[]string{"energy", "fpr", "fwe", "per-document", "round-robin", "function", "p", "rule", "scope", "counts", "select.folds", "select.metric", "try", "select.seed"},
	},
	{
		"Evaluation",
		[]string{"train", "test", "classifier", "metric", "folds", "repeat", "bootstrap", "subsample", "model"},
		[]string{"test-split", "share", "stratify", "seed", "evaluate.per-class", "rbo-p", "tau", "only"},
	},
	{
		"Measuring",
		[]string{"bench.threads", "rounds", "buffer"},
		nil,
	},
	{
		"Corpus",
		[]string{
			"documents", "length", "generate.classes", "generate.labels", "terms", "generate.class-terms", "zipf", "kernel",
			"generate.seed",
		},
		nil,
	},
	{
		"Input",
		[]string{"docs", "reference", "text", "split", "input-format", "text-field", "label-field", "ids"},
		[]string{
			"reference-docs", "id-field", "no-header", "quote", "label-separator", "label-from", "folder-level", "charset", "labels", "single-label", "first-label", "labelled", "classes",
			"classes-from", "reuters-split", "qrels", "strip-metadata", "dedupe", "skip-bad", "no-mmap",
		},
	},
	{
		"Text",
		[]string{"tokens", "stop", "stem", "ngrams", "min-df"},
		[]string{"max-df", "local-min-df", "normalize", "markup", "headers", "max-token"},
	},
	{
		"Output",
		[]string{"output", "format", "to", "svmlight", "html", "kwic", "stats-only", "store", "predictions"},
		[]string{
			"kwic-sort", "class-terms", "factors", "scores", "project.unit", "svmlight-test", "confusion", "svg", "no-times", "quiet", "summary", "force",
		},
	},
	{
		"Limits",
		[]string{"threads", "max-memory"},
		[]string{
			"temp-dir", "max-document", "max-line", "max-name", "max-labels", "max-classes", "max-fields", "max-members",
			"max-depth", "max-expansion", "max-window", "max-list", "max-input",
		},
	},
	{"Profiling", nil, profileFlags},
	{otherFlags, nil, nil},
	{helpFlags, nil, []string{"help", helpAll, "version"}},
}

// helpAll is the flag that shows the help with all flags.
const helpAll = "help-all"

// Annotations of flags: the title of the group, and that only --help-all shows the flag.
const (
	groupAnnotation = "group"
	moreAnnotation  = "more"
)

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

// setHelp makes the help of all commands below root ours.
func (a *app) setHelp(root *cobra.Command) {
	root.PersistentFlags().VarPF(helpAllFlag{&a.helpAll}, helpAll, "", "help with all flags").NoOptDefVal = "true"
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	root.InitDefaultVersionFlag()
	for _, g := range commandGroups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range root.Commands() {
			if slices.Contains(g.commands, c.Name()) {
				c.GroupID = g.title
			}
		}
	}
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { a.writeHelp(c) })
}

// A helpAllFlag is the value of --help-all. Like --help, it ends the reading of the flags.
type helpAllFlag struct{ asked *bool }

// Set implements [pflag.Value].
func (f helpAllFlag) Set(string) error {
	*f.asked = true
	return pflag.ErrHelp
}

// String implements [pflag.Value].
func (helpAllFlag) String() string { return "" }

// Type implements [pflag.Value].
func (helpAllFlag) Type() string { return "bool" }

// groupFlags annotates the flags of a command with their groups. It is done for the command
// whose help is written: for all of them it takes longer than to count a small corpus.
func groupFlags(c *cobra.Command) {
	c.InitDefaultHelpFlag()
	c.InheritedFlags() // adds those of the root to c.Flags
	c.Flags().VisitAll(func(flag *pflag.Flag) {
		title, more := groupOf(c.Name(), flag.Name)
		if title == "" || flag.Annotations[groupAnnotation] != nil {
			return
		}
		if flag.Annotations == nil {
			flag.Annotations = map[string][]string{}
		}
		flag.Annotations[groupAnnotation] = []string{title}
		if more {
			flag.Annotations[moreAnnotation] = []string{}
		}
	})
}

// groupOf returns the group of a flag, and whether only --help-all shows it. The title is ""
// for a flag that has no group.
func groupOf(command, flag string) (title string, more bool) {
	for _, name := range []string{command + "." + flag, flag} {
		for _, g := range flagGroups {
			if more := slices.Contains(g.more, name); more || slices.Contains(g.first, name) {
				return g.title, more
			}
		}
	}
	return "", false
}

// writeHelp writes the help of a command to its output. The failure of standard output is that
// of the run.
func (a *app) writeHelp(c *cobra.Command) {
	h := helpWriter{screen: a.outScreen, all: a.helpAll}
	if c.OutOrStdout() == a.stderr {
		h.screen = a.errScreen
		h.command(c)
		_, _ = io.WriteString(a.stderr, h.text.String()) // whose failure cannot be reported
		return
	}
	h.command(c)
	_ = a.out.styled(h.text.String()) // the failure shows when the output is flushed
}

// A helpWriter writes the help of a command.
type helpWriter struct {
	screen
	all  bool // show all flags
	text strings.Builder
}

func (h *helpWriter) command(c *cobra.Command) {
	groupFlags(c)
	h.paragraphs(cmp.Or(c.Long, c.Short))
	h.heading("Usage")
	h.text.WriteString(wrapped("  ", c.UseLine(), h.width, 6))
	if c.Example != "" {
		h.heading("Examples")
		for line := range strings.Lines(c.Example) {
			h.text.WriteString(wrappedCommand(strings.TrimSuffix(line, "\n"), h.width))
		}
	}
	h.commands(c)
	if c.HasAvailableSubCommands() {
		h.text.WriteString("\n" + wrapped("", c.CommandPath()+" COMMAND --help has the flags of a command.", h.width, 0))
	}
	h.flags(c)
}

// heading begins a section.
func (h *helpWriter) heading(title string) {
	fmt.Fprintf(&h.text, "\n%s%s:%s\n", h.bold(), title, h.plain())
}

// paragraphs writes prose, in which lists may stand. A line that begins with white space is
// an item of a list, or goes on with the one before it if it stands under its second column.
func (h *helpWriter) paragraphs(text string) {
	var head string
	var running []string
	indent := 0
	end := func() {
		if head != "" || len(running) > 0 {
			h.text.WriteString(wrapped(head, strings.Join(running, " "), h.width, indent))
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
	var all []*cobra.Command
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() {
			all = append(all, c)
		}
	}
	width := 0
	for _, c := range all {
		width = max(width, len(c.Name()))
	}
	list := func(title, group string) {
		empty := true
		for _, c := range all {
			if c.GroupID != group {
				continue
			}
			if empty {
				h.heading(title)
				empty = false
			}
			text := wrapped(fmt.Sprintf("  %-*s  ", width, c.Name()), c.Short, h.width, width+4)
			h.text.WriteString(strings.Replace(text, c.Name(), h.bold()+c.Name()+h.plain(), 1))
		}
	}
	for _, g := range parent.Groups() {
		list(g.Title, g.ID)
	}
	if len(parent.Groups()) == 0 {
		list("Commands", "")
	} else {
		list("Other commands", "")
	}
}

// flags writes the flags of a command by groups, and how many are left out.
func (h *helpWriter) flags(c *cobra.Command) {
	groups, width, hidden := map[string][]*pflag.Flag{}, 0, []string{}
	c.Flags().VisitAll(func(flag *pflag.Flag) {
		title := titleOf(flag)
		_, more := flag.Annotations[moreAnnotation]
		switch {
		case flag.Hidden || flag.Deprecated != "":
		case more && !h.all && title != helpFlags:
			hidden = append(hidden, strings.ToLower(title))
		case more && !h.all:
		default:
			groups[title] = append(groups[title], flag)
			width = max(width, len(flagName(flag)))
		}
	})
	width = min(width, 28)
	for _, g := range flagGroups {
		if len(groups[g.title]) == 0 {
			continue
		}
		h.heading(g.title)
		g.sort(c.Name(), groups[g.title])
		for _, flag := range groups[g.title] {
			h.flag(flag, width)
		}
	}
	if n := len(hidden); n > 0 {
		slices.SortStableFunc(hidden, func(a, b string) int { return groupPlace(a) - groupPlace(b) })
		text := fmt.Sprintf("%s --%s has %d more flags: %s.", c.CommandPath(), helpAll, n, strings.Join(slices.Compact(hidden), ", "))
		h.text.WriteString("\n" + wrapped("", text, h.width, 0))
	}
}

// groupPlace returns the place of a group, by its title in small letters.
func groupPlace(title string) int {
	return slices.IndexFunc(flagGroups, func(g flagGroup) bool { return strings.ToLower(g.title) == title })
}

// titleOf returns the title of the group of a flag.
func titleOf(flag *pflag.Flag) string {
	if named := flag.Annotations[groupAnnotation]; len(named) > 0 {
		return named[0]
	}
	return otherFlags
}

// sort puts flags of a command into the order of their group.
func (g flagGroup) sort(command string, flags []*pflag.Flag) {
	slices.SortStableFunc(flags, func(a, b *pflag.Flag) int { return g.place(command, a.Name) - g.place(command, b.Name) })
}

// place returns where a flag stands within its group.
func (g flagGroup) place(command, flag string) int {
	names := slices.Concat(g.first, g.more)
	return slices.IndexFunc(names, func(name string) bool { return name == flag || name == command+"."+flag })
}

// flagName returns a flag as it is typed, with the kind of its value.
func flagName(flag *pflag.Flag) string {
	kind, _ := pflag.UnquoteUsage(flag)
	text := "      --" + flag.Name
	if flag.Shorthand != "" {
		text = "  -" + flag.Shorthand + ", --" + flag.Name
	}
	if kind != "" {
		text += " " + kind
	}
	return text
}

// flagText returns what a flag does, and its default.
func flagText(flag *pflag.Flag) string {
	_, text := pflag.UnquoteUsage(flag)
	if !slices.Contains([]string{"", "0", "false", "[]"}, flag.DefValue) {
		text += " (default " + strings.Trim(flag.DefValue, "[]") + ")"
	}
	return text
}

// flag writes a flag with what it does and its default.
func (h *helpWriter) flag(flag *pflag.Flag, width int) {
	kind, _ := pflag.UnquoteUsage(flag)
	what := flagText(flag)
	name, text := flagName(flag), ""
	if len(name) > width {
		text = name + "\n" + wrapped(strings.Repeat(" ", width+3), what, h.width, width+3)
	} else {
		text = wrapped(fmt.Sprintf("%-*s   ", width, name), what, h.width, width+3)
	}
	typed := "--" + flag.Name
	styled := h.bold() + typed + h.plain()
	if kind != "" {
		typed, styled = typed+" "+kind, styled+" "+h.dim()+kind+h.plain()
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
