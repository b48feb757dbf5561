package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/termsift/termsift/bench/markdown"
)

// firstKeys come first in the table of a machine, in this order; commands last.
var firstKeys = []string{"cpu", "goos", "goarch", "go", "commit", "governor", "load"}

// machine is the table of {{machine}}: where the figures come from.
func (r *report) machine(d directive) (*markdown.Table, error) {
	files, err := r.open(d)
	if err != nil {
		return nil, err
	}
	all := &rawFile{}
	for _, f := range files {
		for _, s := range f.settings {
			for _, v := range s.values {
				all.set(s.key, v)
			}
		}
	}
	chosen, err := pickSettings(all.settings, d)
	if err != nil {
		return nil, err
	}
	t := &markdown.Table{Head: []string{"measured with", ""}, Text: 2}
	for _, s := range chosen {
		t.Rows = append(t.Rows, []string{s.key, settingText(s)})
	}
	return t, nil
}

// pickSettings takes those of keys=, or all but pkg in a fixed order.
func pickSettings(all []setting, d directive) ([]setting, error) {
	keys := d.list("keys")
	if keys == nil {
		keys = orderedKeys(all)
	}
	var chosen []setting
	for _, key := range keys {
		i := slices.IndexFunc(all, func(s setting) bool { return s.key == key })
		if i < 0 {
			return nil, fmt.Errorf("%s has no line %q above its results; it has %s", d.args["file"], key+": ...", strings.Join(orderedKeys(all), ", "))
		}
		chosen = append(chosen, all[i])
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("%s says nothing about the machine; put lines \"key: value\" above its results", d.args["file"])
	}
	return chosen, nil
}

// orderedKeys puts the known keys first, then the others, then the commands.
func orderedKeys(all []setting) []string {
	keys := mapped(all, func(s setting) string { return s.key })
	keys = slices.DeleteFunc(keys, func(key string) bool { return key == "pkg" })
	rank := func(key string) int {
		if i := slices.Index(firstKeys, key); i >= 0 {
			return i
		}
		return len(firstKeys) + b2i(key == "command")
	}
	slices.SortStableFunc(keys, func(a, b string) int { return rank(a) - rank(b) })
	return keys
}

// settingText writes the values of a key; commands as code.
func settingText(s setting) string {
	values := s.values
	if s.key == "command" {
		values = mapped(values, code)
	}
	return strings.Join(values, "; ")
}
