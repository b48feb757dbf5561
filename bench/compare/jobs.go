package main

import (
	"maps"
	"slices"
)

// ours is the name of this engine among the implementations.
const ours = "termsift"

// reference are the implementations besides ours that the process of the engine runs.
var reference = []string{"memory", "cat"}

// A job is what all implementations do.
type job struct {
	name  string
	peers map[string]peer
}

// A peer is how an implementation other than ours takes part in a job.
type peer struct {
	// suffix is added to the benchmark's name where a peer does only a part.
	suffix string
	// check compares our answer with the peer's and says how they agree.
	check func(ours, theirs answer) (string, error)
}

// jobs lists what is measured on documents; [cellJobs] has the others. The answers of C are in single precision, the
// numpy chi-square too, for both are fastest that way. mutual_info_classif is
// given the 2,000 most frequent terms: it takes minutes for all of them. The answer of
// an SVM is the objective of each class, which the loss that is not squared leaves
// farther from the optimum at the same eps; that of naive Bayes the largest joint
// logarithm of each of the first documents, that of the neighbours the sum of the ten
// cosines of each query, which is every fourth of the documents they are found among. TTest is t of all terms
// beside the F values that C makes of the same sums; its answer are F values, which are not timed.
//
// Shell is the CPU time of a process on one thread; memory is this engine with the texts in
// its memory. ShellWall is the time on the wall, ours on two threads. ShellFiles is the CPU time
// that we take for a file a document, less that for one file of all; cat reads the files.
var jobs = []job{
	{"Chi", map[string]peer{
		"sklearn": {check: anotherStatistic},
		"numpy":   {check: selectsAsWell(1e-4)},
		"c":       {check: selectsAsWell(1e-4)},
	}},
	{"IG", map[string]peer{
		"sklearn": {check: valuesAgree(1e-6), suffix: "/terms=2000"},
		"numpy":   {check: sumsAgree(1e-9)},
		"c":       {check: sumsAgree(1e-3)},
	}},
	{"Moments", map[string]peer{
		"sklearn": {check: valuesAgree(1e-6)},
		"numpy":   {check: valuesAgree(1e-6)},
		"c":       {check: valuesAgree(1e-2)},
	}},
	{"TTest", map[string]peer{
		"c": {check: valuesAgree(1e-2)},
	}},
	{"Count", map[string]peer{
		"sklearn": {check: countsAgree(1e-3)},
		"c":       {check: countsAgree(2e-2)}, // it takes every character beyond ASCII for a letter
	}},
	{"SVM", map[string]peer{
		"sklearn": {check: valuesAgree(1e-6)},
	}},
	{"SVMBias", map[string]peer{
		"sklearn": {check: valuesAgree(1e-6)},
	}},
	{"SVMHinge", map[string]peer{
		"sklearn": {check: valuesAgree(1e-4)},
	}},
	{"NaiveBayes", map[string]peer{
		"sklearn": {check: valuesAgree(1e-9)},
	}},
	{"KNN", map[string]peer{
		"sklearn": {check: valuesAgree(1e-6)},
	}},
	{"Pipeline", map[string]peer{
		"sklearn": {check: linesAgree},
	}},
	{"Shell", map[string]peer{
		"sklearn": {check: linesAgree},
		"memory":  {check: sameLines},
	}},
	{"ShellWall", map[string]peer{
		"sklearn": {check: linesAgree},
	}},
	{"ShellFiles", map[string]peer{
		"cat": {check: sameLines},
	}},
}

func jobNames() []string {
	var names []string
	for _, j := range slices.Concat(jobs, cellJobs) {
		names = append(names, j.name)
	}
	return names
}

// implementations lists those of a job, ours last.
func (j job) implementations() []string {
	return append(slices.Sorted(maps.Keys(j.peers)), ours)
}
