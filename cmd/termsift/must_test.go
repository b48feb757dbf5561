package main

import (
	"context"
	"io"

	"github.com/termsift/termsift/engine/usage"
)

// The exit codes, by the names that the tests have for them.
const (
	exitOK          = usage.ExitOK
	exitNothing     = usage.ExitNothing
	exitUsage       = usage.ExitUsage
	exitData        = usage.ExitData
	exitIO          = usage.ExitIO
	exitCorrupt     = usage.ExitCorrupt
	exitInterrupted = usage.ExitInterrupted
)

// run runs the command with the given arguments in a process that does other things, too,
// such as a test. See [app.run].
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return newApp(stdin, stdout, stderr).run(ctx, args)
}
