package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// This file reads raw text, and says on stderr what was read.

// source opens raw inputs.
func (f *inputFlags) source(ctx context.Context, paths []string) (*reader.Source, error) {
	if err := firstMissing(paths); err != nil {
		return nil, err
	}
	for _, path := range paths {
		if f.kind(path) == indexFile {
			return nil, usageError("%s is an index, and raw text is read here: name the text, or the index alone where one will do", path)
		}
	}
	opt, err := f.readerOptions(ctx, paths)
	if err != nil {
		return nil, err
	}
	f.warnTwice(paths)
	return reader.Read(ctx, paths, opt)
}

// readerOptions returns the reader options that the flags give. For classes that must
// be in both splits, it reads the inputs.
func (f *inputFlags) readerOptions(ctx context.Context, paths []string) (opt reader.Options, err error) {
	if opt, err = f.Reading.Options(); err != nil {
		return opt, err
	}
	opt.Stdin, opt.TempDir = f.stdin, f.tempDir
	if f.maxMemory == "" {
		opt.WholeFiles = math.MaxInt64
	}
	opt.Unlabelled = opt.Unlabelled || f.against()
	opt.OptionalLabels = f.optionalLabels() && !opt.Unlabelled
	switch {
	case f.ClassesFrom != "":
		if err := regular(f.ClassesFrom); err != nil {
			return opt, err
		}
		corpus, err := corpus.Open(f.ClassesFrom, corpus.OpenOptions{})
		if err != nil {
			return opt, err
		}
		opt.Classes = corpus.Classes()
		if err := corpus.Close(); err != nil {
			return opt, err
		}
	case f.Classes == "both":
		if opt.Classes, err = reader.CommonClasses(ctx, paths, opt); errors.Is(err, reader.ErrOnce) {
			err = usageError("--classes both: %v", err)
		}
	}
	return opt, err
}

// explained returns the error of a build, with what the source knows of it: why the input
// has no documents, or which fields documents without labels have. Without one it is that of
// the source: what was built is not all of the input.
func explained(source *reader.Source, err error) error {
	switch wrong, hint := source.Check(), source.LabelHint(); {
	case err == nil || errors.Is(wrong, reader.ErrEmpty) && errors.Is(err, ingest.ErrEmpty):
		return wrong
	case errors.Is(err, ingest.ErrNoLabels) && !errors.Is(err, reader.ErrBadInput):
		return fmt.Errorf("%w; %s", err, cmp.Or(hint, "put the files of each class into a folder of its name, or name the field that has it (--label-field)"))
	}
	return err
}

// A made is what was made of raw text.
type made struct {
	vocabulary
	emptyDocuments int
	record         corpus.Provenance
}

// read has something made of raw inputs, and says on stderr what was read and what came of it.
func (f *inputFlags) read(ctx context.Context, paths []string, make func(*reader.Source, *corpus.Options) (made, error)) error {
	opt, err := f.options()
	if err != nil {
		return err
	}
	source, err := f.source(ctx, paths)
	if err != nil {
		return err
	}
	start := time.Now()
	m, err := make(source, &opt)
	if err != nil {
		return err
	}
	f.noteAnalysis(opt, m.record)
	f.noteCollisions(opt.Distinct, m.record.Analysis.HashBits)
	f.sumUp(source, time.Since(start), &m.vocabulary)
	f.noteLeftOut(m)
	return nil
}

// sumUp prints what was read, how fast, what was left out, and what came of it, which is nil if the documents were
// not counted.
func (tk *talk) sumUp(source *reader.Source, took time.Duration, counted *vocabulary) {
	s := source.Summary()
	tk.summary.update(func(l *summaryLine) {
		l.addSource(s)
		l.addCounted(0, 0, counted)
	})
	tk.warn(s.Warnings)
	for _, n := range s.Notes {
		tk.note("%s", n)
	}
	for _, reason := range slices.Sorted(maps.Keys(s.Skipped)) {
		tk.note("skipped %d: %s", s.Skipped[reason], reason)
	}
	for _, p := range s.Problems {
		tk.note("left out %d: %s; the first is %v", p.Count, p.Kind, p.Places[0])
	}
	sizes := ""
	if counted != nil {
		sizes = fmt.Sprintf(", %d terms, %d classes", counted.terms, counted.classes)
	}
	tk.note("%d documents, %.1f MB at %.0f MB/s%s", s.Documents, float64(s.Bytes)/1e6, float64(s.Bytes)/1e6/max(took.Seconds(), 1e-9), sizes)
}

// sizeOf returns the size in bytes that a flag says.
func sizeOf(flag, text string) (int64, error) {
	bytes := usage.ParseSize(text)
	if bytes == 0 {
		return 0, usageError("--%s takes a size such as 256MiB or 2GB, not %q", flag, text)
	}
	return bytes, nil
}

