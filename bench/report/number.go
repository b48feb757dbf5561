package main

import (
	"math"
	"strconv"
	"strings"
)

// formatNumber writes three significant digits, or an integer from 100 on with
// commas between the thousands.
func formatNumber(v float64) string {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 2, 64), 64)
	decimals := 2 - int(math.Floor(math.Log10(math.Abs(rounded))))
	if decimals > 0 {
		return strconv.FormatFloat(v, 'f', decimals, 64)
	}
	return thousands(strconv.FormatFloat(v, 'f', 0, 64))
}

// thousands puts commas into the digits of an integer.
func thousands(digits string) string {
	sign := ""
	if rest, ok := strings.CutPrefix(digits, "-"); ok {
		sign, digits = "-", rest
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

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
	return formatNumber(v) + " " + units[i]
}

func formatBytes(v float64) string { return formatScaled(v, "B", "kB", "MB", "GB") }
func formatTime(ns float64) string { return formatScaled(ns, "ns", "µs", "ms", "s") }
