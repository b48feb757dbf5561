package selection

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/tsv"
	"github.com/termsift/termsift/engine/usage"
)

// This file writes and reads features.tsv: lines that begin with "#" and record
// how the selection was made, a header line, and one line for each term.

// The first line of a features file: that of any version begins with featuresWord.
const (
	featuresWord = "#termsift features "
	featuresMark = featuresWord + "2"
)

// ErrBadFeatures is returned for a features file that cannot be read.
var ErrBadFeatures = usage.NewError(usage.ErrData, "not a features file")

// A featuresRecord is a line "#name value", which holds a field of the selection as JSON.
type featuresRecord struct {
	name     string
	value    any // a pointer to the field
	optional bool
}

func (s *Selection) records() []featuresRecord {
	return []featuresRecord{
		{"measure", &s.Measure, false},
		{"combine", &s.Combine, false},
		{"documents", &s.Documents, false},
		{"classes", &s.Classes, false},
		{"provenance", &s.Provenance, false},
		{"stages", &s.Stages, true},
	}
}

// A column of the table has a field of each feature.
type column struct {
	name string
	of   func(i int) any // a pointer to the field of feature i
}

// columns returns those of the selection, with its factors and names last. Older files have columns of the class only
// if terms were selected by class.
func (s *Selection) columns(classes bool) []column {
	ofClass := func(i int, number *int) any {
		if s.Features[i].Class == "" {
			return new(string) // an empty field
		}
		return number
	}
	all := []column{
		{"rank", func(i int) any { return &s.Features[i].Rank }},
		{"term", func(i int) any { return &s.Features[i].Term }},
		{"score", func(i int) any { return &s.Features[i].Score }},
		{"df", func(i int) any { return &s.Features[i].DF }},
		{"class", func(i int) any { return &s.Features[i].Class }},
		{"a", func(i int) any { return ofClass(i, &s.Features[i].A) }},
		{"b", func(i int) any { return ofClass(i, &s.Features[i].B) }},
	}
	if !classes {
		all = all[:4]
	}
	if s.PValues {
		all = append(all, column{"log10p", func(i int) any { return &s.Features[i].Log10P }})
	}
	for _, name := range slices.Sorted(maps.Keys(s.Factors)) {
		all = append(all, column{name, func(i int) any { return &s.Factors[name][i] }})
	}
	if s.Names != nil {
		all = append(all, column{namesColumn, func(i int) any { return &s.Names[i] }})
	}
	return all
}

// headerOf returns the header line of columns.
func headerOf(columns []column) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	return strings.Join(names, "\t")
}

// appendField appends a field. Without fmt, ten thousand lines take a quarter of the time.
func appendField(line []byte, field any) []byte {
	switch field := field.(type) {
	case *int:
		return strconv.AppendInt(line, int64(*field), 10)
	case *float64:
		return tsv.AppendValue(line, *field)
	case *string:
		return append(line, tsv.Escape(*field)...)
	}
	list, _ := json.Marshal(append([]string{}, *field.(*[]string)...)) // strings have no errors
	return append(line, list...)
}

// readField sets a field to what a text says.
func readField(field any, text string) (err error) {
	switch field := field.(type) {
	case *int:
		*field, err = strconv.Atoi(text)
	case *float64:
		*field, err = tsv.ParseValue(text)
	case *string:
		*field = tsv.Unescape(text)
	case *[]string:
		if err = json.Unmarshal([]byte(text), field); err == nil && *field == nil {
			err = errors.New("null is no list")
		}
	}
	return err
}

// ErrUnwritable is wrapped by the errors of selections that a features file cannot hold.
var ErrUnwritable = usage.NewError(usage.ErrData, "a selection that a features file cannot hold")

