package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The vectors of a shard are the file that termsift makes of it.
func TestVectorsAreThoseOfOneMachine(t *testing.T) {
	t.Chdir(t.TempDir())
	oddShards(t)
	onOne(t, append([]string{"select", "-k", "200", "--factors", "tf-rf", "-o", "features.tsv"}, shards(t, "odd/*")...)...)
	for _, flags := range [][]string{
		{"--to", "svmlight"},
		{"--to", "jsonl", "--weight", "ltc"},
		{"--to", "npz", "--weight", "tf-rf-unit"},
	} {
		onBeam(t, slices.Concat([]string{"transform", "--beam_strict", "--features", "features.tsv", "--inputs", "odd/*", "-o", "vectors"}, flags)...)
		for _, shard := range shards(t, "odd/*") {
			format, err := vectorFormatOf(flags[1])
			if err != nil {
				t.Fatal(err)
			}
			got := filepath.Join("vectors", filepath.Base(shard)+format.ending)
			if shard == "odd/empty.jsonl" { // which termsift refuses
				if info, err := os.Stat(got); err != nil || flags[1] != "npz" && info.Size() != 0 {
					t.Errorf("%s: %v", got, err)
				}
				continue
			}
			onOne(t, slices.Concat([]string{"transform", "--features", "features.tsv", shard, "-o", "want"}, flags)...)
			sameFiles(t, got, "want")
		}
	}
}

// Features and the vectors over them come of one job, as of one command.
func TestFeaturesWithVectors(t *testing.T) {
	t.Chdir(t.TempDir())
	oddShards(t)
	onOne(t, append([]string{"select", "-k", "200", "-o", "want.tsv", "--svmlight", "want.svm"}, shards(t, "odd/*")...)...)
	onBeam(t, "features", "--beam_strict", "-k", "200", "--inputs", "odd/*", "-o", "got.tsv", "--svmlight", "vectors")
	sameFiles(t, "got.tsv", "want.tsv")
	var all []byte
	for _, shard := range shards(t, "odd/*") {
		all = append(all, contents(t, filepath.Join("vectors", filepath.Base(shard)+".svm"))...)
	}
	writeFile(t, "got.svm", all)
	sameFiles(t, "got.svm", "want.svm")
}

// Vectors lie in the folder as shards lie behind the part of the pattern that all have.
func TestNamesOfVectors(t *testing.T) {
	for _, c := range [][4]string{
		{"shards/1.jsonl", "shards/*.jsonl", "out", "out/1.jsonl.svm"},
		{"1.jsonl", "*.jsonl", "out/", "out/1.jsonl.svm"},
		{"a/b/1.csv", "a/*/*", "out", "out/b/1.csv.svm"},
		{"a/b/1.csv", "a/b/1.csv", "out", "out/1.csv.svm"},
		{"/a/b1/2.csv", "/a/b[12]/2.csv", "/out", "/out/b1/2.csv.svm"},
		{"gs://bucket/x/1.csv", "gs://bucket/x/*.csv", "gs://other/y", "gs://other/y/1.csv.svm"},
	} {
		if got := vectorsOf(c[0], c[1], c[2], vectorFormats[0]); got != c[3] {
			t.Errorf("%s of %s: %s, not %s", c[0], c[1], got, c[3])
		}
	}
}
