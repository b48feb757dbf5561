package naive

import "fmt"

// hashing checks the hashes and columns of words.
func (g *golden) hashing() {
	const all = "text/hashing/words"
	for i := range g.at(all).([]any) {
		at := fmt.Sprintf("%s/%d/", all, i)
		word := g.take(at + "word").(string)
		g.number(at+"hash", float64(Hash(word)))
		sign := 1.0
		if Hash(word) < 0 {
			sign = -1
		}
		g.number(at+"sign", sign)
		for _, columns := range []int64{10, 1000, 1 << 20} {
			g.number(fmt.Sprintf("%sindex_%d", at, columns), float64(Column(word, columns)))
		}
	}
}
