package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// This file packs the data of a page of terms. explore_data.js unpacks it: both must agree.
//
// Names, JSON and evidence are packed by gzip, counts and p-values by bitcoder.go.

// exploreHead is what the page is told besides columns.
type exploreHead struct {
	Title     string           `json:"title"`
	Rank      string           `json:"rank"`
	By        string           `json:"by,omitempty"`
	Test      string           `json:"test,omitempty"`
	Notes     []string         `json:"notes"`
	Documents uint64           `json:"documents"`
	Tokens    uint64           `json:"tokens"`
	Classes   []packClass      `json:"classes"`
	Sides     bool             `json:"sides"`
	Terms     int              `json:"terms"`
	Of        int              `json:"of"`
	Squares   bool             `json:"squares"`
	UTF8      bool             `json:"utf8"` // of all names
	CellP     bool             `json:"cell_p"`
	Texts     bool             `json:"texts"`
	Command   string           `json:"command"`
	Features  *ExploreFeatures `json:"features"`
}

type packClass struct {
	Name      string `json:"name"`
	Documents uint64 `json:"documents"`
	Tokens    uint64 `json:"tokens"`
}

// pack returns the parts of the page's data.
func (e *Explore) pack() (parts []packedPart, err error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	head, err := json.Marshal(e.head())
	if err != nil {
		return nil, err
	}
	t := &e.Terms
	add := func(name string, data []byte) {
		if err == nil {
			var packed []byte
			packed, err = gzipped(data)
			parts = append(parts, newPackedPart(name, "gzip", packed))
		}
	}
	add("head", head)
	add("names", t.packNames())
	if len(e.Evidence) > 0 {
		evidence, failed := json.Marshal(e.evidence())
		if failed != nil {
			return nil, failed
		}
		add("evidence", evidence)
	}
	parts = append(parts, newPackedPart("counts", "bits", t.packCounts(len(e.Classes))))
	if t.Log10P != nil {
		parts = append(parts, newPackedPart("p", "bits", t.packP()))
	}
	return parts, err
}

func newPackedPart(name, by string, data []byte) packedPart {
	return packedPart{name, by, base64.RawURLEncoding.EncodeToString(data)}
}

// gzipped packs data by gzip.
func gzipped(data []byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return packed.Bytes(), err
}

// mostExact is the largest number up to which a script counts exactly.
const mostExact = 1 << 53

// check returns an error for columns that do not fit together.
func (e *Explore) check() error {
	t := &e.Terms
	n := len(t.Names)
	if len(t.DF) != n || len(t.CF) != n || len(t.Start) != n+1 || t.Log10P != nil && len(t.Log10P) != n {
		return fmt.Errorf("columns of %d terms have other lengths", n)
	}
	cells := t.Start[n]
	if len(t.Class) != cells || len(t.A) != cells || len(t.S) != cells || t.Q != nil && len(t.Q) != cells || t.CellLog10P != nil && len(t.CellLog10P) != cells {
		return fmt.Errorf("columns of %d cells have other lengths", cells)
	}
	for i := range n {
		if i > 0 && t.Names[i-1] >= t.Names[i] {
			return fmt.Errorf("term %q follows %q, and terms are in the order of their bytes", t.Names[i], t.Names[i-1])
		}
		if t.DF[i] > mostExact || t.CF[i] > mostExact {
			return fmt.Errorf("the counts of term %q are beyond 2^53", t.Names[i])
		}
		for j := t.Start[i]; j < t.Start[i+1]; j++ {
			if int(t.Class[j]) >= len(e.Classes) || j > t.Start[i] && t.Class[j-1] >= t.Class[j] {
				return fmt.Errorf("the classes of term %q are not in order", t.Names[i])
			}
			if !t.isPossible(j) {
				return fmt.Errorf("the counts of term %q are those of no documents", t.Names[i])
			}
		}
	}
	return nil
}

// isPossible reports whether documents have the counts of a cell, and a script counts them exactly.
func (t *ExploreTerms) isPossible(j int) bool {
	a, s := t.A[j], t.S[j]
	switch {
	case a < 1, s < a, s > mostExact:
		return false
	case t.Q == nil:
		return true
	case float64(s)/float64(a)*float64(s) > mostExact:
		return false
	}
	q, least := t.Q[j], leastSquares(a, s)
	return q == least || q > least && q <= mostExact && (q-least)%2 == 0 && a > 1 && s > a
}

func (e *Explore) head() exploreHead {
	h := exploreHead{
		Title: e.Title, Rank: e.Rank, By: e.By, Test: e.Test, Notes: append([]string{}, e.Notes...), Documents: e.Documents, Tokens: e.Tokens,
		Classes: []packClass{}, Sides: e.Sides, Terms: len(e.Terms.Names), Of: e.Of, Squares: e.Terms.Q != nil, UTF8: true, Texts: e.Texts, Command: e.Command, Features: e.Features,
		CellP: e.Terms.CellLog10P != nil,
	}
	for _, c := range e.Classes {
		h.Classes = append(h.Classes, packClass{visible(c.Name), c.Documents, c.Tokens})
	}
	for _, name := range e.Terms.Names {
		h.UTF8 = h.UTF8 && utf8.ValidString(name)
	}
	return h
}

// packNames packs the terms: how many bytes each shares with the one before it, how many follow, and
// behind all of these the bytes that follow.
func (t *ExploreTerms) packNames() (data []byte) {
	shared := make([]int, len(t.Names))
	for i := range t.Names {
		if i > 0 {
			shared[i] = sharedPrefix(t.Names[i-1], t.Names[i])
		}
		data = binary.AppendUvarint(data, uint64(shared[i]))
	}
	for i, name := range t.Names {
		data = binary.AppendUvarint(data, uint64(len(name)-shared[i]))
	}
	for i, name := range t.Names {
		data = append(data, name[shared[i]:]...)
	}
	return data
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// leastSquares returns the least sum of squares of a whole numbers whose sum is s: they differ by 1 at most.
func leastSquares(a, s uint64) uint64 {
	each, more := s/a, s%a
	return more*(each+1)*(each+1) + (a-more)*each*each
}

// packEvidence is the evidence of a term in the page.
type packEvidence struct {
	Term      int                `json:"term"`
	Documents []evidenceDocument `json:"documents"`
	Lines     []evidenceLine     `json:"lines"`
}

type evidenceDocument struct {
	Side   string `json:"side"`
	ID     string `json:"id"`
	Labels string `json:"labels"`
	TF     int    `json:"tf"`
	Length int    `json:"length"`
}

type evidenceLine struct {
	Side  string `json:"side"`
	ID    string `json:"id"`
	Left  string `json:"left"`
	Match string `json:"match"`
	Right string `json:"right"`
}

// evidence returns the evidence of the terms that the page has.
func (e *Explore) evidence() (all []packEvidence) {
	place := map[string]int{}
	for i, name := range e.Terms.Names {
		place[name] = i
	}
	for _, of := range e.Evidence {
		i, ok := place[of.Term]
		if !ok {
			continue
		}
		p := packEvidence{Term: i, Documents: []evidenceDocument{}, Lines: []evidenceLine{}}
		for _, d := range of.Documents {
			p.Documents = append(p.Documents, evidenceDocument{visibleText(d.Side), visible(d.ID), visibleText(d.Labels), d.TF, d.Length})
		}
		for _, l := range of.Lines {
			p.Lines = append(p.Lines, evidenceLine{visibleText(l.Side), visible(l.ID), visibleText(l.Left), visibleText(l.Match), visibleText(l.Right)})
		}
		all = append(all, p)
	}
	return all
}
