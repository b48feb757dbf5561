package flags

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/collocation"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/usage"
)

// This file reads and writes lists of phrases.

// noPhrases is the value of --phrases that takes none.
const noPhrases = "none"

// phraseChoices returns the values of --phrases that are no files.
func phraseChoices([]string) []string {
	return append([]string{noPhrases}, textsOf(collocation.Scorers())...)
}

// LearnsPhrases returns the scorer by which phrases are learnt from the texts, "" if they are not.
func (f *Analysis) LearnsPhrases() collocation.Scorer {
	if scorer := collocation.Scorer(f.Phrases); slices.Contains(collocation.Scorers(), scorer) {
		return scorer
	}
	return ""
}

// phrases returns the phrases of --phrases if it names a file.
func (f *Analysis) phrases(files Lists, a analysis.Options) (analysis.Phrases, error) {
	if f.Phrases == "" || slices.Contains(phraseChoices(nil), f.Phrases) {
		return nil, nil
	}
	phrases, err := files.Phrases(f.Phrases, a)
	if errors.Is(err, os.ErrNotExist) {
		err = usage.Errorf("unknown phrases %q; known: %s, or the name of a file", f.Phrases, strings.Join(phraseChoices(nil), " "))
	}
	return phrases, err
}

// phraseHead are the columns of a list of phrases that were learnt.
var phraseHead = []string{"phrase", "pass", "tf", "score"}

// WritePhrases writes phrases as a list that [Lists.Phrases] reads.
func WritePhrases(w io.Writer, phrases []collocation.Phrase) error {
	var b strings.Builder
	b.WriteString(strings.Join(phraseHead, "\t") + "\n")
	for _, p := range phrases {
		fmt.Fprintf(&b, "%s\t%d\t%d\t%s\n", p.Text, p.Pass, p.Frequency, strconv.FormatFloat(p.Score, 'g', -1, 64))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Phrases reads a list with one phrase per line. A list that [WritePhrases] wrote is taken as it is; the phrases of
// any other are analysed as texts are, and what stands behind a # at the beginning of a line is a comment.
func (l Lists) Phrases(path string, a analysis.Options) (p analysis.Phrases, err error) {
	lines, err := l.utf8Lines(path)
	if err != nil {
		return nil, err
	}
	wrong := func(line listLine, problem, remedy string) error {
		return &reader.Error{Pos: document.Position{File: path, Line: line.number}, Problem: problem, Bytes: line.text, Remedy: remedy}
	}
	if len(lines) > 0 && lines[0].text == strings.Join(phraseHead, "\t") {
		for _, line := range lines[1:] {
			phrase, pass, ok := learntPhrase(line.text)
			if !ok {
				return nil, wrong(line, "the line is not one of a list of phrases", "it has a phrase, its pass from 1 on, tf and score, with tabs between")
			}
			for len(p) < pass {
				p = append(p, nil)
			}
			p[pass-1] = append(p[pass-1], phrase)
		}
		return p, nil
	}
	a.NGrams, a.Headers, a.Markup, a.Phrases, a.HashBits = "", "", "", nil, 0
	if a.Tokens == analysis.Auto {
		a.Tokens = ""
	}
	analyzer, err := analysis.New(a)
	if err != nil {
		return nil, err
	}
	var pass []string
	for _, line := range lines {
		if strings.HasPrefix(line.text, "#") || strings.TrimSpace(line.text) == "" {
			continue
		}
		if piece := analyzer.Lost(line.text); piece != "" {
			return nil, wrong(line, fmt.Sprintf("%q is no token as %s are, and the phrase would join what lacks it", piece, analyzer.Options().Tokens), "take other --tokens, or leave the phrase away")
		}
		words := analyzer.Terms([]byte(line.text))
		if len(words) < 2 {
			return nil, wrong(line, fmt.Sprintf("a phrase has two words or more, and the analysis finds %d here", len(words)), "write a phrase a line, as new york")
		}
		pass = append(pass, strings.Join(words, " "))
	}
	if len(pass) == 0 {
		return nil, usage.Errorf("%s has no phrase: write a phrase a line, as new york", path)
	}
	return analysis.Phrases{pass}, nil
}

// mostPasses bounds the passes of a list.
const mostPasses = 100

// learntPhrase reads a line of a list that WritePhrases wrote.
func learntPhrase(line string) (phrase string, pass int, ok bool) {
	fields := strings.Split(line, "\t")
	if len(fields) != len(phraseHead) {
		return "", 0, false
	}
	pass, err := strconv.Atoi(fields[1])
	return fields[0], pass, err == nil && pass >= 1 && pass <= mostPasses
}
