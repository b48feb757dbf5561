package main

const (
	ours          = "termsift"
	peersFile     = "peers.txt"
	peersTextFile = "peers-text.txt"
	coresFile     = "cores.txt"
	processesFile = "processes.txt"
)

// jobs are the rows of "How fast on my data?".
var jobs = []figure{
	{name: "JSON lines to documents, two threads", of: "readers.txt ^JSONL/job=text/impl=scanner/", unit: "MB/s", as: "MB/s", why: "finding quotes and backslashes"},
	{name: "the same of SGML in a .tar.gz, two threads", of: "readers.txt ^Reuters/impl=archive/", unit: "MB/s", as: "MB/s", why: "decompression, one thread for each archive"},
	{name: "English text to counts of words", of: "text.txt ^Count/impl=avx512/tokens=words/stop=none/stem=none/headers=keep/warm=false/", unit: "MB/s", as: "MB/s", why: "one look-up in the dictionary for each token"},
	{name: "with a stop list and a stemmer", of: "text.txt ^Count/impl=avx512/tokens=words/stop=smart/stem=porter2/", unit: "MB/s", as: "MB/s", why: "stems of new words"},
	{name: "Chinese text to bigrams", of: "text.txt ^Scan/impl=avx512/tokens=zh-bigrams/", unit: "MB/s", as: "MB/s", why: "one look-up every three bytes"},
	{name: "words and pairs of words", of: "ngrams.txt ^NGrams/.*ngrams=1-2/(bits=0/)?set=", unit: "MB/s", as: "MB/s", why: "look-ups in tables larger than the caches"},
	{name: "English text to an index", of: "build.txt ^Threads/impl=avx512/threads=1/what=build/", unit: "MB/s", as: "MB/s", why: "counting, then one transposition"},
	{name: "counted documents to an index, L", of: "construct.txt ^Construct/impl=engine/threads=1/set=L$", unit: "ns/posting", as: "ns a posting", why: "writes to many places in memory"},
	{name: "the most memory of `index`, 20ng", of: "memory.txt ^Memory/what=index/threads=1/set=20ng", unit: "x-text", as: "times the text", why: "postings and dictionary; `--max-memory` bounds it"},
	{name: "the index file, L", of: "file.txt ^Open/impl=mapped/what=open/set=L$", unit: "B/posting", as: "bytes a posting", why: "document numbers of rare terms"},
	{name: "opening it", of: "file.txt ^Open/impl=mapped/what=open/set=L$", unit: "ms/op", as: "ms", why: "checksums of what says where everything is, and labels"},
	{name: "opening it, and the best 10,000 by chi-square", of: "file.txt ^Open/impl=mapped/what=chi/set=L$", unit: "ms/op", as: "ms", why: "reading and checking the counts"},
	{name: "Best Terms of 20 classes, 20ng", of: "algorithms.txt ^BestTerms/impl=engine/function=chi/p=0.25/set=20ng$", unit: "ms/op", as: "ms", why: "counting the documents of each class's terms"},
	{name: "1,000 terms by mrmr, 20ng", of: "algorithms.txt ^Redundancy/impl=engine/by=mrmr/k=1000/set=20ng$", unit: "ms/op", as: "ms", why: "pairs of terms that no bound rules out"},
	{name: "a linear SVM for each of 20 classes, 20ng", of: "peers.txt ^CompareSVM/impl=termsift/", unit: "ms/op", as: "ms", why: "fetching rows from memory"},
}

// columns are the implementations of bench/compare on the page.
var columns = []struct{ impl, name string }{
	{"sklearn", "scikit-learn"},
	{"sklearn-system", "scikit-learn"},
	{"numpy", "numpy"},
	{"c", "C"},
	{ours, ours},
}

