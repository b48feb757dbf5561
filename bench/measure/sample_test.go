package main

import (
	"math"
	"testing"
)

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

func TestPercent(t *testing.T) {
	for v, want := range map[float64]string{0: "0 %", 0.44: "0.4 %", 12.6: "13 %"} {
		if got := formatPercent(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}

func TestUnitsConvert(t *testing.T) {
	run := map[string]float64{"ns/op": 2.5e6, "cpu-ns/op": 2e6, "MB/s": 1500, "ns/posting": 0.4}
	for unit, want := range map[string]float64{"ns/op": 2.5e6, "ms/op": 2.5, "cpu-ms/op": 2, "MB/s": 1500, "ns/posting": 0.4} {
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

func TestTargetVerdicts(t *testing.T) {
	for _, test := range []struct {
		f     figure
		value float64
		want  string
	}{
		{figure{required: 2, wanted: 1, less: true}, 1, "wanted met"},
		{figure{required: 2, wanted: 1, less: true}, 1.5, "required met"},
		{figure{required: 2, wanted: 1, less: true}, 2.5, "missed by 25 %"},
		{figure{required: 2, less: true}, 0.1, "required met"},
		{figure{required: 2, wanted: 4}, 4, "wanted met"},
		{figure{required: 2, wanted: 4}, 3, "required met"},
		{figure{required: 2}, 1, "missed by 50 %"},
	} {
		if got := test.f.verdict(test.value); got != test.want {
			t.Errorf("%+v: %s, want %s", test.f, got, test.want)
		}
	}
}
