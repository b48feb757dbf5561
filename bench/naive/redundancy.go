package naive

import (
	"math"
	"slices"
)

// This file is the greedy selection by mRMR, JMI and CMIM, from the joint
// distributions over (document, label) pairs.

// A Greedy is a selection on its way.
type Greedy struct {
	Chosen []int

	criterion string   // mrmr, jmi or cmim
	has       [][]bool // term -> pair
	class     []int    // pair
	classes   int
	value     []float64 // by term: Σ or least of what the chosen terms gave
	relevance []float64
}

// NewGreedy begins a selection among the terms of a corpus, given ascending; nil means
// all of them.
func (b Binary) NewGreedy(criterion string, terms []int) *Greedy {
	g := &Greedy{criterion: criterion, classes: len(b.NC), has: make([][]bool, len(b.DF))}
	for d, labels := range b.Labels {
		row := make([]bool, len(b.DF))
		for _, t := range b.Terms[d] {
			row[t] = true
		}
		for _, c := range labels {
			g.class = append(g.class, c)
			for t, has := range row {
				g.has[t] = append(g.has[t], has)
			}
		}
	}
	g.value, g.relevance = make([]float64, len(b.DF)), make([]float64, len(b.DF))
	for t := range g.has {
		if _, among := slices.BinarySearch(terms, t); terms == nil || among {
			g.relevance[t] = g.joint(t, t)
		} else {
			g.value[t] = math.NaN()
		}
	}
	return g
}

// Values are those of the terms beside the chosen ones; not a number for the chosen
// and for those that are not to be chosen.
func (g *Greedy) Values() []float64 {
	values := make([]float64, len(g.value))
	m := float64(len(g.Chosen))
	for t, v := range g.value {
		switch {
		case m == 0:
			values[t] = g.relevance[t] + v // not a number, or 0
		case g.criterion == "mrmr":
			values[t] = g.relevance[t] - v/m
		default:
			values[t] = v
		}
	}
	return values
}

// Take chooses a term.
func (g *Greedy) Take(s int) {
	for t := range g.value {
		if math.IsNaN(g.value[t]) || t == s {
			continue
		}
		switch g.criterion {
		case "mrmr":
			table := matrix(2, 2) // of I(f;s)
			for p := range g.class {
				table[bit(g.has[t][p])][bit(g.has[s][p])]++
			}
			g.value[t] += information(table)
		case "jmi":
			g.value[t] += g.joint(t, s)
		case "cmim":
			v := g.joint(t, s) - g.relevance[s]
			if len(g.Chosen) == 0 || v < g.value[t] {
				g.value[t] = v
			}
		}
	}
	g.value[s] = math.NaN()
	g.Chosen = append(g.Chosen, s)
}

// joint is I(f,s;C).
func (g *Greedy) joint(f, s int) float64 {
	table := matrix(4, g.classes)
	for p, c := range g.class {
		table[2*bit(g.has[f][p])+bit(g.has[s][p])][c]++
	}
	return information(table)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// information is the mutual information of the rows and columns of a table of counts.
func information(table [][]float64) float64 {
	n := 0.
	rows, columns := make([]float64, len(table)), make([]float64, len(table[0]))
	for i, row := range table {
		for j, count := range row {
			rows[i] += count
			columns[j] += count
			n += count
		}
	}
	sum := 0.
	for i, row := range table {
		for j, count := range row {
			sum += div(divergence(count*n-rows[i]*columns[j], rows[i], columns[j], n), n)
		}
	}
	return sum
}

// SamePairs says that two terms occur in the same pairs.
func (g *Greedy) SamePairs(f, s int) bool { return slices.Equal(g.has[f], g.has[s]) }
