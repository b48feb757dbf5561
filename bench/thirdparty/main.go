// Command thirdparty writes THIRD_PARTY.md: the modules and lists of others that are in
// the program, with their licences. Everything in it comes from what is linked and
// embedded, so that nothing is forgotten.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/termsift/termsift/bench/lab"
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
	return lab.ExitCode("thirdparty", stderr, errDiffers, func() {
		flags := flag.NewFlagSet("thirdparty", flag.ContinueOnError)
		root := flags.String("root", ".", "")
		out := flags.String("out", "", "")
		check := flags.Bool("check", false, "")
		lab.FlagsOnly(flags, args, usage, stderr)
		path := cmp.Or(*out, filepath.Join(*root, "cmd", "termsift", "THIRD_PARTY.md"))
		lab.In(path, func() { write(ctx, *root, path, *check) })
	})
}

// write makes the document, or compares it with what is there.
func write(ctx context.Context, root, out string, check bool) {
	text := document(linkedModules(ctx, root), embeddedLists(ctx, root))
	switch {
	case !check:
		lab.Check(os.WriteFile(out, text, 0o666))
	case !bytes.Equal(lab.Need(os.ReadFile(out)), text):
		lab.Check(errDiffers)
	}
}
