package papers

import (
	"fmt"
	"strings"
)

// A Verdict is what becomes of a claim that was checked in a number of cases, in
// groups: one for each p, say.
type Verdict struct {
	groups []caseGroup
	close  int     // cases whose sides are closer than a standard error
	error  float64 // the largest one of these
}

type caseGroup struct {
	name   string
	cases  int
	failed []string // their names
}

// Add counts a case of a group; groups are those that are named alike one after another.
func (v *Verdict) Add(holds bool, group, name string) {
	if n := len(v.groups); n == 0 || v.groups[n-1].name != group {
		v.groups = append(v.groups, caseGroup{name: group})
	}
	g := &v.groups[len(v.groups)-1]
	g.cases++
	if !holds {
		g.failed = append(g.failed, name)
	}
}

// addClose counts a case whose sides are closer than a standard error.
func (v *Verdict) addClose(standardError float64) {
	v.close, v.error = v.close+1, max(v.error, standardError)
}

// Append adds the cases of another verdict.
func (v *Verdict) Append(o *Verdict) {
	v.groups = append(v.groups, o.groups...)
	v.close, v.error = v.close+o.close, max(v.error, o.error)
}

// Count gives the number of cases, and of those that fail.
func (v *Verdict) Count() (cases, failed int) {
	for _, g := range v.groups {
		cases, failed = cases+g.cases, failed+len(g.failed)
	}
	return cases, failed
}

// String says that a claim holds (in all cases), does not (in none), or in which groups
// it does, and in how many cases its sides are closer than a standard error.
func (v *Verdict) String() string {
	if cases, _ := v.Count(); v.close > 0 {
		return fmt.Sprintf("%s; %d of %d within a standard error (%.2g points)", v.outcome(), v.close, cases, v.error)
	}
	return v.outcome()
}

// Short is the verdict without the groups; close are cases whose sides are closer than a standard error.
func (v *Verdict) Short() string {
	cases, failed := v.Count()
	text := v.outcome()
	if 0 < failed && failed < cases {
		text = fmt.Sprintf("in part, %d of %d", cases-failed, cases)
	}
	if v.close > 0 {
		text += fmt.Sprintf("; %d close", v.close)
	}
	return text
}

// outcome is the verdict without what is close.
func (v *Verdict) outcome() string {
	cases, failed := v.Count()
	switch {
	case cases == 0:
		return "not checked"
	case failed == 0:
		return "holds"
	case failed == cases:
		return "does not hold"
	}
	var all, none, some []string
	for _, g := range v.groups {
		switch len(g.failed) {
		case 0:
			all = append(all, g.name)
		case g.cases:
			none = append(none, g.name)
		default:
			some = append(some, fmt.Sprintf("at %s not for %s", g.name, strings.Join(g.failed, ", ")))
		}
	}
	text := fmt.Sprintf("in part, %d of %d", cases-failed, cases)
	if len(all) > 0 {
		text += "; holds at " + strings.Join(all, ", ")
	}
	if len(none) > 0 {
		text += "; not at " + strings.Join(none, ", ")
	}
	return strings.Join(append([]string{text}, some...), "; ")
}
