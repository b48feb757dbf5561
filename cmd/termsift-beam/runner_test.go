//go:build linux

package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	jobs "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"

	"github.com/termsift/termsift/engine/usage"
)

// Files of jobs on Flink are those of one machine, also when a TaskManager dies.
func TestFlink(t *testing.T) {
	f, workers := startFlink(t)
	to := f.runner(t)
	processes := to.processes()
	t.Run("jobs", processes.givesWhatOneMachineGives)
	t.Run("this process works", to.loopback().countsOddShards)
	t.Run("a broken shard", processes.namesBrokenShards)
	t.Run("a TaskManager dies", func(t *testing.T) {
		t.Chdir(t.TempDir())
		newsgroupsShards(t)
		var printed bytes.Buffer
		counting := processes.command(t.Context(), "stats", "--inputs", "news/*.jsonl", "--tokens", "words", "--parts", "4", "-o", "got.stats")
		counting.Stderr = &printed
		if err := counting.Start(); err != nil {
			t.Fatal(err)
		}
		var job flinkJob
		eventually(t, "a job that counts", func() bool { job = f.newest(t); return job.counts() })
		end(workers[1])
		f.startWorker(t)
		if err := counting.Wait(); err != nil {
			t.Fatalf("%v: %s", err, printed.String())
		}
		if !f.ask(t, "jobs/"+job.ID, &job) || job.Timestamps.Restarting == 0 {
			t.Errorf("the job went on without the TaskManager: %+v", job)
		}
		onOne(t, slices.Concat([]string{"index", "--stats-only", "--tokens", "words", "-o", "want.stats"}, shards(t, "news/*.jsonl"))...)
		sameFiles(t, "got.stats", "want.stats")
	})
}

// Files of jobs on Spark are those of one machine.
func TestSpark(t *testing.T) {
	server := jobServer(t, jars(t, "spark"), "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED", "org.apache.beam.runners.spark.SparkJobServerDriver", "--spark-master-url=local[2]")
	to := runner{"--runner", "spark", "--endpoint", server}
	t.Run("jobs", to.processes().givesWhatOneMachineGives)
	t.Run("this process works", to.loopback().countsOddShards)
	t.Run("a broken shard", to.processes().namesBrokenShards)
	t.Run("an interrupt", func(t *testing.T) {
		t.Chdir(t.TempDir())
		oddShards(t)
		var printed bytes.Buffer
		job := to.processes().command(t.Context(), "stats", "--inputs", "odd/*", "-o", "got.stats")
		job.Stderr = &printed
		if err := job.Start(); err != nil {
			t.Fatal(err)
		}
		eventually(t, "a job that runs", func() bool {
			all, _ := jobsOn(t.Context(), server) // none while it does not answer
			return slices.ContainsFunc(all, func(j *jobs.JobInfo) bool { return j.GetState() == jobs.JobState_RUNNING })
		})
		if err := job.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		_ = job.Wait() // whose error is the exit code
		if code := job.ProcessState.ExitCode(); code != usage.ExitInterrupted || !strings.Contains(printed.String(), "the job goes on there") {
			t.Errorf("%d: %s", code, printed.String())
		}
	})
}

// givesWhatOneMachineGives runs each job on 20 Newsgroups and Reuters.
func (r runner) givesWhatOneMachineGives(t *testing.T) {
	for _, corpus := range []struct {
		glob  string
		make  func(t *testing.T)
		flags []string
	}{
		{"news/*.jsonl", newsgroupsShards, []string{"--tokens", "words"}},
		{"reuters/*.sgm", reutersShards, []string{"--tokens", "words", "--split", "train"}},
	} {
		t.Run(filepath.Dir(corpus.glob), func(t *testing.T) {
			t.Chdir(t.TempDir())
			corpus.make(t)
			sharded, whole := append([]string{"--parts", "4", "--inputs", corpus.glob}, corpus.flags...), append(corpus.flags, shards(t, corpus.glob)...)
			r.must(t, append([]string{"features", "--by", "ig", "-k", "2000", "-o", "got.tsv"}, sharded...)...)
			onOne(t, append([]string{"select", "--by", "ig", "-k", "2000", "-o", "want.tsv"}, whole...)...)
			sameFiles(t, "got.tsv", "want.tsv")
			r.must(t, append([]string{"stats", "-o", "got.stats"}, sharded...)...)
			onOne(t, append([]string{"index", "--stats-only", "-o", "want.stats"}, whole...)...)
			sameFiles(t, "got.stats", "want.stats")
			r.must(t, "transform", "--features", "got.tsv", "--weight", "ltc", "--inputs", corpus.glob, "-o", "vectors")
			for _, shard := range shards(t, corpus.glob) {
				onOne(t, "transform", "--features", "got.tsv", "--weight", "ltc", shard, "-o", "want.svm")
				sameFiles(t, filepath.Join("vectors", filepath.Base(shard)+".svm"), "want.svm")
			}
		})
	}
}

