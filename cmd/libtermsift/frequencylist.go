package main

import (
	"bytes"
	"encoding/json"
	"os"

	"github.com/termsift/termsift/engine/keyness"
	"github.com/termsift/termsift/engine/usage"
)

// A frequencyList is the option of a frequency list in place of a reference: the path of its file, or
// an object of the occurrences of each term, or of lists of them and of the documents with the term.
type frequencyList struct {
	path  string
	terms []keyness.Frequency
}

// given tells whether there is a list.
func (f *frequencyList) given() bool { return f.path != "" || f.terms != nil }

// frequencyListDomain is what the option must be.
const frequencyListDomain = `the path of a file or an object such as {"the": 1200, "of": [800, 20]}, occurrences and documents`

// UnmarshalJSON reads the option.
func (f *frequencyList) UnmarshalJSON(value []byte) error {
	if value[0] == '"' {
		return json.Unmarshal(value, &f.path)
	}
	d := json.NewDecoder(bytes.NewReader(value))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return usage.Errorf("it must be %s", frequencyListDomain)
	}
	f.terms = []keyness.Frequency{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		t := keyness.Frequency{Term: name.(string)}
		if err := readCounts(raw, &t); err != nil {
			return usage.Errorf("term %q: %s are no counts: it must be %s", usage.Cut(t.Term), usage.Cut(string(raw)), frequencyListDomain)
		}
		f.terms = append(f.terms, t)
	}
	return nil
}

// readCounts reads the occurrences of a term, and the documents with it.
func readCounts(raw json.RawMessage, t *keyness.Frequency) error {
	if string(raw) == "null" {
		return os.ErrInvalid
	}
	if raw[0] != '[' {
		return json.Unmarshal(raw, &t.TF)
	}
	var counts []int64
	if err := json.Unmarshal(raw, &counts); err != nil {
		return err
	}
	if len(counts) != 2 {
		return os.ErrInvalid
	}
	t.TF, t.DF = counts[0], counts[1]
	return nil
}

// list returns the list.
func (f *frequencyList) list(totals keyness.ListTotals) (*keyness.FrequencyList, error) {
	if f.path == "" {
		return keyness.NewFrequencyList(f.terms, totals)
	}
	file, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return keyness.ReadFrequencyList(file, f.path, totals)
}
