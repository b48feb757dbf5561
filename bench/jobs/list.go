package main

import (
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strings"
)

// A job is what a user runs, and how its answer is checked. In its words {20ng.jsonl} is an input (see inputs.go),
// {20ng.idx} the index that the side's command makes of it, and {out.tsv} a file that the job writes.
type job struct {
	name   string
	limit  float64        // what head may take, of base
	args   string         // of the command
	python string         // else the words of jobs.py
	then   string         // words of the command whose answer tells whether the job's is right, unless the job itself does
	want   string         // regular expression of what it must say
	lines  map[string]int // of the files that it writes
}

const usual = 1.15

var jobs = []job{
	{
		name: "lines to features and svmlight", limit: usual,
		args:  "select {20ng.jsonl} --by chi -k 10000 --threads 1 -o {out.tsv} --svmlight {out.svm}",
		want:  "selected 10000 of 130107 terms",
		lines: map[string]int{"out.svm": 11_314},
	},
	{
		name: "archive to an index", limit: usual,
		args: "index {archive} --split train --charset latin-1 --threads 1 -o {out.idx}",
		want: "11314 documents, .* 130107 terms, 20 classes",
	},
	{
		name: "words and pairs", limit: usual,
		args:  "select {20ng.jsonl} --ngrams 1-2 --by chi -k 10000 --threads 1 -o {out.tsv} --svmlight {out.svm}",
		want:  "selected 10000 of 1181803 terms",
		lines: map[string]int{"out.svm": 11_314},
	},
	{
		name: "char_wb 3-5", limit: usual,
		args: "index {20ng.jsonl} --stats-only --tokens char_wb --ngrams 3-5 --threads 1 -o {out.stats}",
		want: "11314 documents, .* 20 classes",
	},
	{
		name: "hash bits 20", limit: usual,
		args: "index {20ng.jsonl} --stats-only --hash-bits 20 --threads 1 -o {out.stats}",
		want: "11314 documents, .* 20 classes",
	},
	{
		name: "a gigabyte to features and svmlight", limit: usual,
		args:  "select {L.jsonl} --by chi -k 10000 --threads 2 -o {out.tsv} --svmlight {out.svm}",
		want:  "selected 10000 of 500000 terms",
		lines: map[string]int{"out.svm": 1_000_000},
	},
	{
		name: "a gigabyte on 16 threads", limit: usual,
		args:  "select {L.jsonl} --by chi -k 10000 --threads 16 -o {out.tsv} --svmlight {out.svm}",
		want:  "selected 10000 of 500000 terms",
		lines: map[string]int{"out.svm": 1_000_000},
	},
	{name: "CountVectorizer", limit: usual, python: "count {20ng.jsonl}", want: "cpu-ns"},
	{name: "TfidfVectorizer", limit: usual, python: "tfidf {20ng.jsonl}", want: "cpu-ns"},
	{name: "score chi of 20ng", limit: 1.5, python: "score chi {20ng.jsonl}", want: "cpu-ns"},
	{name: "score F of 20ng", limit: 1.5, python: "score anova {20ng.jsonl}", want: "cpu-ns"},
	{name: "score ig of 20ng", limit: 1.5, python: "score ig {20ng.jsonl}", want: "cpu-ns"},
	{name: "score chi of 36 million elements", limit: usual, python: "score chi {out.36M}", want: "cpu-ns"},
	{name: "score F of 36 million elements", limit: usual, python: "score anova {out.36M}", want: "cpu-ns"},
	{name: "score ig of 36 million elements", limit: usual, python: "score ig {out.36M}", want: "cpu-ns"},
	{name: "all measures of M", limit: 1.8, args: "score {M.idx} --by all --top 3 --threads 1", want: "logoddsz, max"},
	{
		name: "opening L and its first ranking", limit: 1.6,
		args:  "score {L.idx} --by chi --top 10000 --threads 1 -o {out.list.tsv}",
		lines: map[string]int{"out.list.tsv": 10_001},
	},
	{
		name: "merging two L", limit: 1.3,
		args: "merge {L.idx} {L2.idx} -o {out.idx} --threads 1 --force",
		then: "info {out.idx}",
		want: "documents +2000000",
	},
	{name: "keyness of two halves", limit: usual, args: "keyness {half-a.idx} {half-b.idx} --top 10", want: "windows"},
	{name: "keyness with 100 permutations", limit: usual, args: "keyness {half-a.idx} {half-b.idx} --top 10 --permutations 100 --seed 1 --threads 1", want: "windows"},
	{name: "collocations", limit: usual, args: "collocations {20ng.jsonl} --top 10 --threads 1", want: "(?m)^ +10 "},
	{name: "page", limit: usual, args: "explore {20ng.jsonl} --threads 1 -o {out.html} --force", want: "terms"},
	{name: "Best Terms by ig", limit: usual, args: "select {20ng.idx} --by best-terms --function ig -p 0.25 --threads 1 -o {out.tsv}", want: "of 130107 terms"},
	{name: "mrmr of 500", limit: usual, args: "select {20ng.idx} --by mrmr -k 500 --threads 1 -o {out.tsv}", want: "selected 500 of 130107 terms"},
	{name: "evaluate svm", limit: usual, args: "evaluate {20ng.idx} --test {test.idx} --by chi -k 10000 --classifier svm --threads 1 --format tsv", want: `\t0\.83\d+\t`},
	{name: "evaluate knn", limit: 3, args: "evaluate {20ng.idx} --test {test.idx} --by chi -k 10000 --classifier knn --threads 1 --format tsv", want: `\t0\.77\d+\t`},
	{name: "evaluate nb", limit: 3, args: "evaluate {20ng.idx} --test {test.idx} --by chi -k 10000 --classifier nb --threads 1 --format tsv", want: `\t0\.77\d+\t`},
}

// benchmark is the name of a job in the lines of benchmarks.
func (j job) benchmark() string { return "Job/" + strings.ReplaceAll(j.name, " ", "-") }

// chosenJobs returns the jobs whose names match and that can run here. It says which cannot.
func chosenJobs(pattern *regexp.Regexp, stderr io.Writer) (chosen []job) {
	python := hasPython()
	for _, j := range jobs {
		switch {
		case !pattern.MatchString(j.name):
		case j.python != "" && !python:
			fmt.Fprintf(stderr, "skipped: %s: no python3 with numpy, scipy and scikit-learn\n", j.name)
		case strings.Contains(j.args, "--threads 16") && runtime.NumCPU() < 16:
			fmt.Fprintf(stderr, "skipped: %s: this machine has %d processors\n", j.name, runtime.NumCPU())
		default:
			chosen = append(chosen, j)
		}
	}
	return chosen
}
