package papers

import (
	"context"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine"
)

// ranks finds the places of some terms by each method: "NAME rank METHOD TERM" is the
// rank among all terms, "NAME order METHOD TERM" that among those asked for. A method
// with the combination class ranks by the values for the step's class.
func (r *runner) ranks(ctx context.Context, s *Step, d division) error {
	for _, method := range s.Methods {
		o, err := scoring(method, r.opt.Threads)
		if err != nil {
			return err
		}
		var ranking *engine.Ranking
		if o.Combine == "class" {
			ranking, err = d.train.RankClass(ctx, s.Class, o)
		} else {
			ranking, err = first(d.train.Rank(ctx, o))
		}
		if err != nil {
			return err
		}
		order := 0
		for e := range ranking.Best(ranking.Len()) {
			if slices.Contains(s.Terms, e.Term) {
				order++
				r.figures.set(float64(e.Rank), s.Name, "rank", method, e.Term)
				r.figures.set(float64(order), s.Name, "order", method, e.Term)
			}
		}
		var best []string
		for e := range ranking.Best(10) {
			best = append(best, e.Term)
		}
		r.out.Lists[s.Name+" best 10 by "+method] = strings.Join(best, " ")
	}
	return nil
}

func first(rankings []*engine.Ranking, err error) (*engine.Ranking, error) {
	if err != nil {
		return nil, err
	}
	return rankings[0], nil
}
