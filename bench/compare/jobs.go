package main

import (
	"slices"
	"strings"
)

// ours is the name of this engine among the implementations.
const ours = "termsift"

// reference are the implementations besides ours that the process of the engine runs.
var reference = []string{"opened", "memory", "cat"}

// A job is what all implementations do.
type job struct {
	name  string
	peers map[string]peer
}

// A peer is how an implementation other than ours takes part in a job.
type peer struct {
	// check compares our answer with the peer's and says how they agree.
	check func(ours, theirs answer) (string, error)
}

// ofSystem ends the names of implementations that the operating system's Python runs; those of the
// newest versions have none.
const ofSystem = "-system"

// jobs lists what is measured on documents; [cellJobs] has the others. Chi, IG, IGSome and Moments
// begin with the same sparse matrix of counts on all sides: Chi ends with the 10,000 best terms, the
// others with the values of all. opened is this engine again, from the cells of an index that is
// open and hot, which is another job. The answers of C are in single precision, the
// numpy chi-square too, for both are fastest that way. IGSome is of the 2,000 most frequent terms:
// mutual_info_classif takes minutes for all of them. The answer of
// an SVM is the objective of each class, which the loss that is not squared leaves
// farther from the optimum at the same eps; that of naive Bayes the largest joint
// logarithm of each of the first documents, that of the neighbours the class and the sum of the ten
// cosines of each query, which is every fourth of the documents they are found among.
//
// Shell is the CPU time of a process on one thread; memory is this engine with the texts in
// its memory. ShellWall is the time on the wall, ours on two threads. ShellFiles is the CPU time
// that we take for a file a document, less that for one file of all; cat reads the files.
var jobs = []job{
	{"Chi", map[string]peer{
		"sklearn": {check: anotherStatistic},
		"numpy":   {check: selectsAsWell(1e-4)},
		"c":       {check: selectsAsWell(1e-4)},
		"opened":  {check: selectsAsWell(0)},
	}},
	{"IG", map[string]peer{
		"numpy":  {check: sumsAgree(1e-9)},
		"c":      {check: sumsAgree(1e-3)},
		"opened": {check: allAgree(0)},
	}},
	{"IGSome", map[string]peer{
		"sklearn": {check: valuesAgree(1e-6)},
	}},
	{"Moments", map[string]peer{
		"sklearn": {check: valuesAgree(1e-6)},
		"numpy":   {check: valuesAgree(1e-6)},
		"c":       {check: valuesAgree(1e-2)},
		"opened":  {check: allAgree(0)},
	}},
	{"Count", map[string]peer{
		"sklearn": {check: countsAgree(1e-3)},
		"c":       {check: countsByBytes},
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
		"sklearn": {check: samePredictions(1e-5)},
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

// peer returns how an implementation takes part, whichever Python runs it.
func (j job) peer(impl string) (peer, bool) {
	p, ok := j.peers[strings.TrimSuffix(impl, ofSystem)]
	return p, ok
}
