package main

import (
	"math"
	"strconv"

	"github.com/termsift/termsift/bench/markdown"
)

// formatPercent writes integers, and one digit below 1 %.
func formatPercent(v float64) string {
	if v != 0 && math.Abs(v) < 0.95 {
		return strconv.FormatFloat(v, 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(v, 'f', 0, 64) + " %"
}

// formatScaled writes v with the largest of the units that is below it; each is
// 1000 of the one before.
func formatScaled(v float64, units ...string) string {
	i := 0
	for v >= 999.5 && i < len(units)-1 {
		v /= 1000
		i++
	}
	return markdown.Number(v) + " " + units[i]
}

func formatBytes(v float64) string { return formatScaled(v, "B", "kB", "MB", "GB") }
func formatTime(ns float64) string { return formatScaled(ns, "ns", "µs", "ms", "s") }
