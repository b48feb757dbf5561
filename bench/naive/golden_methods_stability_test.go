package naive

import (
	"fmt"
	"slices"
	"strings"
)

// stability checks the selections of half-samples and the bounds on false terms.
func (g *golden) stability() {
	at := func(path string, args ...any) string { return "stability/" + fmt.Sprintf(path, args...) }
	c := g.classCorpus()
	measure, _, _ := strings.Cut(g.take(at("measure")).(string), ",")
	k := int(g.at(at("k")).(float64))
	g.number(at("k"), float64(k))
	first, both := map[string]int{}, map[string]int{}
	for i := range g.at(at("half_samples")).([]any) {
		var halves [2][]int
		for j, d := range g.at(at("half_samples/%d", i)).([]any) {
			halves[0] = append(halves[0], int(d.(float64)))
			g.take(at("half_samples/%d/%d", i, j))
		}
		for d := range c.Docs {
			if !slices.Contains(halves[0], d) {
				halves[1] = append(halves[1], d)
			}
		}
		for h, places := range halves {
			terms := StableSelection(c, measure, k, places)
			g.words(at("selected_in_half_and_complement/%d/%d", i, h), terms)
			for _, term := range terms {
				both[term]++
				if h == 0 {
					first[term]++
				}
			}
		}
	}
	for _, term := range c.Terms {
		g.number(at("times_selected_of_B/%s", term), float64(first[term]))
		g.number(at("times_selected_of_2B/%s", term), float64(both[term]))
	}
	for i := range g.at(at("bounds")).([]any) {
		value := func(key string) float64 {
			v := g.at(at("bounds/%d/%s", i, key)).(float64)
			g.number(at("bounds/%d/%s", i, key), v)
			return v
		}
		p, q, threshold, pairs := value("p"), value("q"), value("threshold"), value("B")
		for key, got := range map[string]float64{
			"pfer": FalseTerms(q, threshold, p), "pfer_exact": FalseTerms(q, threshold, p),
			"threshold_for_pfer_1": ThresholdFor(1, q, p), "q_for_pfer_1": float64(SelectedFor(1, threshold, p)),
			"pfer_ss_unimodal": UnimodalBound(q, threshold, p, pairs),
		} {
			g.number(at("bounds/%d/%s", i, key), got)
		}
	}
}

// classCorpus is corpus_b with its classes. The leaves stay for others to check.
func (g *golden) classCorpus() Corpus {
	c := Corpus{Terms: g.strings("corpus_b/terms")}
	labels := g.strings("corpus_b/class")
	c.Classes = slices.Compact(slices.Sorted(slices.Values(labels)))
	for d, row := range g.at("corpus_b/counts").([]any) {
		doc := Doc{Counts: map[int]float64{}, Labels: []int{slices.Index(c.Classes, labels[d])}}
		for t, tf := range row.([]any) {
			if tf.(float64) > 0 {
				doc.Counts[t] = tf.(float64)
			}
		}
		c.Docs = append(c.Docs, doc)
	}
	return c
}
