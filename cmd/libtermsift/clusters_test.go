//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/bench/workload"
	"github.com/termsift/termsift/engine/reader"
)

// A cluster is an engine that spreads Python over processes, with its recipe.
type cluster struct {
	name        string // the heading of the recipe
	modules     string // of Python, that it needs
	environment []string
	heals       bool // a worker that dies is replaced
	warns       bool // of a broken shard, and goes on
}

var clusters = []cluster{
	{
		name: "Dask", modules: "dask distributed numpy scipy", heals: true,
		environment: []string{"DASK_LOGGING__DISTRIBUTED=error"},
	},
	{
		name: "Ray", modules: "ray numpy scipy", heals: true,
		environment: []string{"RAY_USAGE_STATS_ENABLED=0", "RAY_AUTH_MODE=disabled"},
	},
	{name: "datatrove", modules: "datatrove orjson numpy scipy", warns: true},
}

// The tests of termsift.spark pass, and the recipes of python.md give the features of one select, also of posts, and
// where a worker is killed; a broken shard is named.
func TestClusters(t *testing.T) {
	testkit.NeedAllCases(t)
	b := build(t)
	t.Run("Spark", func(t *testing.T) { testSpark(t, b) })
	for _, c := range clusters {
		t.Run(c.name, func(t *testing.T) {
			interpreter := c.interpreter(t)
			t.Run("generated", func(t *testing.T) {
				j := c.job(t, b, interpreter)
				j.generate(2000)
				if c.heals {
					j.dying()
				}
				j.check(j.shell(j.command))
				if c.heals && !exists(j.folder, "marks/second") {
					t.Error("no worker was killed")
				}
			})
			t.Run("newsgroups", func(t *testing.T) {
				j := c.job(t, b, interpreter)
				newsgroups(t, filepath.Join(j.folder, "shards"))
				j.check(j.shell(j.command))
			})
			t.Run("broken", func(t *testing.T) {
				j := c.job(t, b, interpreter)
				j.generate(1000)
				j.shell("head -c 100000 shards/5.jsonl >cut\nmv cut shards/5.jsonl")
				out, err := j.sh(j.command)
				if c.warns {
					out = j.shell(`grep -rh "Error when reading" logs`)
				}
				if failed := err != nil; failed == c.warns || !strings.Contains(out, "5.jsonl") || exists(j.folder, "all.stats") != c.warns {
					t.Errorf("%v\n%s", err, out)
				}
			})
		})
	}
}

// A recipe is run by the interpreter that has its modules, whatever else is called python.
func TestClustersRunTheInterpreterFound(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	for file, text := range map[string]string{
		filepath.Join(first, "python"): "echo first", filepath.Join(first, "python3"): "exit 1", filepath.Join(second, "python3"): "echo second",
	} {
		testkit.OK(os.WriteFile(file, []byte("#!/bin/sh\n"+text+"\n"), 0o755))
	}
	t.Setenv("PATH", strings.Join([]string{first, second, os.Getenv("PATH")}, string(os.PathListSeparator)))
	c := clusters[0]
	j := c.job(t, built{}, c.interpreter(t))
	testkit.Equal(t, j.shell("python x; python3 x"), "second\nsecond\n")
}

// termsift.spark counts 5 MB on a cluster of two processes, as the command does. TestClusters has its other tests.
func TestSpark(t *testing.T) { testSpark(t, build(t), "-k", "gate") }

// testSpark runs tests of termsift.spark, those that more arguments of pytest choose.
func testSpark(t *testing.T, b built, choice ...string) {
	interpreter := cluster{name: "Spark", modules: "pyspark pyarrow pandas pytest numpy scipy"}.interpreter(t)
	folder := testkit.Must(filepath.Abs("python"))
	tests := append([]string{"tests/test_spark.py"}, choice...)
	checkPackage(t, tests, interpreter, folder, folder, "PYTHONPATH="+folder, "TERMSIFT_LIBRARY="+b.shared, "TERMSIFT_COMMAND="+b.command)
}

