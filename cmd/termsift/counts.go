package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/resample"
)

// largestCounts are the limits of the flags that give a number of things to make. Each
// takes memory or a goroutine; a larger number is taken for a typing error.
var largestCounts = map[string]int{
	"bootstrap":    resample.MostSamples,
	"classes":      1_000_000,
	"documents":    1_000_000_000,
	"folds":        resample.MostSamples,
	"kernel":       1_000_000_000,
	"kwic":         100_000,
	"length":       1_000_000,
	"parts":        corpus.MostParts,
	"permutations": resample.MostPermutations,
	"repeat":       100_000,
	"rounds":       1000,
	"subsample":    resample.MostSamples,
	"terms":        100_000_000,
	"threads":      pool.MostThreads,
}

// checkCounts returns an error for counts above their limits.
func checkCounts(c *cobra.Command) (err error) {
	c.Flags().Visit(func(flag *pflag.Flag) {
		most, ok := largestCounts[flag.Name]
		if !ok || flag.Value.Type() != "int" {
			return
		}
		n, _ := strconv.Atoi(flag.Value.String()) // the flag is an int
		switch {
		case n > most:
			err = usageError("--%s can be %d at most, not %d", flag.Name, most, n)
		case n < 0 && flag.Name == "threads":
			err = usageError("--threads must not be negative: %d", n)
		}
	})
	return err
}

// withLimit adds the valid range to the error for a number that is out of range.
func withLimit(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) || !errors.Is(err, strconv.ErrRange) {
		return err
	}
	most, ok := largestCounts[invalid.GetFlag().Name]
	if !ok {
		return err
	}
	return fmt.Errorf("--%s can be %d at most, not %s", invalid.GetFlag().Name, most, invalid.GetValue())
}
