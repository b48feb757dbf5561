package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/termsift/termsift/bench/markdown"
)

// A target is a requirement with what was measured.
type target struct {
	name, unit       string
	required, wanted float64 // wanted is NaN if nothing more is wanted
	more             bool    // is better
	measured         float64
	text             string // of the measured figure
	scaled           bool   // the limits are those of this machine
}

// targets makes the table of adjacent {{target}} lines.
func (r *report) targets(lines []string, directives []directive) (string, error) {
	t := &markdown.Table{Head: []string{"target", "unit", "required", "wanted", "measured", "verdict"}, Text: 2}
	var runs runCount
	for i, d := range directives {
		goal, err := r.target(d, &runs)
		if err != nil {
			return "", &lineError{i, lines[i], err}
		}
		wanted := d.args["wanted"]
		if wanted == "" {
			wanted = "–"
		}
		t.Rows = append(t.Rows, []string{goal.name, goal.unit, goal.limit(d.args["required"], goal.required), goal.limit(wanted, goal.wanted), goal.text, goal.verdict()})
	}
	t.Caption = "Measured: " + runs.String() + "."
	return t.String(), nil
}

// target reads one directive and measures it.
func (r *report) target(d directive, runs *runCount) (*target, error) {
	b, err := r.chooseOne(d, "match")
	if err != nil {
		return nil, err
	}
	g := &target{name: code(b.name), unit: d.args["unit"]}
	if d.args["name"] != "" {
		g.name = d.args["name"]
	}
	if err := g.limits(d); err != nil {
		return nil, err
	}
	s, err := r.measure(b, d.args["unit"])
	if err != nil {
		return nil, err
	}
	runs.add(len(s))
	if d.args["over"] != "" {
		if d.args["yardstick"] != "" {
			return nil, errors.New("yardstick= is for figures, and over= makes a ratio")
		}
		return g, r.relate(d, g, s, runs)
	}
	g.measured, g.text = s.median(), s.cell()
	return g, r.scale(d, g, runs)
}

// scale changes the limits to those of this machine, if the directive has a yardstick.
func (r *report) scale(d directive, g *target, runs *runCount) error {
	reference, err := number(d, "reference")
	switch {
	case err != nil:
		return err
	case (d.args["yardstick"] == "") != math.IsNaN(reference):
		return errors.New("yardstick= needs reference=, and reference= yardstick=")
	case math.IsNaN(reference):
		return nil
	case g.more:
		return errors.New("yardstick= is for times, with better=less")
	}
	b, err := r.chooseOne(d, "yardstick")
	if err != nil {
		return err
	}
	s, err := r.measure(b, d.args["unit"])
	if err != nil {
		return err
	}
	runs.add(len(s))
	factor := max(1, s.median()/reference) // on a faster machine they stay
	g.required, g.wanted, g.scaled = g.required*factor, g.wanted*factor, true
	return nil
}

// limit returns a limit as it was given and, if it was scaled, what it is here.
func (g *target) limit(given string, here float64) string {
	if !g.scaled || math.IsNaN(here) {
		return given
	}
	return fmt.Sprintf("%s (%s)", given, markdown.Number(here))
}

// limits reads required=, wanted= and better=.
func (g *target) limits(d directive) (err error) {
	if g.required, err = number(d, "required"); err != nil {
		return err
	}
	if g.wanted, err = number(d, "wanted"); err != nil {
		return err
	}
	switch d.args["better"] {
	case "more":
		g.more = true
	case "less":
	case "":
		if d.args["over"] == "" {
			return fmt.Errorf("target needs better=less or better=more")
		}
		g.more = true
	default:
		return fmt.Errorf("better=%s: it is less or more", d.args["better"])
	}
	if g.more && g.wanted < g.required || !g.more && g.wanted > g.required {
		return fmt.Errorf("wanted=%s asks for less than required=%s", d.args["wanted"], d.args["required"])
	}
	return nil
}

// number reads an argument, NaN if it is not given.
func number(d directive, key string) (float64, error) {
	if d.args[key] == "" {
		return math.NaN(), nil
	}
	v, err := strconv.ParseFloat(d.args[key], 64)
	if err != nil || v <= 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, fmt.Errorf("%s=%s: it must be a number above 0", key, d.args[key])
	}
	return v, nil
}

// relate measures how many times faster a sample is than the benchmark of over=.
func (r *report) relate(d directive, g *target, s sample, runs *runCount) error {
	other, err := r.chooseOne(d, "over")
	if err != nil {
		return err
	}
	slow, err := r.measure(other, d.args["unit"])
	if err != nil {
		return err
	}
	if s.median() == 0 || slow.median() == 0 {
		return fmt.Errorf("%s: a median of 0 %s has no ratio", other.file, d.args["unit"])
	}
	runs.add(len(slow))
	g.unit = "×"
	g.measured = timesBetter(slow.median(), s.median(), d.args["unit"])
	g.text = markdown.Number(g.measured) + fewRuns(min(len(s), len(slow)))
	return nil
}

// verdict says how far the requirement was met.
func (g *target) verdict() string {
	switch {
	case g.meets(g.wanted):
		return "wanted met"
	case g.meets(g.required):
		return "required met"
	case g.more:
		return "missed by " + formatPercent(100*(1-g.measured/g.required))
	}
	return "missed by " + formatPercent(100*(g.measured/g.required-1))
}

// meets compares with a limit; nothing meets NaN.
func (g *target) meets(limit float64) bool {
	if g.more {
		return g.measured >= limit
	}
	return g.measured <= limit
}
