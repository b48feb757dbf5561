package reader

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/document"
)

// This file reads svmlight text: labels joined by commas, then index:value
// pairs, perhaps "qid:N" and a comment behind "#". The term of a pair is its
// index as written. Values are positive numbers; zeros are left out.

// svmScratch is the memory of a parser for svmlight.
type svmScratch struct{}

func openSVMLight(s *Source, _ string) records { return lineRecords{s, (*parser).svmlightDocument} }

// svmlightDocument parses a line.
func (p *parser) svmlightDocument(line []byte, pos document.Position) (err error) {
	var d document.Document
	whole := line
	at := pos
	if p.s.opt.Split != "" {
		return &Error{Pos: pos, Problem: "svmlight has no splits", Remedy: "leave --split away and name the file that you want"}
	}
	if i := bytes.IndexByte(line, '#'); i >= 0 {
		line = line[:i]
	}
	text := string(line)
	if strings.TrimSpace(text) == "" {
		return nil
	}
	d.Features = []document.Feature{}
	var indices indexSet
	first := true
	for column, field := range fieldsAt(text) {
		pos.Column = column + 1
		if first && column == 0 && !strings.Contains(field, ":") {
			if d.Labels, err = p.svmlightLabels(field, pos); err != nil {
				return err
			}
		} else if query, found := strings.CutPrefix(field, "qid:"); found {
			if _, err := strconv.ParseUint(query, 10, 64); err != nil {
				return &Error{Pos: pos, Problem: "the query id is not a whole number", Bytes: field, Remedy: "write qid:7"}
			}
		} else {
			f, index, err := svmlightPair(field, pos)
			if err != nil {
				return err
			}
			if !indices.add(index) {
				return &Error{
					Pos: pos, Problem: fmt.Sprintf("index %d stands there twice", index), Bytes: field,
					Remedy: "add the values of an index up",
				}
			}
			if f.Value > 0 {
				d.Features = append(d.Features, f)
			}
		}
		first = false
	}
	return p.emitLine(d, whole, at)
}

// An indexSet holds the indices of a line. As long as they rise, the last one
// is all that a new one is compared with.
type indexSet struct {
	rising []uint64
	seen   map[uint64]bool // nil while they rise
}

// add takes an index and says whether it is new.
func (x *indexSet) add(index uint64) bool {
	n := len(x.rising)
	if x.seen == nil && (n == 0 || index > x.rising[n-1]) {
		x.rising = append(x.rising, index)
		return true
	}
	if x.seen == nil {
		x.seen = make(map[uint64]bool, n+1)
		for _, i := range x.rising {
			x.seen[i] = true
		}
	}
	if x.seen[index] {
		return false
	}
	x.seen[index] = true
	return true
}

// fieldsAt yields the fields of a line with their byte offsets.
func fieldsAt(text string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for at := 0; at < len(text); {
			if text[at] == ' ' || text[at] == '\t' {
				at++
				continue
			}
			end := at
			for end < len(text) && text[end] != ' ' && text[end] != '\t' {
				end++
			}
			if !yield(at, text[at:end]) {
				return
			}
			at = end
		}
	}
}

func (p *parser) svmlightLabels(field string, pos document.Position) ([]string, error) {
	var labels []string
	for label := range strings.SplitSeq(field, ",") {
		label = strings.TrimPrefix(label, "+")
		if label == "" {
			return nil, &Error{Pos: pos, Problem: "an empty label", Bytes: field, Remedy: "join labels by one comma: 3,17"}
		}
		known, err := p.label([]byte(label))
		if err != nil {
			return nil, err
		}
		labels = append(labels, known)
	}
	return labels, nil
}

// svmlightPair parses index:value. The term is the index without leading zeros.
func svmlightPair(field string, pos document.Position) (f document.Feature, index uint64, err error) {
	bad := func(problem string) (document.Feature, uint64, error) {
		return f, 0, &Error{Pos: pos, Problem: problem, Bytes: field, Remedy: "write index:value, for example 17:2"}
	}
	term, value, found := strings.Cut(field, ":")
	if !found {
		return bad("no index:value pair")
	}
	if index, err = strconv.ParseUint(term, 10, 63); err != nil {
		return bad("the index is not a whole number from 0 on")
	}
	f.Term = term
	if len(term) > 1 && term[0] == '0' {
		f.Term = strconv.FormatUint(index, 10)
	}
	f.Value, err = strconv.ParseFloat(value, 64)
	switch {
	case err != nil || strings.ContainsAny(value, "xXpP_"):
		return bad("the value is not a decimal number")
	case math.IsNaN(f.Value) || math.IsInf(f.Value, 0):
		return bad("the value is not finite")
	case f.Value < 0:
		return bad("the value is negative; counts and weights of terms are not")
	}
	return f, index, nil
}

// looksLikeSVMLight judges the first line that is no comment: a field of
// labels at most, then pairs. A pair that the prefix cuts, unless it is the
// whole input, is left out.
func looksLikeSVMLight(prefix []byte, whole bool) bool {
	for line := range strings.Lines(string(prefix)) {
		body, _, _ := strings.Cut(line, "#")
		fields := strings.Fields(body)
		if len(fields) == 0 {
			continue
		}
		if !strings.HasSuffix(line, "\n") && !whole {
			fields = fields[:len(fields)-1]
		}
		for i, f := range fields {
			index, _, pair := strings.Cut(f, ":")
			if _, err := strconv.ParseUint(index, 10, 63); pair && (err == nil || index == "qid") {
				continue
			}
			if i > 0 || pair || !strings.ContainsAny(line, ":") {
				return false
			}
		}
		return len(fields) > 0
	}
	return false
}
