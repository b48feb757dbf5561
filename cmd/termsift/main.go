// Command termsift finds the terms that matter in labelled text.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
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

// newApp returns an app that has not run.
func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	a := &app{stdin: stdin}
	a.stderr, a.errScreen = stderr, tables.ScreenOf(stderr, os.Getenv)
	a.rawOut, a.stdout = stdout, tables.NewOutput(stdout, tables.ScreenOf(stdout, os.Getenv))
	a.files.System = files.OS{}
	return a
}

// run runs the command with the given arguments and returns its exit code. It returns
// as soon as ctx ends, even while a read of standard input blocks.
func (a *app) run(ctx context.Context, args []string) int {
	a.args = args
	a.begin(args)
	root := a.tree(args...)
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
		done <- cmp.Or(root.ExecuteContext(ctx), a.stdout.Flush(), a.profiles.stop())
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = context.Canceled
		select {
		case <-done:
		case <-time.After(patience):
			a.files.end()
		}
		a.status.Load().end()
	}
	code, text := a.tellError(err, ctx.Err() != nil)
	a.summary.end(a.stderr, code, text)
	return code
}

// patience is the time that an interrupted command has to clean up before the process
// exits without it.
const patience = 60 * time.Millisecond

// ownFlags returns the flags of all commands.
func (a *app) ownFlags() []flags.Flag {
	return slices.Concat(a.talkFlags(), []flags.Flag{{
		Name: "force", To: &a.use.force, Group: flags.GroupOutput, More: true, Applies: flags.OfWork,
		Help: "replace an index, a model, features or statistics by an output of another kind, too",
	}}, a.profiles.flags())
}

