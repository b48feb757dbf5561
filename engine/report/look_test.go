package report

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// Twelve methods look different, by more than the colour.
func TestLooks(t *testing.T) {
	seen, grey := map[string]bool{}, map[string]bool{}
	for i := range 12 {
		l := light().lookOf(i)
		seen[l.Colour+l.marker(0, 0)+l.Dash] = true
		grey[l.marker(0, 0)+l.Dash] = true
	}
	if len(seen) != 12 || len(grey) != 12 {
		t.Errorf("%d looks, %d without colours", len(seen), len(grey))
	}
}

// Colours stand out from what they are on: 3 for lines, 4.5 for text (WCAG 2.2).
func TestContrast(t *testing.T) {
	colour := func(before, scheme string) string {
		_, rest, _ := strings.Cut(style, before+": light-dark(")
		light, rest, _ := strings.Cut(rest, ", ")
		dark, _, _ := strings.Cut(rest, ")")
		return map[string]string{"light": light, "dark": dark}[scheme]
	}
	for _, scheme := range []string{"light", "dark"} {
		for _, back := range []string{"paper", "panel"} {
			for _, front := range []string{"ink", "soft", "link", "s0", "s1", "s2", "s3", "s4", "s5"} {
				if c := contrast(t, colour("--"+front, scheme), colour("--"+back, scheme)); c < 4.5 {
					t.Errorf("%s: %s on %s has contrast %.2f", scheme, front, back, c)
				}
			}
		}
	}
	for scheme, file := range map[string]theme{"light": light(), "dark": dark()} {
		for i, c := range file.curves {
			if c != colour("--s"+strconv.Itoa(i), scheme) {
				t.Errorf("%s: colour %d is another in SVG files", scheme, i)
			}
		}
		if file.Paper != colour("--paper", scheme) {
			t.Errorf("%s: the paper of SVG files is another", scheme)
		}
	}
	for i := range 11 {
		back := ".h" + strconv.Itoa(i) + " { background"
		for _, scheme := range []string{"light", "dark"} {
			_, rest, _ := strings.Cut(style, back)
			_, rest, _ = strings.Cut(rest, "; color: light-dark(")
			front := map[string]string{"light": rest[:7], "dark": rest[9:16]}[scheme]
			if c := contrast(t, front, colour(back, scheme)); c < 4.5 {
				t.Errorf("%s: heat %d has contrast %.2f", scheme, i, c)
			}
		}
	}
}

func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

func luminance(t *testing.T, colour string) (l float64) {
	t.Helper()
	hex := strings.TrimPrefix(colour, "#")
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil || len(hex) != 6 {
		t.Fatalf("colour %q", colour)
	}
	for i, share := range []float64{.2126, .7152, .0722} {
		v := float64(n>>(16-8*i)&255) / 255
		if v <= .04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+.055)/1.055, 2.4)
		}
		l += share * v
	}
	return l
}
