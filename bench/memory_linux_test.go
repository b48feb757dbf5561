package bench

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// BenchmarkMemory is the most memory that the command has held at a time to index
// a collection as published, as a multiple of its text.
func BenchmarkMemory(b *testing.B) {
	command := filepath.Join(b.TempDir(), "termsift")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", command, "../cmd/termsift").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct {
		set, file string
		text      float64
		flags     []string
	}{
		{"20ng", "20news-bydate.tar.gz", 22_054_494, []string{"--split", "train", "--charset", "latin-1"}},
		{"fudan", "fudan-corpus.tar.zst", 281_772_986, []string{"--tokens", "zh-bigrams"}},
	} {
		input := testkit.Corpus(b, c.file)
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("what=index/threads=%d/set=%s", threads, c.set), func(b *testing.B) {
				peak := 0.0
				for b.Loop() {
					args := append([]string{"index", input, "-o", filepath.Join(b.TempDir(), "index"), "--threads", fmt.Sprint(threads)}, c.flags...)
					peak = max(peak, peakOf(b, exec.CommandContext(b.Context(), command, args...)))
				}
				b.ReportMetric(peak/1e6, "MB-peak")
				b.ReportMetric(peak/c.text, "x-text")
			})
		}
	}
}

// peakOf runs a command and gives the most bytes that were its own at a time.
func peakOf(b *testing.B, c *exec.Cmd) float64 {
	b.Helper()
	c.Env = append(c.Environ(), "GOGC=100") // as users run it, whatever the benchmarks do
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return 1024 * float64(c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
}
