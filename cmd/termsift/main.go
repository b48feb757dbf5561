// Command termsift finds the terms that matter in labelled text.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/terminal"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	a := newApp(os.Stdin, os.Stdout, os.Stderr)
	a.ownsProcess = true
	code := a.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// run runs the command with the given arguments in a process that does other things, too,
// such as a test. See [app.run].
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return newApp(stdin, stdout, stderr).run(ctx, args)
}

// newApp returns an app that has not run.
func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	a := &app{stdin: stdin}
	a.stderr, a.errScreen = stderr, terminal.Of(stderr, os.Getenv)
	a.rawOut, a.toTerminal, a.outScreen = stdout, terminal.Is(stdout), terminal.Of(stdout, os.Getenv)
	a.files.System = files.OS{}
	a.stdout = terminal.NewOutput(stdout, a.outScreen)
	return a
}

// run runs the command with the given arguments and returns its exit code. It returns
// as soon as ctx ends, even while a read of standard input blocks.
func (a *app) run(ctx context.Context, args []string) int {
	a.args = args
	a.begin(args)
	root := a.command()
	root.SetArgs(args)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	done := make(chan error, 1)
	go func() {
		if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
			if err := a.setCompletion(root); err != nil {
				done <- err
				return
			}
		}
		err := root.ExecuteContext(ctx)
		for _, finish := range []func() error{a.stdout.Flush, a.profiles.stop} {
			if finishErr := finish(); err == nil {
				err = finishErr
			}
		}
		done <- err
	}()
	select {
	case err := <-done:
		return a.end(tellError(a.stderr, err, ctx.Err() != nil, args...))
	case <-ctx.Done():
		return a.end(a.interrupted(a.stderr, done))
	}
}

// end prints the summary of a run that ends with an error, nil if it does not, and returns the
// exit code.
func (a *app) end(code int, problem string) int {
	a.summary.end(a.stderr, code, problem)
	return code
}

// An app is the state that the commands share.
type app struct {
	args     []string
	stdin    io.Reader
	commands []*command
	helpAll  bool // --help-all is set
	inputs
	talk
	outputs
	profiles profiles
	// ownsProcess allows a run to set the runtime of Go for the whole process.
	ownsProcess bool
}

// outputs are what a run writes.
type outputs struct {
	rawOut     io.Writer // what stdout writes to
	stdout     *terminal.Output
	toTerminal bool
	outScreen  terminal.Screen // of stdout
	files      openFiles
	use        fileUse
}

// ownFlags returns the flags of all commands.
func (a *app) ownFlags() []flags.Flag {
	return slices.Concat(a.talkFlags(), []flags.Flag{{
		Name: "force", To: &a.use.force, Group: flags.GroupOutput, More: true,
		Help: "replace an index, a model, features or statistics by an output of another kind, too",
	}}, a.profiles.flags())
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "termsift COMMAND [flags] INPUT...",
		Short: "termsift finds the terms that matter in labelled text",
		Long: "termsift reads labelled text, counts every term in every class, scores the terms by the\n" +
			"measures of the field, selects, and writes the reduced data.\n\n" +
			"INPUT is an index file, a directory with a folder for each class, the same in a tar, JSON\n" +
			"lines or an array, Parquet, CSV, Reuters SGML, LYRL2004, svmlight or fastText, each perhaps packed by\n" +
			"gzip, zstd, xz or bzip2; \"-\" is standard input.",
		Example: "  termsift demo\n" +
			"  termsift score --by chi,ig --top 10 20news-bydate.tar.gz --split train\n" +
			"  termsift select --by chi -k 10000 train.idx -o features.tsv",
		Version:       table.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          knownCommand,
		RunE: func(c *cobra.Command, _ []string) error {
			c.SetOut(a.stderr)
			_ = c.Help() // it writes to stderr, whose failure cannot be reported
			return usageError("name a command")
		},
	}
	flags.Add(root.PersistentFlags(), a.ownFlags()...)
	root.PersistentPreRunE = func(c *cobra.Command, args []string) error {
		if err := kernels.PathError(); err != nil {
			return usageError("%v", err)
		}
		if err := a.summary.check(); err != nil {
			return err
		}
		if err := flags.CheckNumbers(c.Flags()); err != nil {
			return err
		}
		if err := a.setFiles(c, args); err != nil {
			return err
		}
		if a.ownsProcess {
			tuneRuntime(c)
		}
		return a.profiles.start(a.create)
	}
	root.SetFlagErrorFunc(flagError)
	a.commands = a.makeCommands()
	for _, c := range a.commands {
		root.AddCommand(c.cobra())
	}
	a.setHelp(root)
	refuseUnknownTopics(root)
	return root
}

// refuseUnknownTopics makes it an error to ask help for an unknown command. By default
// cobra lists the commands and exits with 0.
func refuseUnknownTopics(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Args = func(_ *cobra.Command, args []string) error {
				_, rest, _ := root.Find(args)
				return knownCommand(root, rest)
			}
		}
	}
}

// noArgs implements [cobra.PositionalArgs] for commands without arguments.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError("%s takes no argument, and %q is one", c.Name(), args[0])
	}
	return nil
}

// atLeast requires at least n arguments. what names them in the error.
func atLeast(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < n {
			return usageError("%s needs %s; see termsift %s --help", c.Name(), what, c.Name())
		}
		return nil
	}
}

// tuneRuntime sets the runtime of Go as the flags of a command ask.
//
// --threads bounds the threads that run Go code at a time, not only the workers. Otherwise
// each batch that the reader hands to a worker wakes an idle thread, which looks for work in
// vain, and the collector marks on all of them: with one thread, 9 % of the CPU time from a
// file of 20 Newsgroups to its features.
func tuneRuntime(c *cobra.Command) {
	threads, err := c.Flags().GetInt("threads")
	if err == nil && threads > 0 && threads < runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(threads)
	}
}
