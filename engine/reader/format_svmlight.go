package reader

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/document"
)

// This file reads svmlight text: labels joined by commas, then index:value pairs, perhaps "qid:N" and a comment behind
// "#". A label that is a number is that number, however it is written. The term of a pair is its index as written,
// without leading zeros. Values are positive numbers; zeros are left out. With a file of labels the first field is the
// document's number. The first line may be that of the Extreme Classification Repository: the numbers of points,
// features and labels.

// A svmlightParser parses svmlight text. A document refers to its memory, which the next
// document overwrites.
type svmlightParser struct {
	*parser
	indices []uint64 // of a line, while they rise
	digits  []byte   // of a label or an index
}

var svmlightLayout = layout{
	format: SVMLight, extensions: []string{".svm", ".svmlight", ".libsvm"}, detect: looksLikeSVMLight,
	open: openLines, parser: ofLines(func(p *parser) lineParser {
		return p.withoutSplits("svmlight has", (&svmlightParser{parser: p}).document)
	}),
}

// document emits the document of a line.
func (p *svmlightParser) document(line []byte, pos document.Position) error {
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
			err = svmlightError(pos, 0, "no number of a document", body[:fieldEnd(body, 0)], "omit the file of labels, or begin lines with numbers")
		} else if !isBlank(body[0]) && !p.s.opt.Unlabelled {
			p.tally.remark(p.frame, wrong(pos, "the line begins with an element, which is no label: the document has none", body[:fieldEnd(body, 0)],
				"a label with a weight is not read: write the label alone; a document without a label begins with a space").of("an element at the beginning of a line"))
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
func svmlightError(pos document.Position, at int, problem string, field []byte, remedy string) *Error {
	pos.Column = at + 1
	return wrong(pos, problem, field, remedy)
}

// fieldEnd returns the end of the field that begins at line[at].
func fieldEnd(line []byte, at int) int {
	if n := bytes.IndexAny(line[at:], " \t"); n >= 0 {
		return at + n
	}
	return len(line)
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

// number is a label that is a number, as 3, +3, 3., .5 or -3.0e2. Exponents may be a little beyond those of a float64.
const number = `[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?0*([1-3]?\d{1,2}|400))?`

var (
	numberForm = regexp.MustCompile("^" + number + "$")
	numberList = regexp.MustCompile("^" + number + "(," + number + ")*$")
)

// numberLabel returns a label that is a number in its shortest form, since programs write 1, +1, 1.0
// or 1e0, and any other label as it is. Whole numbers keep all their digits. The result is valid
// until the next call.
func (p *svmlightParser) numberLabel(label []byte) []byte {
	if n, err := strconv.ParseInt(string(label), 10, 64); err == nil {
		p.digits = strconv.AppendInt(p.digits[:0], n, 10)
		return p.digits
	}
	if len(label) > p.s.opt.MaxName || !numberForm.Match(label) { // what is too long is refused, and would take long
		return label
	}
	exact, ok := new(big.Rat).SetString(string(label))
	if ok && exact.IsInt() {
		return exact.Num().Append(p.digits[:0], 10)
	}
	value, err := strconv.ParseFloat(string(label), 64)
	if err != nil || value == 0 {
		return label
	}
	return shortest(p.digits[:0], value, 64)
}

// pairs parses what follows the labels.
func (p *svmlightParser) pairs(line []byte, at int, pos document.Position) ([]document.Feature, error) {
	features, rising := p.features[:0], p.indices[:0]
	var seen map[uint64]bool // nil while they rise
	for {
		for at < len(line) && isBlank(line[at]) {
			at++
		}
		if at == len(line) {
			p.features, p.indices = features, rising
			return features, nil
		}
		end := fieldEnd(line, at)
		field := line[at:end]
		if query, found := bytes.CutPrefix(field, []byte("qid:")); found {
			if !isNumber(query) {
				return nil, svmlightError(pos, at, "the query id is not a whole number", field, "write qid:7")
			}
			at = end
			continue
		}
		index, value, problem := pairOf(field)
		if problem != "" {
			return nil, svmlightError(pos, at, problem, field, "write index:value, for example 17:2")
		}
		switch n := len(rising); {
		case seen == nil && (n == 0 || index > rising[n-1]):
			rising = append(rising, index)
		case seen == nil:
			seen = make(map[uint64]bool, n+1)
			for _, i := range rising {
				seen[i] = true
			}
		}
		if seen[index] {
			return nil, svmlightError(pos, at, fmt.Sprintf("index %d stands there twice", index), field,
				"add the values of an index up").of("an index stands there twice")
		}
		if seen != nil {
			seen[index] = true
		}
		if value > 0 {
			p.digits = strconv.AppendUint(p.digits[:0], index, 10)
			features = append(features, document.Feature{Term: p.terms.intern(p.digits), Value: value})
		}
		at = end
	}
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
		case len(fields) == 0, first && isSizes(fields), len(fields) == 1 && numberList.MatchString(fields[0]):
			first = false
		default:
			return hasPairs(fields) && strings.Contains(line, ":")
		}
	}
	return false
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

// pairOf reads a pair, or returns what is wrong with it.
func pairOf(field []byte) (index uint64, value float64, problem string) {
	term, number, found := bytes.Cut(field, []byte{':'})
	if !found {
		return 0, 0, "no index:value pair"
	}
	index, err := strconv.ParseUint(string(term), 10, 63)
	if err != nil {
		return 0, 0, "the index is not a whole number from 0 on"
	}
	value, err = strconv.ParseFloat(string(number), 64)
	switch {
	case err != nil || bytes.ContainsAny(number, "xXpP_"):
		return 0, 0, "the value is not a decimal number"
	case math.IsNaN(value) || math.IsInf(value, 0):
		return 0, 0, "the value is not finite"
	case value < 0:
		return 0, 0, "the value is negative; counts and weights of terms are not"
	}
	return index, value, ""
}
