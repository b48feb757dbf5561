package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
)

// Every line of keyness --drift on statistics has the numbers that follow from the text.
func TestDriftFollowsFromTheText(t *testing.T) {
	dir := t.TempDir()
	months := [][]string{
		{"tax tax tax snow apple", "snow ice apple pear", "the tax the"},
		{"virus mask the", "virus virus pear pear pear", "mask the apple snow", "virus"},
	}
	var files []string
	counts := []map[string]int64{{}, {}}
	var tokens [2]int64
	for i, lines := range months {
		var text strings.Builder
		for d, line := range lines {
			fmt.Fprintf(&text, "{\"id\":\"%d\",\"labels\":[\"a\"],\"text\":%q}\n", d, line)
			for _, word := range strings.Fields(line) {
				counts[i][word]++
				tokens[i]++
			}
		}
		path := testkit.Write(filepath.Join(dir, fmt.Sprint(i, ".jsonl")), text.String())
		files = append(files, filepath.Join(dir, fmt.Sprint(i, ".stats")))
		termsift(t, exitOK, "index", "--stats-only", path, "-o", files[i])
	}
	var out bytes.Buffer
	if code := run(t.Context(), []string{"keyness", "--drift", "--by", "g2", "--max-p", "1", "--min-freq", "1", "--all", "--format", "tsv", files[0], files[1]}, nil, &out, io.Discard); code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	column := map[string]int{}
	for i, name := range strings.Split(lines[0], "\t") {
		column[name] = i
	}
	for _, line := range lines[1:] {
		fields := strings.Split(line, "\t")
		term := fields[column["term"]]
		k := naive.Keyness{A: counts[1][term], B: counts[0][term], T1: tokens[1], T2: tokens[0]}
		want := map[bool]string{true: "rising", false: "falling"}[k.Sign() > 0]
		switch {
		case k.B == 0:
			want = "new"
		case k.A == 0:
			want = "gone"
		}
		testkit.Equal(t, fields[column["key"]], want, term)
		for name, value := range map[string]float64{"tf": float64(k.A), "tf_reference": float64(k.B), "g2": k.G2(), "ll": k.LL(), "z": k.Z(), "logratio": k.LogRatio(), "log10p": math.Log10(math.Erfc(math.Sqrt(math.Abs(k.G2()) / 2)))} {
			got := testkit.Must(strconv.ParseFloat(fields[column[name]], 64))
			testkit.Close(t, got, value, 0, 1e-12*max(1, math.Abs(value)), term, name)
		}
	}
	testkit.Equal(t, len(lines), 1+8)
}