// boundMemory returns the bound in bytes, 0 for none, and sets it as the limit of the
// garbage collector.
func (f *inputFlags) boundMemory() (int64, error) {
	if f.maxMemory == "" {
		return 0, nil
	}
	most, err := sizeOf("max-memory", f.maxMemory)
	switch {
	case err != nil:
		return 0, err
	case most < ingest.MinMemory:
		return 0, usageError("--max-memory must be at least %d MiB, not %s", ingest.MinMemory>>20, f.maxMemory)
	case f.docs != "" || f.against():
		return 0, usageError("--max-memory bounds the building of an index; --docs, --reference and a second input make another in memory: build the index first, then use them on it")
	}
	if most < debug.SetMemoryLimit(-1) {
		debug.SetMemoryLimit(most)
	}
	return most, nil
}

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
	tk.noteOnce("--tokens %s splits %d of the stop words (%s), and pieces of them are terms (%s): %s", o.Tokens, len(split), some(split, few), some(pieces, few), remedy)
}

func splitStops(o analysis.Options, tokens string) (split, pieces []string) {
	o.Tokens = tokens
	analyzer, err := analysis.New(o)
	if err != nil {
		return nil, nil
	}
	return analyzer.SplitStops()
}

// few is how many names most notes have.
const few = 5

// some returns the first names as text: "a, b, c, ...".
func some(names []string, most int) string {
	text := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		text += ", ..."
	}
	return text
}

// noteLeftOut prints the number of documents without a term and what was dropped.
func (tk *talk) noteLeftOut(m made) {
	if m.emptyDocuments > 0 {
		tk.note("%d documents have no terms; they count as documents", m.emptyDocuments)
	}
	if p := m.record; p.Repeats > 0 {
		tk.note("dropped %d documents whose text an earlier one has, %d of them with other labels", p.Repeats, p.Relabelled)
	}
	if p := m.record; p.LongTokens > 0 {
		tk.note("dropped %d tokens of more than %d bytes; --max-token is the limit", p.LongTokens, p.Analysis.MaxToken)
	}
}

// warnTwice warns of inputs that are an earlier one, perhaps by another name: their documents
// count once more.
func (tk *talk) warnTwice(paths []string) {
	earlier := map[[2]int64][]usedFile{} // by size and time of the last change, so that few are compared
	for _, path := range paths {
		in := used("INPUT", path, "")
		if in.info == nil || !in.isRegular() && !in.isFolder() {
			continue
		}
		key := [2]int64{in.info.Size(), in.info.ModTime().UnixNano()}
		same := func(other usedFile) bool { return os.SameFile(other.info, in.info) }
		if at := slices.IndexFunc(earlier[key], same); at >= 0 {
			also := ""
			if first := earlier[key][at].path; first != path {
				also = ", also as " + first
			}
			tk.warn([]string{path + " is given twice" + also + ": its documents count twice"})
		}
		earlier[key] = append(earlier[key], in)
	}
}

// noteCollisions says about how many terms share their columns, if terms were hashed.
func (tk *talk) noteCollisions(d *analysis.Distinct, hashBits int) {
	if d == nil || hashBits == 0 {
		return
	}
	c := d.Collisions(hashBits)
	terms := fmt.Sprintf("%.0f distinct terms", c.Terms)
	if c.TermsError > 0 {
		terms = fmt.Sprintf("about %s (± %.0f)", terms, c.TermsError)
	}
	tk.note("%s in about %.0f of 2^%d columns: %.1f %% of the terms (± %.1f) share a column, %.1f %% of these columns (± %.1f) have several terms",
		terms, c.Columns, hashBits, 100*c.SharedTerms, 100*c.SharedTermsError, 100*c.SharedColumns, 100*c.SharedColumnsError)
}

// withNames returns a selection of columns with their terms, for which raw inputs are read once more. One of
// terms stays as it is, and so does one whose input cannot be read again.
func (f *inputFlags) withNames(ctx context.Context, paths []string, s *selection.Selection) (*selection.Selection, error) {
	if s.Provenance.Analysis.HashBits == 0 {
		return s, nil
	}
	if f.reference != "" && !slices.Contains(paths, f.reference) {
		paths = append(slices.Clone(paths), f.reference)
	}
	for _, path := range paths {
		switch {
		case f.kind(path) != otherFile:
			f.note("the columns have no names, for %s has no texts: select from the texts, which are read once more for the names", path)
			return s, nil
		case !reader.ReadableTwice(path):
			f.note("the columns have no names, for %s is a pipe, and texts are read once more for the names: save them to a file", path)
			return s, nil
		}
	}
	source, err := f.source(ctx, paths)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	names, err := ingest.NameColumns(ctx, f.watchBatches(source), s.Provenance.Analysis, f.threads, selection.MostNames, s.Terms())
	if err := explained(source, err); err != nil {
		return nil, err
	}
	took := time.Since(start)
	read := source.Summary()
	f.note("names of %d columns: %d terms, %.1f MB read once more at %.0f MB/s in %.2f s", len(s.Features), names.Terms, float64(read.Bytes)/1e6, float64(read.Bytes)/1e6/max(took.Seconds(), 1e-9), took.Seconds())
	if names.LeftOut > 0 {
		f.note("of each column the %d most frequent terms are kept; %d others are left out", selection.MostNames, names.LeftOut)
	}
	return s.WithNames(names.Of), nil
}
