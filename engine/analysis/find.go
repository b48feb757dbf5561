package analysis

import "strings"

// Find gives the number of a term that the counter has. It may be called from
// several goroutines while none counts.
func (c *Counter) Find(term string) (id uint32, ok bool) {
	switch {
	case c.terms != nil:
		id, ok = c.terms[term]
	case term != "" && strings.IndexByte(term, 0) < 0: // no word of the table is otherwise
		id, ok = c.seen.get([]byte(term))
	}
	return id, ok && id < nothing
}
