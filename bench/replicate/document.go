package main

import (
	_ "embed"
	"fmt"
	"os"
	"strings"

	"github.com/termsift/termsift/bench/markdown"
)

const notice = "<!-- Written by \"go run ./bench/replicate\" from the raw files bench/results/replicate-*.json\nand the texts beside the program. Change those. -->\n\n"

// preface is what stands before the sections.
//
//go:embed preface.md
var preface string

// document writes REPLICATION.md, or compares it with what it would write.
func document(opt *options) error {
	text, err := render(opt)
	if err != nil {
		return err
	}
	if !opt.check {
		return os.WriteFile(opt.out, []byte(text), 0o666)
	}
	have, err := os.ReadFile(opt.out)
	if err != nil || string(have) == text {
		return err
	}
	line, is, want := markdown.FirstDifference(string(have), text)
	return fmt.Errorf("%s:%d: %w from what the raw results give; write it again with go run ./bench/replicate\n  is:   %s\n  want: %s",
		opt.out, line, errDiffers, is, want)
}

// render gives the whole text: the preface, a section of every part, and what each was
// measured with.
func render(opt *options) (string, error) {
	blocks := []string{strings.TrimSpace(preface)}
	machines := &markdown.Table{Head: []string{"part", "cpu", "machine", "go", "commit", "date", "command"}, Text: 7}
	for _, p := range opt.parts {
		r, err := p.read(opt)
		if err != nil {
			return "", err
		}
		section, err := p.section(r.Results)
		if err != nil {
			return "", fmt.Errorf("part %s: %w", p.name, err)
		}
		blocks = append(blocks, strings.TrimSpace(section))
		o := r.Origin
		machines.Rows = append(machines.Rows, []string{p.name, o.CPU, o.Machine, o.Go, o.Commit, o.Date, "`" + r.Command + "`"})
	}
	blocks = append(blocks, "## Measured with\n\n"+machines.String())
	return notice + strings.Join(blocks, "\n\n") + "\n", nil
}
