package reader

import (
	"reflect"
	"testing"
)

func TestAlikeLabels(t *testing.T) {
	for name, c := range map[string]struct {
		labels []string
		want   [][]string
	}{
		"white space":     {[]string{"a", " a", "a\u00a0", "b"}, [][]string{{" a", "a", "a\u00a0"}}},
		"case":            {[]string{"True", "true", "TRUE", "false"}, [][]string{{"TRUE", "True", "true"}}},
		"normal forms":    {[]string{"café", "cafe\u0301", "cafe"}, [][]string{{"cafe\u0301", "café"}}},
		"all":             {[]string{"CAFE\u0301 ", "café"}, [][]string{{"CAFE\u0301 ", "café"}}},
		"sigmas":          {[]string{"ΟΔΟΣ", "οδος", "οδοσ"}, [][]string{{"ΟΔΟΣ", "οδος", "οδοσ"}}},
		"a Kelvin":        {[]string{"k", "\u212a"}, [][]string{{"k", "\u212a"}}},
		"several groups":  {[]string{"b", "B", "a", "A"}, [][]string{{"A", "a"}, {"B", "b"}}},
		"none":            {[]string{"1", "1.0", "a b", "a  b", "ﬁ", "fi", "ß", "ss"}, nil},
		"malformed UTF-8": {[]string{"\xff", "\xfe"}, nil},
	} {
		classes := map[string]int{}
		for _, label := range c.labels {
			classes[label] = 1
		}
		if got := alikeLabels(classes); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
