package score

// This family adds up what each class with the term says of how concentrated the term is.

func giniIndex() *definition {
	return concentration("gini", "Gini index", "Σ_c P(t|c)²·P(c|t)²", "Shang et al. 2007", "sum((A/n_c*A/df)^2)", giniPart, giniParts)
}

func distinguishingFeatureSelector() *definition {
	return concentration("dfs", "distinguishing feature selector", "Σ_c P(c|t)/(P(¬t|c) + P(t|¬c) + 1)", "Uysal & Gunal 2012", "sum(A/df/(C/n_c+B/(N-n_c)+1))", dfsPart, dfsParts)
}

// concentration is a sum over the cells, without class values.
func concentration(name, title, formula, source, declared string, part func(*counts) float64, parts column) *definition {
	d := define(name, title, formula, source, nil)
	d.declared.own = declared
	d.Default, d.Combinable, d.part, d.parts = "global", false, part, parts
	return d
}

func giniPart(t *counts) float64 {
	p := float64(float64(t.a*t.class.perN) * float64(t.a*t.term.perDF))
	return p * p
}

// giniParts are [giniPart].
func giniParts(c *columns) []float64 {
	dst, perDF := c.values, c.side.term.perDF
	a, perN := c.a[:len(dst)], c.perN[:len(dst)]
	for k, a := range a {
		p := float64(float64(a*perN[k]) * float64(a*perDF))
		dst[k] = float64(p * p)
	}
	return dst
}

func dfsPart(t *counts) float64 {
	return float64(t.a*t.term.perDF) / (float64(t.c*t.class.perN) + float64(t.b*t.class.perOut) + 1)
}

// dfsParts are [dfsPart].
func dfsParts(c *columns) []float64 {
	dst, perDF := c.values, c.side.term.perDF
	as, bs, cs := c.a[:len(dst)], c.b[:len(dst)], c.c[:len(dst)]
	perN, perOut := c.perN[:len(dst)], c.perOut[:len(dst)]
	for k, a := range as {
		dst[k] = float64(a*perDF) / (float64(cs[k]*perN[k]) + float64(bs[k]*perOut[k]) + 1)
	}
	return dst
}
