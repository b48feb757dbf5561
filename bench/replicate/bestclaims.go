package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/bench/markdown"
	"github.com/termsift/termsift/bench/replicate/papers"
)

// A bestClaim is a claim of the paper with the rule that decides it on one set and one
// rule of Best Terms. judge also says what was measured, in words.
type bestClaim struct {
	claim, rule string
	judge       func(r *bestResults, set, rule string) (v papers.Verdict, measured string)
}

var bestClaims = []bestClaim{
	{
		"the documents left for a class are about as many as it has, |D_F| ≈ |D_C|, for p ≥ 0.25",
		"the sum of |D_F| over the classes is between half and twice that of |D_C|; one case for each function and p ≥ 0.25",
		judgeKept,
	},
	{
		"DIA and MI choose the same behind Best Terms (the paper says it of filters, see bt-reuters and bt-20ng)",
		"equal F+, F- and D_F; one case for each class and p",
		judgeIdentical,
	},
	{
		"DF and RS choose almost the same for every d behind Best Terms (the paper says it of filters, likewise)",
		"the mean Jaccard index of the terms of a class is at least 0.9; one case for each p and d of 1/20, 1/6, 1, 10",
		judgeAlmost,
	},
	{
		"MI and OR choose many more features than the others",
		"twice as many as any function but DIA, which chooses those of MI; one case for each of both and p",
		judgeMore,
	},
	{
		"features per class grow with the size of the class",
		"Spearman's correlation of |D_C| and the number of terms is at least 0.5; one case for each function and p",
		judgeGrowth,
	},
}

// betweenSets is a claim on both sets together.
const (
	betweenSets     = "features per class grow almost tenfold from Reuters to 20 Newsgroups"
	betweenSetsRule = "the mean number on 20 Newsgroups is 5 to 20 times that on Reuters; one case for each function and p"
)

func atShare(p float64) string { return fmt.Sprintf("p = %v", p) }

// of gives the runs of a set and a rule.
func (r *bestResults) of(set, rule string) []bestRun {
	return slices.DeleteFunc(slices.Clone(r.Runs), func(x bestRun) bool { return x.Set != set || x.Rule != rule })
}

// ratio is |D_F|/|D_C| over all classes.
func (r bestRun) ratio() float64 { return float64(r.Kept) / float64(r.Members) }

// terms is |F+| + |F-| over all classes.
func (r bestRun) terms() float64 { return float64(r.Positive + r.Negative) }

func judgeKept(r *bestResults, set, rule string) (v papers.Verdict, measured string) {
	least, most := math.Inf(1), 0.0
	for _, run := range r.of(set, rule) {
		if run.P < .25 {
			continue
		}
		ratio := run.ratio()
		least, most = min(least, ratio), max(most, ratio)
		v.Add(.5 <= ratio && ratio <= 2, atShare(run.P), run.Function)
	}
	return v, fmt.Sprintf("%s to %s", markdown.Number(least), markdown.Number(most))
}

func judgeIdentical(r *bestResults, set, rule string) (v papers.Verdict, measured string) {
	for _, p := range r.Pairs {
		if p.Set != set || p.Rule != rule || p.A != "dia" {
			continue
		}
		for i := range p.Classes {
			v.Add(i < p.Identical, atShare(p.P), "a class")
		}
	}
	cases, failed := v.Count()
	return v, fmt.Sprintf("%d of %d equal", cases-failed, cases)
}

func judgeAlmost(r *bestResults, set, rule string) (v papers.Verdict, measured string) {
	least := 1.0
	for _, p := range r.Pairs {
		if p.Set != set || p.Rule != rule || p.A != "df" {
			continue
		}
		least = min(least, p.Jaccard)
		v.Add(p.Jaccard >= .9, atShare(p.P), "d = "+dampingText(p.D)+" ("+markdown.Number(p.Jaccard)+")")
	}
	return v, "index ≥ " + markdown.Number(least)
}

func dampingText(d float64) string {
	switch d {
	case 0:
		return "1/6"
	case 1. / 20:
		return "1/20"
	}
	return fmt.Sprint(d)
}