// The recipe for Dask prints what the page says, and names a library that workers lack.
func TestRecipeForDask(t *testing.T) {
	c := clusters[0]
	j := c.job(t, build(t), c.interpreter(t))
	testkit.OK(os.Symlink(testkit.Corpus(t, "20news-bydate.tar.gz"), filepath.Join(j.folder, "20news-bydate.tar.gz")))
	j.shell(block(t, "README.md", "", "sh"))
	prints := block(t, "python.md", " print\n", "")
	testkit.Equal(t, j.shell(j.command), prints, "prints")
	j.environment = append(j.environment, "TERMSIFT_LIBRARY=/nowhere/libtermsift.so.1")
	if out, err := j.sh(j.command); err == nil || !strings.Contains(out, "ImportError") || !strings.Contains(out, "set TERMSIFT_LIBRARY") {
		t.Errorf("%v\n%s", err, out)
	}
}

// interpreter returns a python3 that has the modules, or skips or fails the test.
func (c cluster) interpreter(t *testing.T) string {
	t.Helper()
	interpreter := testkit.FindPython(t.Context(), strings.Fields(c.modules)...)
	_, err := exec.LookPath("java")
	if interpreter != "" && (c.name != "Spark" || err == nil) {
		return interpreter
	}
	missing := fmt.Sprintf("no python3 in PATH has %s, or there is no java", c.modules)
	for _, required := range []string{"TERMSIFT_REQUIRE_CLUSTERS", "TERMSIFT_REQUIRE_" + strings.ToUpper(c.name)} {
		if os.Getenv(required) == "1" {
			t.Fatalf("%s=1, and %s", required, missing)
		}
	}
	t.Skipf("SKIPPED: %s", missing)
	return ""
}

// generate writes eight shards of generated documents, so many each.
func (j *job) generate(documents int) {
	j.t.Helper()
	for i := range uint64(8) {
		p := workload.Params{Documents: documents, Tokens: 60, Classes: 20, Kernel: workload.OfText, Seed: i + 1}
		p.Terms = workload.Heaps(float64(p.Documents) * float64(p.Tokens))
		var lines bytes.Buffer
		err := workload.WriteLines(j.t.Context(), &lines, p, 1)
		if err == nil {
			err = os.MkdirAll(filepath.Join(j.folder, "shards"), 0o777)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(j.folder, fmt.Sprintf("shards/%d.jsonl", i+1)), lines.Bytes(), 0o666)
		}
		if err != nil {
			j.t.Fatal(err)
		}
	}
}

// A job is a recipe in a folder of its own.
type job struct {
	cluster
	t           *testing.T
	folder      string
	command     string // of a shell
	environment []string
}

