package analysis

import (
	_ "embed"
	"strings"
)

// The embedded stop lists, one word a line, as published. A test holds their
// hashes.
var (
	//go:embed stop/glasgow.txt
	glasgow string // Glasgow Information Retrieval Group, 319 words
	//go:embed stop/smart.txt
	smart string // SMART system, Cornell, 571 lines of 570 words
)

// StopLists lists the values of Options.Stop.
func StopLists() []string { return []string{"none", "glasgow", "smart", "sklearn"} }

func stopSet(name string, more []string) map[string]bool {
	words := map[string]bool{}
	add := func(list string) {
		for w := range strings.FieldsSeq(list) {
			words[w] = true
		}
	}
	switch name {
	case "glasgow", "sklearn":
		add(glasgow)
	case "smart":
		add(smart)
	}
	if name == "sklearn" { // it took the Glasgow list with two changes
		delete(words, "computer")
		delete(words, "fify")
		words["fifty"] = true
	}
	for _, w := range more {
		words[w] = true
	}
	return words
}
