package main

import (
	_ "embed"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/termsift/termsift/bench/markdown"
)

const notice = "<!-- Written by \"go run ./bench/replicate\" from the raw files bench/results/replicate-*.json\nand the texts beside the program. Change those. -->\n\n"

// preface is what stands before the sections.
//
//go:embed preface.md
var preface string

// claimsPlace is the line of the preface in whose place the table of all claims stands.
const claimsPlace = "{{claims}}"

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

// render gives the whole text: the preface with all claims by paper, a section of every part, and what each was
// measured with.
func render(opt *options) (string, error) {
	blocks := []string{""} // for the preface
	claims := &markdown.Table{Head: []string{"experiment", "paper", "finding", "claims", "hold", "in part", "do not", "cannot be checked"}, Text: 3}
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
		sum, err := p.summary(r.Results)
		if err != nil {
			return "", fmt.Errorf("part %s: %w", p.name, err)
		}
		row := []string{p.name, sum.Paper, sum.Finding}
		for _, n := range []int{sum.Claims(), sum.Holds, sum.InPart, sum.Fails, sum.Unchecked} {
			row = append(row, strconv.Itoa(n))
		}
		claims.Rows = append(claims.Rows, row)
		o := r.Origin
		machines.Rows = append(machines.Rows, []string{p.name, o.CPU, o.Machine, o.Go, o.Commit, o.Date, "`" + r.Command + "`"})
	}
	before, after, ok := strings.Cut(strings.TrimSpace(preface), claimsPlace)
	if !ok {
		return "", fmt.Errorf("preface.md has no line %q", claimsPlace)
	}
	blocks[0] = before + claims.String() + after
	blocks = append(blocks, "## Measured with\n\n"+machines.String())
	return notice + strings.Join(blocks, "\n\n") + "\n", nil
}
