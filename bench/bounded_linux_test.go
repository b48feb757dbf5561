package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/bench/workload"
)

// BenchmarkBounded is the most anonymous memory that the command has had at a time to
// index generated text within a bound, as a multiple of it. Pages of files that are
// mapped do not count: the system takes them back when it likes.
func BenchmarkBounded(b *testing.B) {
	dir, command, text := boundedText(b, 100_000)
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

// boundedText builds the command, and generates a text of so many documents, in a folder.
func boundedText(tb testing.TB, documents int) (dir, command, text string) {
	tb.Helper()
	dir = tb.TempDir()
	command, text = filepath.Join(dir, "termsift"), filepath.Join(dir, "text.jsonl")
	if out, err := exec.CommandContext(tb.Context(), "go", "build", "-o", command, "../cmd/termsift").CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, out)
	}
	p := workload.Params{Documents: documents, Tokens: 298, Terms: workload.Heaps(float64(documents) * 298), Classes: 20, Kernel: workload.OfText, Seed: 1}
	file := testkit.Must(os.Create(text))
	defer file.Close()
	testkit.OK(workload.WriteLines(tb.Context(), file, p, 0))
	return dir, command, text
}

// What offers a bound on memory holds it, but for a quarter: on 60 MB of text, and with every case on a gigabyte.
func TestBoundsHold(t *testing.T) {
	documents := 32_000
	if testkit.AllCases() {
		documents *= 17
	}
	dir, command, text := boundedText(t, documents)
	const bound = 64 << 20
	for _, line := range []string{"index -o index", "index --stats-only -o statistics", "score --by chi", "select --by ig -k 100 -o features.tsv"} {
		c := exec.CommandContext(t.Context(), command, append(strings.Fields(line), text, "--max-memory", fmt.Sprint(bound), "--temp-dir", dir)...)
		c.Dir = dir
		if peak := anonymousOf(t, c); peak > 1.25*bound {
			t.Errorf("%s took %.2f times the bound", line, peak/bound)
		}
	}
}

var anonymous = regexp.MustCompile(`RssAnon:\s*(\d+) kB`)

// anonymousOf runs a command and gives the most bytes of anonymous memory that it was
// seen to have, looking a hundred times a second.
func anonymousOf(b testing.TB, c *exec.Cmd) (peak float64) {
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
