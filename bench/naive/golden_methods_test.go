package naive

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// methodRemarks are the leaves of golden_methods.json that are prose.
var methodRemarks = []string{"about"}

// unread are the parts of golden_methods.json that nothing reads yet.
var unread = []string{
	"text",
	"collocations",
	"keyness/permutations",
	"corner_cases",
	"corpus_a",
	"seed",
	"targets/terms/every/mantel_haenszel",
	"targets/terms/once/mantel_haenszel",
	"targets/terms/perfect/mantel_haenszel",
	"targets/terms/high/mantel_haenszel",
	"targets/terms/r1/mantel_haenszel",
	"targets/terms/r2/mantel_haenszel",
	"targets/terms/r3/mantel_haenszel",
	"targets/terms/r4/mantel_haenszel",
	"corpus_b/class",
	"corpus_b/stratum",
}

// TestGoldenMethods checks every leaf of golden_methods.json.
func TestGoldenMethods(t *testing.T) {
	g := loadGolden(t, "golden_methods.json")
	g.stability()
	g.keyCells()
	g.keyDocuments()
	g.targets()
	g.topics()
	g.forget(unread)
	g.finish(methodRemarks)
}

// forget strikes off the leaves of parts that nothing reads. Each must have one.
func (g *golden) forget(parts []string) {
	g.Helper()
	for _, part := range parts {
		found := false
		for _, path := range slices.Collect(maps.Keys(g.left)) {
			if path == part || strings.HasPrefix(path, part+"/") {
				found = true
				delete(g.left, path)
			}
		}
		if !found {
			g.Errorf("no part %s", part)
		}
	}
}
