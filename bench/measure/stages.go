package main

import "context"

// A stage is one run of go test -bench, or one for each path, if it does not run itself.
type stage struct {
	name  string // of the raw file, without .txt
	about string
	pkg   string
	bench string // as for go test
	sets  string // for TERMSIFT_SETS
	time  string // as for go test -benchtime
	procs int    // 0 = 1, all = those of the machine
	least int    // processors that the machine must have
	paths bool   // once for each path of the kernels, else by the best one
	// repeat is the number of measurements in one process, where making the sets
	// takes longer than measuring; 0 = 1.
	repeat int
	run    func(s *session, ctx context.Context) string // measures another way, and gives the raw file behind its header
}

// all is the number of a stage's processors where it takes those that there are.
const all = -1

// fast chooses the engine's own paths, without what it is compared with.
const fast = "/impl=(generic|avx|neon)"

var stageList = []stage{
	{name: "bandwidth", about: "how fast this machine reads memory", pkg: "./bench/stages", bench: "Read", time: "200ms", procs: 2},
	{name: "text", about: "text to tokens and counts", pkg: "./engine/analysis", bench: "Scan|Count", time: "400ms", paths: true},
	{name: "ngrams", about: "text to counts of n-grams", pkg: "./engine/analysis", bench: "NGrams", time: "1x"},
	{name: "readers", about: "files to documents", pkg: "./engine/reader", bench: ".", time: "150ms", procs: 2},
	{name: "svmlight", about: "rows to svmlight text", pkg: "./engine/vectors", bench: "SVMLight", time: "150ms"},
	{name: "generate", about: "making corpora", pkg: "./bench/workload", bench: "Generate/set=20ng", time: "100ms"},
	{name: "memory", about: "the most memory that indexing takes", pkg: "./bench", bench: "Memory", time: "1x"},
	{name: "pipeline", about: "text to the reduced data", pkg: "./engine/rank", bench: "Pipeline", time: "300ms", paths: true},
	{
		name: "build", about: "text to index, on one and two threads", pkg: "./bench",
		bench: "Threads///what=build", sets: "20ng", time: "300ms", procs: 2, paths: true,
	},
	{
		name: "small", about: "counts, every measure and the top 10,000 on sets of a few million postings", pkg: "./bench",
		bench: "(Counts|Scores|Top|Choose|FromCells)" + fast, sets: "20ng,S", time: "15ms", paths: true,
	},
	{
		name: "naive", about: "the same, and an index, by plain code", pkg: "./bench",
		bench: "(Counts|Scores|Construct)/impl=naive|Construct//threads=1", sets: "20ng,S", time: "10ms", repeat: 2,
	},
	{
		name: "large", about: "counts and scores on sets of ten and a hundred million postings", pkg: "./bench",
		bench: "Counts" + fast + "|Scores" + fast + "/measure=(chi|ig|all-A|all)$", sets: "M,L", time: "200ms", paths: true, repeat: 2,
	},
	{
		name: "classes", about: "a hundred thousand classes, and several labels", pkg: "./bench",
		bench: "Counts" + fast + "|(Scores|FromCells)" + fast + "/measure=chi$", sets: "X,Classes", time: "200ms", paths: true, repeat: 3,
	},
	{
		name: "threads", about: "one and two threads", pkg: "./bench",
		bench: "Threads", sets: "L", time: "200ms", procs: 2, repeat: 2,
	},
	{
		name: "cores", about: "1, 2, 4 and so on up to all threads, on a machine of four processors or more", pkg: "./bench",
		bench: "Threads|Construct/impl=engine", sets: "20ng,L", time: "200ms", procs: all, least: 4, repeat: 3,
	},
	{name: "growth", about: "ten times the documents", pkg: "./bench", bench: "Growth", sets: "L", time: "200ms", repeat: 3},
	{
		name: "construct", about: "tokenised documents to index, on one and two threads", pkg: "./bench",
		bench: "Construct", sets: "L", time: "200ms", procs: 2, repeat: 3,
	},
	{
		name: "algorithms", about: "the papers' algorithms, greedy selection, permutations, samples, subsets", pkg: "./bench",
		bench: "Forward|BestTerms|Redundancy|Permutations|Stability|Projection|Select|PerDocument|Compare|Subset|Oppose", sets: "20ng", time: "100ms",
	},
	{
		name: "classify", about: "training and applying classifiers", pkg: "./bench",
		bench: "SVM|KNN|NaiveBayes|Centroid|Thresholds|Evaluat", sets: "20ng,R90", time: "100ms", procs: 2,
	},
	{
		name: "file", about: "opening and merging", pkg: "./bench",
		bench: "Open|Merge", sets: "20ng,M,L", time: "200ms", repeat: 3,
	},
	{
		name: "processes", about: "the command on 1, 2, 4 and so on up to all threads, and scikit-learn in as many processes",
		run: (*session).processes,
	},
	{name: "peers", about: "scikit-learn, numpy and C on the same data", sets: "20ng", run: (*session).peers},
}
