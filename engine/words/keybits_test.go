package words

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/bench/testkit"
)

// The values and p-values of measures of counts have the same bits in every build.
func TestSameBitsOfCounts(t *testing.T) {
	const want = 0xb3d9f9b6a68ec2e1
	r := rand.New(rand.NewPCG(61, 62))
	var all []byte
	options := []*KeynessOptions{{}, {Smooth: 12.5, ZetaC: .3, Conf: .99, NoYates: true}}
	for range 300 {
		t1, t2 := math.Floor(math.Ldexp(1+r.Float64(), 1+r.IntN(13))), math.Floor(math.Ldexp(1+r.Float64(), 1+r.IntN(13)))
		x := pair{math.Floor(t1 * math.Pow(r.Float64(), 6)), math.Floor(t2 * math.Pow(r.Float64(), 6))}
		if x[0]+x[1] == 0 {
			x[0] = 1
		}
		for _, o := range options {
			for _, u := range units {
				s := o.newScorer(u, newTotals(pair{t1, t2}), 1+r.IntN(1000))
				for i := range keyMeasures {
					d := &keyMeasures[i]
					if d.listed != nil || d.reads == ofDocuments && u != ofDocuments {
						continue
					}
					var value, lnP [1]float64
					s.judge(d, []pair{x}, value[:], lnP[:])
					for _, v := range []float64{value[0], lnP[0]} {
						if math.IsNaN(v) {
							v = math.NaN()
						}
						all = binary.LittleEndian.AppendUint64(all, math.Float64bits(v))
					}
				}
			}
		}
	}
	testkit.Equal(t, xxh3.Hash(all), want, "the digest", "want", uint64(want))
}
