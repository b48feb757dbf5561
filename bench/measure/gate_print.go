package main

import (
	"fmt"
	"io"
	"math"
	"path"
	"strconv"
	"text/tabwriter"
)

// printTable prints all comparisons and a summary. It says whether one failed.
func printTable(w io.Writer, all []comparison, limit float64) (failed bool) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "benchmark\tunit\tbase\thead\thead / base\t95 % interval\tverdict")
	count := map[verdict]int{}
	for _, c := range all {
		count[c.verdict]++
		fmt.Fprintf(t, "%s: %s\t%s\t%s\t%s\t%s\t%s to %s\t%s\n", path.Base(c.pkg), c.name, c.unit,
			time3(c.base), time3(c.head), ratio3(c.ratio), ratio3(c.low), ratio3(c.high), c.verdict)
	}
	t.Flush()
	fmt.Fprintf(w, "\n%d judged: %d slower by more than %v %% with the whole interval, %d faster; %d not judged, %d only in one revision\n",
		count[unchanged]+count[slower]+count[faster], count[slower], limit, count[faster], count[untold]+count[tooFew], count[onlyBase]+count[onlyHead])
	return count[slower] > 0
}

// ratio3 formats a ratio, or a dash for NaN.
func ratio3(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

// time3 formats a time with at least three digits.
func time3(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	if v >= 100 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
