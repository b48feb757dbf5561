package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A directive is a line of the layout that a table stands for.
type directive struct {
	kind string
	args map[string]string
}

// A syntax is what arguments a kind of directive takes.
type syntax struct{ required, optional []string }

var kinds = map[string]syntax{
	"table":    {[]string{"file", "match", "rows", "cols", "unit"}, []string{"pkg", "procs", "absent"}},
	"list":     {[]string{"file", "match", "unit"}, []string{"pkg", "procs"}},
	"ratio":    {[]string{"file", "match", "key", "base", "unit"}, []string{"rows", "pkg", "procs", "absent"}},
	"times":    {[]string{"file", "match", "rows", "key", "of", "base", "unit", "heads"}, []string{"pkg", "procs"}},
	"figure":   {[]string{"file", "match", "unit", "name"}, []string{"limit", "as", "over", "pkg", "procs"}},
	"target":   {[]string{"file", "match", "unit", "required"}, []string{"wanted", "better", "over", "yardstick", "reference", "name", "pkg", "procs"}},
	"roofline": {[]string{"file", "match", "bandwidth"}, []string{"pkg", "procs"}},
	"machine":  {[]string{"file"}, []string{"keys"}},
}

// parseDirective reads a line {{kind key=value ...}}.
func parseDirective(line string) (directive, error) {
	inner, opened := strings.CutPrefix(strings.TrimSpace(line), "{{")
	inner, closed := strings.CutSuffix(inner, "}}")
	if !opened || !closed {
		return directive{}, fmt.Errorf("a directive is one line {{kind key=value ...}} and nothing else")
	}
	kind, rest, _ := strings.Cut(strings.TrimSpace(inner), " ")
	allowed, ok := kinds[kind]
	if !ok {
		return directive{}, fmt.Errorf("there is no directive %q; there are table, list, ratio, times, figure, target, roofline, machine", kind)
	}
	d := directive{kind, map[string]string{}}
	if err := d.parseArguments(rest); err != nil {
		return directive{}, err
	}
	return d, d.validate(allowed)
}

// parseArguments reads key=value pairs.
func (d *directive) parseArguments(rest string) error {
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		key, after, ok := strings.Cut(rest, "=")
		if !ok || strings.ContainsAny(key, " \t`\"") {
			return fmt.Errorf("expected key=value at %q", rest)
		}
		if _, twice := d.args[key]; twice {
			return fmt.Errorf("%s= is there twice", key)
		}
		value, remains, err := cutValue(after)
		if err != nil {
			return fmt.Errorf("%s=: %w", key, err)
		}
		d.args[key], rest = value, remains
	}
	return nil
}

// cutValue takes a value in quotes, in backquotes, or up to the next space.
func cutValue(s string) (value, rest string, err error) {
	if s == "" || s[0] != '"' && s[0] != '`' {
		i := strings.IndexAny(s+" ", " \t")
		return s[:i], s[i:], nil
	}
	value, rest, closed := strings.Cut(s[1:], s[:1])
	if !closed {
		return "", "", fmt.Errorf("the value has no closing %s", s[:1])
	}
	if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", "", fmt.Errorf("expected a space after the closing %s", s[:1])
	}
	return value, rest, nil
}

// validate compares the arguments with those that the kind takes.
func (d *directive) validate(allowed syntax) error {
	for _, key := range allowed.required {
		if d.args[key] == "" {
			return fmt.Errorf("%s needs %s=", d.kind, key)
		}
	}
	all := slices.Concat(allowed.required, allowed.optional)
	for key := range d.args {
		if !slices.Contains(all, key) {
			return fmt.Errorf("%s takes no argument %s=; it takes %s", d.kind, key, strings.Join(all, ", "))
		}
	}
	return nil
}

// list splits an argument at its commas.
func (d *directive) list(key string) []string {
	if d.args[key] == "" {
		return nil
	}
	return strings.Split(d.args[key], ",")
}

// with returns the directive with another value of an argument.
func (d directive) with(key, value string) directive {
	d.args = maps.Clone(d.args)
	d.args[key] = value
	return d
}
