package flags

import "github.com/termsift/termsift/engine/table"

// Rare is the flag that leaves out the rare terms of a shard.
type Rare struct{ Least int }

// Flag returns the flag.
func (f *Rare) Flag() Flag {
	return Flag{
		Name: "local-min-df", To: &f.Least, Group: GroupText, More: true, Most: Unlimited,
		Help: "leave out the terms in fewer documents of a shard; the sum of shards says how many documents of a term that can miss",
	}
}

// LeftOut returns the statistics of a shard without its rare terms, if the flag asks for it.
func (f Rare) LeftOut(s *table.Table) (*table.Table, error) {
	if f.Least == 0 {
		return s, nil
	}
	return s.WithoutRare(f.Least)
}
