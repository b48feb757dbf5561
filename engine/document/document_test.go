package document

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestInBatches(t *testing.T) {
	for _, size := range []int{0, 1, 1000} {
		var docs []Document
		for i := range size {
			docs = append(docs, Document{ID: strconv.Itoa(i), Text: make([]byte, i*10)})
		}
		batches, n := 0, 0
		for batch := range testkit.All(InBatches(docs)) {
			batches++
			for d, err := range batch {
				testkit.OK(err)
				testkit.Equal(testkit.Stop(t), d.ID, strconv.Itoa(n), "document", "is number", n)
				n++
			}
		}
		if n != size || size == 1000 && (batches < 10 || batches > 50) {
			t.Errorf("%d documents: %d in %d batches", size, n, batches)
		}
	}
}

func TestFingerprint(t *testing.T) {
	text := func(s string) Document { return Document{Text: []byte(s)} }
	features := func(f ...Feature) Document { return Document{Features: f} }
	var f Fingerprinter
	for _, c := range []struct {
		name string
		a, b Document
		same bool
	}{
		{"white space", text("one two\r\n"), text(" o\tnetwo\u3000\u00a0"), true},
		{"case", text("ÉTÉ Σ"), text("été σ"), true},
		{"a character", text("one"), text("onc"), false},
		{"order", text("one two"), text("two one"), false},
		{"malformed", text("a\xff"), text("a\xfe"), false},
		{"malformed and U+FFFD", text("a\xff"), text("a\ufffd"), false},
		{"names and labels", Document{ID: "1", Labels: []string{"a"}, Text: []byte("x")}, text("x"), true},
		{"features", features(Feature{"a", 1}, Feature{"b", 2}), features(Feature{"b", 2}, Feature{"a", 1}), true},
		{"values", features(Feature{"a", 1}, Feature{"b", 2}), features(Feature{"a", 2}, Feature{"b", 1}), false},
		{"no features", features(Feature{"a", 1}), text(""), false},
	} {
		testkit.Equal(t, f.Of(c.a) == f.Of(c.b), c.same, c.name, "the same")
	}
}

func TestFingerprintAllocates(t *testing.T) {
	var f Fingerprinter
	d := Document{Text: []byte("One two, ÉTÉ 三 four")}
	f.Of(d)
	if n := testing.AllocsPerRun(100, func() { f.Of(d) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]string{
		"5": "5", "5.0": "5", "+05": "5", "50e-1": "5", " 5\t": "5", "5.": "5", "1e3": "1000", "1E+3": "1000", "-0": "0", "0.000": "0", "0e99999999999999999999": "0",
		".5": "0.5", "-.50": "-0.5", "0.10": "0.1", "12.50": "12.5", "100": "100", "00100.00100": "100.001", "9007199254740993": "9007199254740993",
		"123456789012345678901.5": "123456789012345678901.5", "1e20": "100000000000000000000", "1e21": "1e+21", "-12e20": "-1.2e+21", "1e308": "1e+308", "0.1000000000000000055511151231257827": "0.1000000000000000055511151231257827",
		"0.000001": "0.000001", "0.0000001": "1e-7", "1.5e-7": "1.5e-7", "4.9e-324": "4.9e-324", "1234": "1234",
	} {
		got, err := AppendNumber([]byte("x"), []byte(text))
		if string(got) != "x"+want || err != nil {
			t.Errorf("%q: %q, %v, want %q", text, got, err, "x"+want)
		}
	}
	for text, want := range map[string]error{
		"": ErrNoNumber, ".": ErrNoNumber, "-": ErrNoNumber, "five": ErrNoNumber, "1,234": ErrNoNumber, "5%": ErrNoNumber, "$5": ErrNoNumber, "1_000": ErrNoNumber,
		"0x10": ErrNoNumber, "1e": ErrNoNumber, "1e+": ErrNoNumber, "1e1.5": ErrNoNumber, "1.2.3": ErrNoNumber, "1 2": ErrNoNumber, "--1": ErrNoNumber, "٣": ErrNoNumber,
		"NaN": ErrNoNumber, "nan": ErrNoNumber, "true": ErrNoNumber, "e5": ErrNoNumber,
		"inf": ErrRange, "-Infinity": ErrRange, "1e309": ErrRange, "-1e99999999999999999999": ErrRange, "1e-400": ErrSmall, "1e-999999999999": ErrSmall,
	} {
		got, err := AppendNumber([]byte("x"), []byte(text))
		if string(got) != "x" || !errors.Is(err, want) {
			t.Errorf("%q: %q, %v, want %v", text, got, err, want)
		}
	}
}

// Equal numbers have one form, others have others, and the form has the value of the text.
func TestNumberIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	digits := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte("0000123456789"[r.IntN(13)])
		}
		return b.String()
	}
	for range 20_000 {
		text := []string{"", "-", "+"}[r.IntN(3)] + digits(r.IntN(25)) + "." + digits(1+r.IntN(25))
		if r.IntN(2) == 0 {
			text += "e" + strconv.Itoa(r.IntN(60)-30)
		}
		form, err := AppendNumber(nil, []byte(text))
		testkit.Is(testkit.Stop(t), err, nil, text)
		a, _ := new(big.Rat).SetString(text)
		b, ok := new(big.Rat).SetString(string(form))
		if !ok || a.Cmp(b) != 0 {
			t.Fatalf("%q became %q", text, form)
		}
		again := testkit.Must(AppendNumber(nil, form))
		testkit.Equal(testkit.Stop(t), string(again), string(form), text, "became", "and that")
	}
	for range 20_000 {
		x := math.Float64frombits(r.Uint64())
		if math.IsNaN(x) || math.IsInf(x, 0) || x == 0 {
			continue
		}
		form := testkit.Must(AppendNumber(nil, strconv.AppendFloat(nil, x, 'g', -1, 64)))
		testkit.Equal(testkit.Stop(t), x, testkit.Must(strconv.ParseFloat(string(form), 64)), "became", form, "which")
	}
}

func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"5", "-1.50e3", "1e-400", ".5e+1", "00.100"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		form, err := AppendNumber(nil, []byte(text))
		if err != nil {
			testkit.Equal(testkit.Stop(t), len(form), 0, text, "and", err)
			return
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		y, _ := strconv.ParseFloat(string(form), 64)
		testkit.OK(err)
		testkit.Equal(testkit.Stop(t), x, y, text, "and its form", form)
	})
}
