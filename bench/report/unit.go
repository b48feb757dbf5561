package main

import (
	"maps"
	"slices"
	"strings"
)

// multiples are units that can be converted into each other.
var multiples = []map[string]float64{
	{"ns": 1, "µs": 1e3, "us": 1e3, "ms": 1e6, "s": 1e9},
	{"cpu-ns": 1, "cpu-ms": 1e6},
	{"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9},
}

// lookUp finds a figure of a run in the unit or in one that converts to it.
func lookUp(run map[string]float64, unit string) (float64, bool) {
	if v, ok := run[unit]; ok {
		return v, true
	}
	top, below, _ := strings.Cut(unit, "/")
	for _, family := range multiples {
		for _, other := range slices.Sorted(maps.Keys(family)) {
			v, ok := run[other+"/"+below]
			if own := family[top]; ok && own > 0 {
				return v * (family[other] / own), true
			}
		}
	}
	return 0, false
}

// moreIsBetter tells rates from costs.
func moreIsBetter(unit string) bool { return strings.HasSuffix(unit, "/s") }

// timesBetter is how many times better a figure is than base.
func timesBetter(base, v float64, unit string) float64 {
	if moreIsBetter(unit) {
		return v / base
	}
	return base / v
}
