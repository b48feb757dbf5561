package score

// This family compares a class with all documents, as search engines find what is significant about
// the hits of a query.

func jlhScore() *definition {
	return define("jlh", "JLH score", "(g-h)·g/h, g = A/n_c, h = df/N; 0 for g <= h", "Elasticsearch, significant terms",
		"max(0,"+gapFormula+")*A/(n_c^2*df)")
}

func normalisedGoogleDistance() *definition {
	return define("gnd", "Google normalised distance", "exp(-ln(max(df,n_c)/A)/ln(N/min(df,n_c)))", "Cilibrasi & Vitányi 2007; Elasticsearch, significant terms",
		"(A>0)*exp(-lnratio(max(df,n_c),A,max(df,n_c)-A)/lnratio(N,max(1,min(df,n_c)),N-max(1,min(df,n_c))))")
}
