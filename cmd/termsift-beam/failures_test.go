package main

import (
	"errors"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/termsift/termsift/engine/usage"
)

// A shard that cannot be read fails the job, which says where, and leaves no output.
func TestFailingShards(t *testing.T) {
	t.Chdir(t.TempDir())
	oddShards(t)
	good := string(contents(t, "odd/a.jsonl"))
	packed := zipped(good)
	writeFile(t, "bad/json/1.jsonl", []byte(good))
	writeFile(t, "bad/json/2.jsonl", []byte(good+"{\"id\":\n"))
	writeFile(t, "bad/gzip/1.jsonl", []byte(good))
	writeFile(t, "bad/gzip/2.jsonl.gz", packed[:len(packed)/2])
	writeFile(t, "bad/real/1.svm", []byte("1 1:0.5 2:1\n"))
	writeFile(t, "bad/labels/1.jsonl", []byte(line("1", "one two")))
	writeFile(t, "bad/empty/1.jsonl", nil)
	writeFile(t, "bad/han/1.jsonl", []byte(line("1", "one two", "a")))
	writeFile(t, "bad/han/2.jsonl", []byte(line("2", "三个字 三个字", "a")))
	writeFile(t, "bad/none/1.jsonl", []byte(line("1", "one two", "a")+line("2", "one three", "b")))
	writeFile(t, "bad/folder/1/x", []byte("a text"))
	writeFile(t, "bad/twice/1.jsonl", []byte(line("1", "one two", "a")))
	writeFile(t, "bad/twice/2.jsonl", []byte(line("1", "one two", "a")))
	if err := errors.Join(os.Mkdir("bad/json/out.tsv", 0o755), os.Mkdir("bad/pipe", 0o755), syscall.Mkfifo("bad/pipe/1.jsonl", 0o666)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		glob, says string
		code       int
	}{
		{"bad/json/*.jsonl", "the job failed: bad/json/2.jsonl:101:6: malformed JSON", usage.ExitData},
		{"bad/gzip/*", "bad/gzip/2.jsonl.gz:", usage.ExitData},
		{"bad/gzip/*", "the input breaks off", usage.ExitData},
		{"bad/real/*", "bad/real/1.svm: values that are no whole numbers", usage.ExitData},
		{"bad/labels/*", "none of the 1 documents says its class", usage.ExitData},
		{"bad/empty/*", "none of the shards has a document", usage.ExitData},
		{"bad/han/*", "bad/han/1.jsonl and bad/han/2.jsonl do not fit together: the tokens of the first is \"words\"", usage.ExitData},
		{"bad/none/* --min-score 1000", "none of the 3 terms passes min-score 1000", usage.ExitNothing},
		{"bad/none/* --percentile 1 --classes bad/none/1.jsonl", "says its class", usage.ExitData},
		{"bad/folder/*", "bad/folder/1: ", usage.ExitIO},
		{"bad/twice/*", "bad/twice/1.jsonl and bad/twice/2.jsonl are statistics of the same 1 documents", usage.ExitData},
		{"bad/pipe/*", "bad/pipe/1.jsonl is no regular file", usage.ExitUsage},
		{"bad/none/* -k 1 --svmlight odd/a.jsonl/v", "odd/a.jsonl/v: not a directory", usage.ExitIO},
		{"nothing/*", "no file matches \"nothing/*\"", usage.ExitIO},
	} {
		args := strings.Fields(c.glob)
		flags := args[1:]
		if len(flags) == 0 {
			flags = []string{"-k", "10"}
		}
		code, text := tryBeam(t, slices.Concat([]string{"features", "-o", "out.tsv", "--inputs", args[0]}, flags)...)
		if code != c.code || !strings.Contains(text, c.says) || strings.Contains(text, errorMark) || strings.Count(text, "\n") != 1 {
			t.Errorf("%s: %d, %s", c.glob, code, text)
		}
	}
	if _, err := os.Stat("out.tsv"); err == nil {
		t.Error("a job that failed has written its output")
	}
	onBeam(t, "features", "-k", "10", "--allow-repeats", "--inputs", "bad/twice/*", "-o", "out.tsv")
	onBeam(t, "features", "-k", "10", "--skip-bad", "--allow-repeats", "--inputs", "bad/json/*.jsonl", "-o", "out.tsv")
}

