package document

import "testing"

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
		if same := f.Of(c.a) == f.Of(c.b); same != c.same {
			t.Errorf("%s: the same: %v", c.name, same)
		}
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