// WriteTSV writes the selection as features.tsv, with a seal by which [Read] detects that
// the file was cut or changed. What Read would refuse is an [ErrUnwritable].
func (s *Selection) WriteTSV(w io.Writer) error {
	if w == nil {
		return usage.Errorf("a nil writer was given")
	}
	if _, problem := s.contradiction(); problem != "" {
		return fmt.Errorf("%w: %s", ErrUnwritable, problem)
	}
	var records, table bytes.Buffer
	if err := s.writeRecords(&records); err != nil {
		return err
	}
	if err := s.writeTable(&table); err != nil {
		return err
	}
	return writeSealed(w, records.Bytes(), table.Bytes(), len(s.Features))
}

// writeRecords writes the first line and the "#"-lines.
func (s *Selection) writeRecords(out *bytes.Buffer) error {
	fmt.Fprintln(out, featuresMark)
	for _, line := range s.records() {
		if line.optional && len(s.Stages) == 0 {
			continue
		}
		data, err := json.Marshal(line.value)
		if err != nil {
			return err
		}
		if len(data) > longestLine {
			return fmt.Errorf("%w: the line #%s has %d bytes, and %d are read", ErrUnwritable, line.name, len(data), longestLine)
		}
		fmt.Fprintf(out, "#%s %s\n", line.name, data)
	}
	return nil
}

// writeTable writes the header line and the terms.
func (s *Selection) writeTable(out *bytes.Buffer) error {
	columns := s.columns(true)
	fmt.Fprintln(out, headerOf(columns))
	for i, f := range s.Features {
		line := out.AvailableBuffer()
		for _, c := range columns {
			line = append(appendField(line, c.of(i)), '\t')
		}
		line[len(line)-1] = '\n'
		if len(line) > longestLine {
			return fmt.Errorf("%w: the line of term %q has %d bytes, and %d are read", ErrUnwritable, usage.Cut(f.Term), len(line), longestLine)
		}
		out.Write(line)
	}
	return nil
}

// IsFeatures reports whether a file that begins with these bytes claims to be a features
// file.
func IsFeatures(prefix []byte) bool {
	return bytes.HasPrefix(prefix, []byte(featuresWord))
}

// Read reads a file that WriteTSV wrote. Errors call the file by name; those about its
// content wrap [ErrBadFeatures], and name the line if they are about one. It is such an
// error if the file does not match its seal, or if its records contradict one another. A
// file without a seal, as somebody left it who changed it on purpose, gives a warning in the
// Selection.
func Read(r io.Reader, name string) (*Selection, error) {
	p := featuresParser{name: name, records: map[string]string{}, hash: xxh3.New()}
	if err := tsv.WholeLines(r, name, p.read); err != nil {
		return nil, err
	}
	return p.selection()
}

type featuresParser struct {
	name    string
	line    int
	records map[string]string
	columns []column // nil until the header is read
	first   int      // the line of the first term
	hash    *xxh3.Hasher
	seal    *seal
	s       Selection
}

func (p *featuresParser) bad(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w: %s; write it with termsift select", p.name, p.line, ErrBadFeatures, fmt.Sprintf(format, args...))
}

func (p *featuresParser) parse(line string) error {
	p.line++
	switch {
	case p.line == 1:
		if line != featuresMark {
			return p.bad("the first line is not %q", featuresMark)
		}
	case strings.HasPrefix(line, "#") && p.columns == nil:
		name, value, _ := strings.Cut(line[1:], " ")
		p.records[name] = value
	case p.columns == nil:
		return p.readHeader(line)
	default:
		return p.feature(strings.Split(line, "\t"))
	}
	return nil
}

// readHeader reads the header line, which says which columns there are.
func (p *featuresParser) readHeader(line string) error {
	names := strings.Split(line, "\t")
	p.first, p.s.PValues = p.line+1, slices.Contains(names, "log10p")
	for _, name := range Factors() {
		if slices.Contains(names, name) {
			if p.s.Factors == nil {
				p.s.Factors = map[string][]float64{}
			}
			p.s.Factors[name] = nil
		}
	}
	if slices.Contains(names, namesColumn) {
		p.s.Names = [][]string{}
	}
	p.columns = p.s.columns(slices.Contains(names, "class"))
	if line != headerOf(p.columns) {
		return p.bad("the header line is %q", usage.Cut(line))
	}
	return nil
}

