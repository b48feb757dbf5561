// Command termsift-beam selects terms, sums statistics and writes vectors by a pipeline of Apache
// Beam, on as many machines as its runner has. Its results are those of termsift on one machine,
// byte for byte. See README.md.
//
// Begin reading at commands.go. Each shard, a file of the inputs, becomes statistics (count.go),
// which are cut into parts by the hash of the terms; those of a part are added up (sum.go), terms
// are selected from each part, and the selections merged (features.go).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

func main() {
	if isWorker(os.Args[1:]) {
		work(os.Args[1:])
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stderr)
	stop()
	os.Exit(code)
}

// initBeam makes Beam ready, once.
var initBeam = sync.OnceFunc(beam.Init)

// run runs the command and returns its exit code.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	root := command(stderr)
	root.SetArgs(args)
	root.SetOut(stderr)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return usage.ExitOK
	}
	fmt.Fprintf(stderr, "termsift-beam: %v\n", err)
	var failed *jobFailure
	switch {
	case ctx.Err() != nil:
		return usage.ExitInterrupted
	case errors.As(err, &failed):
		return failed.code
	}
	return usage.ExitCode(err)
}

func command(stderr io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:   "termsift-beam JOB --inputs 'GLOB' -o FILE [flags]",
		Short: "termsift-beam finds the terms that matter in labelled text, on the machines of a Beam runner",
		Long: "termsift-beam reads the files that match GLOB, each a shard, and gives what termsift gives for all of\n" +
			"them, byte for byte. Without --runner the job runs in this process (prism). All flags of Beam's\n" +
			"runners are taken.",
		Version:       table.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, _ []string) error {
			_ = c.Help() // it writes to stderr, whose failure cannot be reported
			return usage.Errorf("name a job: features, transform or stats")
		},
	}
	root.SetFlagErrorFunc(flagError)
	addBeamFlags(root.PersistentFlags())
	for _, j := range []*cobra.Command{featuresCommand(stderr), transformCommand(stderr), statsCommand(stderr)} {
		j.Args = func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage.Errorf("%s takes no argument, and %q is one: name the files by --inputs 'GLOB', in quotes", c.Name(), usage.Cut(args[0]))
			}
			return nil
		}
		j.PreRunE = func(c *cobra.Command, _ []string) error { return flags.CheckNumbers(c.Flags()) }
		root.AddCommand(j)
	}
	return root
}

// beamLabels is the name that the flag labels of Beam's Dataflow runner has here, where --labels
// is the command's, of Reuters.
const beamLabels = "job_labels"

// shownFlags are the flags of Beam that the help has. It would be longer by fifty others, which
// are those of one runner.
var shownFlags = []string{"runner", "endpoint", "environment_type", "environment_config", "job_name", "parallelism", "beam_strict"}

// addBeamFlags adds the flags that the packages of Beam have registered.
func addBeamFlags(flags *pflag.FlagSet) {
	flag.VisitAll(func(f *flag.Flag) {
		if strings.HasPrefix(f.Name, "test.") {
			return
		}
		own := pflag.PFlagFromGoFlag(f)
		own.Value, own.Hidden = beamFlag{own.Value, f.Name}, !slices.Contains(shownFlags, f.Name)
		if own.Name == "labels" {
			own.Name = beamLabels
		}
		flags.AddFlag(own)
	})
}

// A beamFlag is the value of a flag of Beam, where runners look which flags were set.
type beamFlag struct {
	pflag.Value
	name string
}

// Set implements [pflag.Value].
func (f beamFlag) Set(text string) error { return flag.Set(f.name, text) }

// wholeOnly are flags of termsift that need the documents of all shards at once.
var wholeOnly = []string{"min-df", "max-df", "dedupe", "docs", "reference", "reference-docs", "max-memory"}

// flagError returns the error for wrong flags.
func flagError(_ *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && slices.Contains(wholeOnly, unknown.GetSpecifiedName()) {
		return usage.Errorf("--%s needs the documents of all shards at once: take termsift on one machine", unknown.GetSpecifiedName())
	}
	return usage.Errorf("%v", flags.ValueError(err))
}
