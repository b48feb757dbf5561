// Command thirdparty writes THIRD_PARTY.md: the modules and lists of others that are in
// the program, with their licences. Everything in it comes from what is linked and
// embedded, so that nothing is forgotten.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/termsift/termsift/bench/host"
)

const usage = `usage: go run ./bench/thirdparty [-check] [-root DIR] [-out FILE]

It asks go list which packages the command has on each system it is built for, reads the
licences of their modules from the module cache, and adds those of the embedded lists.

Flags:
  -check      write nothing; exit 1 if the file on disk differs
  -root DIR   the top of the module (default .)
  -out FILE   the file to write (default cmd/termsift/THIRD_PARTY.md in DIR)

Exit codes: 0 done, 1 -check found a difference, 2 anything else. (go run
gives 1 for 2; build the command to tell them apart.)
`

var errDiffers = errors.New("it differs: run go run ./bench/thirdparty")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole command: arguments in, exit code out.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	flags := flag.NewFlagSet("thirdparty", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage) }
	root := flags.String("root", ".", "")
	out := flags.String("out", "", "")
	check := flags.Bool("check", false, "")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "thirdparty: it takes no arguments, got %q; see -h\n", flags.Arg(0))
		return 2
	}
	if *out == "" {
		*out = filepath.Join(*root, "cmd", "termsift", "THIRD_PARTY.md")
	}
	err := host.Try(func() { write(ctx, *root, *out, *check) })
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "thirdparty: %s: %v\n", *out, err)
	if errors.Is(err, errDiffers) {
		return 1
	}
	return 2
}

// write makes the document, or compares it with what is there.
func write(ctx context.Context, root, out string, check bool) {
	text := document(linkedModules(ctx, root), embeddedLists(ctx, root))
	switch {
	case !check:
		host.Check(os.WriteFile(out, text, 0o666))
	case !bytes.Equal(host.Need(os.ReadFile(out)), text):
		host.Check(errDiffers)
	}
}
