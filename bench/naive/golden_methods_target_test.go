package naive

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"testing"
)

// targets checks the part targets and the numbers of corpus_b.
func (g *golden) targets() {
	terms, rows := g.strings("corpus_b/terms"), g.at("corpus_b/counts").([]any)
	for i := range terms {
		g.take("corpus_b/terms/" + strconv.Itoa(i))
		for d := range rows {
			g.take(fmt.Sprintf("corpus_b/counts/%d/%d", d, i))
		}
	}
	g.number("targets/N", float64(len(rows)))
	ys := map[string][]*big.Rat{}
	for _, name := range []string{"stars", "price"} {
		sum, squares := new(big.Rat), new(big.Rat)
		for i := range rows {
			y := new(big.Rat).SetFloat64(g.take("corpus_b/" + name + "/" + strconv.Itoa(i)).(float64))
			ys[name] = append(ys[name], y)
			sum.Add(sum, y)
			squares.Add(squares, new(big.Rat).Mul(y, y))
		}
		g.exact("targets/sums_"+name+"/sum_y_exact", sum)
		g.exact("targets/sums_"+name+"/sum_y2_exact", squares)
	}
	for i, term := range terms {
		x, share := make([]*big.Rat, len(rows)), make([]*big.Rat, len(rows))
		for d, row := range rows {
			length := int64(0)
			for _, tf := range row.([]any) {
				length += int64(tf.(float64))
			}
			tf := int64(row.([]any)[i].(float64))
			x[d], share[d] = big.NewRat(tf, 1), big.NewRat(tf, length)
		}
		for name, y := range ys {
			g.target("targets/terms/"+term+"/"+name, Target{x, y}, Target{share, y})
		}
		g.trend("targets/terms/"+term+"/trend_stars", Target{x, ys["stars"]}.Presence())
	}
}

// target checks the values of a term and a number.
func (g *golden) target(path string, tf, share Target) {
	presence := tf.Presence()
	df, xy, of := 0.0, new(big.Rat), new(big.Rat)
	for i, x := range tf.X {
		df += float64(x.Sign())
		xy.Add(xy, new(big.Rat).Mul(x, tf.Y[i]))
		of.Add(of, new(big.Rat).Mul(presence.X[i], tf.Y[i]))
	}
	g.number(path+"/df", df)
	g.exact(path+"/sum_y_with_exact", of)
	g.exact(path+"/sum_xy_tf_exact", xy)
	for name, t := range map[string]Target{
		"presence": presence, "tf": tf, "share": share, "spearman_presence": presence.Ranks(), "spearman_tf": tf.Ranks(),
	} {
		g.number(path+"/"+name+"/r", t.R())
		g.exact(path+"/"+name+"/r_squared_exact", t.Share())
		g.numberWithin(path+"/"+name+"/lnp", t.LnR(), 1e-10)
	}
}

// trend checks the test of Cochran and Armitage, of five stars.
func (g *golden) trend(path string, t Target) {
	with, n := make([]float64, 5), make([]float64, 5)
	for i, y := range t.Y {
		k := int(rational(y)) - 1
		n[k]++
		with[k] += float64(t.X[i].Sign())
	}
	g.numbers(path+"/with", with)
	g.numbers(path+"/n", n)
	g.number(path+"/chi_trend", t.ChiTrend())
	z := math.Copysign(1, t.R()) * root(new(big.Rat).Mul(t.Share(), big.NewRat(int64(len(t.X)), 1)))
	g.number(path+"/z", z)
	g.numberWithin(path+"/lnp", LnP(z), 1e-10)
}

// A trend of two numbers is chi-square.
func TestTrendOfTwoIsChiSquare(t *testing.T) {
	c := Corpus{Terms: []string{"x"}, Classes: []string{"1", "7"}}
	var target Target
	for i := range 20 {
		tf := float64(i % 3 / 2)
		k := i / 12
		c.Docs = append(c.Docs, Doc{Labels: []int{k}, Counts: map[int]float64{}})
		if tf > 0 {
			c.Docs[i].Counts[0] = tf
		}
		target.X, target.Y = append(target.X, big.NewRat(int64(tf), 1)), append(target.Y, big.NewRat(int64(1+6*k), 1))
	}
	if got, want := target.ChiTrend(), Tabulate(c).Global("chi", "max", Options{})[0]; !near(got, want) {
		t.Errorf("the trend is %v, chi-square %v", got, want)
	}
}
