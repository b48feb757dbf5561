package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/score"
)

// The command has the commands, flags, names of values, measures and exit codes of the list.
func TestPublicNamesOfTheCommand(t *testing.T) {
	var lines []string
	for _, c := range allCommands(newApp(nil, io.Discard, io.Discard).tree()) {
		lines = append(lines, "command "+c.CommandPath())
		add := func(p *pflag.Flag) {
			f := flags.Of(p)
			lines = append(lines, strings.TrimRight(fmt.Sprintf("flag %s --%s %s %s", c.CommandPath(), p.Name, p.Value.Type(), strings.Repeat("-", len(p.Shorthand))+p.Shorthand), " "))
			if f.Choices != nil {
				for _, value := range f.Choices(nil) {
					if !strings.Contains(value, ":") { // chi:max is a measure and a value of --combine
						lines = append(lines, "value --"+p.Name+" "+value)
					}
				}
			}
		}
		c.LocalNonPersistentFlags().VisitAll(add)
		c.PersistentFlags().VisitAll(add)
	}
	for m := range score.Described() {
		lines = append(lines, "measure "+m.Name)
	}
	for name, code := range map[string]int{"ok": exitOK, "nothing found": exitNothing, "usage": exitUsage, "bad input": exitData, "input or output failed": exitIO, "corrupt file": exitCorrupt, "interrupted": exitInterrupted} {
		lines = append(lines, fmt.Sprintf("exit %d %s", code, name))
	}
	testkit.Public(t, "command", lines)
}

// moreOutputs are command lines whose columns the examples of the help do not have.
var moreOutputs = `
termsift score --by chi,ttest --p-values --permutations 9 train.idx
termsift score --by all,new --combine class train.idx
termsift collocations --by cvalue --ngrams 2-3 speeches/
termsift explain --by ttest train.idx orbit
termsift info features.tsv
termsift info a.stats
termsift predict --scores --model model test.idx -o predictions.json
termsift evaluate --train train.idx --test test.idx --by chi -k 5 --per-class --confusion confusion.tsv
`

// Tables have the columns, and JSON the members, of the list. The examples of the help write most of them.
func TestPublicNamesOfOutputs(t *testing.T) {
	var lines []string
	add := func(of, data string) {
		for _, name := range outputNames(data) {
			lines = append(lines, of+" "+name)
		}
	}
	format, written := regexp.MustCompile(` --format \w+`), regexp.MustCompile(`(-o|--predictions|--class-terms|--confusion) (\S+\.(tsv|npz|json))\b`)
	t.Run("examples", func(t *testing.T) {
		master := exampleFiles(t)
		for _, c := range allCommands(newApp(nil, io.Discard, io.Discard).tree()) {
			for line := range strings.Lines(c.Example + moreOutputs) {
				line = format.ReplaceAllString(strings.TrimSpace(line), " ")
				if !strings.HasPrefix(line, "termsift "+c.Name()+" ") || strings.Contains(line, "--list ") {
					continue
				}
				folder := t.TempDir() // where an example may write its own input again
				testkit.OK(os.CopyFS(folder, os.DirFS(master)))
				for _, format := range []string{"--format csv", "--format json", "--summary json"} {
					var out, errs bytes.Buffer
					shell := typed(t, line+" "+format)
					if shell.Dir, shell.Stdout, shell.Stderr = folder, &out, &errs; shell.Run() != nil {
						continue // it has no table
					}
					if said := errs.String(); format == "--summary json" {
						add("termsift "+format, said[strings.LastIndex(said, "\n{")+1:])
					} else {
						add(c.Name()+" "+format, out.String())
					}
				}
				for _, file := range written.FindAllStringSubmatch(line, -1) {
					add(c.Name()+" "+file[1]+" "+file[3], string(testkit.Must(os.ReadFile(filepath.Join(folder, file[2])))))
				}
			}
		}
	})
	testkit.Public(t, "outputs", lines)
}

// outputNames lists the arrays of an npz file, the members of JSON, or the columns of a table; no class of the examples.
func outputNames(data string) (names []string) {
	var value any
	if zipped, err := zip.NewReader(strings.NewReader(data), int64(len(data))); err == nil {
		for _, file := range zipped.File {
			names = append(names, strings.TrimSuffix(file.Name, ".npy"))
		}
	} else if json.Unmarshal([]byte(data), &value) == nil {
		names = members("", value)
	} else {
		head, _, _ := strings.Cut(regexp.MustCompile(`^(#.*\n)+`).ReplaceAllString(data, ""), "\n")
		names = strings.FieldsFunc(head, func(r rune) bool { return r == ',' || r == '\t' })
	}
	for class := range exampleTopics {
		for i := range names {
			names[i] = strings.ReplaceAll(names[i], class, "CLASS")
		}
	}
	return names
}

// members lists the members of a value of JSON, with their paths.
func members(path string, value any) (lines []string) {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			at := strings.TrimPrefix(path+"."+name, ".")
			lines = append(append(lines, at), members(at, member)...)
		}
	case []any:
		for _, member := range v {
			lines = append(lines, members(path+"[]", member)...)
		}
	}
	return lines
}
