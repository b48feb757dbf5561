package main

import (
	"math"
	"testing"
)

func TestFormatScaled(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{formatTime(0.41), "0.410 ns"},
		{formatTime(999.6), "1.00 µs"},
		{formatTime(1234567), "1.23 ms"},
		{formatTime(5e12), "5,000 s"},
		{formatBytes(22054494), "22.1 MB"},
		{formatPercent(0), "0 %"},
		{formatPercent(0.44), "0.4 %"},
		{formatPercent(12.6), "13 %"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		values         []float64
		median, spread float64
	}{
		{[]float64{5}, 5, 0},
		{[]float64{6, 4}, 5, 20},
		{[]float64{9, 1, 2}, 2, 200},
		{[]float64{6, 5, 4, 3, 2, 1}, 3.5, 100 * 2.5 / 3.5},
		{[]float64{0, 0}, 0, 0},
	} {
		s := newSample(test.values)
		if math.Abs(s.median()-test.median) > 1e-12 || math.Abs(s.spread()-test.spread) > 1e-9 {
			t.Errorf("%v: median %v, spread %v", test.values, s.median(), s.spread())
		}
	}
}

func TestUnitsConvert(t *testing.T) {
	run := map[string]float64{"ns/op": 2.5e6, "MB/s": 1500, "B/op": 4096, "ns/posting": 0.4}
	for unit, want := range map[string]float64{
		"ns/op": 2.5e6, "ms/op": 2.5, "µs/op": 2500, "s/op": 0.0025, "GB/s": 1.5, "kB/op": 4.096, "ns/posting": 0.4,
	} {
		if got, ok := lookUp(run, unit); !ok || math.Abs(got-want) > 1e-12*want {
			t.Errorf("%s: %v %v, want %v", unit, got, ok, want)
		}
	}
	for _, unit := range []string{"allocs/op", "ns/token", "ns", "MB/posting"} {
		if got, ok := lookUp(run, unit); ok {
			t.Errorf("%s: %v out of nothing", unit, got)
		}
	}
}

func TestVerdicts(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		g    target
		want string
	}{
		{target{required: 2, wanted: 1, measured: 1}, "wanted met"},
		{target{required: 2, wanted: 1, measured: 1.5}, "required met"},
		{target{required: 2, wanted: 1, measured: 2.5}, "missed by 25 %"},
		{target{required: 2, wanted: nan, measured: 0.1}, "required met"},
		{target{required: 2, wanted: 4, measured: 4, more: true}, "wanted met"},
		{target{required: 2, wanted: 4, measured: 3, more: true}, "required met"},
		{target{required: 2, wanted: nan, measured: 1, more: true}, "missed by 50 %"},
	} {
		if got := test.g.verdict(); got != test.want {
			t.Errorf("%+v: %s, want %s", test.g, got, test.want)
		}
	}
}
