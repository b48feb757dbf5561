package engine

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// This file writes and reads features.tsv: lines that begin with "#" and record
// how the selection was made, a header line, and one line for each term.

const featuresMark = "#termsift features 1"

// A featuresRecord is a "#"-line: a part of the selection by its name.
type featuresRecord struct {
	name     string
	value    any // a pointer
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

// featuresHeader names the columns, those of factors last.
func featuresHeader(byClass, pvalues bool, factors []string) string {
	header := "rank\tterm\tscore\tdf"
	if byClass {
		header += "\tclass\ta\tb"
	}
	if pvalues {
		header += "\tlog10p"
	}
	for _, name := range factors {
		header += "\t" + name
	}
	return header
}

// WriteTSV writes the selection as features.tsv.
func (s *Selection) WriteTSV(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, featuresMark)
	for _, line := range s.records() {
		if line.optional && len(s.Stages) == 0 {
			continue
		}
		data, err := json.Marshal(line.value)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "#%s %s\n", line.name, data)
	}
	byClass := s.Combine == "class"
	factors := slices.Sorted(maps.Keys(s.Factors))
	fmt.Fprintln(out, featuresHeader(byClass, s.PValues, factors))
	for i, f := range s.Features {
		fmt.Fprintf(out, "%d\t%s\t%s\t%d", f.Rank, EscapeTSV(f.Term), FormatValue(f.Score), f.DF)
		if byClass {
			fmt.Fprintf(out, "\t%s\t%d\t%d", EscapeTSV(f.Class), f.A, f.B)
		}
		if s.PValues {
			fmt.Fprintf(out, "\t%s", FormatValue(f.Log10P))
		}
		for _, name := range factors {
			fmt.Fprintf(out, "\t%s", FormatValue(s.Factors[name][i]))
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

// FormatValue writes a value in its shortest form that reads back the same;
// infinities as inf and -inf, an undefined value as null.
func FormatValue(v float64) string {
	switch {
	case math.IsNaN(v):
		return "null"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

var (
	tsvEscaper   = strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`)
	tsvUnescaper = strings.NewReplacer(`\\`, "\\", `\t`, "\t", `\n`, "\n")
)

// EscapeTSV writes tab, newline and backslash as \t, \n and \\.
func EscapeTSV(s string) string { return tsvEscaper.Replace(s) }

// IsSelection says whether a file that begins with these bytes claims to be a features
// file.
func IsSelection(prefix []byte) bool { return bytes.HasPrefix(prefix, []byte(featuresMark+"\n")) }

// ReadSelection reads what WriteTSV wrote; name is what errors call the file.
// They wrap [ErrBadSelection] and say the line.
func ReadSelection(r io.Reader, name string) (*Selection, error) {
	p := featuresParser{name: name, records: map[string]string{}, seen: map[string]bool{}}
	if err := eachLine(r, name, p.parse); err != nil {
		return nil, err
	}
	return p.selection()
}

type featuresParser struct {
	name    string
	line    int
	records map[string]string
	header  string // once it was read
	byClass bool
	s       Selection
	seen    map[string]bool
	factors []string
}

func (p *featuresParser) bad(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w: %s; write it with termsift select", p.name, p.line, ErrBadSelection, fmt.Sprintf(format, args...))
}

func (p *featuresParser) parse(line string) error {
	p.line++
	switch {
	case p.line == 1:
		if line != featuresMark {
			return p.bad("the first line is not %q", featuresMark)
		}
	case strings.HasPrefix(line, "#") && p.header == "":
		name, value, _ := strings.Cut(line[1:], " ")
		p.records[name] = value
	case p.header == "":
		return p.readHeader(line)
	default:
		return p.feature(strings.Split(line, "\t"))
	}
	return nil
}

// readHeader reads which columns there are.
func (p *featuresParser) readHeader(line string) error {
	p.header = line
	columns := strings.Split(line, "\t")
	p.byClass, p.s.PValues = slices.Contains(columns, "class"), slices.Contains(columns, "log10p")
	for _, name := range Factors() {
		if slices.Contains(columns, name) {
			p.factors = append(p.factors, name)
		}
	}
	slices.Sort(p.factors)
	if line != featuresHeader(p.byClass, p.s.PValues, p.factors) {
		return p.bad("the header line is %q", cut(line))
	}
	if p.factors != nil {
		p.s.Factors = map[string][]float64{}
	}
	return nil
}

func (p *featuresParser) feature(fields []string) error {
	if columns := strings.Count(p.header, "\t") + 1; len(fields) != columns {
		return p.bad("%d columns instead of %d", len(fields), columns)
	}
	f := Feature{Term: tsvUnescaper.Replace(fields[1])}
	var err error
	own := len(fields) - len(p.factors)
	for i, name := range p.factors {
		v, err := strconv.ParseFloat(fields[own+i], 64)
		if err != nil || !(v >= 0) || math.IsInf(v, 0) {
			return p.bad("factor %s %q", name, cut(fields[own+i]))
		}
		p.s.Factors[name] = append(p.s.Factors[name], v)
	}
	fields = fields[:own]
	if f.Rank, err = strconv.Atoi(fields[0]); err != nil || f.Rank != len(p.s.Features)+1 {
		return p.bad("rank %q instead of %d", cut(fields[0]), len(p.s.Features)+1)
	}
	if f.Score, err = parseValue(fields[2]); err != nil {
		return p.bad("score %q", cut(fields[2]))
	}
	if f.DF, err = strconv.Atoi(fields[3]); err != nil || f.DF <= 0 {
		return p.bad("document frequency %q", cut(fields[3]))
	}
	if p.s.PValues {
		last := fields[len(fields)-1]
		if f.Log10P, err = strconv.ParseFloat(last, 64); err != nil || !(f.Log10P <= 0) {
			return p.bad("log10 of a p-value %q", cut(last))
		}
	}
	if p.byClass {
		f.Class = tsvUnescaper.Replace(fields[4])
		var errA, errB error
		f.A, errA = strconv.Atoi(fields[5])
		f.B, errB = strconv.Atoi(fields[6])
		if errA != nil || errB != nil {
			return p.bad("document counts %q and %q", cut(fields[5]), cut(fields[6]))
		}
	}
	if p.seen[f.Term] {
		return p.bad("term %q stands there twice", cut(f.Term))
	}
	p.seen[f.Term] = true
	p.s.Features = append(p.s.Features, f)
	return nil
}

func parseValue(s string) (float64, error) {
	if s == "null" {
		return math.NaN(), nil
	}
	return strconv.ParseFloat(s, 64)
}

func (p *featuresParser) selection() (*Selection, error) {
	if p.header == "" {
		return nil, p.bad("it ends before the header line")
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
	return &p.s, nil
}

// cut shortens what an error quotes to 80 bytes.
func cut(s string) string {
	if len(s) > 80 {
		return s[:80] + "..."
	}
	return s
}
