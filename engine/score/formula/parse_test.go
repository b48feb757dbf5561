package formula

import (
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/usage"
)

// values are those of the variables in these tests.
var values = map[string]float64{"A": 7, "B": 3, "C": 13, "D": 77, "N": 100, "df": 10, "n_c": 20, "S": 11, "cf": 18, "T_c": 300, "T": 2000, "Q": 23}

// computed returns the value of a formula, many times over columns.
func computed(p *Program) float64 {
	const n = chunk + 3
	var columns [Variables][]float64
	for v, name := range names {
		if p.Reads(Variable(v)) {
			columns[v] = make([]float64, n)
			for i := range columns[v] {
				columns[v][i] = values[name]
			}
		}
	}
	dst := make([]float64, n)
	p.NewMachine().Run(dst, &columns)
	for _, v := range dst {
		if math.Float64bits(v) != math.Float64bits(dst[0]) {
			return math.Inf(-1)
		}
	}
	return dst[0]
}

func TestValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for text, want := range map[string]float64{
		"A*D/(B*C)": 7. * 77 / 39, "3": 3, "-2^2": -4, "(-2)^2": 4, "2^3^2": 512, "2^-1": .5, "2^-2^2": 1. / 16, "-A^2": -49, "--A": 7, "-+-A": 7,
		"1-2-3": -4, "24/4/2": 3, "2+3*4": 14, "(2+3)*4": 20, "6/2*3": 9, "A*-B": -21, "2*3^2": 18, " A\t+\nB ": 10, "+A": 7,
		"1e3": 1000, "2.5E-1": .25, ".5": .5, "5.": 5, "1e+2": 100,
		"A<B": 0, "A>B": 1, "A>=7": 1, "A<=6": 0, "A==7": 1, "A!=7": 0, "(A>B)+(B<C)": 2, "A+1<B*2": 0, "2<A-B": 1,
		"ln(1)": 0, "log2(8)": 3, "exp(0)": 1, "sqrt(49)": 7, "abs(B-A)": 4, "min(A,B,C)": 3, "max(A,B,C)": 13, "max(A)": 7, "erf(0)": 0, "Phi(0)": .5, "ln (1)": 0,
		"n_c": 20, "df": 10, "cf": 18, "T_c": 300, "T": 2000, "Q": 23, "S": 11, "N": 100,
		"probit(.5)": 0, "floor(-A/2)": -4, "floor(1e300)": 1e300, "log1p(1e-300)": 1e-300, "excess(0)": 0, "excess(-1)": 1, "excess(1e-100)": 1e-200 / 2,
		"det(A,B,C,D)": 21 - 13*77, "det(2^53,2^53-2,2^53-1,2^53-1)": -1, "det(1e200,1e200,1,1)": inf, "det(0,1/0,A,B)": -21, "lnratio(A,A,0)": 0, "lnratio(A,0,A)": inf,
		"lnratio(0,A,-A)": -inf, "lnratio(0,0,0)": 0, "lnratio(1+1e-17,1,1e-17)": 1e-17, "-probit(0)": inf, "probit(1)": inf,
		// zero and infinity
		"0/0": 0, "A/0": inf, "-A/0": -inf, "(A-A)/(B-B)": 0, "ln(0)": -inf, "0*ln(0)": 0, "ln(0)*0": 0, "1/0-1/0": nan, "(1/0)/(1/0)": nan, "1/(1/0)": 0,
		"1/(0*-1)": inf, "0*-1": 0, "0^0": 1, "0^-1": inf, "(0*-1)^-1": inf, "2^(1/0)": inf, "sqrt(-1)": nan, "ln(-1)": nan, "log2(-1)": nan, "log2(0)": -inf,
		"(-8)^(1/3)": nan, "(-2)^3": -8, "exp(1/0)": inf, "exp(-1/0)": 0, "erf(1/0)": 1, "Phi(-1/0)": 0, "abs(-1/0)": inf,
		// what is undefined stays so
		"0*ln(-1)": nan, "ln(-1)^0": nan, "1^ln(-1)": nan, "max(1,ln(-1))": nan, "min(ln(-1),1)": nan, "ln(-1)==ln(-1)": nan, "ln(-1)!=1": nan, "1<ln(-1)": nan, "0/ln(-1)": nan, "Phi(ln(-1))": nan,
		"probit(2)": nan, "log1p(-2)": nan, "excess(-2)": nan, "lnratio(-1,1,-2)": nan, "lnratio(1,2,ln(-1))": nan, "det(ln(-1),0,0,0)": nan, "floor(ln(-1))": nan,
	} {
		p, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		testkit.Equal(t, math.Float64bits(computed(p)), math.Float64bits(want), text, "=", "want", want)
	}
}

