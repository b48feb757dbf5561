package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
)

// This file says on stderr what the texts make of the analysis that the flags ask for.

// noteAnalysis says where the texts or the stop words do not fit the analysis. Nothing is said of
// one that was recorded earlier: there is no sample of its texts.
func (tk *talk) noteAnalysis(asked corpus.Options, p corpus.Provenance) {
	if asked.Sample == nil {
		return
	}
	if asked.Analysis.Tokens == analysis.Auto && p.Analysis.Tokens != analysis.Tokenizers()[0] {
		tk.noteOnce("most letters at the beginning are Han: --tokens %s; --tokens words takes whole runs of them", p.Analysis.Tokens)
	}
	if _, texts := asked.Sample.Markup(); texts > 0 {
		tk.noteSplitStops(p.Analysis)
	}
	tk.noteTexts(asked.Sample, p.Analysis)
}

// noteTexts says what the texts at the beginning look like, if the analysis is for others.
func (tk *talk) noteTexts(s *analysis.Sample, o analysis.Options) {
	if marked, all := s.Markup(); o.Markup != "strip" && marked*fewMarkup >= all && marked > 0 {
		tk.noteOnce("%d of the first %d documents look like HTML or XML: --markup strip takes tags and entities away", marked, all)
	}
	byWords := o.Tokens == "words" || o.Tokens == "letters"
	switch {
	case s.Spaceless():
		tk.noteOnce("many letters at the beginning are of a script without spaces between words, which no --tokens finds: split the texts into words beforehand, and give documents as counts of words")
	case s.Marked() && byWords:
		tk.noteOnce("many letters at the beginning have marks, such as vowels of Devanagari, where --tokens %s ends a word: --tokens unicode does not", o.Tokens)
	}
	if s.Accented() && byWords && o.Normalize == "" {
		tk.noteOnce("many letters at the beginning have accents of their own, where --tokens %s ends a word: --normalize nfc composes them", o.Tokens)
	}
}

// Of this many documents one with markup is enough to tell of it.
const fewMarkup = 10

// noteSplitStops says which stop words stop nothing, because the tokenizer splits them.
func (tk *talk) noteSplitStops(o analysis.Options) {
	split, pieces := splitStops(o, o.Tokens)
	if len(split) == 0 {
		return
	}
	remedy := "add the pieces to a list of stop words"
	still, _ := splitStops(o, "unicode")
	whole := slices.DeleteFunc(slices.Clone(split), func(word string) bool { return slices.Contains(still, word) })
	if len(whole) > 0 {
		remedy = fmt.Sprintf("--tokens unicode leaves %d of them whole; or %s", len(whole), remedy)
	}
	tk.noteOnce("--tokens %s splits %d of the stop words (%s), and pieces of them are terms (%s): %s", o.Tokens, len(split), some(split), some(pieces), remedy)
}

func splitStops(o analysis.Options, tokens string) (split, pieces []string) {
	o.Tokens = tokens
	analyzer, err := analysis.New(o)
	if err != nil {
		return nil, nil
	}
	return analyzer.SplitStops()
}

// some returns a few names as text: "a, b, c, ...".
func some(names []string) string {
	const most = 5
	text := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		text += ", ..."
	}
	return text
}

// noteLeftOut prints the number of documents without a term and what was dropped.
func (tk *talk) noteLeftOut(emptyDocuments int, p corpus.Provenance) {
	if emptyDocuments > 0 {
		tk.note("%d documents have no terms; they count as documents", emptyDocuments)
	}
	if p.Repeats > 0 {
		tk.note("dropped %d documents whose text an earlier one has, %d of them with other labels", p.Repeats, p.Relabelled)
	}
	if p.LongTokens > 0 {
		tk.note("dropped %d tokens of more than %d bytes; --max-token is the limit", p.LongTokens, p.Analysis.MaxToken)
	}
}

// announceTraining prints the note on classifiers that learn one class after the other, if there is such a
// learner, unless they visit few elements or documents.
func (tk *talk) announceTraining(learners []classify.Learner, classes int, visited int) {
	isSVM := func(l classify.Learner) bool { return l.Kind == "svm" }
	if int64(classes)*int64(visited) >= longWork && slices.ContainsFunc(learners, isSVM) {
		tk.note("svm trains %d classifiers, one for each class; centroid and nb read the documents once for all classes", classes)
	}
}
