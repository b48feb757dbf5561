package reader

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// alikeLabels returns the groups of two labels and more that are equal as [Survey.AlikeLabels] says,
// in the order of their first labels.
func alikeLabels(classes map[string]int) (groups [][]string) {
	byKey := map[string][]string{}
	for _, label := range slices.Sorted(maps.Keys(classes)) {
		key := labelKey(label)
		byKey[key] = append(byKey[key], label)
	}
	for _, labels := range byKey {
		if len(labels) > 1 {
			groups = append(groups, labels)
		}
	}
	slices.SortFunc(groups, slices.Compare)
	return groups
}

// labelKey returns the same text for labels that are alike.
func labelKey(label string) string {
	if !utf8.ValidString(label) {
		return label
	}
	return norm.NFC.String(strings.Map(fold, norm.NFC.String(strings.TrimSpace(label))))
}

// fold returns the least of the characters that differ from r in case only.
func fold(r rune) rune {
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return least
}
