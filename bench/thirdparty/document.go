package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/termsift/termsift/bench/lab"
)

const notice = "<!-- Written by \"go run ./bench/thirdparty\" from what the command links and embeds. -->\n\n"

const preface = `# What is in it of others

The command has these modules and lists in it, each under its own terms, whose texts are
below. The modules are those of any system that the command is built for; the version is
that of go.mod. The Go standard library is under the terms of golang.org/x/sys.`

const withoutTerms = "published without terms"

// document writes the tables, and every text once.
func document(modules []module, lists []embedded) []byte {
	linked := &lab.Table{Head: []string{"module", "version", "terms", "copyright"}, Text: 4}
	texts := &collection{at: map[string]int{}}
	for _, m := range modules {
		linked.Add("`"+m.Path+"`", m.Version, strings.Join(names(m.Texts), ", "), strings.Join(copyrights(m.Texts), "; "))
		for _, l := range m.Texts {
			texts.add(m.Path+" "+m.Version+", "+l.File, l)
		}
	}
	files := &lab.Table{Head: []string{"file", "what", "terms", "copyright"}, Text: 4}
	for _, l := range lists {
		terms := withoutTerms
		if len(l.Texts) > 0 {
			terms = strings.Join(names(l.Texts), ", ")
		}
		files.Add("`"+l.File+"`", l.What, terms, strings.Join(copyrights(l.Texts), "; "))
		for _, text := range l.Texts {
			texts.add(l.File, text)
		}
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s%s\n\n## Modules\n\n%s\n\n## Embedded lists\n\n%s\n\n## Texts\n", notice, preface, linked, files)
	for _, c := range texts.all {
		fmt.Fprintf(&out, "\n### %s\n\n%s\n\n%s\n", c.Name, strings.Join(c.where, "  \n"), fenced(c.Text))
	}
	return out.Bytes()
}

// fenced puts a text between fences that are not in it.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "text\n" + text + "\n" + fence
}

// A collection has every text once, with where it stands.
type collection struct {
	all []collected
	at  map[string]int
}

type collected struct {
	licence
	where []string
}

func (c *collection) add(where string, l licence) {
	key := strings.Join(strings.Fields(l.Text), " ")
	i, ok := c.at[key]
	if !ok {
		i = len(c.all)
		c.at[key] = i
		c.all = append(c.all, collected{licence: l})
	}
	c.all[i].where = append(c.all[i].where, where)
}
