package selection

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/tsv"
	"github.com/termsift/termsift/engine/usage"
)

// This file has the seal of a features file, by which a reader notices that the file
// was cut or changed, and the check of what its records say about each other.

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
	if value, ok := strings.CutPrefix(text, "#"+sealName+" "); ok && p.header == "" && p.line > 0 {
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
