package flags

import (
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/engine/corpus"
)

// Rare is the flag that leaves out the rare terms of a shard.
type Rare struct{ Least int }

// Register adds the flag.
func (f *Rare) Register(flags *pflag.FlagSet) {
	flags.IntVar(&f.Least, "local-min-df", 0, "leave out the terms in fewer documents of a shard; the sum of shards says how many documents of a term that can miss")
}

// LeftOut returns the statistics of a shard without its rare terms, if the flag asks for it.
func (f Rare) LeftOut(s *corpus.Statistics) (*corpus.Statistics, error) {
	if f.Least == 0 {
		return s, nil
	}
	return s.WithoutRare(f.Least)
}