func (p *featuresParser) feature(fields []string) error {
	if len(fields) != len(p.columns) {
		return p.bad("%d columns instead of %d", len(fields), len(p.columns))
	}
	i := len(p.s.Features)
	p.s.Features = append(p.s.Features, Feature{})
	for name, list := range p.s.Factors {
		p.s.Factors[name] = append(list, 0)
	}
	if p.s.Names != nil {
		p.s.Names = append(p.s.Names, nil)
	}
	for at, c := range p.columns {
		if err := readField(c.of(i), fields[at]); err != nil {
			return p.bad("the column %s has %q: %v", c.name, usage.Cut(fields[at]), err)
		}
	}
	if rank := p.s.Features[i].Rank; rank != i+1 {
		return p.bad("rank %d instead of %d", rank, i+1)
	}
	return nil
}

func (p *featuresParser) selection() (*Selection, error) {
	if p.columns == nil {
		return nil, p.bad("it ends before the header line")
	}
	if err := p.checkSeal(); err != nil {
		return nil, err
	}
	for _, line := range p.s.records() {
		value, ok := p.records[line.name]
		switch {
		case !ok && line.optional:
			continue
		case !ok:
			return nil, p.bad("the line #%s is missing", line.name)
		}
		if err := json.Unmarshal([]byte(value), line.value); err != nil {
			return nil, p.bad("the line #%s: %v", line.name, err)
		}
	}
	if row, problem := p.s.contradiction(); problem != "" {
		p.line = max(p.first+row, 1)
		return nil, p.bad("%s", problem)
	}
	return &p.s, nil
}

// Features that are columns of hashes may have names: the terms that a second look at the texts finds in the
// columns. A features file has them in its last column, as a list of JSON.

// MostNames is how many terms of a column a features file has at most: the most frequent ones.
const MostNames = 20

// namesColumn is the name of the column.
const namesColumn = "names"

// WithNames returns the selection with the names of its features, see Selection.Names.
func (s *Selection) WithNames(names [][]string) *Selection {
	named := *s
	named.Names = names
	return &named
}

// Terms returns the terms in the order of their ranks.
func (s *Selection) Terms() []string {
	terms := make([]string, len(s.Features))
	for i, f := range s.Features {
		terms[i] = f.Term
	}
	return terms
}

// A features file has a seal, by which a reader notices that it was cut or changed. What its
// records say about each other is checked, too.

// sealName is the name of the "#"-line with the seal.
const sealName = "seal"

// A seal holds the number of lines of terms in a features file and the xxh3-64 of all its
// bytes except the line of the seal itself.
type seal struct {
	Rows int    `json:"rows"`
	Sum  string `json:"sum"`
}

func newSeal(rows int, h *xxh3.Hasher) seal { return seal{rows, fmt.Sprintf("%016x", h.Sum64())} }

// writeSealed writes records, the line of the seal, and table.
func writeSealed(w io.Writer, records, table []byte, rows int) error {
	h := xxh3.New()
	_, _ = h.Write(records) // it cannot fail
	_, _ = h.Write(table)
	line, err := json.Marshal(newSeal(rows, h))
	if err != nil {
		return err
	}
	_, err = w.Write(slices.Concat(records, []byte("#"+sealName+" "), line, []byte("\n"), table))
	return err
}

// longestLine is the number of bytes that are written in a line, but for its name.
const longestLine = tsv.LongestLine - 64

// read parses a line and adds it to the hash, unless it is that of the seal.
func (p *featuresParser) read(line []byte) error {
	text := strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r")
	if value, ok := strings.CutPrefix(text, "#"+sealName+" "); ok && p.columns == nil && p.line > 0 {
		p.line++
		return p.readSeal(value)
	}
	_, _ = p.hash.Write(line) // it cannot fail
	return p.parse(text)
}

func (p *featuresParser) readSeal(value string) error {
	if p.seal != nil {
		return p.bad("it has a second seal")
	}
	p.seal = &seal{}
	err := json.Unmarshal([]byte(value), p.seal)
	if line, _ := json.Marshal(p.seal); err != nil || string(line) != value {
		return p.bad("the line #%s is not as termsift writes it", sealName)
	}
	return nil
}

