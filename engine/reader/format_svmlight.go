package reader

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/document"
)

// This file reads svmlight text: labels joined by commas, then index:value
// pairs, perhaps "qid:N" and a comment behind "#". A label that is a number is that
// number, however it is written. The term of a pair is its index as written, without
// leading zeros. Values are positive numbers; zeros are left out. With a file of labels
// the first field is the document's number. The first line may be that of the Extreme
// Classification Repository: the numbers of points, features and labels.

// A svmlightParser parses svmlight text. A document refers to its memory, which the next
// document overwrites.
type svmlightParser struct {
	*parser
	indices indexSet
	numbers numberTable
	digits  []byte // of a label
}

func svmlightLines(p *parser) lineParser { return (&svmlightParser{parser: p}).document }

// document emits the document of a line.
func (p *svmlightParser) document(line []byte, pos document.Position) error {
	if p.s.opt.Split != "" {
		return noSplits(pos, "svmlight has")
	}
	body, _, _ := bytes.Cut(line, []byte{'#'})
	if len(bytes.TrimSpace(body)) == 0 || pos.Line == 1 && isSizes(bytes.FieldsFunc(body, func(r rune) bool { return r == ' ' || r == '\t' })) {
		return nil
	}
	var d document.Document
	first := body[:fieldEnd(body, 0)]
	p.labels = p.labels[:0]
	var err error
	switch {
	case len(first) == 0 || bytes.IndexByte(first, ':') >= 0:
		first = nil
		if p.s.qrels != nil {
			err = svmlightError(pos, 0, "no number of a document", body[:fieldEnd(body, 0)], "leave the file of labels away, or begin lines with numbers")
		} else if !isBlank(body[0]) && !p.s.opt.Unlabelled {
			p.tally.remark(p.frame, unlabelledLine(pos, body[:fieldEnd(body, 0)]))
		}
	case p.s.qrels != nil:
		d.ID = string(first)
		err = p.qrelsLabels(first, pos)
	default:
		err = p.labelsOf(first, pos)
	}
	if err == nil {
		d.Features, err = p.pairs(body, len(first), pos)
	}
	if err != nil {
		return err
	}
	d.Labels = p.labels
	return p.emitLine(d, line, pos)
}

// unlabelledLine returns what is said of a line that begins with an element.
func unlabelledLine(pos document.Position, first []byte) *Error {
	return wrong(pos, "the line begins with an element, which is no label: the document has none", first,
		"a label with a weight is not read: write the label alone; a document without a label begins with a space").of("an element at the beginning of a line")
}

// isSizes reports whether the fields of a line are three whole numbers.
func isSizes[T ~string | ~[]byte](fields []T) bool {
	for _, f := range fields {
		if !isNumber([]byte(f)) {
			return false
		}
	}
	return len(fields) == 3
}

// svmlightError returns an error about a field that begins at line[at].
func svmlightError(pos document.Position, at int, problem string, field []byte, remedy string) error {
	pos.Column = at + 1
	return wrong(pos, problem, field, remedy)
}

// fieldEnd returns the end of the field that begins at line[at].
func fieldEnd(line []byte, at int) int {
	for at < len(line) && !isBlank(line[at]) {
		at++
	}
	return at
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// labelsOf appends the labels of a field to p.labels.
func (p *svmlightParser) labelsOf(field []byte, pos document.Position) error {
	for rest, more := field, true; more; {
		var label []byte
		label, rest, more = bytes.Cut(rest, []byte{','})
		label = bytes.TrimPrefix(label, []byte{'+'})
		if len(label) == 0 {
			return svmlightError(pos, 0, "an empty label", field, "join labels by one comma: 3,17")
		}
		if p.s.opt.Target == "" {
			label = p.numberLabel(label)
		}
		if err := p.addLabel(label, pos); err != nil {
			return err
		}
	}
	return nil
}

// pairs parses what follows the labels. usualPair reads most pairs; the others are cut into
// fields first.
func (p *svmlightParser) pairs(line []byte, at int, pos document.Position) ([]document.Feature, error) {
	p.indices.clear()
	features := p.features[:0]
	for {
		for at < len(line) && isBlank(line[at]) {
			at++
		}
		if at == len(line) {
			p.features = features
			return features, nil
		}
		index, value, end, ok := usualPair(line, at)
		if !ok {
			end = fieldEnd(line, at)
			field := line[at:end]
			if query, found := bytes.CutPrefix(field, []byte("qid:")); found {
				if _, err := strconv.ParseUint(string(query), 10, 64); err != nil {
					return nil, svmlightError(pos, at, "the query id is not a whole number", field, "write qid:7")
				}
				at = end
				continue
			}
			var problem string
			if index, value, problem = anyPair(field); problem != "" {
				return nil, svmlightError(pos, at, problem, field, "write index:value, for example 17:2")
			}
		}
		if !p.indices.add(index) {
			pos.Column = at + 1
			return nil, wrong(pos, fmt.Sprintf("index %d stands there twice", index), line[at:end],
				"add the values of an index up").of("an index stands there twice")
		}
		if value > 0 {
			features = append(features, document.Feature{Term: p.numbers.text(index), Value: value})
		}
		at = end
	}
}

// An indexSet is the set of the indices of a line. While they ascend, a new one is compared
// with the last only.
type indexSet struct {
	rising []uint64
	seen   map[uint64]bool // empty while they rise
}

// clear empties the set for the next line.
func (x *indexSet) clear() {
	x.rising = x.rising[:0]
	if len(x.seen) > 1<<12 { // to clear a large map takes longer than to make a small one
		x.seen = nil
	}
	clear(x.seen)
}

// add adds an index and reports whether it is new.
func (x *indexSet) add(index uint64) bool {
	n := len(x.rising)
	if len(x.seen) == 0 && (n == 0 || index > x.rising[n-1]) {
		x.rising = append(x.rising, index)
		return true
	}
	if len(x.seen) == 0 {
		if x.seen == nil {
			x.seen = make(map[uint64]bool, n+1)
		}
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

// looksLikeSVMLight reports whether the first line with an element has a field of labels at
// most, then pairs, and those before it are comments, labels that are numbers, or sizes in the
// first. Unless whole is set, a field that the end of the prefix cuts is not examined.
func looksLikeSVMLight(prefix []byte, whole bool) bool {
	first := true
	for line := range strings.Lines(string(prefix)) {
		body, _, _ := strings.Cut(line, "#")
		fields := strings.Fields(body)
		if len(fields) > 0 && !strings.HasSuffix(line, "\n") && !whole {
			if fields = fields[:len(fields)-1]; len(fields) == 0 {
				return false
			}
		}
		switch {
		case len(fields) == 0, first && isSizes(fields), len(fields) == 1 && areNumbers(fields[0]):
			first = false
		default:
			return hasPairs(fields) && strings.Contains(line, ":")
		}
	}
	return false
}

// areNumbers reports whether a field is labels that are numbers.
func areNumbers(field string) bool {
	for label := range strings.SplitSeq(field, ",") {
		if !numberForm.MatchString(label) {
			return false
		}
	}
	return true
}

// hasPairs reports whether all fields but the first, which may be labels, are pairs.
func hasPairs(fields []string) bool {
	for i, f := range fields {
		index, _, pair := strings.Cut(f, ":")
		if _, err := strconv.ParseUint(index, 10, 63); pair && (err == nil || index == "qid") {
			continue
		}
		if i > 0 || pair {
			return false
		}
	}
	return true
}
