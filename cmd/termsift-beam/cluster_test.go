//go:build linux

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// This file starts clusters on this machine: their job servers and workers are Java programs, whose jars lie in the
// folders flink and spark of TERMSIFT_CLUSTERS, as runners/flink.xml and runners/spark.xml say.

// jars returns the class path of a runner's programs.
func jars(t testing.TB, runner string) string {
	t.Helper()
	folder := filepath.Join(os.Getenv("TERMSIFT_CLUSTERS"), runner)
	if found, _ := filepath.Glob(folder + "/*.jar"); os.Getenv("TERMSIFT_CLUSTERS") == "" || len(found) == 0 {
		if os.Getenv("TERMSIFT_REQUIRE_CLUSTERS") == "1" {
			t.Fatalf("no jars in TERMSIFT_CLUSTERS/%s", runner)
		}
		t.Skipf("SKIPPED: no %s: set TERMSIFT_CLUSTERS to the folder of the jars", runner)
	}
	return folder + "/*"
}

// java starts a program of Java that ends with the test, at the latest. Its log is printed if the test fails.
func java(t testing.TB, name, path string, args ...string) *exec.Cmd {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), name))
	if err != nil {
		t.Fatal(err)
	}
	program := exec.Command("java", append([]string{"-Xmx1g", "-Djava.io.tmpdir=" + os.TempDir(), "-cp", path}, args...)...)
	program.Stdout, program.Stderr = log, log
	program.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		end(program)
		if text := string(contents(t, log.Name())); t.Failed() {
			t.Logf("%s ends with\n%s", name, text[max(0, len(text)-3000):])
		}
		_ = log.Close()
	})
	return program
}

// end ends a program, and the workers that it has started, at once.
func end(program *exec.Cmd) {
	_ = syscall.Kill(-program.Process.Pid, syscall.SIGKILL) // it may have ended
	_ = program.Wait()
}

// eventually waits until something is so.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for start := time.Now(); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Since(start) > 2*time.Minute {
			t.Fatalf("%s: not in two minutes", what)
		}
	}
}

// freePort returns a port that nobody listens to.
func freePort(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}

// jobServer starts a job server, with its class behind the flags of Java, and returns its address.
func jobServer(t testing.TB, path string, args ...string) string {
	t.Helper()
	port := freePort(t)
	java(t, "job server", path, append(args, "--job-host=127.0.0.1", "--job-port="+port, "--artifact-port=0", "--expansion-port=-1", "--artifacts-dir="+t.TempDir())...)
	eventually(t, "a job server", func() bool {
		_, err := jobsOn(t.Context(), "127.0.0.1:"+port)
		return err == nil
	})
	return "127.0.0.1:" + port
}

// A flink is a session of Flink: a JobManager and TaskManagers, each a process with one slot.
type flink struct {
	path, conf string // of the jars, and the folder of the configuration
	address    string // of the REST interface
}

// startFlink starts a session with two TaskManagers.
func startFlink(t testing.TB) (f *flink, workers [2]*exec.Cmd) {
	t.Helper()
	port := freePort(t)
	f = &flink{path: jars(t, "flink"), conf: t.TempDir(), address: "127.0.0.1:" + port}
	writeFile(t, f.conf+"/config.yaml", fmt.Appendf(nil, flinkConfig, freePort(t), port, t.TempDir()))
	java(t, "JobManager", f.path, "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint", "--configDir", f.conf)
	for i := range workers {
		workers[i] = f.startWorker(t)
	}
	eventually(t, "two TaskManagers", func() bool {
		var overview struct{ Taskmanagers int }
		return f.ask(t, "overview", &overview) && overview.Taskmanagers == len(workers)
	})
	return f, workers
}