// tree returns the commands. If args begin with the name of one, it is the only one: the flags of all take a third of
// the time that a process takes to start. The command man needs the others.
func (a *app) tree(args ...string) *cobra.Command {
	asked := ""
	for _, g := range groups {
		if len(args) > 0 && args[0] != "man" && g.commands[args[0]] != nil {
			asked = args[0]
		}
	}
	root := &cobra.Command{
		Use:   "termsift COMMAND [flags] INPUT...",
		Short: "termsift finds the terms that matter in labelled text",
		Long: "termsift reads labelled text, counts every term in every class, scores the terms by the\n" +
			"measures of the field, selects, and writes the reduced data.\n\n" +
			"INPUT is an index file, a directory with a folder for each class, of texts, .docx, .odt or .epub,\n" +
			"the same in a tar or zip, JSON lines or an array, Parquet, CSV, Reuters SGML, LYRL2004, svmlight,\n" +
			"mbox or fastText, each perhaps packed by gzip, zstd, xz or bzip2; \"-\" is standard input.",
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
		var gone error
		c.Flags().Visit(func(p *pflag.Flag) { gone = cmp.Or(gone, goneFlag(c, "--"+p.Name+" "+p.Value.String())) })
		if err := cmp.Or(gone, a.setFiles(c, args), flags.Check(c.Flags(), c.Name())); err != nil {
			return err
		}
		if a.ownsProcess {
			tuneRuntime(c)
		}
		return a.profiles.start(a.create)
	}
	root.SetFlagErrorFunc(flagError)
	for _, g := range groups {
		if g.title != "" {
			root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		}
		for name, command := range g.commands {
			if asked != "" && asked != name {
				continue
			}
			own := command(a)
			made := own.cobra(a)
			made.GroupID = g.title
			a.commands = append(a.commands, own)
			root.AddCommand(made)
		}
	}
	a.setHelp(root)
	for _, c := range root.Commands() {
		if c.Name() == "help" { // which cobra has list the commands for an unknown one, and exit with 0
			c.Args = func(_ *cobra.Command, args []string) error {
				_, rest, _ := root.Find(args)
				return knownCommand(root, rest)
			}
		}
	}
	return root
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

// A maker makes a command of an app.
type maker = func(*app) *command

// groups are the commands by the sections of their list. Those without a title come last.
var groups = []struct {
	title    string
	commands map[string]maker
}{
	{"Look at text, and count it", map[string]maker{
		"demo": demoCommand, "check": checkCommand, "index": indexCommand, "info": infoCommand, "verify": verifyCommand,
	}},
	{"Find words, lines and neighbours", map[string]maker{
		"explore": exploreCommand, "words": wordsCommand, "kwic": kwicCommand, "collocations": collocationsCommand,
		"collocates": collocatesCommand, "keyness": keynessCommand,
	}},
	{"Score and select terms", map[string]maker{
		"score": scoreCommand, "select": selectCommand, "explain": explainCommand, "compare": compareCommand,
		"stability": stabilityCommand, "measures": measuresCommand,
	}},
	{"Reduce, learn and predict", map[string]maker{
		"transform": transformCommand, "project": projectCommand, "train": trainCommand, "predict": predictCommand,
		"evaluate": evaluateCommand,
	}},
	{"Change indexes", map[string]maker{"merge": mergeCommand}},
	{"Measure", map[string]maker{"bench": benchCommand}},
	{"", map[string]maker{"man": manCommand, "version": versionCommand}},
}

// tellError prints the error and returns the exit code and what it has printed. It is no
// failure if the reader of the output has closed it.
func (a *app) tellError(err error, interrupted bool) (code int, text string) {
	switch {
	case err == nil || errors.Is(err, syscall.EPIPE):
		return usage.ExitOK, ""
	case interrupted:
		fmt.Fprintln(a.stderr, "termsift: interrupted")
		return usage.ExitInterrupted, "interrupted"
	}
	text = talkError(err, a.args) + meantFile(err) + otherMeasure(err)
	fmt.Fprintf(a.stderr, "%stermsift:%s %s\n", a.errScreen.Bold(), a.errScreen.Plain(), text)
	return usage.ExitCode(err), text
}

// talkError returns the message of an error. The error may have several lines of its
// own, but a name in it cannot add lines: that of a file or a member, or one that the
// user gave.
func talkError(err error, named []string) string {
	text := err.Error()
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		named = append(named, path.Path)
	}
	if input, ok := errors.AsType[*reader.Error](err); ok {
		named = append(named, input.Pos.File)
	}
	for _, name := range named {
		text = strings.ReplaceAll(text, name, tables.WithoutControls(name, ""))
	}
	return printable(text)
}

// An app is the state that the commands share.
type app struct {
	args     []string
	stdin    io.Reader
	commands []*command
	helpAll  bool // --help-all is set
	talk
	outputs
	profiles profiles
	// ownsProcess allows a run to set the runtime of Go for the whole process.
	ownsProcess bool
	// optionalClasses says that the command takes inputs without classes, and that no flag asks for labels.
	optionalClasses bool
}

// A command is one of the commands: its words, its flags, the files that it writes, and what it
// does.
type command struct {
	use, short, long, example string
	args                      cobra.PositionalArgs // nil wants an INPUT
	complete                  cobra.CompletionFunc // of the arguments; nil completes files
	flags                     []flags.Flag
	run                       func(c *cobra.Command, args []string) error

	output     func(args []string) fileKind // what -o gets, or outputFlag; nil is another file
	outputFlag string
	beside     func(output string) []string // the files that are written beside that of -o
	writesTo   bool                         // the argument is a folder to write to
	classes    classNeed                    // what the inputs need of classes
	without    string                       // what needs no classes, for the error of inputs that have none
	lists      score.Kind                   // of the measures that the help lists
}

// A classNeed says whether the inputs of a command must have classes.
type classNeed int

const (
	// The zero value makes raw text without a label an error.
	_ classNeed = iota
	// classesOptional reads a folder of texts, lines and records without labels, too, and says so. A
	// command that tells classes apart for some of its flags sets [inputFlags.classed].
	classesOptional
	// classesIgnored reads the same, and labels do not matter.
	classesIgnored
)

