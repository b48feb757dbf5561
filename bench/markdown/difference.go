package markdown

import "strings"

// FirstDifference finds the first line that differs, and both versions of it.
func FirstDifference(a, b string) (line int, inA, inB string) {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for line < len(as) && line < len(bs) && as[line] == bs[line] {
		line++
	}
	return line + 1, lineOrEnd(as, line), lineOrEnd(bs, line)
}

func lineOrEnd(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end of file)"
}
