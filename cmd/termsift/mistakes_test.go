package main

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// Whoever types a name that went is told so, with what to do instead, and CHANGELOG.md has it.
func TestGoneNames(t *testing.T) {
	page := testkit.Must(os.ReadFile("../../CHANGELOG.md"))
	_, section, _ := strings.Cut(string(page), "\n### From 0.1 to 0.2\n")
	section, _, _ = strings.Cut(section, "\n### ")
	lines := map[string][]string{}
	for name := range goneCommands {
		lines[name] = []string{name}
	}
	for name := range goneFlags {
		command, flag, of := strings.Cut(name, " ")
		if !of {
			command, flag = "score", command
		}
		lines[name] = []string{command, flag, "x"}
	}
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		testkit.Contains(t, section, "`"+name+"`", "CHANGELOG.md says nothing of", name, "under From 0.1 to 0.2")
		var stderr strings.Builder
		code := newApp(strings.NewReader(""), &strings.Builder{}, &stderr).run(t.Context(), lines[name])
		if instead := goneCommands[name] + goneFlags[name]; code != 2 || !strings.Contains(stderr.String(), "went in 0.2.0: "+instead) {
			t.Errorf("%s: exit %d, %s", name, code, stderr.String())
		}
	}
}
