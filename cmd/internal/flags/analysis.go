package flags

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Analysis are the flags that say how text becomes terms.
type Analysis struct {
	analysis.Options      // but for Stop, StopWords and Phrases
	StopLists, PhraseFile string
}

// Flags returns the flags.
func (f *Analysis) Flags() []Flag {
	all := append(Declared(f.Options.Settings()), Flag{
		Name: "phrases", To: &f.PhraseFile, Default: noPhrases, Choices: Among(noPhrases), Reads: AFile,
		Help: "file of words in a row that are one term, as new_york: a phrase a line, or a table with a column term, as collocations writes",
	})
	stop := ByName(all, "stop")
	stop.To, stop.Reads = &f.StopLists, stopNames
	stop.Help = "stop list: " + Words(analysis.StopLists()) + "; or a file, with comments behind #; or several, separated by commas"
	return Like(Flag{Group: GroupText, Applies: OfRaw | OfAnalysis}, all)
}

// Resolve returns the options of the analysis that the flags give. A stop list that is a file
// is read, and so is a list of phrases.
func (f *Analysis) Resolve(files Lists) (o analysis.Options, err error) {
	o = f.Options
	o.Stop = "none"
	for _, name := range stopNames(f.StopLists) {
		switch {
		case !slices.Contains(analysis.StopLists(), name):
			words, err := files.StopWords(name)
			if errors.Is(err, os.ErrNotExist) {
				unknown := usage.Unknown("stop list", name, analysis.StopLists())
				unknown.Remedy, err = "or name a file", unknown
			}
			if err != nil {
				return o, err
			}
			o.StopWords = append(o.StopWords, words...)
		case o.Stop == "none":
			o.Stop = name
		default:
			o.StopWords = append(o.StopWords, analysis.StopListWords(name)...)
		}
	}
	o.Phrases, err = f.phrases(files, o)
	return o, err
}

// stopNames returns the lists and files of --stop, which add up: a file may have a comma in its name.
func stopNames(value string) []string {
	if _, err := os.Stat(value); err == nil {
		return []string{value}
	}
	return strings.Split(value, ",")
}

// Rare is the flag that leaves out the rare terms of a shard.
type Rare struct{ Least int }

// Flag returns the flag.
func (f *Rare) Flag() Flag {
	return Flag{
		Name: "local-min-df", To: &f.Least, Group: GroupText, More: true, Most: Unlimited, Needs: "stats-only",
		Why:  "is for parts that are added up, where --min-df bounds an index",
		Help: "leave out the terms in fewer documents of a shard; the sum of shards says how many documents of a term that can miss",
	}
}

// LeftOut returns the statistics of a shard without its rare terms, if the flag asks for it.
func (f Rare) LeftOut(s *table.Table) (*table.Table, error) {
	if f.Least == 0 {
		return s, nil
	}
	return s.WithoutRare(f.Least)
}

// noPhrases is the value of --phrases that takes none.
const noPhrases = "none"

// phrases returns the phrases of --phrases.
func (f *Analysis) phrases(files Lists, a analysis.Options) (analysis.Phrases, error) {
	if f.PhraseFile == "" || f.PhraseFile == noPhrases {
		return nil, nil
	}
	phrases, err := files.Phrases(f.PhraseFile, a)
	if errors.Is(err, os.ErrNotExist) {
		if f.PhraseFile == "default" || f.PhraseFile == "npmi" {
			return nil, usage.Errorf("--phrases %s went in 0.2.0: find phrases by collocations -o list.tsv, then give --phrases list.tsv", f.PhraseFile)
		}
		err = usage.Errorf("unknown phrases %q: name a file of phrases, or none", f.PhraseFile)
	}
	return phrases, err
}

// Phrases reads a list with one phrase per line, or a table with the column term, such as collocations writes, in
// the order of their bytes. The terms of a table are taken as they are. The phrases of any other list are analysed as
// texts are, and a line that begins with # is a comment.
func (l Lists) Phrases(path string, a analysis.Options) (p analysis.Phrases, err error) {
	lines, err := l.utf8Lines(path)
	if err != nil {
		return nil, err
	}
	lines = slices.DeleteFunc(lines, func(line listLine) bool { return line.text[0] == '#' || strings.TrimSpace(line.text) == "" })
	if isTable := len(lines) > 0 && (strings.Contains(lines[0].text, "\t") || filepath.Ext(path) == ".csv" || lines[0].text == termColumn); isTable {
		p, err = phrasesOfTable(path, lines)
	} else {
		p, err = phrasesOfLines(path, lines, a)
	}
	if err == nil && len(p) == 0 {
		err = usage.Errorf("%s has no phrase: write a phrase a line, as new york", path)
	}
	slices.Sort(p)
	return slices.Compact(p), err
}

// termColumn is the column of a table that has phrases.
const termColumn = "term"

// phrasesOfTable returns the terms of a table that have two words or more.
func phrasesOfTable(path string, lines []listLine) (p analysis.Phrases, err error) {
	cells := func(line listLine) ([]string, error) { return strings.Split(line.text, "\t"), nil }
	if filepath.Ext(path) == ".csv" {
		cells = func(line listLine) ([]string, error) { return csv.NewReader(strings.NewReader(line.text)).Read() }
	}
	column := -1
	for i, line := range lines {
		fields, err := cells(line)
		switch {
		case i == 0 && err == nil:
			if column = slices.Index(fields, termColumn); column < 0 {
				return nil, usage.Errorf("%s is a table without a column %s: name the column of the phrases so, or write a phrase a line", path, termColumn)
			}
			continue
		case err != nil || column >= len(fields):
			return nil, wrongPhrase(path, line, "the row has no term", "a row has as many fields as the first line")
		}
		if words := strings.Fields(fields[column]); len(words) > 1 {
			p = append(p, strings.Join(words, " "))
		}
	}
	return p, nil
}

// phrasesOfLines analyses a phrase a line.
func phrasesOfLines(path string, lines []listLine, a analysis.Options) (p analysis.Phrases, err error) {
	a.NGrams, a.Headers, a.Markup, a.Phrases, a.HashBits = "", "", "", nil, 0
	if a.Tokens == analysis.Auto {
		a.Tokens = ""
	}
	analyzer, err := analysis.New(a)
	if err != nil {
		return nil, err
	}
	for _, line := range lines {
		if piece := analyzer.Lost(line.text); piece != "" {
			return nil, wrongPhrase(path, line, fmt.Sprintf("%q is no token as %s are, and the phrase would join what lacks it", piece, analyzer.Options().Tokens), "take other --tokens, or omit the phrase")
		}
		words := analyzer.Terms([]byte(line.text))
		if len(words) < 2 {
			return nil, wrongPhrase(path, line, fmt.Sprintf("a phrase has two words or more, and the analysis finds %d here", len(words)), "write a phrase a line, as new york")
		}
		p = append(p, strings.Join(words, " "))
	}
	return p, nil
}

func wrongPhrase(path string, line listLine, problem, remedy string) error {
	return &reader.Error{Pos: document.Position{File: path, Line: line.number}, Problem: problem, Bytes: line.text, Remedy: remedy}
}