// job writes the programs of the recipe to a folder.
func (c cluster) job(t *testing.T, b built, interpreter string) *job {
	t.Helper()
	folder := testkit.Must(os.MkdirTemp("", "job"))
	t.Cleanup(func() { _ = os.RemoveAll(folder) }) // which processes that end may still write to
	heading := "# " + c.name + "\n"
	command := block(t, "python.md", heading, "sh")
	program := regexp.MustCompile(`\w+\.py`).FindString(command)
	for name, behind := range map[string]string{program: heading, "shard.py": "`shard.py`:\n"} {
		text := block(t, "python.md", behind, "python")
		testkit.OK(os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	testkit.OK(os.MkdirAll(filepath.Join(folder, "shards"), 0o755))
	packages := testkit.Must(filepath.Abs("python"))
	only := filepath.Join(folder, "only") // beside the interpreter there may be another python, or none
	testkit.OK(os.Mkdir(only, 0o755))
	for _, name := range []string{"python", "python3"} {
		testkit.OK(os.WriteFile(filepath.Join(only, name), []byte("#!/bin/sh\nexec '"+interpreter+"' \"$@\"\n"), 0o755))
	}
	path := strings.Join([]string{only, filepath.Dir(b.command), os.Getenv("PATH")}, string(os.PathListSeparator))
	environment := append(os.Environ(), "PATH="+path, "TERMSIFT_LIBRARY="+b.shared, "PYTHONPATH="+packages, "PYTHONDONTWRITEBYTECODE=1", "HOME="+folder, "TMPDIR="+folder)
	return &job{c, t, folder, command, append(environment, c.environment...)}
}

// dying has the second worker that counts killed.
func (j *job) dying() {
	j.t.Helper()
	marks := filepath.Join(j.folder, "marks")
	if err := os.Mkdir(marks, 0o755); err != nil {
		j.t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		j.t.Fatal(err)
	}
	paths := filepath.Join(here, "testdata", "dying") + string(os.PathListSeparator) + filepath.Join(here, "python")
	j.environment = append(j.environment, "DYING="+marks, "PYTHONPATH="+paths)
}

// shell runs a script in the folder, and returns what it prints.
func (j *job) shell(script string) string {
	j.t.Helper()
	out, err := j.sh(script)
	if err != nil {
		j.t.Fatalf("%v\n%s", err, out)
	}
	return out
}

// clusterLimit ends a cluster that hangs.
const clusterLimit = 3 * time.Minute

// sh runs a script in the folder, and returns what it prints. All processes that the script started end with it.
func (j *job) sh(script string) (string, error) {
	ctx, cancel := context.WithTimeout(j.t.Context(), clusterLimit)
	defer cancel()
	c := exec.CommandContext(ctx, "sh", "-ec", script)
	c.Dir, c.Env, c.WaitDelay = j.folder, j.environment, 10*time.Second
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	out, err := c.CombinedOutput()
	if c.Process != nil {
		_ = c.Cancel() // of those that are left, if any
	}
	return string(out), err
}

// check compares the features with those of one select.
func (j *job) check(out string) {
	j.t.Helper()
	j.shell("termsift select --by chi -k 1000 --tokens words shards/*.jsonl -o one.tsv")
	got, want := readFile(j.t, j.folder, "features.tsv"), readFile(j.t, j.folder, "one.tsv")
	if !bytes.Equal(got, want) || bytes.Count(want, []byte("\n")) < 1000 {
		j.t.Errorf("the features are not those of one select\n%s", out)
	}
}

// newsgroups writes a fourth of the posts of 20 Newsgroups to shards.
func newsgroups(t *testing.T, folder string) {
	t.Helper()
	source := testkit.Must(reader.Read(t.Context(), []string{testkit.Corpus(t, "20news-bydate.tar.gz")}, reader.Options{Split: "train"}))
	var shards [8]bytes.Buffer
	n := 0
	for d := range testkit.All(source.Documents()) {
		if n++; n%4 != 0 {
			continue
		}
		line := testkit.Must(json.Marshal(map[string]any{"id": d.ID, "labels": d.Labels, "text": string(d.Text)}))
		shards[n/4%8].Write(append(line, '\n'))
	}
	for i := range shards {
		testkit.OK(os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.jsonl", i)), shards[i].Bytes(), 0o644))
	}
}

// block returns the first block of code in a language that stands behind some text of a page of recipes.
func block(t *testing.T, page, behind, language string) string {
	t.Helper()
	_, text, _ := strings.Cut(string(readFile(t, "../termsift/recipes", page)), behind)
	found := regexp.MustCompile("(?ms)^```" + language + "\n(.*?)^```$").FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("%s has no block of %q behind %q", page, language, behind)
	}
	return found[1]
}

func exists(folder, name string) bool {
	_, err := os.Stat(filepath.Join(folder, name))
	return err == nil
}

func readFile(t *testing.T, folder, name string) []byte {
	return testkit.Must(os.ReadFile(filepath.Join(folder, name)))
}
