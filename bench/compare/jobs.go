package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/rank"
)

// ours is the name of this engine among the implementations; opened is this engine again, from an
// opened index.
const (
	ours   = "termsift"
	opened = "opened"
)

// A check compares our answer with a peer's and says how they agree.
type check func(ours, theirs answer) (string, error)

// A work is our side of a job: it leaves behind how to make an answer, and returns what it took.
type work func(ctx context.Context, s *side) time.Duration

// A job is what all implementations do: we, we from an opened index if that is another job, and others
// with the checks of their answers.
type job struct {
	name   string
	every  int // it begins with the text of one in so many documents, and its rate is told; 0 of none
	ours   work
	opened work
	peers  map[string]check
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
// Pairs counts words and pairs of words, Chars pieces of 3 to 5 characters within words in every fourth
// document, HashedWords and HashedPairs columns of hashes, 2^20 of them.
//
// Shell is the CPU time of a process on one thread, ShellPairs the same of words and pairs, ShellWall the
// time on the wall, ours on two threads.
var jobs = []job{
	{"Chi", 0, timed((*side).matrixBest), timed((*side).chi), map[string]check{"sklearn": anotherStatistic, "numpy": selectsAsWell(1e-4), "c": selectsAsWell(1e-4), opened: selectsAsWell(0)}},
	{"IG", 0, ofMatrix(rank.IG), ofIndex(rank.IG), map[string]check{"numpy": sumsAgree(1e-9), "c": sumsAgree(1e-3), opened: allAgree(0)}},
	{"IGSome", 0, timed((*side).someGains), nil, map[string]check{"sklearn": valuesAgree(1e-6)}},
	{"Moments", 0, ofMatrix(rank.ANOVA), ofIndex(rank.ANOVA), map[string]check{"sklearn": valuesAgree(1e-6), "numpy": valuesAgree(1e-6), "c": valuesAgree(1e-2), opened: allAgree(0)}},
	{"Count", 1, timed((*side).countWords), nil, map[string]check{"sklearn": countsAgree(1e-3), "c": countsByBytes}},
	{"Pairs", 1, counting(analysis.Options{NGrams: "1-2"}, 1), nil, map[string]check{"sklearn": countsAgree(0)}},
	{"Chars", everyChars, counting(analysis.Options{Tokens: "char_wb", NGrams: "3-5"}, everyChars), nil, map[string]check{"sklearn": countsAgree(0)}},
	{"HashedWords", 1, counting(analysis.Options{HashBits: 20}, 1), nil, map[string]check{"sklearn": countsAgree(0)}},
	{"HashedPairs", 1, counting(analysis.Options{HashBits: 20, NGrams: "1-2"}, 1), nil, map[string]check{"sklearn": countsAgree(0)}},
	{"SVM", 0, machine(classify.SVMOptions{Loss: classify.L2Loss}), nil, map[string]check{"sklearn": valuesAgree(1e-6)}},
	{"SVMBias", 0, machine(classify.SVMOptions{Loss: classify.L2Loss, Bias: 1}), nil, map[string]check{"sklearn": valuesAgree(1e-6)}},
	{"SVMHinge", 0, machine(classify.SVMOptions{Loss: classify.L1Loss}), nil, map[string]check{"sklearn": valuesAgree(1e-4)}},
	{"NaiveBayes", 0, timed((*side).naiveBayes), nil, map[string]check{"sklearn": valuesAgree(1e-9)}},
	{"KNN", 0, timed((*side).neighbours), nil, map[string]check{"sklearn": allAgree(1e-5)}},
	{"Pipeline", 1, timed((*side).pipeline), nil, map[string]check{"sklearn": linesAgree}},
	{"Shell", 1, shell, nil, map[string]check{"sklearn": linesAgree}},
	{"ShellPairs", 1, shellPairs, nil, map[string]check{"sklearn": linesAgree}},
	{"ShellWall", 0, shellWall, nil, map[string]check{"sklearn": linesAgree}},
}

// timed returns a work that takes CPU time of this process.
func timed(do func(s *side, ctx context.Context)) work {
	return func(ctx context.Context, s *side) time.Duration {
		before := lab.CPU()
		do(s, ctx)
		return lab.CPU() - before
	}
}

// ofMatrix values all columns of the matrix.
func ofMatrix(m rank.Measure) work {
	return timed(func(s *side, ctx context.Context) { s.matrixValues(ctx, s.sparse, m) })
}

// ofIndex values all terms from the cells of the opened index.
func ofIndex(m rank.Measure) work {
	return timed(func(s *side, ctx context.Context) { s.rankAll(ctx, s.corpus, m) })
}

// ofCells values all terms of the statistics.
func ofCells(m rank.Measure) work {
	return timed(func(s *side, ctx context.Context) { s.rankAll(ctx, s.statistics, m) })
}

// machine trains an SVM; the options of the peers are in peers.py.
func machine(o classify.SVMOptions) work {
	return timed(func(s *side, ctx context.Context) { s.svm(ctx, o) })
}

// bytes is the size of the text that a job begins with.
func (j job) bytes(lengths []int) (n int) {
	for i := 0; j.every > 0 && i < len(lengths); i += j.every {
		n += lengths[i]
	}
	return n
}

// find returns what we do for a job, nil if there is none of that name.
func find(name, impl string) work {
	for _, j := range slices.Concat(jobs, cellJobs) {
		if j.name == name && impl == opened {
			return j.opened
		} else if j.name == name {
			return j.ours
		}
	}
	return nil
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
