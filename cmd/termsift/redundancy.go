package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/redundancy"
	"github.com/termsift/termsift/engine/selection"
)

// redundancy returns the chooser of mrmr, jmi or cmim.
func (f *selectingFlags) redundancy(c *cobra.Command, m methods.Redundancy) (chooser, error) {
	o := m.Options
	if name := givenName(c, flags.OfSingle); name != "" {
		return nil, usageError("--%s does not go with --by %s, which chooses terms for what they add to those before: say -k, and --drop if you like", name, f.By)
	}
	if len(f.Rules) > 1 {
		return nil, usageError("-k comes twice: --by %s has one stage", f.By)
	}
	for _, r := range f.Rules {
		o.K = r.Whole
	}
	if f.Drop != "" {
		var err error
		if o.Drop, err = f.lists.Terms(f.Drop); err != nil {
			return nil, err
		}
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return func(ctx context.Context, corpus *corpus.Corpus) (*selection.Selection, error) {
		s, err := redundancy.Select(ctx, corpus, o)
		if err != nil {
			return nil, err
		}
		f.warn(s.Warnings)
		f.note("selected %d of %d terms by %s, %s", len(s.Features), corpus.Terms(), s.Measure, s.Combine)
		return s, nil
	}, nil
}
