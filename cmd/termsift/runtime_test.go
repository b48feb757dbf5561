package main

import (
	"runtime"
	"testing"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/bench/testkit"
)

func TestTuneRuntime(t *testing.T) {
	before := runtime.GOMAXPROCS(4)
	defer runtime.GOMAXPROCS(before)
	for _, c := range []struct{ threads, want int }{{0, 4}, {1000, 4}, {4, 4}, {3, 3}, {1, 1}} {
		runtime.GOMAXPROCS(4)
		command := &cobra.Command{}
		command.Flags().Int("threads", c.threads, "")
		tuneRuntime(command)
		testkit.Equal(t, runtime.GOMAXPROCS(0), c.want, "--threads", c.threads, "GOMAXPROCS")
	}
	tuneRuntime(&cobra.Command{}) // without the flag
}