// checkSeal compares what was read with the seal. A file without one only gives a warning.
func (p *featuresParser) checkSeal() error {
	found := newSeal(len(p.s.Features), p.hash)
	broken := func(how string) error {
		return fmt.Errorf("%s: %w: %s since termsift wrote it; take a whole copy or, if the change was meant, delete the line that begins with #%s",
			p.name, ErrBadFeatures, how, sealName)
	}
	switch {
	case p.seal == nil:
		p.s.Warnings = append(p.s.Warnings, fmt.Sprintf("%s has no seal, the line #%s, by which it would be noticed if terms were missing or changed", p.name, sealName))
	case found.Rows < p.seal.Rows:
		return broken(fmt.Sprintf("it has %d of %d terms: it was cut", found.Rows, p.seal.Rows))
	case found.Rows > p.seal.Rows:
		return broken(fmt.Sprintf("it has %d terms instead of %d: it was changed", found.Rows, p.seal.Rows))
	case found.Sum != p.seal.Sum:
		return broken("its bytes do not have the sum of its seal: it was cut or changed")
	}
	return nil
}

// contradiction looks for counts, classes and terms that cannot be true together, and for values that
// no file holds. It returns the index of the feature that the problem is about, -1 if it is about the
// whole selection; problem is "" if there is none.
func (s *Selection) contradiction() (row int, problem string) {
	if s.Documents <= 0 {
		return -1, fmt.Sprintf("it comes from %d documents", s.Documents)
	}
	known := make(map[string]bool, len(s.Classes))
	for _, class := range s.Classes {
		if known[class] || !utf8.ValidString(class) {
			return -1, fmt.Sprintf("the class %q stands there twice, or is not UTF-8", usage.Cut(class))
		}
		known[class] = true
	}
	hashed := s.Provenance.Analysis.HashBits > 0
	if s.Names != nil && (!hashed || len(s.Names) != len(s.Features)) {
		return -1, "it has names of columns of hashes, and its terms are none"
	}
	seen := make(map[string]struct{}, len(s.Features))
	for i, f := range s.Features {
		seen[f.Term] = struct{}{}
		_, isColumn := s.Provenance.Analysis.ParseColumn(f.Term)
		switch {
		case len(seen) <= i:
			return i, fmt.Sprintf("term %q stands there twice", usage.Cut(f.Term))
		case f.DF <= 0 || f.DF > s.Documents:
			return i, fmt.Sprintf("term %q is in %d of %d documents", usage.Cut(f.Term), f.DF, s.Documents)
		case math.IsNaN(f.Score):
			return i, fmt.Sprintf("the score of the term %q is undefined", usage.Cut(f.Term))
		case s.PValues && !(f.Log10P <= 0):
			return i, fmt.Sprintf("the log10 of the p-value of term %q is %v", usage.Cut(f.Term), f.Log10P)
		case hashed && !isColumn:
			return i, fmt.Sprintf("term %q is none of the 2^%d columns of hashes", usage.Cut(f.Term), s.Provenance.Analysis.HashBits)
		case f.Class == "":
		case !known[f.Class]:
			return i, fmt.Sprintf("the class %q of term %q is none of the %d classes", usage.Cut(f.Class), usage.Cut(f.Term), len(s.Classes))
		case f.A < 0 || f.B < 0 || f.A+f.B != f.DF:
			return i, fmt.Sprintf("term %q is in %d documents, but in %d of its class and %d others", usage.Cut(f.Term), f.DF, f.A, f.B)
		}
	}
	for name, factors := range s.Factors {
		if i := slices.IndexFunc(factors, func(v float64) bool { return !(v >= 0) || math.IsInf(v, 0) }); i >= 0 {
			return i, fmt.Sprintf("the factor %s of term %q is %v", name, usage.Cut(s.Features[i].Term), factors[i])
		}
	}
	return -1, ""
}