// comparisons are the rows of "Against what I use now".
var comparisons = []peerJob{
	{"Pipeline", "sklearn sklearn-system", "texts to the 10,000 best terms by chi-square and the documents as svmlight"},
	{"Shell", "sklearn sklearn-system", "the same as a process, from JSON lines in a file"},
	{"Count", "sklearn sklearn-system c", "texts to counts of words"},
	{"Chi", "sklearn sklearn-system numpy c", "matrix to the 10,000 best terms by chi-square"},
	{"IG", "numpy c", "matrix to information gain of all terms"},
	{"IGSome", "sklearn sklearn-system", "matrix to information gain of 2,000 terms"},
	{"Moments", "sklearn sklearn-system numpy c", "matrix to F of all terms"},
	{"NaiveBayes", "sklearn sklearn-system", "rows to naive Bayes"},
	{"KNN", "sklearn sklearn-system", "rows to the classes of 2,829 texts by ten neighbours"},
	{"SVM", "sklearn sklearn-system", "rows to a linear SVM, squared hinge loss"},
	{"SVMBias", "sklearn sklearn-system", "the same with a bias"},
	{"SVMHinge", "sklearn sklearn-system", "the same with hinge loss"},
}

// cellMachines are where both sides began with the counts of an opened index.
var cellMachines = []struct{ file, name string }{
	{peersFile, "EPYC (Zen 5), AVX-512"},
	{"peers-avx2.txt", "EPYC (Zen 3), AVX2"},
	{"peers-avx512.txt", "Xeon, AVX-512"},
}

// coreJobs were measured on 16 processors; N is the number of threads.
var coreJobs = []struct{ name, pattern string }{
	{"texts to an index, 20ng", "^Threads/impl=avx512/threads=N/what=build/"},
	{"counted documents to an index, L", "^Construct/impl=engine/threads=N/set=L$"},
	{"postings to counts, L", "^Threads/impl=avx512/threads=N/what=cells/"},
	{"chi-square of all terms, L", "^Threads/impl=avx512/threads=N/what=chi/"},
	{"29 measures of all terms, L", "^Threads/impl=avx512/threads=N/what=all/"},
}

var threadCounts = []int{1, 2, 4, 8, 16}

// machineFiles are the raw files of the page, by the machine, the commit and the day.
var machineFiles = []string{
	"peers",
	"peers-text",
	"peers-avx2, file, construct",
	"peers-avx512",
	"python",
	"readers, text, ngrams, memory, algorithms, large, growth",
	"build",
	"cores",
}

