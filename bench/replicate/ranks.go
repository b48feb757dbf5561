package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/compare"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
)

// ranks finds the places of some terms by each method: "NAME rank METHOD TERM" is the
// rank among all terms, "NAME order METHOD TERM" that among those asked for. A method
// with the combination class ranks by the values for the step's class.
func (r *runner) ranks(ctx context.Context, s *Step, d division) {
	for _, method := range s.Methods {
		o := scoring(method)
		scope := allClasses
		var ranking *rank.Ranking
		if o.Combine == "class" {
			scope = "values for the class " + s.Class
			ranking = lab.Need(rank.Class(ctx, d.train, s.Class, o))
		} else {
			ranking = lab.Need(rank.Several(ctx, d.train, o))[0]
		}
		r.places(s, method, scope, ranking)
		var best []string
		for e := range ranking.Best(10) {
			best = append(best, e.Term)
		}
		r.out.Lists[s.Name+" best 10 by "+method] = strings.Join(best, " ")
	}
}

// allClasses is the scope of ranks by one value for all classes.
const allClasses = "values for all classes together"

// places gives the ranks of the step's terms. Those that no training document has come
// behind all others.
func (r *runner) places(s *Step, method, scope string, ranking *rank.Ranking) {
	order := 0
	place := func(term string, rank int) {
		order++
		r.figures.set(Basis{Unit: "rank among all terms", Scope: scope}, float64(rank), s.Name, "rank", method, term)
		r.figures.set(Basis{Unit: "rank among the terms asked for", Scope: scope}, float64(order), s.Name, "order", method, term)
	}
	missing := slices.Clone(s.Terms)
	for e := range ranking.Best(ranking.Len()) {
		if i := slices.Index(missing, e.Term); i >= 0 {
			missing = slices.Delete(missing, i, i+1)
			place(e.Term, e.Rank)
		}
	}
	for _, term := range missing {
		place(term, ranking.Len()+1)
	}
}

// mostListed bounds the methods whose own terms are listed: three make six lists.
const mostListed = 3

// overlap counts the terms that every two methods share among their best: "NAME shared A
// B K". It lists those that one of two has alone at the smallest number, where there
// are few methods.
func (r *runner) overlap(ctx context.Context, s *Step, d division) {
	rankings := r.rank(ctx, d.train, s.Methods)
	c := lab.Need(compare.Rankings(ctx, compare.Options{K: s.Features, OverlapsOnly: true}, rankings...))
	for _, pair := range c.Pairs {
		a, b := s.Methods[pair.A], s.Methods[pair.B]
		for _, at := range pair.At {
			r.figures.set(Basis{Unit: "terms", Scope: allClasses}, float64(at.Shared), s.Name, "shared", a, b, sizeName(at.K))
		}
		if len(s.Methods) > mostListed {
			continue
		}
		for _, side := range [][2]int{{pair.A, pair.B}, {pair.B, pair.A}} {
			var terms []string
			for _, t := range c.Only(c.K[0], side[0], side[1]) {
				terms = append(terms, t.Term)
			}
			r.out.Lists[fmt.Sprintf("%s best %d by %s, not %s", s.Name, c.K[0], s.Methods[side[0]], s.Methods[side[1]])] = strings.Join(terms, " ")
		}
	}
	for i, method := range s.Methods {
		r.places(s, method, allClasses, rankings[i])
	}
}

// times measures the CPU time of ranking all terms by each method, on one thread, the
// least of five runs: "NAME counting METHOD" with the counting of the terms, "NAME
// scoring METHOD" from counts that are there. Milliseconds.
func (r *runner) times(ctx context.Context, s *Step, d division) {
	for _, method := range s.Methods {
		o := scoring(method)
		o.Threads = 1
		counts := lab.Need(d.train.Statistics(ctx, corpus.CountOptions{Weight: o.Weight, Threads: 1}))
		for _, way := range []struct {
			name, work string
			run        func()
		}{
			{"counting", "counting the terms and ranking them", func() { lab.Need(rank.Several(ctx, d.train, o)) }},
			{"scoring", "ranking the terms, their counts being there", func() { lab.Need(rank.Terms(ctx, counts, o)) }},
		} {
			took := lab.LeastCPU(5, way.run)
			r.figures.set(Basis{Unit: "ms of CPU", Scope: r.scope, Work: way.work}, float64(took.Microseconds())/1000, s.Name, way.name, method)
		}
	}
}
