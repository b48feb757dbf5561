package selection

import (
	"encoding/json"

	"github.com/termsift/termsift/engine/usage"
)

// This file has the names of features that are columns of hashes: the terms that a second look at the texts
// finds in the columns. A features file has them in its last column, as a list of JSON.

// MostNames is how many terms of a column a features file has at most: the most frequent ones.
const MostNames = 20

// namesColumn is the name of the column.
const namesColumn = "names"

// WithNames returns the selection with the names of its features, see Selection.Names.
func (s *Selection) WithNames(names [][]string) *Selection {
	named := *s
	named.Names = names
	return &named
}

// Terms returns the terms in the order of their ranks.
func (s *Selection) Terms() []string {
	terms := make([]string, len(s.Features))
	for i, f := range s.Features {
		terms[i] = f.Term
	}
	return terms
}

// appendNames appends the field of names.
func appendNames(line []byte, names []string) []byte {
	if names == nil {
		names = []string{}
	}
	list, _ := json.Marshal(names) // strings have no errors
	return append(append(line, '\t'), list...)
}

// readNames reads the field of names.
func (p *featuresParser) readNames(field string) error {
	var names []string
	if err := json.Unmarshal([]byte(field), &names); err != nil || names == nil {
		return p.bad("the names %q are no list of JSON", usage.Cut(field))
	}
	p.s.Names = append(p.s.Names, names)
	return nil
}
