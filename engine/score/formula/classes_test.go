package formula

import (
	"math"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// columnsOfClasses has a term with one class more than a chunk.
func columnsOfClasses() *[Variables][]float64 {
	var of [Variables][]float64
	for v := range of {
		of[v] = make([]float64, chunk+1)
	}
	for c := range of[A] {
		of[A][c], of[NC][c], of[N][c], of[DF][c] = float64(c), 1000, 1e6, 500
	}
	return &of
}

func TestSumsOverClasses(t *testing.T) {
	const all = chunk * (chunk + 1) / 2 // 0 + 1 + ... + chunk
	for text, want := range map[string]float64{
		"sum(A)": all, "sum(1)": chunk + 1, "A-sum(A)": chunk - all, "sum(A>0)": chunk, "sum(A/sum(A))": 1, "sum(A)/sum(A)": 1,
		"sum((A-sum(A)/sum(1))^2)": (chunk + 1) * (math.Pow(chunk+1, 2) - 1) / 12, "sum(A)+df": all + 500, "sum(ln(A-1))": math.NaN(),
	} {
		p, err := ParseOverClasses(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		dst := make([]float64, chunk+1)
		p.NewMachine().Run(dst, columnsOfClasses())
		testkit.Equal(t, near(dst[chunk], want), true, text, "=", "want", want)
		if !p.ReadsOtherClasses() || p.Reads(A) != strings.Contains(text, "A") {
			t.Errorf("%s reads the others: %v, A: %v", text, p.ReadsOtherClasses(), p.Reads(A))
		}
	}
	testkit.Equal(t, len(testkit.Must(ParseOverClasses("sum(A)*sum(A)+sum(sum(A))")).sums), 2)
}

func TestErrorsOfSums(t *testing.T) {
	for text, want := range map[string]string{
		"sum()": "sum lacks an argument here", "sum(A,B)": "sum takes one number", "sum(A": "this parenthesis has no end", "sum": "sum is a function: write sum(...)", "sum(X)": "unknown name",
	} {
		if _, err := ParseOverClasses(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Values that are written twice are computed once, and numbers of all kinds can be written.
func TestJavaScript(t *testing.T) {
	for text, want := range map[string]string{
		"A":             "() => t => { return t.A + 0; }",
		"(A+B)/(A+B)":   "() => t => { const v0 = t.A + t.B; const v1 = over(v0, v0); return v1 + 0; }",
		"-A^2*-2":       "() => t => { const v0 = times(t.A, t.A); const v1 = negate(v0); const v2 = times(v1, (-2)); return v2 + 0; }",
		"1/0":           "() => t => { return Infinity + 0; }",
		"-1/0":          "() => t => { return (-Infinity) + 0; }",
		"ln(-1)":        "() => t => { return NaN + 0; }",
		"S/sum(S)":      "all => { const s0 = sum(all, () => t => { return t.S + 0; }); return t => { const v0 = over(t.S, s0); return v0 + 0; }; }",
		"1e-300*1e-300": "() => t => { return 0 + 0; }",
	} {
		p := testkit.Must(ParseOverClasses(text))
		testkit.Equal(t, p.JavaScript(), want, text)
	}
	for op := range functionsOfOne {
		if inScript[op] == "" {
			t.Errorf("operation %d is not written in JavaScript", op)
		}
	}
}
