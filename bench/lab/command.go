package lab

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// ParseFlags parses the flags of a program of the laboratory, and returns its other arguments, which may
// stand before, between and behind them. -h prints the usage and ends the work.
func ParseFlags(flags *flag.FlagSet, args []string, usage string, stderr io.Writer) (others []string) {
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	for {
		switch err := flags.Parse(args); {
		case errors.Is(err, flag.ErrHelp):
			fmt.Fprint(stderr, usage)
			Check(err)
		case err != nil:
			panic(Errorf("%w; see -h", err))
		case flags.NArg() == 0:
			return others
		}
		others, args = append(others, flags.Arg(0)), flags.Args()[1:]
	}
}

// FlagsOnly is [ParseFlags] for a program that takes no other arguments.
func FlagsOnly(flags *flag.FlagSet, args []string, usage string, stderr io.Writer) {
	if others := ParseFlags(flags, args, usage, stderr); len(others) > 0 {
		panic(Errorf("it takes no arguments, got %q; see -h", others[0]))
	}
}

// ExitCode works, tells the error that ends the work, and returns the exit code: 1 for the error of a
// difference that was looked for, 2 for all others.
func ExitCode(name string, stderr io.Writer, difference error, work func()) int {
	err := Try(work)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintf(stderr, "%s: %v\n", name, err)
	if difference != nil && errors.Is(err, difference) {
		return 1
	}
	return 2
}
