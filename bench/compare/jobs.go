package main

import (
	"slices"
	"strings"
)

// ours is the name of this engine among the implementations; opened is this engine again, from an
// opened index.
const (
	ours   = "termsift"
	opened = "opened"
)

// A check compares our answer with a peer's and says how they agree.
type check func(ours, theirs answer) (string, error)

// A job is what all implementations do, with the checks of those other than ours.
type job struct {
	name  string
	peers map[string]check
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
// Shell is the CPU time of a process on one thread, ShellWall the time on the wall, ours on two
// threads.
var jobs = []job{
	{"Chi", map[string]check{"sklearn": anotherStatistic, "numpy": selectsAsWell(1e-4), "c": selectsAsWell(1e-4), opened: selectsAsWell(0)}},
	{"IG", map[string]check{"numpy": sumsAgree(1e-9), "c": sumsAgree(1e-3), opened: allAgree(0)}},
	{"IGSome", map[string]check{"sklearn": valuesAgree(1e-6)}},
	{"Moments", map[string]check{"sklearn": valuesAgree(1e-6), "numpy": valuesAgree(1e-6), "c": valuesAgree(1e-2), opened: allAgree(0)}},
	{"Count", map[string]check{"sklearn": countsAgree(1e-3), "c": countsByBytes}},
	{"SVM", map[string]check{"sklearn": valuesAgree(1e-6)}},
	{"SVMBias", map[string]check{"sklearn": valuesAgree(1e-6)}},
	{"SVMHinge", map[string]check{"sklearn": valuesAgree(1e-4)}},
	{"NaiveBayes", map[string]check{"sklearn": valuesAgree(1e-9)}},
	{"KNN", map[string]check{"sklearn": allAgree(1e-5)}},
	{"Pipeline", map[string]check{"sklearn": linesAgree}},
	{"Shell", map[string]check{"sklearn": linesAgree}},
	{"ShellWall", map[string]check{"sklearn": linesAgree}},
}

func jobNames() []string {
	var names []string
	for _, j := range slices.Concat(jobs, cellJobs) {
		names = append(names, j.name)
	}
	return names
}

// check is that of an implementation, whichever Python runs it; nil if it takes no part.
func (j job) check(impl string) check { return j.peers[strings.TrimSuffix(impl, ofSystem)] }