// countsOddShards counts shards of all kinds.
func (r runner) countsOddShards(t *testing.T) {
	t.Chdir(t.TempDir())
	oddShards(t)
	told := r.must(t, "stats", "--inputs", "odd/*", "-o", "got.stats")
	if !strings.HasPrefix(told, "7 shards, 403 documents, ") {
		t.Errorf("the counters: %s", told)
	}
	onOne(t, append([]string{"index", "--stats-only", "-o", "want.stats"}, shards(t, "odd/*")...)...)
	sameFiles(t, "got.stats", "want.stats")
}

// namesBrokenShards runs a job with a shard that cannot be read.
func (r runner) namesBrokenShards(t *testing.T) {
	t.Chdir(t.TempDir())
	oddShards(t)
	writeFile(t, "odd/broken.jsonl", []byte(line("1", "one two", "class 1")+"{\"id\":\n"))
	code, text := r.run(t.Context(), "features", "-k", "10", "--inputs", "odd/*", "-o", "out.tsv")
	if code != usage.ExitData || !strings.Contains(text, "/odd/broken.jsonl:2:6: malformed JSON") || strings.Count(text, "\n") != 1 {
		t.Errorf("%d: %s", code, text)
	}
	if _, err := os.Stat("out.tsv"); err == nil {
		t.Error("a job that failed has written its output")
	}
}

// must runs a job that must succeed.
func (r runner) must(t testing.TB, args ...string) string {
	t.Helper()
	code, text := r.run(t.Context(), args...)
	if code != 0 {
		t.Fatalf("termsift-beam %s: %d: %s", strings.Join(args, " "), code, text)
	}
	return text
}

// A job server that is not there is noticed before Beam waits for it.
func TestJobServerIsNotThere(t *testing.T) {
	t.Chdir(t.TempDir())
	oddShards(t)
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections, and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for _, endpoint := range []string{"127.0.0.1:" + freePort(t), "nothing", silent.Addr().String()} {
		start := time.Now()
		code, text := runner{"--runner", "flink", "--endpoint", endpoint}.run(t.Context(), "features", "-k", "10", "--inputs", "odd/*", "-o", "out.tsv")
		if code != usage.ExitIO || !strings.Contains(text, "no job server of Beam answers at --endpoint "+endpoint+": ") || time.Since(start) > 2*mostWait {
			t.Errorf("%s: %d after %v: %s", endpoint, code, time.Since(start), text)
		}
	}
}

// BenchmarkFlink selects from 1 GB in 64 shards on two TaskManagers, and tells how many times as long it takes as
// termsift on one thread: by Flink's own clock, which begins when the cluster has the job, and from the call to its end.
func BenchmarkFlink(b *testing.B) {
	f, _ := startFlink(b)
	processes := f.runner(b).processes()
	b.Chdir(b.TempDir())
	if err := os.Mkdir("shards", 0o755); err != nil {
		b.Fatal(err)
	}
	for i := range 64 {
		onOne(b, "generate", "--documents", "10600", "--seed", fmt.Sprint(i), "-o", fmt.Sprintf("shards/%02d.jsonl", i))
	}
	selecting := []string{"--tokens", "words", "--by", "chi", "-k", "10000"}
	features := append([]string{"features", "--inputs", "shards/*.jsonl", "--parts", "4", "-o", "got.tsv"}, selecting...)
	processes.must(b, features...) // the first job starts the cluster
	var one, job, call time.Duration
	for b.Loop() {
		start := time.Now()
		onOne(b, slices.Concat([]string{"select", "--threads", "1", "-o", "want.tsv"}, selecting, shards(b, "shards/*.jsonl"))...)
		one += time.Since(start)
		start = time.Now()
		processes.must(b, features...)
		call += time.Since(start)
		job += time.Duration(f.newest(b).Duration) * time.Millisecond
		sameFiles(b, "got.tsv", "want.tsv")
	}
	b.ReportMetric(job.Seconds()/one.Seconds(), "job/one")
	b.ReportMetric(call.Seconds()/one.Seconds(), "call/one")
	b.ReportMetric(one.Seconds()/float64(b.N), "one-s")
}
