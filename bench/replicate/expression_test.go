package main

import (
	"math"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

var someFigures = plain(map[string]float64{"a x 2 f": 1, "a x 10 f": 3, "a x all f": 2, "a y 2 f": 5, "a y 10 f": -1, "a y all f": 0})

// plain are figures of one basis.
func plain(values map[string]float64) Figures {
	f := Figures{}
	for name, v := range values {
		f.set(Basis{Unit: "f"}, v, name)
	}
	return f
}

func TestEvaluate(t *testing.T) {
	for text, want := range map[string]float64{
		"1":                          1,
		"-0.5":                       -0.5,
		"2 + 3 * 4 - 6 / 3":          12,
		"(2 + 3) * -(4 - 6)":         10,
		"[a x 2 f]":                  1,
		"max([a x * f])":             3,
		"min([a x|y 2|10 f], 7)":     -1,
		"apart([a x 2 f], 4)":        3,
		"max([a y * f] - [a x * f])": 4,
		"max([a x * f] - 10)":        -7,
		"trend([a x * f])":           .5, // 1, 3, 2: all is behind the numbers
		"trend(1, 1, 1)":             0,
		"trend(3, 2, 1)":             -1,
	} {
		got, err := lab.TryOf(func() float64 { v, _ := someFigures.evaluate(text); return v })
		if err != nil || math.Abs(got-want) > 1e-15 {
			t.Errorf("%s: %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestEvaluateErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "neither a number",
		"1 2":                      "unexpected",
		"[a x 2 f":                 "has no ]",
		"(1":                       "has no )",
		"max 1":                    "no arguments",
		"max(1":                    "has no )",
		"[a x * f]":                "3 figures where there should be one",
		"[a z 2 f]":                "no figure is named [a z 2 f]",
		"[a x * f] - [a y 2|10 f]": "as many on both sides",
		"often":                    "neither a number nor a function",
	} {
		if err := lab.Try(func() { someFigures.evaluate(text) }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestFill(t *testing.T) {
	got, err := lab.TryOf(func() string { text, _ := someFigures.fill("x {{[a x 2 f]}}, y {{max([a y * f])}}"); return text })
	if err != nil || got != "x 1, y 5" {
		t.Errorf("%q, %v", got, err)
	}
	if err := lab.Try(func() { someFigures.fill("x {{[a x 2 f]") }); err == nil {
		t.Error("an open {{ is no error")
	}
}
