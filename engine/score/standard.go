package score

// standard returns the measures that "all" stands for, in the order of the pages. Each is defined in the file of
// its family.
func standard(o Options) []*definition {
	return []*definition{
		documentFrequency(), collectionFrequency(), diaFactor(), mutualInformation(o), expectedMutualInformation(o),
		informationGain(o), expectedCrossEntropy(o), chiSquare(o), nglCoefficient(), gssCoefficient(), oddsRatio(),
		logOddsRatio(), relevancyScore(o), wienerScore(o), biNormalSeparation(), tTest(o), orthogonalCentroid(),
		tokenChiSquare(), logLikelihood(), tokenLogLikelihood(o), varianceRatio(), giniIndex(),
		distinguishingFeatureSelector(), normalisedDifferenceMeasure(), balancedAccuracy(), relevanceFrequency(),
		probabilityRatioMeasure(), dirichletLogOdds(), dirichletZ(),
	}
}

// added returns the measures that are asked for by name, or as the new ones.
func added(o Options) []*definition {
	return []*definition{
		jlhScore(), normalisedGoogleDistance(), zeta(), craigsZeta(), edersZeta(), logZeta(o), simpleMaths(o),
		classTFIDF(o),
	}
}

// ofTargets returns the measures of a target, which are asked for by name.
func ofTargets(o Options) []*definition {
	return []*definition{pearson(o), trend(o), spearman(o)}
}
