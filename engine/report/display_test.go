package report

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/termsift/termsift/bench/testkit"
)

// A list's scores have the same decimals, four digits of the largest.
func TestDecimals(t *testing.T) {
	for want, scores := range map[int][]float64{
		0: {12345, 2}, 1: {-123.4, 5}, 3: {1, math.Inf(1), math.NaN()}, 5: {.0123}, 8: {1e-20},
	} {
		testkit.Equal(t, decimals(scores), want, scores, "decimals")
	}
	testkit.Equal(t, decimals([]float64{0, math.NaN()}), 0)
}

func TestName(t *testing.T) {
	for name, want := range map[string]string{
		"":                       "(empty)",
		"plain äé 汉 😀":           "plain äé 汉 😀",
		"a\tb\nc\x00":            `a\tb\nc\x00`,
		"\xffé":                  `\xffé`,
		"\u202eabc\u200f":        `\u202eabc\u200f`,
		"\u2028\ufffe":           `\u2028\ufffe`,
		"نیم\u200cفاصله":         "نیم\u200cفاصله", // a joiner that Persian needs
		"'":                      "'",
		strings.Repeat("é", 120): strings.Repeat("é", 120),
		strings.Repeat("é", 121): strings.Repeat("é", 120) + "…",
	} {
		testkit.Equal(t, visible(name), want, name, "is shown as")
	}
}

func TestNumbersAsText(t *testing.T) {
	for got, want := range map[string]string{
		formatScore(math.NaN(), 2): "not a number", formatScore(math.Inf(-1), 2): "−∞", formatScore(-1.23456e-7, 8): "−0.00000012", formatScore(0, 0): "0", formatScore(-.004, 2): "0.00",
		formatScore(-1234567.891, 1): "−1,234,567.9", formatScore(1e300, 0): "1.000e+300", formatScore(2.5, 3): "2.500",
		formatF1(.5): "0.5000", formatF1(math.Inf(1)): "∞", withSpread(.5, math.NaN()): "0.5000", withSpread(.5, .25): "0.5000 ± 0.2500",
		Count(1234567): "1,234,567", Count(-1234): "−1,234", Count(math.MinInt32): "−2,147,483,648", Count(999): "999",
		formatDuration(0): "–", formatDuration(1234567): "1.23ms", formatDuration(90 * time.Second): "1m30s", formatDuration(-1234567): "-1.23ms",
		exact(math.Inf(-1)): "-Infinity", exact(.1): "0.1",
	} {
		testkit.Equal(t, got, want)
	}
}

// Characters that nobody sees are spelled out: what stands in a page is what a reader sees.
func TestInvisible(t *testing.T) {
	for text, want := range map[string]string{
		"a\U000e0001b": `a\U000e0001b`, "a\U000e0041": `a\U000e0041`, "a\u034fb": `a\u034fb`, "\u3164": `\u3164`, "a\u00adb": `a\u00adb`, "\u2060": `\u2060`,
		"\u202e": `\u202e`, "\u200e": `\u200e`, "\ufeff": `\ufeff`,
		"می\u200cخواهم": "می\u200cخواهم", "क\u094d\u200dष": "क\u094d\u200dष", "é": "é", "❤\ufe0f": "❤\ufe0f",
	} {
		testkit.Equal(t, visibleText(text), want, text)
	}
}

func labels(marks []tick) string {
	var s []string
	for _, m := range marks {
		if m.Label != "" {
			s = append(s, m.Label)
		}
	}
	return strings.Join(s, " ")
}

func TestValueAxis(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{.472, .853, "0.4 0.5 0.6 0.7 0.8 0.9"},
		{.81, .86, "0.81 0.82 0.83 0.84 0.85 0.86"},
		{.5, .5, "0.490 0.495 0.500 0.505 0.510"},
		{0, 0, "0.000 0.002 0.004 0.006 0.008 0.010"},
		{1, 1, "0.990 0.992 0.994 0.996 0.998 1.000"},
	} {
		testkit.Equal(t, labels(newValueAxis(c.lo, c.hi, 10, 100).ticks()), c.want, "from", c.lo, "to", c.hi)
	}
}