func judgeMore(r *bestResults, set, rule string) (v papers.Verdict, measured string) {
	runs := r.of(set, rule)
	for _, p := range bestShares {
		most, many := 0.0, map[string]float64{}
		for _, run := range runs {
			switch {
			case run.P != p || run.Function == "dia":
			case run.Function == "mi" || run.Function == "or":
				many[run.Function] = run.terms()
			default:
				most = max(most, run.terms())
			}
		}
		for _, function := range []string{"mi", "or"} {
			times := many[function] / most
			v.Add(times >= 2, atShare(p), function)
			if measured != "" {
				measured += ", "
			}
			measured += fmt.Sprintf("%s %s×", function, markdown.Number(times))
		}
		measured += " at " + atShare(p)
	}
	return v, measured
}

func judgeGrowth(r *bestResults, set, rule string) (v papers.Verdict, measured string) {
	least, most := 1.0, -1.0
	for _, run := range r.of(set, rule) {
		least, most = min(least, run.SizeRanks), max(most, run.SizeRanks)
		v.Add(run.SizeRanks >= .5, atShare(run.P), run.Function)
	}
	return v, fmt.Sprintf("%s to %s", markdown.Number(least), markdown.Number(most))
}

// judgeBetween compares the sets.
func judgeBetween(r *bestResults, rule string) (v papers.Verdict, measured string) {
	least, most := math.Inf(1), 0.0
	small, large := r.of(bestSets[0], rule), r.of(bestSets[1], rule)
	for i, run := range small {
		times := large[i].terms() / float64(r.set(bestSets[1]).Classes) / (run.terms() / float64(r.set(bestSets[0]).Classes))
		least, most = min(least, times), max(most, times)
		v.Add(5 <= times && times <= 20, atShare(run.P), run.Function)
	}
	return v, fmt.Sprintf("%s× to %s×", markdown.Number(least), markdown.Number(most))
}

func (r *bestResults) set(name string) bestSet {
	for _, s := range r.Sets {
		if s.Name == name {
			return s
		}
	}
	return bestSet{}
}

const bestPaper = "Fragoudis, Meretakis and Likothanassis, Best terms: an efficient feature-selection algorithm for text categorization, KAIS 8(1), 2005"

// bestFinding is the sentence of the first table.
const bestFinding = "Behind Best Terms DIA and MI choose the same terms and documents, which the paper says of filters; at p = 0.25 MI and OR choose more than twice as many terms as the others; " +
	"how many documents are left depends on p more than the paper says."

// each judges all claims of a set and a rule, and the one on both sets.
func (r *bestResults) each(call func(claim, rule, where, measured string, v *papers.Verdict)) {
	for _, c := range bestClaims {
		for _, set := range bestSets {
			for _, rule := range bestRules {
				v, measured := c.judge(r, set, rule)
				call(c.claim, c.rule, set+", "+rule, measured, &v)
			}
		}
	}
	for _, rule := range bestRules {
		v, measured := judgeBetween(r, rule)
		call(betweenSets, betweenSetsRule, rule, measured, &v)
	}
}

// judgeBestTerms gives all claims by set and rule with all figures, and takes a claim for one on all sets
// and rules in the summary.
func judgeBestTerms(results any) (papers.Summary, []papers.Block, error) {
	r, err := resultsOf[bestResults](results)
	if err == nil {
		err = r.complete()
	}
	if err != nil {
		return papers.Summary{}, nil, err
	}
	var outcomes, single []papers.Outcome
	var last papers.Verdict
	r.each(func(claim, rule, where, measured string, v *papers.Verdict) {
		single = append(single, papers.NewOutcome(claim+" ("+where+")", rule, measured, v))
		if n := len(outcomes); n > 0 && outcomes[n-1].Claim == claim {
			last.Append(v)
			outcomes[n-1] = papers.NewOutcome(claim, rule, "", &last)
			return
		}
		last = *v
		outcomes = append(outcomes, papers.NewOutcome(claim, rule, "", v))
	})
	return papers.Summarise(bestPaper, bestFinding, outcomes), r.blocks(single), nil
}
