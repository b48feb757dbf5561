package score

// This family adds up what each class with the term says of how concentrated the term is.

func giniIndex() *definition {
	return concentration("gini", "Gini index", "Σ_c P(t|c)²·P(c|t)²", "Shang et al. 2007", "(A/n_c*A/df)^2")
}

func distinguishingFeatureSelector() *definition {
	return concentration("dfs", "distinguishing feature selector", "Σ_c P(c|t)/(P(¬t|c) + P(t|¬c) + 1)", "Uysal & Gunal 2012", "A/df/(C/n_c+B/(N-n_c)+1)")
}

// concentration is a sum over the cells, without class values.
func concentration(name, title, text, source, class string) *definition {
	d := define(name, title, text, source, "").summed(class)
	d.Combinable = false
	return d
}
