package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/words"
)

// keynessOptions are the options of ts_keyness.
type keynessOptions struct {
	words.KeynessOptions
	yates bool
	terms []string
	also  []string

	referenceList frequencyList // in place of the reference
	totals        words.ListTotals
}

func (o *keynessOptions) settings() []usage.Setting {
	return append(o.KeynessOptions.Settings(), []usage.Setting{
		{Name: "yates", To: &o.yates, Default: true, Help: "correct chi for continuity (Yates)"},
		{Name: "top", To: (*rowCount)(&o.Top), Default: 20, Help: "the most keys of each list"},
		{Name: "terms", To: &o.terms, Help: "these and no others"},
		{Name: "drift", To: &o.Drift, Help: "whether the target is the earlier corpus"},
		{Name: "also", To: &o.also, Help: "measures whose columns are added"},
		{
			Name: "reference-list", To: &o.referenceList,
			Help: "with the reference NULL: the path of a frequency list, or an object of the occurrences of each term, or of [occurrences, documents]",
		},
		{Name: "reference-total", To: &o.totals.Tokens, Help: "all tokens of the list"},
		{Name: "reference-documents", To: &o.totals.Documents, Help: "all documents of the list"},
		threadsSetting(&o.Threads),
	}...)
}

// validate refuses what the command refuses.
func (o *keynessOptions) validate(given map[string]bool) {
	o.Bound(given["max-p"])
	switch {
	case o.MaxT && o.Permutations == 0:
		panic(refused("option \"maxt\" takes the largest value of each permutation: say how many by option \"permutations\""))
	case o.totals != (words.ListTotals{}) && !o.referenceList.given():
		panic(refused("options \"reference-total\" and \"reference-documents\" are those of a frequency list: give it as option \"reference-list\""))
	case o.terms != nil && (len(o.terms) == 0 || slices.Contains(o.terms, "")):
		panic(refused("option \"terms\" must have a term, and no empty one"))
	}
	need(o.options().WithDefaults())
}

// options returns the options of a comparison.
func (o *keynessOptions) options() words.KeynessOptions {
	out := o.KeynessOptions
	out.NoYates, out.AllowNone = !o.yates, o.terms != nil
	for _, name := range o.also {
		out.Also = append(out.Also, words.Measure(name))
	}
	return out
}

// A keyWord is a key, the number of its list, and its place there from 1, which is NaN if it
// was asked for by name.
type keyWord struct {
	words.Key
	list int32
	rank float64
}

// keyWords are the keys of two corpora, list after list.
type keyWords struct {
	keys     []keyWord
	measures []words.Measure
	tested   int
	passed   [mostLists]int // keys of each list before the option top
}

// mostLists is the number of lists that keys are put in, those of drift.
const mostLists = 4

// compareUse finds the key words of target against reference, or with the option drift how
// the use of terms changed from target to reference. It returns warnings, too.
func compareUse(ctx context.Context, target, reference rank.Counted, o *keynessOptions) (*keyWords, []string) {
	if o.Drift { // of the later corpus against the earlier one
		target, reference = reference, target
	}
	c := need(uncut(words.Keyness(ctx, target, reference, o.options())))
	out := &keyWords{tested: c.Tested, measures: c.Measures}
	for i, list := range c.Lists {
		out.passed[i] = list.Passed
		for rank, key := range list.Keys {
			if o.terms == nil {
				out.keys = append(out.keys, keyWord{key, int32(i), float64(rank + 1)})
			}
		}
	}
	for _, term := range o.terms {
		key := need(c.Of(ctx, term))
		list := slices.IndexFunc(c.Lists, func(l words.KeyList) bool { return l.Name == key.List })
		if list < 0 { // one behind the last
			list = len(c.Lists)
		}
		out.keys = append(out.keys, keyWord{key, int32(list), math.NaN()})
	}
	return out, c.Warnings
}

// uncut adds to the error of a comparison without keys how to see the terms that are none.
func uncut[T any](found T, err error) (T, error) {
	if errors.Is(err, words.ErrNoKeys) {
		err = fmt.Errorf("%w; max-p 1 and min-freq 1 leave no term out", err)
	}
	return found, err
}

// numberNames are the names of the numbers of a key, those of the command's output.
func (k *keyWords) numberNames() []string {
	names := []string{"rank", "tf", "tf_reference", "per_million", "per_million_reference", "df", "df_reference"}
	for _, m := range k.measures {
		names = append(names, string(m))
	}
	return append(names, "log10p", "log10p_corrected", "dp", "dpnorm", "d", "dp_reference", "dpnorm_reference", "d_reference")
}

// numbersOf returns the numbers of a key in the order of their names.
func (k *keyWords) numbersOf(key *keyWord) []float64 {
	a, b := key.Target, key.Reference
	row := []float64{key.rank, float64(a.TF), float64(b.TF), a.PerMillion, b.PerMillion, rangeOf(a), rangeOf(b)}
	for _, m := range k.measures {
		row = append(row, key.Of(m))
	}
	of, ofReference := a.Dispersion, b.Dispersion
	return append(row, key.Log10P, key.Log10Corrected, of.DP, of.DPNorm, of.D, ofReference.DP, ofReference.DPNorm, ofReference.D)
}

// rangeOf returns the documents with a term, NaN where a frequency list does not tell.
func rangeOf(u words.Use) float64 {
	if u.DF < 0 {
		return math.NaN()
	}
	return float64(u.DF)
}

// columns are the keys, the list of each, their numbers one column behind the other, the names of these columns, and
// how many terms were tested and were found for each list.
func (k *keyWords) columns() []column {
	n, names := len(k.keys), k.numberNames()
	all := nameColumns(n, func(i int) string { return k.keys[i].Term })
	all = append(all, columnOf(n, func(to []int32) {
		for i := range to {
			to[i] = k.keys[i].list
		}
	}), columnOf(n*len(names), func(to []float64) {
		for i := range k.keys {
			for c, v := range k.numbersOf(&k.keys[i]) {
				to[c*n+i] = v
			}
		}
	}))
	all = append(all, nameColumns(len(names), func(i int) string { return names[i] })...)
	counts := []int64{int64(k.tested)}
	for _, n := range k.passed {
		counts = append(counts, int64(n))
	}
	return append(all, numbers(counts...))
}

// A frequencyList is the option of a frequency list in place of a reference: the path of its file, or
// an object of the occurrences of each term, or of lists of them and of the documents with the term.
type frequencyList struct {
	path  string
	terms []words.Frequency
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
	f.terms = []words.Frequency{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		t := words.Frequency{Term: name.(string)}
		if err := readCounts(raw, &t); err != nil {
			return usage.Errorf("term %q: %s are no counts: it must be %s", usage.Cut(t.Term), usage.Cut(string(raw)), frequencyListDomain)
		}
		f.terms = append(f.terms, t)
	}
	return nil
}

// readCounts reads the occurrences of a term, and the documents with it.
func readCounts(raw json.RawMessage, t *words.Frequency) error {
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
func (f *frequencyList) list(totals words.ListTotals) (*words.FrequencyList, error) {
	if f.path == "" {
		return words.NewFrequencyList(f.terms, totals)
	}
	file, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return words.ReadFrequencyList(file, f.path, totals)
}
