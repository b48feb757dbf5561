package score

// This family compares a class with all documents, as search engines find what is significant about
// the hits of a query.

func backgroundMeasures() []*definition { return []*definition{jlhScore(), normalisedGoogleDistance()} }

func jlhScore() *definition {
	return define("jlh", "JLH score", "(g-h)·g/h, g = A/n_c, h = df/N; 0 for g <= h", "Elasticsearch, significant terms",
		"max(0,"+gapFormula+")*A/(n_c^2*df)").sparse().tells("The class before the background",
		"how much larger is its share of the class than that of all, by difference times ratio?", "0 and more",
		"0 for all that is not more frequent in the class; small classes win", "elasticsearch")
}

func normalisedGoogleDistance() *definition {
	return define("gnd", "Google normalised distance", "exp(-ln(max(df,n_c)/A)/ln(N/min(df,n_c)))", "Cilibrasi & Vitányi 2007; Elasticsearch, significant terms",
		"(A>0)*exp(-lnratio(max(df,n_c),A,max(df,n_c)-A)/lnratio(N,max(1,min(df,n_c)),N-max(1,min(df,n_c))))").sparse().tells("The class before the background",
		"do term and class occur together?", "0 to 1",
		"not whether more often than by chance: a frequent term is large in every class", "cilibrasi2007", "elasticsearch")
}
