// Command house measures how much there is to read: lines, packages, types, names and pages.
//
//	go run ./bench/house
//
// Its test holds the figures to their limits.
package main

import (
	"fmt"
	"os"
	"text/tabwriter"
)

func main() {
	h, err := survey(os.DirFS("."))
	if err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tis\tat most\tgoal\twhere")
	for _, r := range h.rows() {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\n", r.what, r.is, r.atMost, r.goal, r.where)
	}
	w.Flush()
}

// A row is a figure with its limit, which goes down as the figure does, and the goal.
type row struct {
	what, where      string
	is, atMost, goal int
}

// rows returns the figures in the order of the table.
func (h *house) rows() []row {
	lines, methods := h.lines.most("engine/"), h.methods.most("")
	files := 0
	for _, n := range h.files {
		files += n
	}
	return []row{
		{"lines of Go, product", "engine, kernels, bitmap, cmd", h.code[product], 64_060, 62_000},
		{"lines of Go, laboratory", "bench, kernels/_asm, aids of tests", h.code[laboratory], 8_280, 8_000},
		{"lines of Go, tests", "without comments and blank lines, as above", h.code[tests], 52_450, 50_000},
		{"lines of other languages", "Python, JavaScript, C, R, shell, styles, templates; tests, too", h.others, 18_190, 17_000},
		{"packages", "of the main module", len(h.packages), 51, 32},
		{"files of Go without tests", "", files, 395, 380},
		{"exported functions, types, methods", "engine, kernels, bitmap", h.exported, 1_232, 750},
		{"methods of a type", methods.name, methods.n, 40, 40},
		{"lines of a package below engine", lines.name, lines.n, 7_265, 7_500},
		{"small functions with one caller", "six lines or fewer, not exported", h.tiny, 128, 150},
		{"bytes of pages by hand", "without records of measurements", h.pageBytes, 182_500, 140_000},
	}
}
