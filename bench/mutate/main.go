// Mutate changes the meaning of a package in one place after another and runs tests: a change that
// no test notices is a place where a fault could hide.
//
//	go run ./bench/mutate [flags] PACKAGE...
//
// It changes comparisons, arithmetic, conditions and statements (see rewrite.go). All changes of a
// package go into one test binary, in which a variable of the environment switches one of them on, so
// that nothing is compiled twice. A first run of each test records which changes it reaches; a change
// is then tried by those tests alone. The tests are those of the package and of -tests.
//
// Some survivors mean nothing: a capacity, a bound that only decides which of two equal ways is
// taken. The list is for reading, so mutate ends with 0 whatever it finds.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

func main() {
	var o options
	tests := flag.String("tests", "", "other packages whose tests are run, separated by commas")
	flag.IntVar(&o.most, "most", 0, "how many changes of each package are tried, chosen by -seed; 0 tries all")
	flag.Uint64Var(&o.seed, "seed", 1, "what the choice of changes depends on")
	flag.BoolVar(&o.verbose, "v", false, "print each change with the test that notices it")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if *tests != "" {
		o.tests = strings.Split(*tests, ",")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	for _, pattern := range flag.Args() {
		if err := mutate(ctx, os.Stdout, pattern, o); err != nil {
			fmt.Fprintln(os.Stderr, "mutate:", err)
			os.Exit(1)
		}
	}
}
