package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Features are those that termsift selects of all shards, whatever the number of parts.
func TestFeaturesAreThoseOfOneMachine(t *testing.T) {
	corpora := []struct {
		glob  string
		make  func(t *testing.T)
		flags []string
	}{
		{"odd/*", oddShards, []string{"-k", "50"}},
		{"reuters/*.sgm", reutersShards, []string{"-k", "2000", "--tokens", "words", "--split", "train"}}, // with several labels
		{"news/*.jsonl", newsgroupsShards, []string{"-k", "10000", "--tokens", "words"}},
	}
	if testing.Short() {
		corpora = corpora[:2] // 20 Newsgroups takes half of the time
	}
	for _, corpus := range corpora {
		t.Run(corpus.glob[:strings.Index(corpus.glob, "/")], func(t *testing.T) {
			t.Chdir(t.TempDir())
			corpus.make(t)
			for i, measure := range []string{"chi", "ig", "ttest", "g2tf"} {
				flags := append([]string{"--by", measure}, corpus.flags...)
				onOne(t, slices.Concat([]string{"select", "-o", "want.tsv"}, flags, shards(t, corpus.glob))...)
				for j, parts := range []int{4, 16, 64} {
					if testing.Short() && i%3 != j {
						continue
					}
					onBeam(t, slices.Concat([]string{"features", "--inputs", corpus.glob, "-o", "got.tsv", "--parts", fmt.Sprint(parts)}, flags)...)
					sameFiles(t, "got.tsv", "want.tsv")
				}
			}
		})
	}
}

// So are those of criteria and options of all kinds, of which some look at all terms at once.
func TestFeaturesByEveryCriterion(t *testing.T) {
	t.Chdir(t.TempDir())
	oddShards(t)
	writeFile(t, "words.txt", []byte("word7 word8\n"))
	for _, flags := range []string{
		"--min-score 20", "--fpr 0.001 --p-values", "--by ig:sum -k 30 --factors tf-rf,tf-ig", "-k 20 --drop words.txt",
		"--by ngl --combine avg -k 40 --stem porter --stop smart", "-k 20 --ngrams 1-2 --parts 1", "-k 5000", // more than there are
		"--percentile 5", "--energy 0.5", "--fdr 0.01", "--fwe 0.01 --exact", "-k 5 --per-class", "-k 15 --round-robin",
		"--by ocfs -k 20", "-k 100 --then ig -k 10", "-k 20 --keep words.txt", "-k 20 --first-label", "-k 20 --classes classes.txt",
	} {
		if strings.Contains(flags, "classes.txt") {
			writeFile(t, "classes.txt", []byte("class 1\nclass 2\n"))
		}
		args := strings.Fields(flags)
		one := slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return arg == "--parts" || arg == "1" })
		onOne(t, slices.Concat([]string{"select", "-o", "want.tsv"}, one, shards(t, "odd/*"))...)
		onBeam(t, slices.Concat([]string{"features", "--beam_strict", "--inputs", "odd/*", "-o", "got.tsv"}, args)...)
		t.Log(flags)
		sameFiles(t, "got.tsv", "want.tsv")
	}
}

// Statistics are those of one machine, too.
func TestStatsAreThoseOfOneMachine(t *testing.T) {
	t.Chdir(t.TempDir())
	oddShards(t)
	onOne(t, append([]string{"index", "--stats-only", "-o", "want.stats"}, shards(t, "odd/*")...)...)
	for _, parts := range []string{"1", "5", "64"} {
		told := onBeam(t, "stats", "--beam_strict", "--inputs", "odd/*", "-o", "made/got.stats", "--parts", parts)
		sameFiles(t, "made/got.stats", "want.stats")
		if !strings.HasPrefix(told, "7 shards, 403 documents, ") || !strings.Contains(told, " tokens") {
			t.Errorf("the counters: %s", told)
		}
	}
}

// Shards leave out their rare terms as those of one machine do that are merged.
func TestStatsWithoutRareTerms(t *testing.T) {
	t.Chdir(t.TempDir())
	oddShards(t)
	merge := []string{"merge", "-o", "want.stats"}
	for i, shard := range shards(t, "odd/?.*") {
		file := fmt.Sprint(i, ".stats")
		onOne(t, "index", "--stats-only", "--local-min-df", "3", shard, "-o", file)
		merge = append(merge, file)
	}
	onOne(t, merge...)
	onBeam(t, "stats", "--inputs", "odd/?.*", "-o", "got.stats", "--local-min-df", "3")
	onOne(t, "select", "-k", "40", "want.stats", "-o", "want.tsv")
	onOne(t, "select", "-k", "40", "got.stats", "-o", "got.tsv")
	sameFiles(t, "got.tsv", "want.tsv")
	onBeam(t, "features", "--inputs", "odd/?.*", "-k", "40", "-o", "beam.tsv", "--local-min-df", "3")
	sameFiles(t, "beam.tsv", "want.tsv")
}

// A shard that is counted again gives the same bytes, so that a runner may do so at any time.
func TestShardsCountedAgainAreTheSame(t *testing.T) {
	t.Chdir(t.TempDir())
	oddShards(t)
	var plan countPlan
	plan.Parts, plan.Options.Shard = 3, true
	f := &countFn{Plan: encodePlan(plan)}
	if err := f.Setup(); err != nil {
		t.Fatal(err)
	}
	count := func(threads int) (all []string) {
		f.plan.Options.Threads = threads
		keep := func(data []byte) { all = append(all, string(data)) }
		if err := f.ProcessElement(t.Context(), "odd/c.jsonl.gz", func(_ int, file []byte) { keep(file) }, keep); err != nil {
			t.Fatal(err)
		}
		return all
	}
	first := count(1)
	for threads := range 4 {
		if again := count(threads); len(first) != 4 || !slices.Equal(first, again) {
			t.Fatalf("%d threads: other bytes", threads)
		}
	}
}
