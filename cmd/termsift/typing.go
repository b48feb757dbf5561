package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file is about what a person types: it completes values in a shell, and says what was meant by a command, a flag
// or a file that there is not.

// setCompletion sets the completion of all flags and arguments below root. cobra keeps it in
// the process: it is set in those that complete something only.
func (a *app) setCompletion(root *cobra.Command) error {
	for _, c := range append(root.Commands(), root) {
		if complete := a.commandOf(c).complete; complete != nil {
			c.ValidArgsFunction = complete
		}
		var failed error
		c.LocalFlags().VisitAll(func(p *pflag.Flag) {
			f, err := flags.Of(p), error(nil)
			switch {
			case f.Choices != nil:
				err = c.RegisterFlagCompletionFunc(p.Name, func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
					return complete(f, args, begun)
				})
			case p.Value.Type() != "bool" && f.Reads == nil && !f.Writes && !f.Folder:
				err = c.RegisterFlagCompletionFunc(p.Name, cobra.NoFileCompletions)
			}
			failed = cmp.Or(failed, err)
		})
		if failed != nil {
			return failed
		}
	}
	return nil
}

func complete(f *flags.Flag, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp
	if f.Reads != nil {
		directive = cobra.ShellCompDirectiveDefault
	}
	taken := []string{begun}
	if f.List {
		taken = usage.SplitNames(begun)
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	last := taken[len(taken)-1]
	taken = taken[:len(taken)-1]
	before := strings.TrimSuffix(begun, last)
	var found []string
	for _, v := range f.Choices(args) {
		hidden := strings.Contains(v, ":") && !strings.Contains(last, ":") // there are too many to show them at once
		if !hidden && strings.HasPrefix(v, last) && !slices.Contains(taken, v) && typeable(v) {
			found = append(found, before+v)
		}
	}
	return found, directive
}

// namesIn gives the classes and the terms of an index or of statistics, if a path names one.
func namesIn(path string, use func(classes []string, terms *table.Dictionary)) {
	switch kind, _ := kindOf(path); kind {
	case indexFile:
		if c, err := corpus.Open(path, corpus.OpenOptions{}); err == nil {
			use(c.Classes(), c.Index().Terms)
			_ = c.Close() // nothing was written
		}
	case statisticsFile:
		if s, err := corpus.OpenStatistics(path); err == nil {
			use(s.Classes(), s.Names)
		}
	}
}

// classesIn returns the classes of the indexes and the statistics among the arguments.
func classesIn(args []string) (all []string) {
	for _, path := range args {
		namesIn(path, func(classes []string, _ *table.Dictionary) { all = append(all, classes...) })
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// mostTerms is the number of terms that are offered.
const mostTerms = 100

// completeTerms returns what completes an input and so many terms behind it: of an index or statistics those
// with the highest df that begin so.
func completeTerms(most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) (found []string, _ cobra.ShellCompDirective) {
		switch {
		case len(args) == 0:
			return nil, cobra.ShellCompDirectiveDefault
		case len(args) <= most:
			namesIn(args[0], func(_ []string, terms *table.Dictionary) {
				for i := 0; i < terms.Len() && len(found) < mostTerms; i++ {
					if t := terms.Term(i); strings.HasPrefix(t, begun) && typeable(t) {
						found = append(found, strings.Clone(t))
					}
				}
			})
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// typeable reports whether a shell can show a value and a person type it.
func typeable(s string) bool { return s != "" && tables.WithoutControls(s, "") == s }

// otherNames maps commands of other tools to the lines that do their work here. INPUT stands
// for an input of the user.
var otherNames = map[string][]string{
	"chi2":        {"termsift score --by chi INPUT"},
	"concordance": {"termsift kwic INPUT PATTERN"},
	"classify":    {"termsift predict --model MODEL INPUT"},
	"count":       {"termsift index INPUT -o FILE", "termsift score --by cf INPUT"},
	"fit":         {"termsift train --by chi -k 1000 --classifier svm INPUT -o MODEL"},
	"keywords":    {"termsift keyness INPUT OTHER"},
	"grep":        {"termsift kwic INPUT PATTERN"},
	"rank":        {"termsift score --by chi INPUT"},
	"tfidf":       {"termsift transform --by chi -k 1000 --weight tfidf INPUT -o FILE"},
	"vectorize":   {"termsift transform --by chi -k 1000 INPUT -o FILE"},
}

// knownCommand implements [cobra.PositionalArgs] for root: what stands where the name of a command
// should is an error that names the nearest commands, or ours for that of another tool.
func knownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	name := args[0]
	var known []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			known = append(known, c.Name())
		}
	}
	if instead, gone := goneCommands[name]; gone {
		return usageError("the command %s went in 0.2.0: %s", name, instead)
	}
	if lines := otherNames[strings.ToLower(name)]; len(lines) > 0 {
		return usageError("unknown command %q; here that is: %s", name, strings.Join(lines, "; or "))
	}
	unknown := usage.Unknown("command", name, known)
	if len(unknown.Near) > 0 {
		unknown.Known = nil
	}
	unknown.Remedy = "see termsift --help"
	return unknown
}

// flagError returns the error for flags that cannot be understood. Of an unknown flag it names
// the nearest flags of the command, or the commands that have it.
func flagError(c *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	if !c.HasParent() && c.Flags().NArg() > 0 {
		return knownCommand(c, c.Flags().Args()) // whose flag it was
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if gone := goneFlag(c, "--"+unknown.GetSpecifiedName()); gone != nil {
			return gone
		}
	}
	return usageError("%v%s; see %s --help", flags.ValueError(err), meantFlag(c, err), c.CommandPath())
}

func meantFlag(c *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return ""
	}
	name := unknown.GetSpecifiedName()
	var known []string
	c.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			known = append(known, flag.Name)
		}
	})
	if near := usage.Nearest(name, slices.Values(known)); len(near) > 0 {
		return "; did you mean --" + strings.Join(near, " or --") + "?"
	}
	var others []string
	for _, other := range (&app{}).tree().Commands() {
		if other.IsAvailableCommand() && other.Flags().Lookup(name) != nil {
			others = append(others, other.Name())
		}
	}
	if len(others) == 0 {
		return ""
	}
	return ", which is a flag of " + strings.Join(others, ", ")
}