// Errors say what is wrong, and show the formula; the caret stands below its place.
func TestErrors(t *testing.T) {
	for want := range strings.SplitSeq(string(testkit.Must(os.ReadFile("testdata/errors.txt"))), "\n\n") {
		text := strings.TrimPrefix(strings.Split(want, "\n")[1], "  ")
		testkit.Refused(t, testkit.Err(Parse(text)), usage.ErrUsage, strings.TrimSuffix(want, "\n"), text)
	}
	deep := strings.Repeat("(", 10_000) + "A" + strings.Repeat(")", 10_000)
	for text, want := range map[string]string{
		"":                                "the formula is empty\n  \n  ^",
		"  ":                              "the formula is empty\n    \n    ^",
		"A\x00":                           "U+0000 is not part of a formula",
		"A\xff":                           "byte 0xff is not UTF-8",
		deep[:9000]:                       "a formula is nested 100 levels deep at most\n  ...(((",
		deep:                              "a formula has 10000 bytes at most, and this one 20001",
		strings.Repeat("-", 9000) + "A":   "nested 100 levels deep",
		strings.Repeat("A^", 4000) + "A":  "nested 100 levels deep",
		strings.Repeat("ln(", 3000) + "A": "nested 100 levels deep",
		strings.Repeat("A+", 40) + "A*/B" + strings.Repeat("+A", 40): "a value is missing before /\n  ..." + strings.Repeat("A+", 24) + "A*/B" + strings.Repeat("+A", 11) + "+...\n  " + strings.Repeat(" ", 53) + "^",
	} {
		testkit.Refused(t, testkit.Err(Parse(text)), usage.ErrUsage, want)
	}
}

// A chain of any length takes two registers; constants are computed once.
func TestProgramsAreShort(t *testing.T) {
	p, err := Parse("A" + strings.Repeat("+B*C", 2000))
	if err != nil || p.registers != 2 || len(p.code) != 4000 {
		t.Errorf("%v: %d registers, %d instructions", err, p.registers, len(p.code))
	}
	p, err = Parse("(1+2)*ln(3)/4" + strings.Repeat("+1", 1000))
	if err != nil || len(p.code) != 0 || len(p.constants) != 1 {
		t.Errorf("%v: %d instructions, %d constants", err, len(p.code), len(p.constants))
	}
	if p, err = Parse("A^2"); err != nil || p.code[0].op != multiply {
		t.Error("a square is no product")
	}
}

func TestReads(t *testing.T) {
	for text, tokens := range map[string]bool{"A+B": false, "A/n_c": false, "N": false, "S": true, "Q/df": true, "T": true, "1": false} {
		p := testkit.Must(Parse(text))
		testkit.Equal(t, p.ReadsTokens(), tokens, text)
		for v, name := range names {
			if want := strings.Contains("+"+text+"/", name) && (name != "T" || text == "T") && (name != "N" || text == "N"); name != "C" && p.Reads(Variable(v)) != want {
				t.Errorf("%s reads %s: %v", text, name, !want)
			}
		}
	}
}

// The bits are part of the contract, in every build.
func TestBits(t *testing.T) {
	for want, texts := range map[uint64][]string{
		0x56846b6c5843b5ff: {
			"ln(A/B)+log2(C)*exp(-S/D)", "erf(A/10)-Phi(-B/3)", "(A/N)^1.7/(B/N)^.3", "A*D-B*C+ln(T/cf)*S", "sqrt(Q)*A+B*C-D*N/df", "Phi((A-df*n_c/N)/sqrt(df*n_c/N))",
		},
		0xff9a035da78aa0e5: {"excess(A/B)+excess(-B/D)*probit(A/N)", "lnratio(A,B,A-B)*det(A/B,C,D,S/T)-log1p(B/T)"},
	} {
		var digest uint64
		for _, text := range texts {
			p := testkit.Must(Parse(text))
			digest = digest*31 + math.Float64bits(computed(p))
		}
		testkit.Equal(t, digest, want, "digest")
	}
}

// Whatever the text is, it is refused with a caret at a place in it, or has the value that the naive reference
// computes from the text.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"A*D/(B*C)", "N*(A*D-B*C)^2/((A+B)*(C+D)*(A+C)*(B+D))", "-2^-2^.5", "max(A,min(B,1e-3),ln(C))", "(A>=B)*ln(S*T/(cf*T_c))", "A*-B--C", "1/0-1/0", "A−B", "((A", "Phi(erf(exp(-Q)))", "A\t<\nB", "probit(A/N)-excess(B/A-1)", "det(A,D,B,C)/lnratio(A,B,A-B)", "log1p(-A/N)*floor(S/Q)",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if e, ok := errors.AsType[*Error](err); ok {
			if e.At < 0 || e.At > len(text) || strings.Count(e.Error(), "\n") != 2 {
				t.Fatalf("%q: %d, %v", text, e.At, e)
			}
			return
		}
		testkit.Is(testkit.Stop(t), err, nil, text)
		got, want := computed(p), naive.Formula(text, values, 0)
		steady := near(naive.Formula(text, values, 1e-13), want) && near(naive.Formula(text, values, -1e-13), want)
		if steady && !near(got, want) {
			t.Errorf("%q = %v, want %v", text, got, want)
		}
	})
}

func near(x, y float64) bool {
	if math.IsNaN(x) || math.IsNaN(y) || math.IsInf(x, 0) || math.IsInf(y, 0) {
		return x == y || math.IsNaN(x) && math.IsNaN(y)
	}
	return math.Abs(x-y) <= 1e-9*max(1e-300, math.Abs(x), math.Abs(y))
}
