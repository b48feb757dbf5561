package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/table"
)

// CITATION.cff has what version 1.2.0 of the format wants, of this version. It has a day of release if the
// version is released.
func TestCitation(t *testing.T) {
	has := map[string]string{}
	for line := range strings.Lines(fileOfTop(t, "CITATION.cff")) {
		if key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ":"); ok && !strings.HasPrefix(key, " ") {
			if has[key] != "" || strings.Contains(value, ": ") {
				t.Errorf("CITATION.cff: %q", line)
			}
			has[key] = strings.TrimSpace(value)
		} else if !strings.HasPrefix(line, "  - name: ") {
			t.Errorf("CITATION.cff: %q is neither a key nor an author", line)
		}
	}
	keys := []string{"abstract", "authors", "cff-version", "date-released", "license", "message", "repository-code", "title", "type", "version"}
	for key := range has {
		testkit.Equal(t, slices.Contains(keys, key), true, "CITATION.cff has a", key)
	}
	for key, want := range map[string]string{
		"cff-version": `1\.2\.0`, "message": `.+`, "title": `termsift`, "type": `software`, "authors": ``, "license": `MIT`,
		"version": regexp.QuoteMeta(table.Version), "repository-code": `https://github\.com/termsift/termsift`,
	} {
		if value, ok := has[key]; !ok || !regexp.MustCompile("^"+want+"$").MatchString(value) {
			t.Errorf("CITATION.cff: %s is %q, want %s", key, value, want)
		}
	}
	released := !strings.Contains(fileOfTop(t, "CHANGELOG.md"), "## v"+table.Version+", unreleased")
	testkit.Equal(t, regexp.MustCompile(`^\d{4}-\d\d-\d\d$`).MatchString(has["date-released"]), released,
		"CITATION.cff: date-released is", has["date-released"], "and version", table.Version, "is released")
}
