package analysis

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/usage"
)

// find returns the tokens of a text.
func find(p *tokenPattern, text string) (tokens []string) {
	(&finder{p: p}).each([]byte(text), func(from, to int) { tokens = append(tokens, text[from:to]) })
	return tokens
}

// The tokens are those of Python's re.findall, for patterns given and made by chance. Testdata has
// some; TERMSIFT_FINDALL names a file of more, from findall.py beside it.
func TestTokensAreThoseOfPython(t *testing.T) {
	path, given := "testdata/findall.jsonl", os.Getenv("TERMSIFT_FINDALL")
	if given != "" {
		path = given
	}
	file := testkit.Must(os.Open(path))
	defer file.Close()
	taken, refused, cases, runs := 0, map[string]int{}, 0, 0
	for lines := bufio.NewScanner(file); lines.Scan(); cases++ {
		var c [3]json.RawMessage
		var expression, text string
		var want []string
		for i, to := range []any{&c, &expression, &text} {
			from := lines.Bytes()
			if i > 0 {
				from = c[i-1]
			}
			testkit.OK(json.Unmarshal(from, to))
		}
		p, err := compilePattern(expression, nil)
		switch isNone := string(c[2]) == "null"; {
		case isNone && err == nil:
			t.Errorf("%q is taken", expression)
			continue
		case err != nil:
			var e *PatternError
			if !errors.As(err, &e) || !errors.Is(err, usage.ErrUsage) || e.Pattern != expression || !strings.Contains(err.Error(), e.Why) {
				t.Errorf("%q: %v", expression, err)
			}
			if !isNone {
				refused[e.Why]++
			}
			continue
		}
		taken++
		if p.runs != nil {
			runs++
		}
		if err := json.Unmarshal(c[2], &want); err != nil { // several groups
			t.Errorf("%q is taken", expression)
			continue
		}
		testkit.EqualSlices(t, find(p, text), want, expression, "of", text)
	}
	t.Logf("%d cases, %d taken, %d of them by runs; refused %v", cases, taken, runs, refused)
	if taken < cases/3 || runs < 100 {
		t.Errorf("%d of %d taken, %d by runs", taken, cases, runs)
	}
}

// Categories and scripts of Unicode are beyond Python.
func TestPropertiesOfCharacters(t *testing.T) {
	const text = "Ab1 é_Ж 中文x ½ a\u0301!"
	for pattern, want := range map[string][]string{
		`\p{L}+`:         {"Ab", "é", "Ж", "中文x", "a"},
		`\pL[\pL\p{M}]*`: {"Ab", "é", "Ж", "中文x", "a\u0301"},
		`\p{Han}{2}`:     {"中文"},
		`[\p{Lu}\d]`:     {"A", "1", "Ж"},
		`(?i)\p{Lu}+`:    {"Ab", "é", "Ж", "x", "a"},
		`[^\P{N}]`:       {"1", "½"},
		`\P{L}+`:         {"1 ", "_", " ", " ½ ", "\u0301!"},
	} {
		testkit.EqualSlices(t, find(testkit.Must(compilePattern(pattern, nil)), text), want, pattern)
	}
	for _, pattern := range []string{`\p{Letters}`, `\p{L`, `\p`, `\pX`} {
		testkit.Refused(t, testkit.Err(compilePattern(pattern, nil)), usage.ErrUsage, "a category or a script of Unicode", pattern)
	}
}

// An expression from a file takes no longer for a text than its length allows. Before, each of these took from ten
// seconds to hours for a megabyte.
func TestRepeatsHaveABound(t *testing.T) {
	text := strings.Repeat("ab ", 350)
	for _, pattern := range []string{
		`(?:a|b| ){1,1000}c`, `(?:a{1,30}b?){1,30}c`, `(?:(?:[ab ]x?){20}y?){20}z`, "(?:" + strings.Repeat("a?b?", 400) + "){1,600}c",
		strings.Repeat("(?:a|b| )?", 600) + "c",
	} {
		testkit.Refused(t, testkit.Err(compilePattern(pattern, nil)), usage.ErrUsage, "pieces, each of which may be tried at every character, and 1000 is the most", pattern)
	}
	for _, pattern := range []string{`\w{2,400}`, `(?:\w{1,30}-?){1,15}`, `\w{900}|ab`} {
		if len(find(testkit.Must(compilePattern(pattern, nil)), text)) == 0 {
			t.Errorf("%s finds nothing", pattern)
		}
	}
}
