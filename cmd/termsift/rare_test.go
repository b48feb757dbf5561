package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// Shards without their rare terms add up, and every command says what may be missing.
func TestShardsWithoutRareTerms(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for i, words := range [][]string{{"tax tax snow", "tax snow ice", "tax rain ice"}, {"tax pear", "snow tax", "pear tax"}} {
		var text strings.Builder
		for d, line := range words {
			text.WriteString(`{"labels":["` + string(rune('a'+d%2)) + `"],"text":"` + line + "\"}\n")
		}
		shard := at(string(rune('1' + i)))
		testkit.OK(os.WriteFile(shard+".jsonl", []byte(text.String()), 0o644))
		told := termsift(t, exitOK, "index", "--stats-only", "--tokens", "words", "--local-min-df", "3", shard+".jsonl", "-o", shard+".stats")
		testkit.Contains(t, told,
			[]string{"3 of 4", "2 of 3"}[i]+" terms are in fewer than 3 documents and were left out", "does not say")
	}
	termsift(t, exitOK, "merge", at("1.stats"), at("2.stats"), "-o", at("all.stats"))
	var info struct {
		Terms, Missing, Documents, Tokens int
		Pruned                            bool
	}
	testkit.OK(json.Unmarshal([]byte(printedBy(t, "info", "--format", "json", at("all.stats"))), &info))
	// Of snow, ice, rain and pear no shard has three documents: the most frequent have two in each.
	if info.Terms != 1 || info.Missing != 4 || info.Documents != 6 || info.Tokens != 15 || info.Pruned {
		t.Errorf("%+v", info)
	}
	const note = "all terms in more than 4 documents are there, and of each up to 4 documents may not be counted"
	for _, command := range []string{"score --by chi", "select --by chi -k 1 -o " + at("f.tsv"), "explain tax"} {
		args := append(strings.Fields(command), at("all.stats"))
		if args[0] == "explain" {
			args = []string{"explain", at("all.stats"), "tax"}
		}
		testkit.Equal(t, strings.Count(termsift(t, exitOK, args...), note), 1, command)
	}
	for _, wrong := range []struct {
		args, says string
		code       int
	}{
		{"index --local-min-df 2 -o x " + at("1.jsonl"), "--local-min-df is for parts that are added up, where --min-df bounds an index: it goes with --stats-only", exitUsage},
		{"index --stats-only --local-min-df 2 --min-df 2 -o x " + at("1.jsonl"), "which no sum bears: leave it or --local-min-df away", exitUsage},
		{"index --stats-only --local-min-df -1 -o x " + at("1.jsonl"), "not -1", exitUsage},
		{"keyness --drift " + at("1.stats") + " " + at("2.stats"), "count it without --local-min-df", exitData},
	} {
		testkit.Contains(t, termsift(t, wrong.code, strings.Fields(wrong.args)...), wrong.says, wrong.args)
	}
}

// A shard may have no term: its documents count in the sum. Bounds that leave no term are an error, as elsewhere.
func TestShardWithoutTerms(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"full": "tax snow", "bare": "..."} {
		testkit.OK(os.WriteFile(name+".jsonl", []byte(`{"label":"a","text":"`+text+"\"}\n"), 0o644))
		termsift(t, exitOK, "index", "--stats-only", "--tokens", "words", name+".jsonl", "-o", name+".stats")
	}
	termsift(t, exitOK, "merge", "bare.stats", "full.stats", "-o", "all.stats")
	termsift(t, exitOK, "index", "--stats-only", "--tokens", "words", "bare.jsonl", "full.jsonl", "-o", "one.stats")
	got, want := testkit.Must(os.ReadFile("all.stats")), testkit.Must(os.ReadFile("one.stats"))
	testkit.EqualSlices(t, got, want, "the sum is not one count of both")
	testkit.Contains(t, termsift(t, exitData, "index", "--stats-only", "--min-df", "2", "full.jsonl", "-o", "x.stats"),
		"has a term within the bounds")
}
