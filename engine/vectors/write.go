package vectors

import (
	"encoding/json"
	"io"
	"iter"

	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// This file writes rows one after the other, as they come. What needs all of them first is
// written by a [Matrix].

// WriteSVMLight writes rows as svmlight text, see [SVMLightWriter].
func WriteSVMLight(w io.Writer, rows iter.Seq2[Row, error]) error {
	if w == nil || rows == nil {
		return usage.Errorf("a nil writer or nil rows were given")
	}
	out := NewSVMLightWriter(w)
	for row, err := range rows {
		if err != nil {
			return err
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	return out.Flush()
}

// A jsonRow is a line of WriteJSONLines.
type jsonRow struct {
	ID       string             `json:"id"`
	Labels   *[]string          `json:"labels,omitempty"`
	Target   *json.Number       `json:"target,omitempty"`
	Features map[string]float32 `json:"features"`
}

// WriteJSONLines writes each row of the selection s as a line of JSON, an object with the
// id, the names of the labels, and the values by term:
//
//	{"id":"d1","labels":["sea"],"features":{"boat":2,"ship":1}}
//
// If the selection's corpus has a target, the number of a document that has one is
// "target":4.5, in place of the labels.
func WriteJSONLines(w io.Writer, s *selection.Selection, rows iter.Seq2[Row, error]) error {
	if w == nil || s == nil || rows == nil {
		return usage.Errorf("a nil writer, a nil selection or nil rows were given")
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for row, err := range rows {
		if err == nil {
			err = checkPlaces(s, row)
		}
		if err != nil {
			return err
		}
		line := jsonRow{ID: row.ID, Features: make(map[string]float32, len(row.Index))}
		if row.Target != "" {
			target := json.Number(row.Target)
			line.Target = &target
		} else {
			labels := make([]string, len(row.Labels))
			for i, l := range row.Labels {
				labels[i] = s.Classes[l]
			}
			line.Labels = &labels
		}
		for i, index := range row.Index {
			line.Features[s.Features[index-1].Term] = row.Value[i]
		}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// checkPlaces returns an error for a row that cannot be one of the selection.
func checkPlaces(s *selection.Selection, r Row) error {
	if len(r.Index) != len(r.Value) {
		return usage.Errorf("the row of document %q has %d indices and %d values", usage.Cut(r.ID), len(r.Index), len(r.Value))
	}
	last := uint32(0)
	for _, index := range r.Index {
		if index <= last || uint64(index) > uint64(len(s.Features)) {
			return usage.Errorf("the row of document %q has the index %d where the selection needs one from %d to %d", usage.Cut(r.ID), index, last+1, len(s.Features))
		}
		last = index
	}
	for _, l := range r.Labels {
		if l < 0 || l >= len(s.Classes) {
			return usage.Errorf("the row of document %q has the class %d; the selection has %d classes, from 0 on", usage.Cut(r.ID), l, len(s.Classes))
		}
	}
	return nil
}
