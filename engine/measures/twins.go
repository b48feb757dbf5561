package measures

// A Twin is an equation between measures. They give the same order where it says so.
type Twin struct {
	Equation string
	// Same says when the order is the same: "always", "for a class", "up to the sign", or "" where it is not.
	Same string
	// Measures are the names in the equation.
	Measures []string
}

// Twins returns the equations, for documents that have one label each and tables without empty
// cells, which have their own conventions. The tests of package rank try them.
func Twins() []Twin { return twins }

var twins = []Twin{
	{"g2 = 2N·emi", "always", []string{"g2", "emi"}},
	{"lor = ln or", "for a class, and by the largest", []string{"lor", "or"}},
	{"chi = ngl²", "up to the sign, for a class", []string{"chi", "ngl"}},
	{"chi = N·gss²/(P(t)(1-P(t))P(c)(1-P(c)))", "", []string{"chi", "gss"}},
	{"acc2 = |gss|/(P(c)(1-P(c)))", "up to the sign, for a class", []string{"acc2", "gss"}},
	{"acc2 = |zeta|", "up to the sign", []string{"acc2", "zeta"}},
	{"zetacraig = zeta + 1", "always", []string{"zetacraig", "zeta"}},
	{"zetaeder = (pr-1)/(pr+1)", "for a class", []string{"zetaeder", "pr"}},
	{"zetalog = rsw/ln 2 for d = c", "always", []string{"zetalog", "rsw"}},
	{"mi = ln dia - ln P(c)", "for a class", []string{"mi", "dia"}},
	{"pr = odds of dia·(1-P(c))/P(c)", "for a class", []string{"pr", "dia"}},
	{"rf = log2(2 + odds of dia)", "for a class", []string{"rf", "dia"}},
	{"ndm = max(pr, 1/pr) - 1", "", []string{"ndm", "pr"}},
	{"ig of two classes = emi", "always", []string{"ig", "emi"}},
	{"anova = Σ (1-P(c))·ttest²/(K-1)", "", []string{"anova", "ttest"}},
	{"anova = N·ocfs/((K-1)·s²)", "", []string{"anova", "ocfs"}},
	{"trend = √N·pearson of presence", "always", []string{"trend", "pearson"}},
	{"mh of one stratum = (N-1)/N·chi", "always", []string{"mh", "chi"}},
	{"trend of two numbers = √chi", "always", []string{"trend", "chi"}},
}

// TwinsOf returns the equations of a measure of classes.
func TwinsOf(name string) (found []Twin) {
	for _, t := range twins {
		for _, m := range t.Measures {
			if m == name {
				found = append(found, t)
			}
		}
	}
	return found
}
