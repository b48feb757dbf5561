package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/termsift/demo"
	"github.com/termsift/termsift/engine/table"
)

// This file writes the manual pages.

func manCommand(a *app) *command {
	return &command{
		use:   "man DIR",
		short: "write the manual pages",
		long: "man writes a manual page for each command to the folder DIR, termsift.1 and termsift-score.1 and so\n" +
			"on, for man -l DIR/termsift.1 or a folder man1 on the path of man. The same version writes the same\n" +
			"bytes.",
		example: "  termsift man man1",
		args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError("man needs one DIR; see termsift man --help")
			}
			return nil
		},
		writesTo: true,
		run:      func(c *cobra.Command, args []string) error { return a.man(c.Root(), args[0]) },
	}
}

func demoCommand(a *app) *command {
	return &command{
		use:      "demo",
		short:    "show on an embedded corpus why one selects terms",
		args:     noArgs,
		complete: cobra.NoFileCompletions,
		run:      func(c *cobra.Command, _ []string) error { return demo.Print(c.Context(), a.stdout) },
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
		pages = append(pages, filled{filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"), otherFile, func(w io.Writer) error {
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
	p.prose(cmp.Or(c.Long, c.Short))
	p.flags(c)
	if c.Example != "" {
		p.macro(".SH EXAMPLES")
		p.asItIs(c.Example)
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

// asItIs writes lines that are not joined.
func (p *troff) asItIs(text string) {
	p.macro(".nf")
	for line := range strings.Lines(text) {
		p.line(strings.TrimSuffix(line, "\n"))
	}
	p.macro(".fi")
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
				p.line("Not with " + flags.Others(others) + ".")
			}
		}
	}
}