func TestCountAxis(t *testing.T) {
	for _, c := range []struct {
		ks   []int
		want string
	}{
		{[]int{10, 100, 1000, 10000}, "10 100 1,000 10,000"},
		{[]int{10, 100}, "10 100"},
		{[]int{100}, "100"},
		{[]int{37}, "37"},
		{[]int{30, 45}, "30 45"},
		{[]int{1, math.MaxInt32}, "1 2,147,483,647"},
		{[]int{7, 3000}, "7 3,000"},
	} {
		testkit.Equal(t, labels(newCountAxis(c.ks, 40, 300).ticks()), c.want, c.ks)
	}
}

// Over random axes all places are within the plot and no labels touch.
func TestAxesAreReadable(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 2000 {
		lo := rng.Float64()
		hi := lo + (1-lo)*rng.Float64()
		y := newValueAxis(lo, hi, 16, 236)
		for _, v := range []float64{lo, hi} {
			if at := y.at(v); at < 16-1e-9 || at > 236+1e-9 {
				t.Fatalf("%v of [%v, %v] at %v", v, lo, hi, at)
			}
		}
		if n := len(y.ticks()); n < 3 || n > 7 {
			t.Fatalf("%d marks from %v to %v", n, lo, hi)
		}
		var ks []int
		for range 1 + rng.IntN(10) {
			ks = append(ks, 1+int(math.Exp(rng.Float64()*20)))
		}
		slices.Sort(ks)
		ks = slices.Compact(ks)
		x := newCountAxis(ks, 52, 300)
		last, labelled := math.Inf(-1), 0
		for _, m := range x.ticks() {
			at := float64(m.At)
			if !(at >= 51.9 && at <= 300.1) {
				t.Fatalf("%v: a mark at %v", ks, at)
			}
			if m.Label == "" {
				continue
			}
			labelled++
			if at-textWidth(m.Label)/2 < last {
				t.Fatalf("%v: %s touches the label before", ks, m.Label)
			}
			last = at + textWidth(m.Label)/2
		}
		if labelled == 0 {
			t.Fatalf("%v: no label", ks)
		}
	}
}

func TestApart(t *testing.T) {
	for _, c := range []struct{ places, want []float64 }{
		{nil, nil},
		{[]float64{50}, []float64{50}},
		{[]float64{50, 50}, []float64{45, 55}},
		{[]float64{20, 50, 52, 90}, []float64{20, 46, 56, 90}},
		{[]float64{0, 0, 0}, []float64{10, 20, 30}},
		{[]float64{100, 100}, []float64{90, 100}},
		{[]float64{48, 50, 62}, []float64{43.333, 53.333, 63.333}},
	} {
		got := spreadOut(c.places, 10, 10, 100)
		testkit.Equal(t, slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < .001 }), true,
			c.places, got, "want", c.want)
	}
	rng := rand.New(rand.NewPCG(3, 2))
	for range 1000 {
		places := make([]float64, 1+rng.IntN(10))
		for i := range places {
			places[i] = 10 + 90*rng.Float64()
		}
		slices.Sort(places)
		got := spreadOut(places, 9, 10, 100)
		for i, p := range got {
			if p < 10-1e-9 || p > 100+1e-9 || i > 0 && p < got[i-1]+9-1e-9 {
				t.Fatalf("%v: %v", places, got)
			}
		}
	}
}

// Twelve methods look different, by more than the colour.
func TestLooks(t *testing.T) {
	seen, grey := map[string]bool{}, map[string]bool{}
	for i := range 12 {
		l := light.lookOf(i)
		seen[l.Colour+string(l.Marker+l.dashes())] = true
		grey[string(l.Marker+l.dashes())] = true
	}
	testkit.Equal(t, len(seen), 12, "looks")
	testkit.Equal(t, len(grey), 12, "looks")
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
	for scheme, file := range map[string]theme{"light": light, "dark": dark} {
		for i, c := range file.curves {
			testkit.Equal(t, c, colour("--s"+strconv.Itoa(i), scheme), scheme, "colour", i, "is another in SVG files")
		}
		testkit.Equal(t, file.Paper, colour("--paper", scheme), scheme, "the paper of SVG files is another")
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
	n := testkit.Must(strconv.ParseUint(hex, 16, 32))
	testkit.Equal(testkit.Stop(t), len(hex), 6, "colour", colour)
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
