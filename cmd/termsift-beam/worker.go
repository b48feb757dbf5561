package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"

	"github.com/termsift/termsift/engine/usage"
)

// A runner starts the program on its workers, with arguments that are Beam's alone. In a container, Beam's
// own boot program starts it by --worker=true. The environment PROCESS starts it by --provision_endpoint: here
// the program is its own boot program, because it lies where the worker can run it.

// provisionFlag names the flag for the address where a worker asks what it needs.
const provisionFlag = "provision_endpoint"

// isWorker reports whether a runner has started the program.
func isWorker(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		name, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		return name == "worker" && value == "true" || name == provisionFlag
	})
}

// work serves the runner that started the program, until it has no more to do, and ends the process.
func work(args []string) {
	provision := flag.String(provisionFlag, "", "address where a worker asks what it needs")
	flag.Parse()
	initBeam() // does not return from --worker=true
	if err := serve(context.Background(), flag.Lookup("id").Value.String(), *provision); err != nil {
		fmt.Fprintf(os.Stderr, "termsift-beam: worker %s: %v\n", strings.Join(args, " "), err)
		os.Exit(usage.ExitIO)
	}
	os.Exit(usage.ExitOK)
}

// serve runs the parts of a job that a runner sends to the worker with this name.
func serve(ctx context.Context, id, provision string) error {
	ctx = grpcx.WriteWorkerID(ctx, id)
	info, err := tools.ProvisionInfo(ctx, provision)
	if err != nil {
		return err
	}
	return harness.MainWithOptions(ctx, info.GetLoggingEndpoint().GetUrl(), info.GetControlEndpoint().GetUrl(), harness.Options{
		StatusEndpoint:     info.GetStatusEndpoint().GetUrl(),
		RunnerCapabilities: info.GetRunnerCapabilities(),
	})
}
