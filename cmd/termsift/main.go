// Command termsift finds the terms that matter in labelled text.
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole command: arguments in, exit code out. It returns as soon as
// ctx ends, even while a read of standard input hangs.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := bufio.NewWriterSize(stdout, 1<<16)
	a := &app{stdin: stdin, out: out, stderr: stderr, toTerminal: isTerminal(stdout)}
	root := a.command()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(stderr)
	done := make(chan error, 1)
	go func() {
		err := root.ExecuteContext(ctx)
		for _, finish := range []func() error{out.Flush, a.profiles.stop} {
			if finishErr := finish(); err == nil {
				err = finishErr
			}
		}
		done <- err
	}()
	select {
	case err := <-done:
		return tellError(stderr, err, ctx.Err() != nil)
	case <-ctx.Done():
		return a.interrupted(stderr, done)
	}
}

// An app is what the commands share.
type app struct {
	stdin      io.Reader
	out        *bufio.Writer
	stderr     io.Writer
	toTerminal bool
	files      openFiles
	profiles   profiles
}

// note tells something on stderr.
func (a *app) note(format string, args ...any) {
	fmt.Fprintf(a.stderr, "termsift: %s\n", talk(fmt.Sprintf(format, args...)))
}

func (a *app) warn(warnings []string) {
	for _, w := range warnings {
		a.note("warning: %s", w)
	}
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "termsift COMMAND [flags] INPUT...",
		Short: "termsift finds the terms that matter in labelled text",
		Long: "termsift reads labelled text, counts every term in every class, scores the terms by the\n" +
			"measures of the field, selects, and writes the reduced data.\n\n" +
			"INPUT is an index file, a directory with a folder for each class, the same in a tar, JSON\n" +
			"lines, CSV, Reuters SGML, LYRL2004 or svmlight text, each perhaps packed by gzip, zstd, xz\n" +
			"or bzip2; \"-\" is standard input.",
		Example: "  termsift demo\n" +
			"  termsift score --by chi,ig --top 10 20news-bydate.tar.gz --split train\n" +
			"  termsift select --by chi -k 10000 train.idx -o features.tsv",
		Version:       engine.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, _ []string) error {
			c.SetOut(a.stderr)
			_ = c.Help() // it writes to stderr, whose failure nobody could be told
			return usageError("name a command")
		},
	}
	a.profiles.register(root)
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if n, err := c.Flags().GetInt("threads"); err == nil && n < 0 {
			return usageError("--threads must not be negative: %d", n)
		}
		return a.profiles.start()
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError("%v; see termsift %s --help", err, c.Name())
	})
	root.AddCommand(a.indexCommand(), a.scoreCommand(), a.selectCommand(), a.transformCommand(),
		a.explainCommand(), a.compareCommand(), a.projectCommand(), a.evaluateCommand(), a.trainCommand(), a.predictCommand(),
		a.stabilityCommand(), a.infoCommand(), a.checkCommand(), a.verifyCommand(),
		a.mergeCommand(), a.appendCommand(), a.removeCommand(),
		a.generateCommand(), a.replicateCommand(), a.demoCommand())
	refuseUnknownTopics(root)
	return root
}

// refuseUnknownTopics makes help for a command that there is not an error: cobra prints
// what there is and exits with 0.
func refuseUnknownTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Args = func(_ *cobra.Command, args []string) error {
				if _, _, err := root.Find(args); err != nil {
					return usageError("%v; see termsift --help", err)
				}
				return nil
			}
		}
	}
}

// inputs demands at least n arguments, named in the error.
func inputs(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < n {
			return usageError("%s needs %s; see termsift %s --help", c.Name(), what, c.Name())
		}
		return nil
	}
}
