package evaluate

func (g Grid) Points() int {
	g, _ = g.withDefaults()
	return g.points()
}

func (t Trial) Numbers(terms int) []int { return t.numbers(terms) }
func (e Enough) Rule() string           { return e.rule() }
