package measures

import (
	_ "embed"
	"strings"
)

// bibliography has the sources in BibTeX, an entry a paragraph.
//
//go:embed sources.bib
var bibliography string

// Bibliography returns all sources in BibTeX.
func Bibliography() string { return bibliography }

// Cite returns the entries of some keys in BibTeX, in the order of the keys and each once; "" for
// keys that there are none of.
func Cite(keys ...string) string {
	var entries []string
	done := map[string]bool{}
	for _, key := range keys {
		if entry := entryOf(key); entry != "" && !done[key] {
			done[key] = true
			entries = append(entries, entry)
		}
	}
	return strings.Join(entries, "\n")
}

// entryOf returns the entry of a key, which ends with a line.
func entryOf(key string) string {
	for entry := range strings.SplitSeq(strings.TrimSuffix(bibliography, "\n"), "\n\n") {
		if _, rest, _ := strings.Cut(entry, "{"); strings.HasPrefix(rest, key+",") {
			return entry + "\n"
		}
	}
	return ""
}
