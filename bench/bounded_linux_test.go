package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/bench/workload"
)

// BenchmarkBounded is the most anonymous memory that the command has had at a time to
// index generated text within a bound, as a multiple of it. Pages of files that are
// mapped do not count: the system takes them back when it likes.
func BenchmarkBounded(b *testing.B) {
	dir := b.TempDir()
	command, text := filepath.Join(dir, "termsift"), filepath.Join(dir, "text.jsonl")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", command, "../cmd/termsift").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	p := workload.Params{Documents: 100_000, Tokens: 298, Terms: workload.Heaps(100_000 * 298), Classes: 20, Kernel: workload.OfText, Seed: 1}
	file := testkit.Must(os.Create(text))
	defer file.Close()
	testkit.OK(workload.WriteLines(b.Context(), file, p, 0))
	for _, mib := range []int{64, 256} {
		b.Run(fmt.Sprintf("what=index/bound=%dMiB", mib), func(b *testing.B) {
			peak := 0.0
			for b.Loop() {
				c := exec.CommandContext(b.Context(), command, "index", text, "-o", filepath.Join(dir, "index"),
					"--max-memory", fmt.Sprintf("%dMiB", mib), "--temp-dir", dir)
				peak = max(peak, anonymousOf(b, c)/float64(mib<<20))
			}
			if b.ReportMetric(peak, "x-bound"); peak > 1.25 {
				b.Errorf("it took %.2f times the bound", peak)
			}
		})
	}
}

var anonymous = regexp.MustCompile(`RssAnon:\s*(\d+) kB`)

// anonymousOf runs a command and gives the most bytes of anonymous memory that it was
// seen to have, looking a hundred times a second.
func anonymousOf(b *testing.B, c *exec.Cmd) (peak float64) {
	b.Helper()
	testkit.OK(c.Start())
	status := fmt.Sprintf("/proc/%d/status", c.Process.Pid)
	for {
		data, err := os.ReadFile(status)
		m := anonymous.FindSubmatch(data)
		if err != nil || m == nil { // it has ended
			break
		}
		kb := testkit.Must(strconv.ParseFloat(string(m[1]), 64))
		peak = max(peak, 1024*kb)
		time.Sleep(10 * time.Millisecond)
	}
	testkit.OK(c.Wait())
	return peak
}
