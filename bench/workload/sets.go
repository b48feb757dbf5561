package workload

// Sets are the corpora that the benchmarks name.
//
//	name     documents  terms    classes  labels     tokens    postings
//	S           11,300  100,000       20  1       1,656,434   1,412,315
//	M          100,000  200,000       50  1      13,255,559  11,563,806
//	L        1,000,000  500,000       50  1     116,478,824 104,108,719
//	X          200,000  200,000      100  2.94   23,297,368  20,809,345
//	Classes    500,000  200,000  100,000  1      21,252,643  19,949,527
//
// Chance leaves out 2,069 terms of S and 32,619 classes of Classes, the rare
// ones; all other terms and classes occur.
func Sets() []Params {
	return []Params{
		{Name: "S", Documents: 11_300, Tokens: 147, Terms: 100_000, Classes: 20, Seed: 1},
		{Name: "M", Documents: 100_000, Tokens: 133, Terms: 200_000, Classes: 50, Seed: 1},
		{Name: "L", Documents: 1_000_000, Tokens: 117, Terms: 500_000, Classes: 50, Seed: 1},
		{Name: "X", Documents: 200_000, Tokens: 117, Terms: 200_000, Classes: 100, Labels: 2.94, Seed: 1},
		{Name: "Classes", Documents: 500_000, Tokens: 43, Terms: 200_000, Classes: 100_000, Seed: 1},
	}
}

// Named gives the set of this name.
func Named(name string) (Params, bool) {
	for _, p := range Sets() {
		if p.Name == name {
			return p, true
		}
	}
	return Params{}, false
}
