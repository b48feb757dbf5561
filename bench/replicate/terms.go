package main

import (
	"context"
	"strings"
	"time"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/bestterms"
)

// overAll is the scope of what is said of all classes in one figure.
const overAll = "over all classes"

// terms tells what Best Terms leaves: "NAME FUNCTION P FIGURE", and "NAME A B P FIGURE" of the step's pairs.
func (r *runner) terms(ctx context.Context, s *Step, d division) {
	info := lab.Need(d.train.Info(ctx))
	members := 0
	for _, n := range info.ClassSizes {
		members += n
	}
	r.tell("documents", "", float64(members), s.Name, "members train")
	r.tell("pairs", "", float64(info.Postings), s.Name, "postings train")
	choices := map[string]*bestterms.Choice{}
	eachChoice(ctx, s, d, func(setting string, b *bestterms.Choice, viewed, chosen time.Duration) {
		choices[setting] = b
		r.left(s.Name+" "+setting, d, b)
		r.tell("ms of CPU", "the view by documents", milliseconds(viewed), s.Name, "view train")
		r.tell("ms of CPU", "choosing from the view by documents", milliseconds(chosen), s.Name, setting, "time")
	})
	for _, p := range s.P {
		for _, pair := range s.Pairs {
			a, b, _ := strings.Cut(pair, " ")
			r.pair(s.Name+" "+pair+" "+shareName(p), choices[a+" "+shareName(p)], choices[b+" "+shareName(p)])
		}
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// tell keeps a figure of all classes.
func (r *runner) tell(unit, work string, value float64, words ...string) {
	r.figures.set(Basis{Unit: unit, Scope: overAll, Work: work}, value, words...)
}

// left tells the documents that a choice keeps (of all, and those of their class), its terms for a class in
// the mean, the classes without a positive one, and how terms go with the size of a class.
func (r *runner) left(name string, d division, c *bestterms.Choice) {
	var kept, own, positive, negative, without int
	var ratio float64
	var sizes, terms []float64
	classes := float64(len(c.Classes))
	for i, x := range c.Classes {
		kept += x.KeptDocuments
		for _, doc := range x.Kept.ToArray() {
			for _, l := range d.train.Labels(int(doc)) {
				if int(l) == i {
					own++
				}
			}
		}
		ratio += float64(x.KeptDocuments) / float64(x.Documents) / classes
		positive += len(x.Positive)
		negative += len(x.Negative)
		if len(x.Positive) == 0 {
			without++
		}
		sizes, terms = append(sizes, float64(x.Documents)), append(terms, float64(len(x.Positive)+len(x.Negative)))
	}
	r.tell("documents", "", float64(kept), name, "kept")
	r.tell("documents", "", float64(own), name, "own")
	r.tell("documents kept for one of a class", "", ratio, name, "ratio")
	r.tell("terms of a class", "", float64(positive)/classes, name, "positive")
	r.tell("terms of a class", "", float64(negative)/classes, name, "negative")
	r.tell("terms of a class", "", float64(positive+negative)/classes, name, "both")
	r.tell("classes", "", float64(without), name, "without")
	r.tell("correlation", "", spearman(sizes, terms), name, "growth")
	r.tell("pairs", "", float64(c.Entries), name, "visited")
}

// pair tells how many classes have the same terms and documents by two choices, and the mean Jaccard index of
// a class's terms.
func (r *runner) pair(name string, a, b *bestterms.Choice) {
	identical, jaccard := 0, 0.0
	for i, x := range a.Classes {
		y := b.Classes[i]
		plus, minus := overlapOf(x.Positive, y.Positive), overlapOf(x.Negative, y.Negative)
		if plus.equal() && minus.equal() && x.Kept.Equals(y.Kept) {
			identical++
		}
		jaccard += overlap{plus.both + minus.both, plus.either + minus.either}.jaccard() / float64(len(a.Classes))
	}
	r.figures.set(Basis{Unit: "classes"}, float64(identical), name, "identical")
	r.tell("Jaccard index", "", jaccard, name, "jaccard")
}

// An overlap has the sizes of the intersection and the union of two sets.
type overlap struct{ both, either int }

func overlapOf(a, b []bestterms.Term) overlap {
	in := make(map[string]bool, len(a))
	for _, t := range a {
		in[t.Term] = true
	}
	both := 0
	for _, t := range b {
		if in[t.Term] {
			both++
		}
	}
	return overlap{both, len(a) + len(b) - both}
}

func (o overlap) equal() bool { return o.both == o.either }

// jaccard is 1 for two empty sets, which are equal.
func (o overlap) jaccard() float64 {
	if o.either == 0 {
		return 1
	}
	return float64(o.both) / float64(o.either)
}
