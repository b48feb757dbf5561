package papers

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/termsift/termsift/bench/cputime"
	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/classify"
)

// bestTerms classifies behind Best Terms, every class with its own terms and documents:
// "NAME CLASSIFIER FUNCTION P" with micro and macro (F1 in percent), train (seconds of
// CPU for all classes) and choose (the same, for choosing the terms).
func (r *runner) bestTerms(ctx context.Context, s *Step, d division) error {
	if d.test == nil {
		return errNoTest
	}
	forward, err := d.train.Forward(ctx, r.opt.Threads)
	if err != nil {
		return err
	}
	for _, function := range s.Functions {
		for _, p := range s.P {
			r.opt.Progress(s.Name + ": " + function)
			start := cputime.Now()
			b, err := forward.BestTerms(ctx, engine.BestTermsOptions{Function: function, P: p, Rule: s.Rule, Threads: r.opt.Threads})
			if err != nil {
				return err
			}
			chosen := cputime.Now() - start
			if err := r.behindBestTerms(ctx, s, d, b, function+" "+strconv.FormatFloat(p, 'f', -1, 64), chosen); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *runner) behindBestTerms(ctx context.Context, s *Step, d division, b *engine.BestTerms, setting string, chosen time.Duration) error {
	selection, err := b.Selection()
	if errors.Is(err, engine.ErrNothingSelected) {
		return nil
	}
	if err != nil {
		return err
	}
	set, err := newBinarySet(ctx, d, selection)
	if err != nil {
		return err
	}
	scopes, err := classify.ScopesOf(b, selection)
	if err != nil {
		return err
	}
	return r.solve(ctx, s, set, scopes, setting, chosen)
}

// solve keeps the figures of all classifiers.
func (r *runner) solve(ctx context.Context, s *Step, set *binarySet, scopes []classify.Scope, setting string, chosen time.Duration) error {
	for _, l := range binaryLearners(s.C) {
		result, spent, err := set.solve(ctx, l, scopes)
		if err != nil {
			return err
		}
		name := strings.Join([]string{s.Name, l.name, setting}, " ")
		r.figures.set(100*result.Micro.F1(), name, "micro")
		r.figures.set(100*result.MacroF1, name, "macro")
		r.figures.set(spent.Seconds(), name, "train")
		r.figures.set(chosen.Seconds(), name, "choose")
	}
	return nil
}

// local classifies behind filters: every class has its own best terms by a measure, and
// all documents; with 0 terms, all terms. "NAME CLASSIFIER MEASURE K".
func (r *runner) local(ctx context.Context, s *Step, d division) error {
	if d.test == nil {
		return errNoTest
	}
	all, err := d.train.Select(ctx, engine.Selecting{K: d.train.Terms()})
	if err != nil {
		return err
	}
	set, err := newBinarySet(ctx, d, all)
	if err != nil {
		return err
	}
	for _, method := range s.Methods {
		start := cputime.Now()
		rankings := make([]*engine.Ranking, len(d.train.Classes()))
		for i, class := range d.train.Classes() {
			if rankings[i], err = d.train.RankClass(ctx, class, engine.Scoring{By: method, Threads: r.opt.Threads}); err != nil {
				return err
			}
		}
		chosen := cputime.Now() - start
		for _, k := range s.Features {
			r.opt.Progress(s.Name + ": " + method)
			scopes := make([]classify.Scope, len(rankings))
			for i, ranking := range rankings {
				scopes[i] = set.scope(i, k, ranking)
			}
			if err := r.solve(ctx, s, set, scopes, method+" "+sizeName(k), chosen); err != nil {
				return err
			}
		}
	}
	return nil
}