func (c *command) name() string {
	name, _, _ := strings.Cut(c.use, " ")
	return name
}

// cobra returns the command as cobra runs it for an app.
func (c *command) cobra(a *app) *cobra.Command {
	made := &cobra.Command{Use: c.use, Short: c.short, Long: c.long, Example: c.example, Args: c.args, Annotations: map[string]string{listsMeasures: string(c.lists)}}
	made.RunE = func(cc *cobra.Command, args []string) error {
		err := a.printTable(cc, func() error { return c.run(cc, args) })
		if c.without != "" && errors.Is(err, usage.ErrNoLabels) {
			return fmt.Errorf("%w; %s needs no classes", err, c.without)
		}
		return err
	}
	if c.args == nil {
		made.Args = arguments(1, flags.Unlimited, "an INPUT")
	}
	flags.Add(made.Flags(), c.flags...)
	return made
}

// always returns the kind of an output that does not depend on the arguments.
func always(kind fileKind) func([]string) fileKind { return func([]string) fileKind { return kind } }

// noArgs implements [cobra.PositionalArgs] for commands without arguments.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError("%s takes no argument, and %q is one", c.Name(), args[0])
	}
	return nil
}

// arguments requires from least to most arguments. what names them in the error.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return usageError("%s needs %s; see termsift %[1]s --help", c.Name(), what)
		}
		return nil
	}
}

// profiles are the profiles that a run writes about itself: for go tool pprof, with a
// label "stage" on every sample, and for go tool trace.
type profiles struct {
	cpu, memory, trace string
	stops              []func() error
}

func (p *profiles) flags() []flags.Flag {
	return flags.Like(flags.Flag{Writes: true, Group: flags.GroupProfiling, More: true}, []flags.Flag{
		{Name: "cpuprofile", To: &p.cpu, Help: "write a CPU profile to this file"},
		{Name: "memprofile", To: &p.memory, Help: "write a memory profile to this file"},
		{Name: "trace", To: &p.trace, Help: "write an execution trace to this file"},
	})
}

// start begins the profiles that were asked for, in files that create creates.
func (p *profiles) start(create func(path string) (*os.File, error)) error {
	for _, kind := range []struct {
		path  string
		begin func(*profileFile) error
		end   func(*profileFile) error
	}{
		{p.cpu, func(f *profileFile) error { return pprof.StartCPUProfile(f) }, func(*profileFile) error { pprof.StopCPUProfile(); return nil }},
		{p.trace, func(f *profileFile) error { return trace.Start(f) }, func(*profileFile) error { trace.Stop(); return nil }},
		{p.memory, func(*profileFile) error { return nil }, func(f *profileFile) error {
			runtime.GC() // the profile shows the state at the last collection
			return pprof.Lookup("allocs").WriteTo(f, 0)
		}},
	} {
		if kind.path == "" {
			continue
		}
		created, err := create(kind.path)
		if err != nil {
			return err
		}
		file := &profileFile{File: created}
		if err := kind.begin(file); err != nil {
			return errors.Join(err, file.Close())
		}
		p.stops = append(p.stops, func() error { return errors.Join(cmp.Or(kind.end(file), file.failed), file.Close()) })
	}
	return nil
}

// A profileFile keeps the first error of writing it, which Go's profiler and tracer drop.
type profileFile struct {
	*os.File
	failed error
}

func (f *profileFile) Write(data []byte) (int, error) {
	n, err := f.File.Write(data)
	f.failed = cmp.Or(f.failed, err)
	return n, err
}

// stop ends the profiles and closes their files; a second call does nothing.
func (p *profiles) stop() error {
	var err error
	for _, stop := range p.stops {
		err = errors.Join(err, stop())
	}
	p.stops = nil
	return err
}
