package ingest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/usage"
)

// This file cuts the texts of documents into segments, which are counted as documents.

// checkSegment returns an error for options that do not go with segments, which are of these n-grams.
func (opt *Options) checkSegment(grams string) error {
	switch {
	case opt.Segment < 0:
		return usage.Errorf("a segment must have a positive number of tokens, not %d", opt.Segment)
	case opt.Segment > 0 && opt.Dedupe:
		return usage.Errorf("segments of one text may be alike, and are no repeats: cut texts into segments, or drop those that repeat")
	case opt.Segment > 0 && strings.Contains(grams, "-"):
		return usage.Errorf("n-grams of several lengths (%s) are no tokens in a row, which segments are cut from: take one length", grams)
	}
	return nil
}

// segments returns the segments of a stream of documents: each document from its start in runs of as many
// tokens, and not what is left. They have its name and its labels.
func (b *builder) segments(docs document.Stream) document.Stream {
	return func(yield func(document.Document, error) bool) {
		c := &segmentCounter{counter: b.analyzer.NewCounter()}
		documents, short := 0, 0
		defer func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.totals.cut += documents
			b.totals.short += short
			b.seen(c.counter)
		}()
		for d, err := range docs {
			if err == nil && d.Features != nil {
				err = NewDocumentError(&d, "it comes counted, and segments need its tokens in their order")
			}
			if err != nil {
				yield(d, err)
				return
			}
			documents++
			tokens := c.counter.InOrder(d.Text)
			if len(tokens) < b.opt.Segment {
				short++
			}
			d.Text = nil
			for ; len(tokens) >= b.opt.Segment; tokens = tokens[b.opt.Segment:] {
				d.Features = c.features(tokens[:b.opt.Segment])
				if !yield(d, nil) {
					return
				}
			}
		}
	}
}

// A segmentCounter counts segments.
type segmentCounter struct {
	counter *analysis.Counter
	names   []string           // of the terms
	places  []int              // by term: 1 + its place in segment; 0 if it is not there
	segment []document.Feature // of the last segment
}

// features returns the terms of a segment, valid until the next call.
func (c *segmentCounter) features(terms []uint32) []document.Feature {
	for id := len(c.names); id < c.counter.Len(); id++ {
		c.names, c.places = append(c.names, string(c.counter.Term(uint32(id)))), append(c.places, 0)
	}
	c.segment = c.segment[:0]
	for _, id := range terms {
		if c.places[id] == 0 {
			c.segment = append(c.segment, document.Feature{Term: c.names[id]})
			c.places[id] = len(c.segment)
		}
		c.segment[c.places[id]-1].Value++
	}
	for _, id := range terms {
		c.places[id] = 0
	}
	return c.segment
}

// tooFew returns an error that says how long documents are, if there is no segment.
func (b *builder) tooFew(err error) error {
	if all := b.totals.cut; errors.Is(err, ErrEmpty) && all > 0 && all == b.totals.short {
		return fmt.Errorf("%w: none of the %d documents has %d tokens, the length of a segment: take shorter segments", ErrEmpty, all, b.opt.Segment)
	}
	return err
}
