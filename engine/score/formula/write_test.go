package formula

import (
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// Functions of the registered measures have the bits of the interpreter.
func TestCompiledProgramsHaveTheBitsOfTheInterpreter(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var columns [Variables][]float64
	for v := range columns {
		for range 1000 {
			x := math.Floor(math.Exp(12 * r.Float64() * r.Float64()))
			switch r.IntN(20) {
			case 0:
				x = 0
			case 1:
				x = r.NormFloat64()
			case 2:
				x = math.Inf(1)
			}
			columns[v] = append(columns[v], x)
		}
	}
	found := regexp.MustCompile(`case ("[^\n]+"):`).FindAllStringSubmatch(string(testkit.Must(os.ReadFile("measures_gen.go"))), -1)
	for _, text := range found {
		p := testkit.Must(Parse(testkit.Must(strconv.Unquote(text[1]))))
		testkit.Equal(testkit.Stop(t), p.compiled != nil, true, text[1], "is compiled")
		got, want, m := make([]float64, 1000), make([]float64, 1000), p.interpreter()
		m.Run(got, &columns)
		m.interpret(want, &columns)
		for i, v := range got {
			testkit.Equal(testkit.Stop(t), math.Float64bits(v), math.Float64bits(want[i]), text[1], "of", i)
		}
	}
	if len(found) < 30 {
		t.Errorf("%d programs are compiled", len(found))
	}
}