// targets are the jobs that a user runs, with what was required and wanted of them.
var targets = []figure{
	{name: "words: time / C", of: "peers-text.txt ^CompareCount/impl=c/", over: "peers-text.txt ^CompareCount/impl=termsift/", unit: "ms/op", required: 1.1, wanted: 0.9, less: true, why: "memory that is new, and what each new word takes"},
	{name: "words and pairs of words, MB/s", of: "ngrams.txt ^NGrams/.*ngrams=1-2/(bits=0/)?set=", unit: "MB/s", required: 150, wanted: 200, why: "a look-up in tables larger than the caches for each pair"},
	{name: "shell: a process, CPU / scikit-learn", of: "peers.txt ^CompareShell/impl=termsift/", over: "peers.txt ^CompareShell/impl=sklearn-system/", unit: "ms/op", required: 11, wanted: 18, why: "counting words, and memory that is new to the process"},
	{name: "shell: two threads, elapsed / scikit-learn 1.2.1", of: "peers-avx2.txt ^CompareShellWall/impl=termsift/", over: "peers-avx2.txt ^CompareShellWall/impl=sklearn/", unit: "ms/op", required: 15, wanted: 25, why: "steps of one thread: joining dictionaries, choosing, writing"},
	{name: "pipeline / scikit-learn", of: "peers.txt ^ComparePipeline/impl=termsift/", over: "peers.txt ^ComparePipeline/impl=sklearn-system/", unit: "ms/op", required: 15, wanted: 25, why: "counting words takes two fifths"},
	{name: "matrix: chi-square / scikit-learn", of: "peers.txt ^CompareChi/impl=termsift/", over: "peers.txt ^CompareChi/impl=sklearn-system/", unit: "ms/op", required: 12, wanted: 20, why: "one pass over the elements"},
	{name: "matrix: F / scikit-learn", of: "peers.txt ^CompareMoments/impl=termsift/", over: "peers.txt ^CompareMoments/impl=sklearn-system/", unit: "ms/op", required: 12, wanted: 20, why: "F needs sums and squares: a table of all counts is made first"},
	{name: "matrix: information gain / scikit-learn", of: "peers.txt ^CompareIGSome/impl=termsift/", over: "peers.txt ^CompareIGSome/impl=sklearn-system/", unit: "ms/op", required: 40, wanted: 100},
	{name: "matrix: chi-square, time / C", of: "peers.txt ^CompareChi/impl=c/", over: "peers.txt ^CompareChi/impl=termsift/", unit: "ms/op", required: 2, wanted: 1, less: true, why: "C computes in single precision"},
	{name: "matrix: F, time / C", of: "peers.txt ^CompareMoments/impl=c/", over: "peers.txt ^CompareMoments/impl=termsift/", unit: "ms/op", required: 2, wanted: 1, less: true, why: "the table of counts, see F above"},
	{name: "matrix: information gain, time / C", of: "peers.txt ^CompareIG/impl=c/", over: "peers.txt ^CompareIG/impl=termsift/", unit: "ms/op", required: 2, wanted: 1, less: true, why: "C computes in single precision"},
	{name: "opened: the 10,000 best from an opened index / SelectKBest(chi2) from a matrix, another job", of: "peers.txt ^CompareChi/impl=opened/", over: "peers.txt ^CompareChi/impl=sklearn-system/", unit: "ms/op", required: 40, wanted: 60},
	{name: "all: 29 measures of L, ns a (cell, measure)", of: "peers.txt ^CompareCellsAll/impl=termsift/set=L$", unit: "ns/cell-measure", required: 3, wanted: 2, less: true},
	{name: "first answer: open L, rank by chi-square, ms", of: "file.txt ^Open/impl=mapped/what=chi/set=L$", unit: "ms/op", required: 80, wanted: 60, less: true, why: "a third is reading counts, a quarter checking them"},
	{name: "a permutation of labels, chi-square, 20ng, ms", of: "algorithms.txt ^Permutations/impl=engine/by=chi/set=20ng$", unit: "ms/permutation", required: 2, wanted: 1.5, less: true, why: "counting every posting under new labels"},
	{name: "linear SVM / LinearSVC", of: "peers.txt ^CompareSVM/impl=termsift/", over: "peers.txt ^CompareSVM/impl=sklearn/", unit: "ms/op", required: 1, wanted: 2, why: "fetching rows from memory"},
	{name: "ten neighbours / scikit-learn", of: "peers.txt ^CompareKNN/impl=termsift/", over: "peers.txt ^CompareKNN/impl=sklearn/", unit: "ms/op", required: 8, wanted: 20, why: "adding products of terms to documents takes two thirds"},
	{name: "naive Bayes, training / scikit-learn", of: "peers.txt ^CompareNaiveBayes/impl=termsift/", over: "peers.txt ^CompareNaiveBayes/impl=sklearn/", unit: "ms/op", required: 15, wanted: 30, why: "one pass over the elements; scikit-learn 1.9 takes half of what 1.2 takes"},
	{name: "16 processors / one: 29 measures of L", of: "cores.txt ^Threads/impl=avx512/threads=16/what=all/", over: "cores.txt ^Threads/impl=avx512/threads=1/what=all/", unit: "ms/op", required: 10, wanted: 13, why: "memory that all threads share: CPU time rises by two thirds"},
	{name: "16 processors / one: counted documents to an index, L", of: "cores.txt ^Construct/impl=engine/threads=16/set=L$", over: "cores.txt ^Construct/impl=engine/threads=1/set=L$", unit: "ms/op", required: 10, wanted: 13, why: "ordering terms and clearing memory take one thread"},
	{name: "16 processors / one: texts to an index, 20ng", of: "cores.txt ^Threads/impl=avx512/threads=16/what=build/", over: "cores.txt ^Threads/impl=avx512/threads=1/what=build/", unit: "ms/op", required: 10, wanted: 13, why: "22 MB are 1.4 MB for each of 16 dictionaries, which have to be joined"},
	{name: "size: bytes a posting, 20ng", of: "file.txt ^Open/impl=mapped/what=open/set=20ng$", unit: "B/posting", required: 4.2, wanted: 4.0, less: true},
	{name: "size: bytes a posting, L", of: "file.txt ^Open/impl=mapped/what=open/set=L$", unit: "B/posting", required: 3.6, wanted: 3.4, less: true, why: "document numbers of rare terms"},
	{name: "merge: two L to one, ns a posting", of: "file.txt ^Merge/impl=engine/set=L$", unit: "ns/posting", required: 20, wanted: 14, less: true},
	{name: "growth: ten times the documents, time of an index", of: "growth.txt ^Growth/.*what=construct/documents=100000/", over: "growth.txt ^Growth/.*what=construct/documents=1000000/", unit: "ms/op", required: 10.5, less: true},
	{name: "growth: the same, memory a posting", of: "growth.txt ^Growth/.*what=construct/documents=100000/", over: "growth.txt ^Growth/.*what=construct/documents=1000000/", unit: "B/posting", required: 1, less: true},
	{name: "generic: pure Go / AVX-512, 29 measures of L, CPU", of: "large.txt ^Scores/impl=avx512/measure=all/set=L$", over: "large.txt ^Scores/impl=generic/measure=all/set=L$", unit: "cpu-ms/op", required: 2.5, wanted: 2, less: true},
}

