package bagofwords

import (
	"sync"

	"github.com/termsift/termsift/engine/analysis"
)

// counters are the counters of a vocabulary. A counter gives the terms of the vocabulary their numbers, and
// greater ones to the other terms of texts, which grow it until it is given up.
type counters struct {
	base func() *analysis.Counter // knows the terms of the vocabulary, and is copied

	mu   sync.Mutex
	free []*part // that no call has at the moment
}

func (v *Vocabulary) newCounters() *counters { return &counters{base: sync.OnceValue(v.newCounter)} }

// newCounter returns a counter of the terms of the vocabulary: that of the first part of the texts has the first
// of them, and often all.
func (v *Vocabulary) newCounter() *analysis.Counter {
	c := v.first
	switch {
	case c == nil:
		c = v.analyzer.NewCounter()
	case c.Len() < v.terms.len():
		c = c.Clone()
	}
	for n := c.Len(); n < v.terms.len(); n++ {
		c.Add(string(v.terms.name(n)))
	}
	return c
}

// mostGrowth is by how many bytes the terms of texts may grow a counter.
var mostGrowth = int64(64 << 20)

// take returns a part with a counter, a new one if all are in use.
func (c *counters) take() *part {
	if p := c.idle(); p != nil {
		return p
	}
	p := newPart(nil)
	c.renew(p)
	return p
}

// idle returns a part that no call has, nil if there is none.
func (c *counters) idle() *part {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.free)
	if n == 0 {
		return nil
	}
	p := c.free[n-1]
	c.free = c.free[:n-1]
	return p
}

// renew gives a part a counter that knows the terms of the vocabulary alone.
func (c *counters) renew(p *part) {
	p.counter = c.base().Clone()
	p.most = p.counter.Bytes() + mostGrowth
}

// give takes a part back.
func (c *counters) give(p *part) {
	p.rows = nil
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free = append(c.free, p)
}
