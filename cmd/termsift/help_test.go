package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
)

// helpOf returns the help of a command on a screen.
func helpOf(c *cobra.Command, s tables.Screen, all bool) string {
	h := helpWriter{Screen: s, all: all}
	h.command(c)
	return h.text.String()
}

// No line of the help is wider than the screen, but for a word that is, and for lines of code.
func TestHelpFitsTheScreen(t *testing.T) {
	for _, c := range allCommands(newApp(nil, io.Discard, io.Discard).tree()) {
		for _, width := range []int{60, 80, 132} {
			for _, all := range []bool{false, true} {
				for line := range strings.Lines(helpOf(c, tables.Screen{Width: width}, all)) {
					line = strings.TrimSuffix(line, "\n")
					code := c.HasParent() && c.Parent().Name() == "completion" && strings.HasPrefix(line, "    ")
					if n := utf8.RuneCountInString(line); n > width && len(strings.Fields(line)) > 1 && !code {
						t.Errorf("%s at %d: %d columns: %s", c.CommandPath(), width, n, line)
					}
				}
			}
		}
	}
}

var flagLine = regexp.MustCompile(`(?m)^  (?:    |-[a-zA-Z], )--([a-z0-9-]+)`)

// --help-all has every flag once; --help has some of them, those without a group among them.
func TestHelpHasEveryFlag(t *testing.T) {
	root := newApp(nil, io.Discard, io.Discard).tree()
	root.Commands()[0].Flags().String("added-by-somebody", "", "a flag without a group")
	for _, c := range allCommands(root) {
		var want []string
		c.InitDefaultHelpFlag()
		c.InheritedFlags() // adds those of the root to c.Flags
		c.Flags().VisitAll(func(flag *pflag.Flag) { want = append(want, flag.Name) })
		c.Example = "" // whose flags may begin a line
		_, list, _ := strings.Cut(helpOf(c, tables.Screen{Width: 80}, true), "\nUsage:")
		var got []string
		for _, m := range flagLine.FindAllStringSubmatch(list, -1) {
			got = append(got, m[1])
		}
		slices.Sort(want)
		slices.Sort(got)
		testkit.EqualSlices(t, got, want, c.CommandPath(), "--help-all")
	}
	few := helpOf(root.Commands()[0], tables.Screen{Width: 80}, false)
	if !strings.Contains(few, "\nOther:\n      --added-by-somebody string") || strings.Contains(few, "--cpuprofile") || !strings.Contains(few, "more flags") {
		t.Errorf("--help has\n%s", few)
	}
}

// Every flag is in a group of the help, groups name commands that there are, and the flags that
// matter stand first.
func TestHelpGroupsAreThoseOfTheCommands(t *testing.T) {
	root := newApp(nil, io.Discard, io.Discard).tree()
	for _, c := range allCommands(root) {
		for group, all := range flagsOf(c) {
			testkit.Equal(t, slices.Contains(flags.Groups, group), true, c.CommandPath(), "there is no group", group)
			testkit.Equal(t, slices.IsSortedFunc(all, func(a, b shownFlag) int { return strings.Compare(fmt.Sprint(a.More), fmt.Sprint(b.More)) }), true,
				c.CommandPath(), group, "begins with flags that --help does not have")
		}
	}
	for _, g := range groups {
		for name, own := range g.commands {
			testkit.Equal(t, own(&app{}).name(), name)
			if c, _, err := root.Find([]string{name}); err != nil || c.GroupID != g.title {
				t.Errorf("group %q: %s: %v", g.title, name, err)
			}
		}
	}
	score, _, err := root.Find([]string{"score"})
	testkit.OK(err)
	if help := helpOf(score, tables.Screen{Width: 80}, false); strings.Index(help, "--by ") > strings.Index(help, "--all ") {
		t.Error(help)
	}
}

func TestWrappedCommandIsTheCommand(t *testing.T) {
	const line = "  termsift score --by g2tf --docs 'class=sci.* or class=comp.graphics' --reference-docs 'not class=sci.*' train.idx"
	for width := 20; width < 130; width++ {
		got := wrappedCommand(line, width)
		testkit.Equal(t, strings.Join(strings.Fields(strings.ReplaceAll(got, "\\\n", "")), " "),
			strings.TrimSpace(line), width, got)
	}
}

func TestParagraphs(t *testing.T) {
	h := helpWriter{Screen: tables.Screen{Width: 30}}
	h.paragraphs("Some words that\nrun on for a while.\n\nA list:\n  one   the first item, a long one\n        that goes on\n  two   the second\nbehind the list\n\tcode  as it is, however long it may be")
	const want = `Some words that run on for a
while.

A list:
  one   the first item, a long
        one that goes on
  two   the second
behind the list
    code  as it is, however long it may be
`
	testkit.Equal(t, h.text.String(), want)
}

// Styles are there on a terminal that has them; TestOnATerminal looks at what is printed.
func TestScreens(t *testing.T) {
	for env, want := range map[string]tables.Screen{
		"TERM=xterm":            {Terminal: true, Moves: true, Styled: true, Width: tables.PlainWidth},
		"TERM=dumb":             {Terminal: true, Width: tables.PlainWidth},
		"":                      {Terminal: true, Moves: true, Width: tables.PlainWidth},
		"TERM=xterm NO_COLOR=1": {Terminal: true, Moves: true, Width: tables.PlainWidth},
		"TERM=xterm NO_COLOR=":  {Terminal: true, Moves: true, Styled: true, Width: tables.PlainWidth},
	} {
		getenv := func(name string) string {
			for _, set := range strings.Fields(env) {
				if value, found := strings.CutPrefix(set, name+"="); found {
					return value
				}
			}
			return ""
		}
		testkit.Equal(t, tables.TerminalScreen(getenv), want, env)
	}
}

// --help-all needs no arguments, and what it writes is no error.
func TestHelpAll(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run(context.Background(), []string{"score", "--help-all"}, strings.NewReader(""), &out, &errs); code != exitOK || errs.Len() > 0 {
		t.Fatal(code, errs.String())
	}
	for _, want := range []string{"\nProfiling:\n", "--max-expansion int", "--help-all", "-h, --help"} {
		testkit.Contains(t, out.String(), want, "without")
	}
	testkit.Is(t, flagError(&cobra.Command{}, pflag.ErrHelp), pflag.ErrHelp)
}