// textTargets are those of counting text in other ways than words.
var textTargets = []figure{
	{name: "words and pairs of words / `CountVectorizer(ngram_range=(1, 2))`", of: ofPeers("Pairs", ours), over: ofPeers("Pairs", "sklearn"), unit: "ms/op", required: 20, wanted: 30, why: "a cache miss for each pair, and memory that is new"},
	{name: "`select --ngrams 1-2` from JSON lines to features and rows, CPU on one thread, MB/s", of: ofPeers("ShellPairs", ours), unit: "MB/s", required: 35, wanted: 55, why: "counting takes half"},
	{name: "`char_wb` 3-5, MB/s", of: ofPeers("Chars", ours), unit: "MB/s", required: 40, wanted: 60, why: "200 MB of slots for 1.8 million n-grams"},
	{name: "`char_wb` 3-5 / `CountVectorizer(analyzer=\"char_wb\", ngram_range=(3, 5))`", of: ofPeers("Chars", ours), over: ofPeers("Chars", "sklearn"), unit: "ms/op", required: 25, wanted: 50, why: "the same"},
	{name: "words and pairs into 2^20 columns, MB/s", of: ofPeers("HashedPairs", ours), unit: "MB/s", required: 120, wanted: 200, why: "a cache miss for each pair: 2^18 columns take three quarters"},
	{name: "words and pairs into 2^20 columns / `HashingVectorizer`", of: ofPeers("HashedPairs", ours), over: ofPeers("HashedPairs", "sklearn"), unit: "ms/op", required: 10, wanted: 20, why: "the same"},
	{name: "words into 2^20 columns / `HashingVectorizer`", of: ofPeers("HashedWords", ours), over: ofPeers("HashedWords", "sklearn"), unit: "ms/op", required: 10, wanted: 20, why: "words are still looked up, since each is hashed once"},
}

func ofPeers(job, impl string) string {
	return peersTextFile + " ^Compare" + job + "/impl=" + impl + "/"
}

