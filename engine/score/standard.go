package score

import (
	"slices"
	"strings"
)

// usual are the measures that "all" stands for, in the order of results that were published. A measure that is not among
// them is new.
const usual = "df cf dia mi emi ig ece chi ngl gss or lor rs rsw bns ttest ocfs chitf g2 g2tf anova gini dfs ndm acc2 rf pr " +
	"logodds logoddsz"

// standard returns the measures: the usual ones, the new ones, and those of a target. Each is declared in the file of its
// family, which lists them.
func standard(o Options) []*definition {
	all := slices.Concat(
		countMeasures(), informationMeasures(o), deviationMeasures(o), oddsMeasures(), backgroundMeasures(), rateMeasures(),
		relevanceMeasures(o), meanMeasures(o), concentrationMeasures(), []*definition{classTFIDF(o)}, targetMeasures(o),
	)
	names := strings.Fields(usual)
	place := func(d *definition) int {
		if i := slices.Index(names, d.Info.Name); i >= 0 {
			return i
		}
		return len(names)
	}
	for _, d := range all {
		d.New = !d.Target && place(d) == len(names)
	}
	slices.SortStableFunc(all, func(a, b *definition) int { return place(a) - place(b) })
	return all
}
