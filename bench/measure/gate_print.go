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
	fmt.Fprintln(t, "benchmark\tunit\tbase\thead\tdelta\tp\tverdict")
	count := map[verdict]int{}
	for _, c := range all {
		count[c.verdict]++
		fmt.Fprintf(t, "%s: %s\t%s\t%s\t%s\t%s\t%s\t%s\n", path.Base(c.pkg), c.name, c.unit,
			time3(c.base), time3(c.head), number(c.delta, "%+.1f %%"), number(c.p, "%.3f"), c.verdict)
	}
	t.Flush()
	judged := len(all) - count[onlyBase] - count[onlyHead] - count[notJudged] - count[tooFewRuns]
	fmt.Fprintf(w, "\n%d judged: %d slower by more than %v %% with p < %v, %d faster; %d only in one revision, %d with too few runs\n",
		judged, count[slower], limit, significant, count[faster], count[onlyBase]+count[onlyHead], count[tooFewRuns])
	return count[slower] > 0
}

// number formats v, or a dash for NaN.
func number(v float64, format string) string {
	if math.IsNaN(v) {
		return "–"
	}
	return fmt.Sprintf(format, v)
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
