// Command house measures how much there is to read: lines, rooms, types, names and pages.
//
//	go run ./bench/house
//
// Its test holds the figures to their limits.
package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/termsift/termsift/engine/score"
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
	lines, files, methods := h.lines.most("engine/"), h.files.most("engine/"), h.methods.most("")
	return []row{
		{"code lines", "without tests, comments, blank lines, generated files", h.codeLines, 100_800, 67_000},
		{"lines of a room below engine", lines.name, lines.n, 8_000, 8_000},
		{"files of a room below engine", files.name, files.n, 40, 40},
		{"methods of a type", methods.name, methods.n, 60, 60},
		{"exported functions, types, methods", "engine, kernels, bitmap", h.exported, 1_506, 700},
		{"packages", "", len(h.packages), 72, 55},
		{"files that name a measure of another file", "engine/score", h.namedTwice(score.NewRegistry(score.Options{}).Names()), 0, 0},
		{"bytes of pages by hand", "without lists that programs write, and records", h.pageBytes, 245_000, 130_000},
	}
}
