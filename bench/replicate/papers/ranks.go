package papers

import (
	"context"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/rank"
)

// ranks finds the places of some terms by each method: "NAME rank METHOD TERM" is the
// rank among all terms, "NAME order METHOD TERM" that among those asked for. A method
// with the combination class ranks by the values for the step's class.
func (r *runner) ranks(ctx context.Context, s *Step, d division) error {
	for _, method := range s.Methods {
		o, err := scoring(method)
		if err != nil {
			return err
		}
		scope := allClasses
		var ranking *rank.Ranking
		if o.Combine == "class" {
			scope = "values for the class " + s.Class
			ranking, err = rank.Class(ctx, d.train, s.Class, o)
		} else {
			ranking, err = first(rank.Several(ctx, d.train, o))
		}
		if err != nil {
			return err
		}
		r.places(s, method, scope, ranking)
		var best []string
		for e := range ranking.Best(10) {
			best = append(best, e.Term)
		}
		r.out.Lists[s.Name+" best 10 by "+method] = strings.Join(best, " ")
	}
	return nil
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

func first(rankings []*rank.Ranking, err error) (*rank.Ranking, error) {
	if err != nil {
		return nil, err
	}
	return rankings[0], nil
}