// tokenising is how far threads help where they share nothing but the text.
var tokenising = figure{of: onProcessors("tokenise", mostThreads), over: onProcessors("tokenise", "1"), unit: "ms/op"}

// processorTargets are those of the command on all processors beside one, as shares of what tokenising gains.
var processorTargets = []figure{
	{name: "tokenising alone, all processors / one", of: tokenising.of, over: tokenising.over, unit: "ms/op", required: 1},
	{name: "`select --svmlight`, as a share of that", of: onProcessors("select", mostThreads), over: onProcessors("select", "1"), unit: "ms/op", share: &tokenising, required: .9, wanted: 1},
	{name: "`index`, as a share of that", of: onProcessors("index", mostThreads), over: onProcessors("index", "1"), unit: "ms/op", share: &tokenising, required: .85, wanted: 1},
	{name: "reading alone, as a share of that", of: onProcessors("read", mostThreads), over: onProcessors("read", "1"), unit: "ms/op", share: &tokenising, required: .85, wanted: 1},
	{name: "`select --ngrams 1-2`, all processors / one", of: onProcessors("pairs", mostThreads), over: onProcessors("pairs", "1"), unit: "ms/op", required: 7, wanted: 9},
	{name: "`select --ngrams 1-2`, CPU time: all / one", of: onProcessors("pairs", "1"), over: onProcessors("pairs", mostThreads), unit: "cpu-ms/op", required: 1.5, wanted: 1.2, less: true},
	{name: "memory of `select`: all / one", of: onProcessors("select", "1"), over: onProcessors("select", mostThreads), unit: "B-peak", required: 1.5, wanted: 1.2, less: true},
	{name: "memory of `index`: all / one", of: onProcessors("index", "1"), over: onProcessors("index", mostThreads), unit: "B-peak", required: 1.5, wanted: 1.2, less: true},
	{name: "memory of `select --ngrams 1-2`: all / one", of: onProcessors("pairs", "1"), over: onProcessors("pairs", mostThreads), unit: "B-peak", required: 1.5, wanted: 1.2, less: true},
	{name: "`select` / scikit-learn in as many processes", of: onProcessors("part", mostThreads), over: onProcessors("peer", mostThreads), unit: "ms/op", required: 30, wanted: 35},
}

func onProcessors(what, threads string) string {
	return processesFile + " ^Process/what=" + what + "/threads=" + threads + "$"
}

