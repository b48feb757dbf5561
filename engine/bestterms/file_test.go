package bestterms_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/internal/enginetest"
)

// A file has how the terms were chosen, the sizes of the classes, and a line for each term,
// whatever it is called.
func TestClassTermsFile(t *testing.T) {
	strange := naive.Corpus{Terms: []string{"#a\tb", `\t`, "é\n"}, Classes: []string{"#class\t{}", "\\n\n"}, Docs: []naive.Doc{
		{Labels: []int{0}, Counts: map[int]float64{0: 1, 2: 1}}, {Labels: []int{1}, Counts: map[int]float64{1: 1}}, {Labels: []int{1}, Counts: map[int]float64{2: 1}},
	}}
	var file bytes.Buffer
	testkit.OK(bestTerms(t, enginetest.CorpusOf(t, strange), bestterms.Options{P: .1}).WriteTSV(&file))
	got := file.String()
	for _, want := range []string{
		"#termsift class terms 1\n#function \"chi\"\n#rs_d 0\n#p 0.1\n#rule \"interpolated\"\n#scope \"reduced\"\n#counts \"training\"\n#documents 3\n#classes [",
		"\n#class {\"class\":\"#class\\t{}\",\"documents\":1,\"kept\":1,\"positive\":1,\"negative\":0,",
		"\nclass\tsign\trank\tterm\tscore\tdf\ta\tb\n",
		"\n#class\\t{}\t+\t1\t#a\\tb\t3\t1\t1\t0\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}