// Wrong flags are found before the job, and exit with 2.
func TestWrongFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	oddShards(t)
	onOne(t, append([]string{"select", "-k", "20", "-o", "f.tsv"}, shards(t, "odd/*")...)...)
	for flags, says := range map[string]string{
		"":                                      "name a job: features, transform or stats",
		"features -o x":                         "name the files by --inputs",
		"features --inputs odd/* -k 10":         "name the output by -o",
		"features --inputs odd/* -o x":          "say how many terms to select",
		"features --inputs odd/* -o odd/x -k 1": "odd/x is to be written, and is one of the inputs \"odd/*\"",
		"features --inputs odd/* -o x -k 1 --svmlight odd/v":            "odd/v is to be written",
		"features --inputs [ -o x -k 1":                                 "--inputs \"[\": syntax error in pattern",
		"features --inputs odd/* -o x -k 0":                             "-k must be positive",
		"features --inputs odd/* -o x -k auto":                          "-k auto tries parts of the documents",
		"features --inputs odd/* -o x --per-document 1":                 "--per-document looks at the terms of each document",
		"features --inputs odd/* -o x -k 1 --by mrmr":                   "--by mrmr looks at the terms of each document",
		"features --inputs odd/* -o x -k 1 --by chj":                    "did you mean",
		"features --inputs odd/* -o x -k 1 --by ocfs --weight ltc":      "--weight ltc needs the frequencies of all documents",
		"features --inputs odd/* -o x -k 1 --factors tf-x":              "tf-x",
		"features --inputs odd/* -o x -k 1 --min-df 2":                  "--min-df needs the documents of all shards at once",
		"features --inputs odd/* -o x -k 1 --nothing":                   "unknown flag: --nothing",
		"features --inputs odd/* -o x -k 1 --parts -1":                  "--parts can be 1 to 65536, not -1",
		"features --inputs odd/* -o x -k 1 --phrases default":           "name the file",
		"features --inputs odd/* -o x -k 1 --threads -1":                "--threads must not be negative",
		"features --inputs odd/* -o x -k 1 --threads 1025":              "--threads can be 1024 at most",
		"features --inputs odd/* -o x -k 1 --max-line 0":                "--max-line must be positive",
		"features --inputs odd/* -o x -k 1 --classes both":              "--classes both needs all inputs",
		"features --inputs odd/* -o x -k 1 --classes-from i":            "--classes-from is of an index",
		"features --inputs odd/* -o x -k 1 --stop nothing":              "unknown stop list",
		"features --inputs odd/* -o x -k 1 --keep nothing":              "nothing",
		"features --inputs odd/* -o x -k 1 --log-level loud":            "unknown level",
		"features odd/a.jsonl":                                          "takes no argument, and \"odd/a.jsonl\" is one",
		"transform --inputs odd/* -o x":                                 "name the features file",
		"transform --inputs odd/* -o x --features f.tsv --to mtx":       "unknown output",
		"transform --inputs odd/* -o x --features f.tsv --weight tf-rf": "tf-rf",
		"transform --inputs odd/* -o x --features odd/a.jsonl":          "odd/a.jsonl",
	} {
		code, text := tryBeam(t, strings.Fields(flags)...)
		data := strings.Contains(flags, "nothing") && strings.Contains(flags, "--keep") || strings.HasPrefix(flags, "transform") && !strings.Contains(flags, "mtx") && strings.Contains(flags, "--features")
		if code != usage.ExitUsage && !data || code == 0 || !strings.Contains(text, says) {
			t.Errorf("%s: %d, %s", flags, code, text)
		}
	}
}

// On a worker the arguments are the runner's.
func TestIsWorker(t *testing.T) {
	if !isWorker([]string{"--worker=true", "--id=1"}) || !isWorker([]string{"-worker=true"}) || !isWorker([]string{"--id=1-1", "--provision_endpoint=localhost:1"}) || isWorker([]string{"features", "--inputs", "worker=tru"}) {
		t.Error("a worker is not told from a job")
	}
}
