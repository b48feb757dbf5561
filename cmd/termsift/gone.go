package main

import "fmt"

// Names of earlier checkouts that 0.2.0 no longer has, each with what to do instead. CHANGELOG.md lists them under
// "From 0.1 to 0.2".
var (
	goneCommands = map[string]string{
		"append":    "index the new texts with the same flags, then merge: termsift merge OLD.idx NEW.idx -o BOTH.idx",
		"generate":  "in a clone, package bench/workload makes corpora of a known shape; recipes/README.md cuts 20 Newsgroups into files",
		"remove":    "termsift index INDEX --docs 'not (EXPRESSION)' -o REST.idx; not file=LIST takes out the names in a list",
		"split":     "merge adds up whole files of statistics and holds a block of each; select takes the sum",
		"replicate": "the papers' experiments are in the repository: go run ./bench/replicate NAME",
	}
	// goneFlags are flags of one command, as "explain --combine", or of several, as "--combine".
	goneFlags = map[string]string{
		"bench --buffer":    "no stage is limited by memory: bench no longer measures it",
		"explain --combine": "it had no effect",
		"--html":            "-o FILE.html writes the table as a page",
		"keyness --html":    "-o FILE.html writes the table as a page, and explore A B -o FILE.html plots all terms of both",

		"--connectors":         learntPhrases,
		"--g2-cells":           "ll of keyness sums the two cells of a term, g2 and g2tf sum four",
		"--no-continuity":      "it was of mannwhitney, in whose place spearman --weight binary compares the same ranks",
		"--phrase-list":        learntPhrases,
		"--phrase-min-count":   learntPhrases,
		"--phrase-passes":      learntPhrases,
		"--phrase-threshold":   learntPhrases,
		"keyness --background": "jlh compares with both corpora together",
		"keyness --continuity": "wilcoxon is corrected for continuity",
		"keyness --eta-absent": "the dispersion in a corpus without the term is 1",
		"keyness --of":         permutations,
		"keyness --split-half": permutations,
		"keyness --threshold":  permutations,
		"keyness --walter":     "logratio takes 1/2 for a frequency of 0",
	}
)

const permutations = "--permutations N --maxt tells which keys differences of nothing would not give"

const learntPhrases = "find phrases by collocations -o list.tsv, then give --phrases list.tsv"

// goneCommand returns the error for a command that went, or nil for any other name.
func goneCommand(name string) error {
	if instead, ok := goneCommands[name]; ok {
		return usageError("the command %s went in 0.2.0: %s", name, instead)
	}
	return nil
}

// goneFlag returns the error for a flag that went, or nil for any other flag of the command.
func goneFlag(command, flag string) error {
	for _, name := range []string{fmt.Sprintf("%s --%s", command, flag), "--" + flag} {
		if instead, ok := goneFlags[name]; ok {
			return usageError("%s went in 0.2.0: %s", name, instead)
		}
	}
	return nil
}
