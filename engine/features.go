package engine

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// This file writes and reads features.tsv: lines that begin with "#" and record
// how the selection was made, a header line, and one line for each term.

const featuresMark = "#termsift features 1"

// recorded is what the "#"-lines carry, by name.
type recorded struct {
	Measure    string     `json:"measure"`
	Combine    string     `json:"combine"`
	Documents  int        `json:"documents"`
	Classes    []string   `json:"classes"`
	Provenance Provenance `json:"provenance"`
}

// WriteTSV writes the selection as features.tsv.
func (s *Selection) WriteTSV(w io.Writer) error {
	out := bufio.NewWriter(w)
	record := recorded{s.Measure, s.Combine, s.Documents, s.Classes, s.Provenance}
	fmt.Fprintln(out, featuresMark)
	for _, line := range []struct {
		name  string
		value any
	}{
		{"measure", record.Measure},
		{"combine", record.Combine},
		{"documents", record.Documents},
		{"classes", record.Classes},
		{"provenance", record.Provenance},
	} {
		data, err := json.Marshal(line.value)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "#%s %s\n", line.name, data)
	}
	byClass := s.Combine == "class"
	out.WriteString("rank\tterm\tscore\tdf")
	if byClass {
		out.WriteString("\tclass\ta\tb")
	}
	out.WriteByte('\n')
	for _, f := range s.Features {
		fmt.Fprintf(out, "%d\t%s\t%s\t%d", f.Rank, EscapeTSV(f.Term), FormatValue(f.Score), f.DF)
		if byClass {
			fmt.Fprintf(out, "\t%s\t%d\t%d", EscapeTSV(f.Class), f.A, f.B)
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
	columns int
	s       Selection
	seen    map[string]bool
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
	case strings.HasPrefix(line, "#") && p.columns == 0:
		name, value, _ := strings.Cut(line[1:], " ")
		p.records[name] = value
	case p.columns == 0:
		p.columns = strings.Count(line, "\t") + 1
		if !strings.HasPrefix(line, "rank\tterm\tscore\tdf") || p.columns != 4 && p.columns != 7 {
			return p.bad("the header line is %q", cut(line))
		}
	default:
		return p.feature(strings.Split(line, "\t"))
	}
	return nil
}

func (p *featuresParser) feature(fields []string) error {
	if len(fields) != p.columns {
		return p.bad("%d columns instead of %d", len(fields), p.columns)
	}
	f := Feature{Term: tsvUnescaper.Replace(fields[1])}
	var err error
	if f.Rank, err = strconv.Atoi(fields[0]); err != nil || f.Rank != len(p.s.Features)+1 {
		return p.bad("rank %q instead of %d", cut(fields[0]), len(p.s.Features)+1)
	}
	if f.Score, err = parseValue(fields[2]); err != nil {
		return p.bad("score %q", cut(fields[2]))
	}
	if f.DF, err = strconv.Atoi(fields[3]); err != nil || f.DF <= 0 {
		return p.bad("document frequency %q", cut(fields[3]))
	}
	if p.columns == 7 {
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
	if p.columns == 0 {
		return nil, p.bad("it ends before the header line")
	}
	for name, to := range map[string]any{
		"measure": &p.s.Measure, "combine": &p.s.Combine, "documents": &p.s.Documents,
		"classes": &p.s.Classes, "provenance": &p.s.Provenance,
	} {
		value, ok := p.records[name]
		if !ok {
			return nil, p.bad("the line #%s is missing", name)
		}
		if err := json.Unmarshal([]byte(value), to); err != nil {
			return nil, p.bad("the line #%s: %v", name, err)
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
