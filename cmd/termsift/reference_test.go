package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
)

// REFERENCE.md is what the commands say of themselves.
func TestReferenceIsThatOfTheCommands(t *testing.T) {
	const page = "REFERENCE.md"
	want := reference(newApp(nil, io.Discard, io.Discard).tree())
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(page); err != nil || string(got) != want {
		t.Errorf("%s is not that of the commands: go test ./cmd/termsift -run Reference -update writes it: %v", page, err)
	}
}

// reference returns the page of all commands.
func reference(root *cobra.Command) string {
	p := page{common: commonFlags(root)}
	p.line("# Commands and flags\n\nA program writes this page from the flags of the commands: `go test ./cmd/termsift -run Reference -update`.\n")
	for _, g := range groups {
		var names []string
		for _, own := range g.commands {
			names = append(names, own(&app{}).name())
		}
		p.line("**%s:** %s\n", cmp.Or(g.title, "Other"), p.links(names))
	}
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && c.Name() != "completion" && c.Name() != "help" {
			p.command(c)
		}
	}
	p.line("## Common flags\n")
	for _, group := range flags.Groups {
		var all []shownFlag
		for _, f := range p.common {
			if f.Group == group {
				all = append(all, f)
			}
		}
		p.flags("### "+string(group), all)
	}
	return strings.TrimRight(p.String(), "\n") + "\n"
}

// Of so many commands a flag is common.
const ofManyCommands = 8

// commonFlags returns the flags that many commands have, with the same words.
func commonFlags(root *cobra.Command) (common []shownFlag) {
	count := map[string]int{}
	for _, c := range root.Commands() {
		for _, group := range flags.Groups {
			for _, f := range flagsOf(c)[group] {
				key := f.key()
				if count[key]++; count[key] == ofManyCommands && f.Group != flags.GroupHelp {
					common = append(common, f)
				}
			}
		}
	}
	slices.SortStableFunc(common, func(a, b shownFlag) int {
		return cmp.Compare(slices.Index(flags.Groups, a.Group), slices.Index(flags.Groups, b.Group))
	})
	return common
}

// key tells flags apart whose words are others.
func (f shownFlag) key() string { return f.typed() + f.what() }

// A page is a page in Markdown.
type page struct {
	strings.Builder
	common []shownFlag
}

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *page) links(names []string) string {
	links := make([]string, len(names))
	for i, name := range names {
		links[i] = fmt.Sprintf("[%s](#%s)", name, name)
	}
	return strings.Join(links, ", ")
}

func (p *page) command(c *cobra.Command) {
	p.line("## %s\n\n`%s`\n", c.Name(), strings.TrimSuffix(c.UseLine(), " [flags]"))
	p.prose(cmp.Or(c.Long, c.Short))
	if c.Example != "" {
		p.line("```sh\n%s\n```\n", strings.ReplaceAll(strings.TrimPrefix(c.Example, "  "), "\n  ", "\n"))
	}
	var also []string
	groups := flagsOf(c)
	for _, group := range flags.Groups {
		var own, common []shownFlag
		for _, f := range groups[group] {
			switch {
			case !p.isCommon(f):
				own = append(own, f)
			case c.InheritedFlags().Lookup(f.Name) == nil:
				common = append(common, f)
			}
		}
		if group != flags.GroupHelp {
			p.flags("**"+string(group)+"**", own)
		}
		also = append(also, p.also(group, common)...)
	}
	if len(also) > 0 {
		p.line("It has [common flags](#common-flags), too: %s.\n", strings.Join(also, "; "))
	}
}

func (p *page) isCommon(f shownFlag) bool {
	return slices.ContainsFunc(p.common, func(other shownFlag) bool { return other.key() == f.key() })
}

// also names the common flags of a group that a command has, or those that it lacks.
func (p *page) also(group flags.Group, has []shownFlag) []string {
	var names, lacks []string
	for _, f := range p.common {
		name := "`--" + f.Name + "`"
		switch {
		case f.Group != group:
		case slices.ContainsFunc(has, func(other shownFlag) bool { return other.Name == f.Name }):
			names = append(names, name)
		default:
			lacks = append(lacks, name)
		}
	}
	switch {
	case len(names) == 0:
		return nil
	case len(lacks) == 0:
		return []string{"all of " + string(group)}
	case len(lacks) < len(names):
		return []string{"all of " + string(group) + " but " + strings.Join(lacks, ", ")}
	}
	return []string{"of " + string(group) + " " + strings.Join(names, ", ")}
}

// flags writes flags of a group.
func (p *page) flags(title string, all []shownFlag) {
	if len(all) == 0 {
		return
	}
	p.line("%s\n", title)
	for _, f := range all {
		p.line("- `%s`: %s", strings.TrimLeft(f.typed(), " "), tables.InMarkdown(f.what()))
	}
	p.line("")
}

// prose writes paragraphs. Lines that begin with white space stay as they are.
func (p *page) prose(text string) {
	kept := false
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimRight(line, " \n")
		if indented := strings.HasPrefix(line, " "); indented != kept {
			p.line("```")
			kept = indented
		}
		if !kept {
			line = tables.InMarkdown(line)
		}
		p.line("%s", line)
	}
	if kept {
		p.line("```")
	}
	p.line("")
}
