package main

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

// add counts a case of a group; groups are those that are named alike one after another.
func (v *Verdict) add(holds bool, group, name string) {
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

// count gives the number of cases, and of those that fail.
func (v *Verdict) count() (cases, failed int) {
	for _, g := range v.groups {
		cases, failed = cases+g.cases, failed+len(g.failed)
	}
	return cases, failed
}

// A kind is what becomes of a claim, in one word.
type kind int

const (
	unchecked kind = iota
	holds
	inPart
	fails
)

func (v *Verdict) kind() kind {
	switch cases, failed := v.count(); {
	case cases == 0:
		return unchecked
	case failed == 0:
		return holds
	case failed == cases:
		return fails
	}
	return inPart
}

// String says that a claim holds (in all cases), does not (in none), or in which groups
// it does, and in how many cases its sides are closer than a standard error.
func (v *Verdict) String() string {
	text := strings.Join(append([]string{v.outcome()}, v.groupsInPart()...), "; ")
	if cases, _ := v.count(); v.close > 0 {
		text += fmt.Sprintf("; %d of %d within a standard error (%.2g points)", v.close, cases, v.error)
	}
	return text
}

// Short is the verdict without the groups; close are cases whose sides are closer than a standard error.
func (v *Verdict) Short() string {
	if v.close > 0 {
		return fmt.Sprintf("%s; %d close", v.outcome(), v.close)
	}
	return v.outcome()
}

// outcome is the verdict without the groups, and without what is close.
func (v *Verdict) outcome() string {
	if v.kind() == inPart {
		cases, failed := v.count()
		return fmt.Sprintf("in part, %d of %d", cases-failed, cases)
	}
	return [...]string{unchecked: "not checked", holds: "holds", fails: "does not hold"}[v.kind()]
}

// groupsInPart says in which groups a claim holds that holds in part.
func (v *Verdict) groupsInPart() (texts []string) {
	if v.kind() != inPart {
		return nil
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
	if len(all) > 0 {
		texts = append(texts, "holds at "+strings.Join(all, ", "))
	}
	if len(none) > 0 {
		texts = append(texts, "not at "+strings.Join(none, ", "))
	}
	return append(texts, some...)
}
