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

// Credit returns the authors and years of some keys: "Monroe et al. 2008".
func Credit(keys ...string) string {
	var credits []string
	for _, key := range keys {
		authors := strings.Split(field(entryOf(key), "author"), " and ")
		for i, author := range authors {
			authors[i], _, _ = strings.Cut(author, ",")
		}
		text := strings.Join(authors, " & ")
		if len(authors) > 2 {
			text = authors[0] + " et al."
		}
		credits = append(credits, strings.TrimSpace(text+" "+field(entryOf(key), "year")))
	}
	return strings.Join(credits, "; ")
}

// field returns the value of a field of an entry, as readers see it.
func field(entry, name string) string {
	for line := range strings.Lines(entry) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		if strings.TrimSpace(key) == name {
			value = strings.TrimSuffix(strings.TrimSpace(value), ",")
			return accents.Replace(value)
		}
	}
	return ""
}

var accents = strings.NewReplacer(`{\"u}`, "ü", `{\"o}`, "ö", `{\'c}`, "ć", `{\'a}`, "á", "{", "", "}", "")