// firstMissing returns the error of the first path that names nothing, though another names a file.
func firstMissing(paths []string) error {
	for _, path := range paths {
		if _, err := os.Stat(path); path != "-" && errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// swapped returns an error for the input of a command that names nothing, where what should be the term or pattern
// behind it is a file.
func swapped(command, input, behind string) error {
	if firstMissing([]string{input}) == nil || firstMissing([]string{behind}) != nil || behind == "-" {
		return nil
	}
	return usageError("there is no file %s, and %s is one: the INPUT comes first, termsift %s %[2]s %[1]s", input, behind, command)
}

// checkNoFeatures returns an error for a features file among the inputs, which --features names.
func (a *app) checkNoFeatures(args []string) error {
	for _, path := range args {
		if a.kind(path) == featuresFile {
			return usageError("%s is a features file, which is named by --features %[1]s", path)
		}
	}
	return nil
}

// mostNeighbours is the number of names in a folder that are compared with that of a missing
// file.
const mostNeighbours = 10_000

// fetchers are commands that write what an address names to standard output.
var fetchers = map[string]string{
	"http": "curl -sL", "https": "curl -sL", "ftp": "curl -s", "s3": "aws s3 cp", "gs": "gcloud storage cat", "hdfs": "hdfs dfs -cat", "file": "cat",
}

// namedFormat returns the flag that names the format of a file where only its name tells it, and
// where it comes by a pipe: of CSV and TSV.
func namedFormat(path string) string {
	name := strings.ToLower(path)
	for _, packed := range []string{".gz", ".zst", ".xz", ".bz2"} {
		name = strings.TrimSuffix(name, packed)
	}
	if format := filepath.Ext(name); format == ".csv" || format == ".tsv" {
		return " --input-format " + format[1:]
	}
	return ""
}

// meantPlace says what to do with a path that names no file here: an address, a pattern, or a
// path of Windows. It returns "" for any other.
func meantPlace(path string) string {
	if scheme, rest, ok := strings.Cut(path, ":/"); ok && len(scheme) > 1 && !strings.ContainsAny(scheme, `/\`) {
		fetch, known := fetchers[strings.ToLower(scheme)]
		if !known {
			return "; addresses are not read: fetch it, or give it by a pipe to -"
		}
		if !strings.HasPrefix(rest, "/") { // a slash was lost
			path = scheme + "://" + rest
		}
		what := tables.WithoutControls(path, "")
		switch strings.ToLower(scheme) {
		case "s3":
			what += " -"
		case "file":
			what = "/" + strings.TrimLeft(rest, "/")
		}
		return fmt.Sprintf("; addresses are not read: %s %s | termsift COMMAND%s -", fetch, what, namedFormat(path))
	}
	if _, err := filepath.Match(path, ""); err == nil && strings.ContainsAny(path, "*?[") {
		return "; no file matches this pattern: the shell replaces patterns that stand outside of quotes"
	}
	if filepath.Separator == '/' && strings.Contains(path, `\`) {
		return `; folders are separated by / here, not by \`
	}
	return ""
}

// otherMeasure says for an unknown measure which other command has it; "" if none does.
func otherMeasure(err error) string {
	unknown, ok := errors.AsType[*usage.UnknownError](err)
	if !ok || unknown.Gone != "" || !slices.Contains([]string{"measure", "method", "function", "measure of keyness"}, unknown.Kind) {
		return ""
	}
	if text := score.Elsewhere(unknown.Name, unknown.Known); text != "" {
		return "; " + text
	}
	return ""
}

// meantFile returns the question whether a missing file is one of those beside it with nearly
// its name, or "" if the error is another.
func meantFile(err error) string {
	var missing *fs.PathError
	if !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &missing) {
		return ""
	}
	path := missing.Path
	if place := meantPlace(path); place != "" {
		return place
	}
	if slices.Contains(flags.MeasureNames(), path) {
		return "; a measure is named by --by " + path
	}
	dir, name := filepath.Split(strings.TrimRight(path, string(filepath.Separator)))
	folder, err := os.Open(cmp.Or(dir, "."))
	if err != nil {
		return ""
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(mostNeighbours) // without the names there is nothing to ask
	slices.Sort(names)
	near := usage.Nearest(name, slices.Values(names))
	if len(near) == 0 {
		return ""
	}
	for i, n := range near {
		near[i] = tables.WithoutControls(filepath.Join(dir, n), "")
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

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
	// goneFlags are flags of one command, as "explain --combine", or of several, as "--combine", and values of flags, as
	// "--stem porter-paper".
	goneFlags = map[string]string{
		"bench --buffer":    "no stage is limited by memory: bench no longer measures it",
		"explain --combine": "it had no effect",
		"--html":            "-o FILE.html writes the table as a page",
		"keyness --html":    "-o FILE.html writes the table as a page, and explore A B -o FILE.html plots all terms of both",

		"--connectors":          learntPhrases,
		"--continuity":          ofControl,
		"--control":             ofControl,
		"--g2-cells":            "ll of keyness sums the two cells of a term, g2 and g2tf sum four",
		"--no-continuity":       "it was of mannwhitney, in whose place spearman --weight binary compares the same ranks",
		"--phrase-list":         learntPhrases,
		"--phrase-min-count":    learntPhrases,
		"--phrase-passes":       learntPhrases,
		"--phrase-threshold":    learntPhrases,
		"--stem porter-paper":   "--stem porter is the paper's algorithm, --stem porter-c the program's",
		"index --store forward": "leave it out: what it held is made when it is needed",
		"keyness --background":  "jlh compares with both corpora together",
		"keyness --continuity":  "wilcoxon is corrected for continuity",
		"keyness --eta-absent":  "the dispersion in a corpus without the term is 1",
		"keyness --of":          permutations,
		"keyness --split-half":  permutations,
		"keyness --threshold":   permutations,
		"keyness --walter":      "logratio takes 1/2 for a frequency of 0",
	}
)

// goneFlag returns an error for a flag of a command that went, or for a flag with a value that went.
func goneFlag(c *cobra.Command, flag string) error {
	for _, name := range []string{c.Name() + " " + flag, flag} {
		if instead := goneFlags[name]; instead != "" {
			return usageError("%s went in 0.2.0: %s", name, instead)
		}
	}
	return nil
}

const ofControl = "score the documents of each value alone, --docs file=IDS, and compare the rankings"

const permutations = "--permutations N --maxt tells which keys differences of nothing would not give"

const learntPhrases = "find phrases by collocations -o list.tsv, then give --phrases list.tsv"
