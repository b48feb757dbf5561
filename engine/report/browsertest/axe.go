package browsertest

import (
	"encoding/json"
	"os"
)

// A violation is a rule of accessibility that a page breaks.
type violation struct {
	// Rule and Help are the name of the rule and what it asks for.
	Rule, Help string
	// Elements are the selectors of the elements that break it, and why.
	Elements []string
}

// violations returns what axe-core finds of the levels A and AA of WCAG 2.0 and 2.1 in the
// page as it is now. The test skips where TERMSIFT_AXE does not name axe-core.
func (b *Browser) violations() []violation {
	b.t.Helper()
	file := os.Getenv("TERMSIFT_AXE")
	if file == "" {
		b.t.Skip("SKIPPED: accessibility is not tried: TERMSIFT_AXE does not name axe.min.js of axe-core")
	}
	axe, err := os.ReadFile(file)
	if err != nil {
		b.t.Fatal(err)
	}
	if b.Eval(`typeof axe`) == "undefined" {
		b.Eval(string(axe) + ";0")
	}
	text, _ := b.Eval(`axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], resultTypes: ["violations"]}).then((r) =>
		JSON.stringify(r.violations.map((v) => ({Rule: v.id, Help: v.help, Elements: v.nodes.map((n) => n.target.join(" ") + ": " + n.failureSummary)}))))`).(string)
	var found []violation
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		b.t.Fatal(err)
	}
	return found
}

// NoViolations fails the test for each rule that the page breaks.
func (b *Browser) NoViolations() {
	b.t.Helper()
	for _, v := range b.violations() {
		b.t.Errorf("%s (%s): %q", v.Help, v.Rule, v.Elements)
	}
}
