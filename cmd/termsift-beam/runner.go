package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	jobs "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

// inProcess reports whether the job runs on prism, in this process.
func inProcess() bool {
	return *runners.Runner == "" || strings.EqualFold(strings.TrimSuffix(*runners.Runner, "Runner"), "prism")
}

// onWorkers makes the names of files of a job that runs elsewhere absolute: a worker starts in a folder of its own.
func onWorkers(paths ...*string) (err error) {
	for _, path := range paths {
		if *path == "" || inProcess() || strings.Contains(*path, "://") {
			continue
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	return nil
}

// prepareRunner asks the job server whether it is there, and gives Beam this program for the workers, which it
// would else compile again.
func prepareRunner(ctx context.Context) error {
	if *jobopts.Endpoint != "" {
		if _, err := jobsOn(ctx, *jobopts.Endpoint); err != nil {
			return fmt.Errorf("no job server of Beam answers at --endpoint %s: start one, or name the address HOST:PORT of one: %w", *jobopts.Endpoint, err)
		}
	}
	if *jobopts.WorkerBinary != "" || runtime.GOOS != "linux" {
		return nil
	}
	path, err := os.Executable()
	*jobopts.WorkerBinary = path
	return err
}

// mostWait is how long a job server may take to answer. Beam itself waits for two minutes, and does
// not say for what.
const mostWait = 10 * time.Second

// jobsOn returns the jobs of the job server at an address, or an error if none answers.
func jobsOn(ctx context.Context, endpoint string) ([]*jobs.JobInfo, error) {
	connection, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, err
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(ctx, mostWait)
	defer cancel()
	all, err := jobs.NewJobServiceClient(connection).GetJobs(ctx, &jobs.GetJobsRequest{})
	if err != nil {
		return nil, errors.New(status.Convert(err).Message())
	}
	return all.GetJobInfo(), nil
}
