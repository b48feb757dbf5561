package rank

import (
	"github.com/termsift/termsift/engine/score"
)

// Script returns JavaScript that computes the measures with the parameters of options, and formulas such as
// mine=A*D/(B*C), in a page: see [score.Registry.Script].
func Script(o Options, formulas ...string) (string, error) {
	opt, err := o.parameters()
	if err != nil {
		return "", err
	}
	var own []score.Measure
	for _, text := range formulas {
		f, err := score.NewFormula(text)
		if err != nil {
			return "", err
		}
		own = append(own, f)
	}
	return score.NewRegistry(opt, own...).Script()
}