// pythonTargets are those of the package for Python, all in one process with scikit-learn.
var pythonTargets = []figure{
	{name: "`score(X, y)` / `SelectKBest(chi2)`", of: "python.txt ^PyChi/impl=termsift/", over: "python.txt ^PyChi/impl=sklearn/", unit: "cpu-ms/op", required: 12, wanted: 20, why: "reading the elements once"},
	{name: "`TermSelector.fit` / `SelectKBest(chi2)`", of: "python.txt ^PyFit/impl=termsift/", over: "python.txt ^PyFit/impl=sklearn/", unit: "cpu-ms/op", required: 10, wanted: 15, why: "the same, and scikit-learn's checks of X and y"},
	{name: "`score(by=\"anova\")` / `f_classif`", of: "python.txt ^PyF/impl=termsift/", over: "python.txt ^PyF/impl=sklearn/", unit: "cpu-ms/op", required: 12, wanted: 20, why: "a table of all counts is made first"},
	{name: "`score` of 36 million elements, one thread", of: "python.txt ^PyLarge/impl=termsift/threads=1/", over: "python.txt ^PyLarge/impl=sklearn/", unit: "cpu-ms/op", required: 14, wanted: 25, why: "reading the elements once"},
	{name: "the same, elapsed, two threads", of: "python.txt ^PyLarge/impl=termsift/threads=2/", over: "python.txt ^PyLarge/impl=sklearn/", unit: "ms/op", required: 24, wanted: 45, why: "a second processor shared with others"},
	{name: "texts to the 10,000 best and their rows, one thread", of: "python.txt ^PyText/impl=termsift/threads=1/", over: "python.txt ^PyText/impl=sklearn/", unit: "cpu-ms/op", required: 14, wanted: 20, why: "counting words takes about half"},
	{name: "the same, elapsed, two threads", of: "python.txt ^PyText/impl=termsift/threads=2/", over: "python.txt ^PyText/impl=sklearn/", unit: "ms/op", required: 20, wanted: 35, why: "a second processor shared with others; Python's part has one thread"},
	{name: "`CountVectorizer().fit_transform`, with `vocabulary_`, one thread", of: "python.txt ^PyCount/impl=termsift/threads=1/", over: "python.txt ^PyCount/impl=sklearn/", unit: "cpu-ms/op", required: 8, wanted: 12, why: "counting words, and the dict of Python"},
	{name: "the same, elapsed, two threads", of: "python.txt ^PyCount/impl=termsift/threads=2/", over: "python.txt ^PyCount/impl=sklearn/", unit: "ms/op", required: 13, wanted: 20, why: "the dict and the copies of the matrix have one thread"},
	{name: "`TfidfVectorizer().fit_transform`", of: "python.txt ^PyTfidf/impl=termsift/threads=1/", over: "python.txt ^PyTfidf/impl=sklearn/", unit: "cpu-ms/op", required: 8, wanted: 12, why: "counting words"},
	{name: "its `transform` of the test part", of: "python.txt ^PyTransform/impl=termsift/", over: "python.txt ^PyTransform/impl=sklearn/", unit: "cpu-ms/op", required: 8, wanted: 15, why: "counting words"},
	{name: "`CountVectorizer(ngram_range=(1, 2)).fit_transform`", of: "python.txt ^PyPairs/impl=termsift/threads=1/", over: "python.txt ^PyPairs/impl=sklearn/", unit: "cpu-ms/op", required: 8, wanted: 14, why: "a table of 1.2 million n-grams, larger than the caches"},
	{name: "`analyzer=\"char_wb\", ngram_range=(3, 5)`, a quarter", of: "python.txt ^PyChar/impl=termsift/threads=1/", over: "python.txt ^PyChar/impl=sklearn/", unit: "cpu-ms/op", required: 20, wanted: 50, why: "a table of 1.2 million n-grams, larger than the caches; vocabulary_, made when it is looked at, would take as long again"},
	{name: "`transform` of one text of 2 kB over 10,000 terms", of: "python.txt ^PyOne/impl=termsift/", over: "python.txt ^PyOne/impl=sklearn/", unit: "ms/op", required: 5, wanted: 15, why: "three calls of the library take two thirds; counting the text is half of that"},
	{name: "a column of 400 MB to the best terms: CPU / the command's on JSON lines", of: "python.txt ^PyArrow/impl=command/", over: "python.txt ^PyArrow/impl=termsift/", unit: "cpu-ms/op", required: 1.1, wanted: 0.9, less: true},
	{name: "c-TF-IDF of 1,000 topics / BERTopic's transformer", of: "python.txt ^PyCtfidf/impl=termsift/threads=1/", over: "python.txt ^PyCtfidf/impl=(bertopic|steps)/", unit: "cpu-ms/op", required: 5, wanted: 20, why: "memory: two passes over the elements, and a copy of their indices"},
	{name: "`TermVectorizer.fit_transform` in a process that was forked / here", of: "python.txt ^PyFork/job=text/impl=here/", over: "python.txt ^PyFork/job=text/impl=forked/", unit: "cpu-ms/op", required: 1.15, less: true},
	{name: "loading and the first call, ms", of: "python.txt ^PyInterface/what=load$", unit: "ms/op", required: 6, less: true, why: "the start of Go's runtime"},
	{name: "the library, bytes", of: "python.txt ^PyInterface/what=library$", unit: "bytes", required: 8000000, less: true},
}
