package main

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/usage"
)

// A setting is the name of an option and a pointer to its value: a *string, *bool, *int,
// *float64, a *positive, a *hashBits, a *number, a *[]float64, a *[]string, which also takes a single string, or a *stopWords.
type setting struct {
	name string
	to   any
}

// A positive is the value of an option that must be above 0.
type positive float64

// hashBits are the value of the option hash-bits.
type hashBits int

// A number is the value of an option that says how many terms are kept.
type number struct {
	given, all bool
	value      float64
}

// stopWords are the value of the option stop: the name of a list as a text, or words as a
// list of texts.
type stopWords struct {
	list  string
	words []string
}

// readOptions reads a JSON object into the values of the settings. An empty text has no
// options, and null leaves a value as it is.
func readOptions(text string, settings []setting) {
	if strings.TrimSpace(text) == "" {
		return
	}
	d := json.NewDecoder(strings.NewReader(text))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		panic(refused("options must be a JSON object such as {\"by\": \"chi\"}, not %q", usage.Cut(text)))
	}
	seen := map[string]bool{}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err == nil {
			err = d.Decode(&value)
		}
		wellFormed(text, err)
		key := name.(string) // the name of a member
		if seen[key] {
			panic(refused("option %q stands twice", usage.Cut(key)))
		}
		seen[key] = true
		setOption(key, value, settings)
	}
	_, err := d.Token()
	wellFormed(text, err)
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		panic(refused("something follows the object of options %q", usage.Cut(text)))
	}
}

func wellFormed(text string, err error) {
	if err != nil {
		panic(refused("options %q are no JSON: %v", usage.Cut(text), err))
	}
}

// setOption stores the value of one option.
func setOption(name string, value json.RawMessage, settings []setting) {
	known := make([]string, len(settings))
	for i, s := range settings {
		if known[i] = s.name; s.name == name {
			check(s.set(value))
			return
		}
	}
	check(usage.Unknown("option", usage.Cut(name), known))
}

// set parses a value and stores it.
func (s setting) set(value json.RawMessage) error {
	if string(value) == "null" {
		return nil
	}
	switch to := s.to.(type) {
	case *[]string:
		return s.setList(to, value)
	case *number:
		return s.setNumber(to, value)
	case *frequencyList:
		if err := to.UnmarshalJSON(value); err != nil {
			return usage.Errorf("option %q: %v", s.name, err)
		}
		return nil
	case *stopWords:
		*to = stopWords{}
		if value[0] == '"' {
			return json.Unmarshal(value, &to.list)
		}
		return s.setList(&to.words, value)
	case *positive:
		v, err := strconv.ParseFloat(string(value), 64)
		if *to = positive(v); err != nil || v <= 0 {
			return s.wrong("a number above 0", value)
		}
		return nil
	case *[]float64:
		if err := json.Unmarshal(value, to); err != nil {
			return s.wrong("a list of numbers", value)
		}
		return nil
	case *hashBits:
		n, err := strconv.Atoi(string(value))
		if *to = hashBits(n); err != nil || n < 1 || n > analysis.MostHashBits {
			return s.wrong("a whole number from 1 to "+strconv.Itoa(analysis.MostHashBits), value)
		}
		return nil
	case *int:
		n, err := strconv.ParseInt(string(value), 10, 32)
		if *to = int(n); err != nil {
			return s.wrong("a whole number", value)
		}
		return nil
	}
	if err := json.Unmarshal(value, s.to); err != nil {
		return s.wrong(s.domain(), value)
	}
	return nil
}

// domain describes the values of a setting of a basic type.
func (s setting) domain() string {
	switch s.to.(type) {
	case *bool:
		return "true or false"
	case *float64:
		return "a number"
	case *int64:
		return "a whole number"
	}
	return "a text"
}

func (s setting) setList(to *[]string, value json.RawMessage) error {
	if value[0] == '"' {
		*to = make([]string, 1)
		return json.Unmarshal(value, &(*to)[0])
	}
	*to = []string{}
	if err := json.Unmarshal(value, to); err != nil {
		return s.wrong("a text or a list of texts", value)
	}
	return nil
}

func (s setting) setNumber(to *number, value json.RawMessage) error {
	if string(value) == `"all"` {
		*to = number{given: true, all: true}
		return nil
	}
	v, err := strconv.ParseFloat(string(value), 64)
	if err != nil || math.IsInf(v, 0) {
		return s.wrong("a number", value)
	}
	*to = number{given: true, value: v}
	return nil
}

func (s setting) wrong(want string, value json.RawMessage) error {
	return usage.Errorf("option %q must be %s, not %s", s.name, want, usage.Cut(string(value)))
}
