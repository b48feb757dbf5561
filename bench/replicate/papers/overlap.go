package papers

import (
	"context"
	"fmt"
	"strings"

	"github.com/termsift/termsift/engine/compare"
)

// mostListed bounds the methods whose own terms are listed: three make six lists.
const mostListed = 3

// overlap counts the terms that every two methods share among their best: "NAME shared A
// B K". It lists those that one of two has alone at the smallest number, where there
// are few methods.
func (r *runner) overlap(ctx context.Context, s *Step, d division) error {
	rankings, err := r.rank(ctx, d.train, s.Methods)
	if err != nil {
		return err
	}
	c, err := compare.Rankings(ctx, compare.Options{K: s.Features, OverlapsOnly: true}, rankings...)
	if err != nil {
		return err
	}
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
	return nil
}