// flinkConfig has the sizes that Flink's own scripts would work out. The session notices within seconds that a
// TaskManager has died, and says what a job does now, where else it repeats for three seconds what it said last.
const flinkConfig = `
jobmanager.rpc.address: 127.0.0.1
jobmanager.rpc.port: %s
rest.address: 127.0.0.1
rest.port: %s
io.tmp.dirs: %s
web.refresh-interval: 10
heartbeat.interval: 1000
restart-strategy.type: fixed-delay
restart-strategy.fixed-delay.attempts: 3
restart-strategy.fixed-delay.delay: 1s
taskmanager.host: 127.0.0.1
taskmanager.numberOfTaskSlots: 1
taskmanager.cpu.cores: 1
taskmanager.memory.framework.heap.size: 128m
taskmanager.memory.framework.off-heap.size: 128m
taskmanager.memory.task.heap.size: 768m
taskmanager.memory.task.off-heap.size: 0
taskmanager.memory.managed.size: 128m
taskmanager.memory.network.min: 64m
taskmanager.memory.network.max: 64m
taskmanager.memory.jvm-metaspace.size: 256m
taskmanager.memory.jvm-overhead.min: 192m
taskmanager.memory.jvm-overhead.max: 192m
`

// startWorker starts a TaskManager.
func (f *flink) startWorker(t testing.TB) *exec.Cmd {
	t.Helper()
	return java(t, "TaskManager", f.path, "org.apache.flink.runtime.taskexecutor.TaskManagerRunner", "--configDir", f.conf)
}

// ask asks the session, and reports whether it has answered.
func (f *flink) ask(t testing.TB, what string, answer any) bool {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+f.address+"/"+what, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	return json.NewDecoder(response.Body).Decode(answer) == nil
}

// A flinkJob is what a session says of a job. Times are in milliseconds, 0 of what has not happened.
type flinkJob struct {
	ID         string `json:"jid"`
	State      string
	Start      int64 `json:"start-time"`
	Duration   int64
	Timestamps struct{ Restarting int64 }
	Vertices   []struct{ Name, Status string }
}

// newest returns the job that has started last.
func (f *flink) newest(t testing.TB) (job flinkJob) {
	t.Helper()
	var all struct{ Jobs []flinkJob }
	if f.ask(t, "jobs/overview", &all) && len(all.Jobs) > 0 {
		last := slices.MaxFunc(all.Jobs, func(a, b flinkJob) int { return cmp.Compare(a.Start, b.Start) })
		f.ask(t, "jobs/"+last.ID, &job)
	}
	return job
}

// counts reports whether a job is counting shards.
func (j flinkJob) counts() bool {
	return j.State == "RUNNING" && slices.ContainsFunc(j.Vertices, func(v struct{ Name, Status string }) bool {
		return strings.Contains(v.Name, "count") && v.Status == "RUNNING"
	})
}

// A runner is the flags that send a job to a cluster.
type runner []string

// runner starts a job server for the session.
func (f *flink) runner(t testing.TB) runner {
	t.Helper()
	return runner{"--runner", "flink", "--parallelism", "2", "--endpoint", jobServer(t, f.path, "org.apache.beam.runners.flink.FlinkJobServerDriver", "--flink-master="+f.address)}
}

// processes returns the runner whose workers start processes.
func (r runner) processes() runner {
	return append(slices.Clone(r), "--environment_type", "PROCESS", "--environment_config", fmt.Sprintf(`{"command": %q}`, termsiftBeam))
}

// loopback returns the runner whose work this process does.
func (r runner) loopback() runner { return append(slices.Clone(r), "--environment_type", "LOOPBACK") }

// command returns the command of a job.
func (r runner) command(ctx context.Context, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, termsiftBeam, append(args, r...)...)
}

// run runs a job in the current folder, and returns its exit code and what it prints.
func (r runner) run(ctx context.Context, args ...string) (code int, text string) {
	job := r.command(ctx, args...)
	printed, _ := job.CombinedOutput() // whose error is the exit code
	return job.ProcessState.ExitCode(), string(printed)
}
