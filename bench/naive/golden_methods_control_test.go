package naive

import (
	"fmt"
	"slices"
	"strconv"
)

// control checks what a control says: the part targets of corpus_b, and the corner cases.
func (g *golden) control() {
	classes, strata := g.strings("corpus_b/class"), g.at("corpus_b/stratum").([]any)
	rows := g.at("corpus_b/counts").([]any)
	for d := range rows {
		g.take("corpus_b/class/" + strconv.Itoa(d))
		g.take("corpus_b/stratum/" + strconv.Itoa(d))
	}
	for i, term := range g.strings("corpus_b/terms") {
		for _, class := range slices.Compact(slices.Sorted(slices.Values(classes))) {
			all := make(Strata, 4)
			for d, row := range rows {
				place := 3
				if row.([]any)[i].(float64) > 0 {
					place -= 2
				}
				if classes[d] == class {
					place--
				}
				all[int(strata[d].(float64))][place]++
			}
			g.strata("targets/terms/"+term+"/mantel_haenszel/"+class, all)
		}
	}
	for _, name := range g.keys("corner_cases/mantel_haenszel") {
		path := "corner_cases/mantel_haenszel/" + name
		var all Strata
		for range g.at(path + "/tables").([]any) {
			all = append(all, Stratum{})
		}
		for h := range all {
			for i := range all[h] {
				all[h][i] = int(g.at(fmt.Sprintf("%s/tables/%d/%d", path, h, i)).(float64))
			}
		}
		g.strata(path, all)
	}
}

// strata checks the values of the tables of a term and a class.
func (g *golden) strata(path string, all Strata) {
	for h, s := range all {
		for i, n := range s {
			g.number(fmt.Sprintf("%s/tables/%d/%d", path, h, i), float64(n))
		}
	}
	chi, _ := all.MH().Float64()
	corrected, _ := all.CorrectedMH().Float64()
	g.exact(path+"/delta_exact", all.Delta())
	g.exact(path+"/chi_mh_exact", all.MH())
	g.number(path+"/chi_mh", chi)
	g.number(path+"/chi_mh_corrected", corrected)
	g.numberWithin(path+"/lnp", LnChiSquare(chi), 1e-10)
	g.numberWithin(path+"/lnp_corrected", LnChiSquare(corrected), 1e-10)
	g.number(path+"/or_mh", all.OddsRatio())
	if find(g.root, path+"/var_ln_or") != nil { // absent where it has none
		g.number(path+"/var_ln_or", all.LnVariance())
	}
}
