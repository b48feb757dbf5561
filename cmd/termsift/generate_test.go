package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"
)

// generated is the output of the command.
func generated(t testing.TB, args ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), append([]string{"generate"}, args...), strings.NewReader(""), &out, &errs); code != exitOK {
		t.Fatalf("%v: exit code %d: %s", args, code, errs.String())
	}
	return out.Bytes()
}

func TestGenerateWritesTheSameBytes(t *testing.T) {
	for to, want := range map[string]uint64{"jsonl": 0x852c4ed631db30b6, "counts": 0xeb5f4978ce302efe, "svmlight": 0x4a90a807615fb5cf} {
		args := []string{"--documents", "1100", "--classes", "7", "--labels", "1.5", "--seed", "42", "--to", to}
		for _, threads := range []string{"1", "2", "5"} {
			if got := xxh3.Hash(generated(t, append(args, "--threads", threads)...)); got != want {
				t.Errorf("%s on %s threads: %#x, want %#x", to, threads, got, want)
			}
		}
	}
}

// A reader that goes away ends the command quietly.
func TestGenerateIntoAClosedPipe(t *testing.T) {
	for _, to := range []string{"jsonl", "svmlight"} {
		out, in, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan int, 1)
		var errs bytes.Buffer
		go func() {
			done <- run(t.Context(), []string{"generate", "--documents", "100000000", "--to", to, "--terms", "1000"}, strings.NewReader(""), in, &errs)
		}()
		if _, err := io.ReadFull(out, make([]byte, 1000)); err != nil {
			t.Fatal(err)
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		if code := <-done; code != exitOK || errs.Len() > 0 {
			t.Errorf("%s: exit code %d: %s", to, code, errs.String())
		}
		_ = in.Close() // its reader is gone
	}
}

// BenchmarkGenerate writes a corpus of the size of 20 Newsgroups.
func BenchmarkGenerate(b *testing.B) {
	for _, to := range []string{"jsonl", "counts", "svmlight"} {
		b.Run("set=20ng/to="+to, func(b *testing.B) {
			size := 0
			for b.Loop() {
				size = len(generated(b, "--documents", "11314", "--threads", "1", "--to", to))
			}
			b.SetBytes(int64(size))
			b.ReportMetric(11314*float64(b.N)/b.Elapsed().Seconds(), "documents/s")
		})
	}
}
