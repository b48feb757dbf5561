package browsertest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>page</title>
<style>body { color: black; background: white }
@media (prefers-color-scheme: dark) { body { color: white; background: black } }</style>
<main><h1>A page</h1><label>Text <input id="i"></label><button id="b" type="button">Press</button><output id="o"></output></main>
<script>
const o = document.querySelector("#o");
document.querySelector("#b").addEventListener("click", () => setTimeout(() => { o.textContent = "pressed"; }, 50));
document.querySelector("#b").addEventListener("pointerenter", () => { o.textContent = "near"; });
document.addEventListener("keydown", (e) => { if (e.ctrlKey || e.shiftKey) o.textContent = (e.ctrlKey ? "control " : "") + (e.shiftKey ? "shift " : "") + e.key; });
</script></html>`

func TestBrowser(t *testing.T) {
	b := New(t)
	b.ShowHTML(page, 390, 844, "dark")
	b.Expect(`getComputedStyle(document.body).color`, "rgb(255, 255, 255)")
	b.Expect(`innerWidth`, 390)
	b.Resize(1280, 900)
	b.Expect(`innerWidth`, 1280)
	b.Expect(`matchMedia("(prefers-reduced-motion: reduce)").matches`, false)
	b.Prefer("reduced-motion", "reduce")
	b.Expect(`matchMedia("(prefers-reduced-motion: reduce)").matches && matchMedia("(prefers-color-scheme: dark)").matches`, true)
	b.PrintMedia(true)
	b.Expect(`matchMedia("print").matches`, true)
	b.PrintMedia(false)
	b.Expect(`matchMedia("print").matches`, false)

	b.Hover("#b")
	b.Expect(`o.textContent`, "near")
	b.Click("#b")
	b.Wait(`o.textContent === "pressed"`)
	b.Focus("#i")
	b.Type("a ")
	b.Press("b")
	b.Press("*")
	b.Expect(`document.activeElement.value`, "a b*")
	b.Press("Control+Shift+ArrowLeft")
	b.Expect(`o.textContent`, "control shift ArrowLeft")
	b.Press("Tab")
	b.Expect(`document.activeElement.id`, "b")
	b.Press("Shift+Tab")
	b.Expect(`document.activeElement.id`, "i")
	testkit.Equal(t, bytes.HasPrefix(b.PDF("browsertest"), []byte("%PDF")), true, "printed")

	b.Downloads()
	b.Eval(`(() => { const a = document.createElement("a"); a.download = "saved.txt"; a.href = URL.createObjectURL(new Blob(["text"])); a.click() })()`)
	testkit.Equal(t, b.Saved("saved.txt"), "text", "saved")
	b.NoComplaints()
	b.Eval(`console.error("no")`)
	testkit.Equal(t, len(b.Complaints()), 1, "complaints")
	b.NoComplaints()
}

func TestViolations(t *testing.T) {
	b := New(t)
	b.ShowHTML(page, 390, 844, "light")
	b.NoViolations()
	b.Eval(`document.querySelector("h1").style.color = "#ccc"; document.querySelector("label").replaceWith(document.querySelector("input"))`)
	var rules []string
	for _, v := range b.violations() {
		rule, _, _ := strings.Cut(v.(string), ":")
		rules = append(rules, rule)
	}
	testkit.Equal(t, fmt.Sprint(rules), "[color-contrast label]", "violations")
}
