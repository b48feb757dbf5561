package naive

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// methodRemarks are the leaves of golden_methods.json that are prose.
var methodRemarks = []string{"about"}

// unread are the parts of golden_methods.json that nothing checks here: input, the divisions that package words goes
// through, and the rest of what the Python package compares with scikit-learn itself.
var unread = []string{"corpus_a", "seed", "text", "keyness/permutations"}

// gone are the parts of measures that went. A * stands for any name.
var gone = []string{
	"targets/terms/*/*/*/F", "targets/terms/*/*/mann_whitney", "targets/terms/*/*/kendall_presence", "targets/terms/*/*/kendall_tf",
	"targets/terms/*/trend_stars/linear_by_linear", "targets/terms/*/mantel_haenszel", "corner_cases/mantel_haenszel",
	"corpus_b/class", "corpus_b/stratum", "collocations/cvalue/candidates/*/cvalue_literal",
	"collocations/cvalue_published/*/cvalue_literal", "collocations/gensim", "collocations/gensim_len_vocab",
	"keyness/split_half", "keyness/terms/*/eta", "keyness/terms/*/eta_exact", "keyness/terms/*/logratio_walter", "keyness_counts/*/logratio_walter",
	"keyness/terms/*/jlh_background_reference",
	"keyness/terms/*/wilcoxon/z_uncorrected", "keyness/terms/*/wilcoxon/lnp_uncorrected",
	"keyness/terms/*/wilcoxon/z_no_ties_uncorrected", "keyness/terms/*/wilcoxon/lnp_no_ties_uncorrected",
	"corner_cases/rank_sum/*/z_uncorrected", "corner_cases/rank_sum/*/lnp_uncorrected",
	"corner_cases/rank_sum/*/z_no_ties_uncorrected", "corner_cases/rank_sum/*/lnp_no_ties_uncorrected",
}

// TestGoldenMethods checks every leaf of golden_methods.json.
func TestGoldenMethods(t *testing.T) {
	g := loadGolden(t, "golden_methods.json")
	g.stability()
	g.keyCells()
	g.keyDocuments()
	g.targets()
	g.topics()
	g.collocations()
	g.cvalues()
	g.windows()
	g.hashing()
	g.forget(unread)
	g.forget(gone)
	g.finish(methodRemarks)
}

// forget strikes off the leaves of parts that nothing reads. Each must have one.
func (g *golden) forget(parts []string) {
	g.Helper()
	for _, part := range parts {
		found := false
		for _, path := range slices.Collect(maps.Keys(g.left)) {
			names, wanted := strings.Split(path, "/"), strings.Split(part, "/")
			if len(names) >= len(wanted) && slices.EqualFunc(names[:len(wanted)], wanted, func(a, b string) bool { return b == "*" || a == b }) {
				found = true
				delete(g.left, path)
			}
		}
		if !found {
			g.Errorf("no part %s", part)
		}
	}
}
