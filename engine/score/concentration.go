package score

// This family adds up what each class with the term says of how concentrated the term is.

func concentrationMeasures() []*definition {
	return []*definition{giniIndex(), distinguishingFeatureSelector()}
}

func giniIndex() *definition {
	return concentration("gini", "Gini index", "Σ_c P(t|c)²·P(c|t)²", "Shang et al. 2007", "(A/n_c*A/df)^2").tells("Purity",
		"does one class have all of it, and all of the class it?", "0 to 1",
		"frequent terms win: a term of every document is near the top", "shang2007")
}

func distinguishingFeatureSelector() *definition {
	return concentration("dfs", "distinguishing feature selector", "Σ_c P(c|t)/(P(¬t|c) + P(t|¬c) + 1)", "Uysal & Gunal 2012", "A/df/(C/n_c+B/(N-n_c)+1)").tells("Purity",
		"is it in one class, and in all of it?", "⅓ to 1 with one label a document, ½ for independence",
		"rare terms are all near ½", "uysal2012")
}

// concentration is a sum over the cells, without class values.
func concentration(name, title, text, source, class string) *definition {
	d := define(name, title, text, source, "").summed(class)
	d.Combinable = false
	return d
}
