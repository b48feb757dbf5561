//go:build !js

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/termsift/termsift/engine/report/browsertest"
)

func TestTry(t *testing.T) {
	b := browsertest.New(t)
	b.Show(os.Getenv("TRY_PAGE"), 1400, 900, "light")
	b.Wait(`document.documentElement.dataset.state === "ready"`)
	b.Picture("1-ready")
	b.Click("[data-sample]")
	b.Wait(`["asking", "error"].includes(document.documentElement.dataset.state)`)
	b.Picture("2-asking")
	b.Click("#go")
	b.Wait(`["shown", "error"].includes(document.documentElement.dataset.state)`)
	t.Log(b.Eval(`document.documentElement.dataset.state + document.querySelector("#message").textContent + document.documentElement.dataset.seconds`))
	b.Wait(`!document.querySelector("[data-whole]").hidden`)
	for _, id := range []string{"contexts", "spread", "collocates", "words"} {
		b.Eval(`{ const p = document.querySelector("#` + id + ` [data-pattern]"); if (p) p.value = "price"; }`)
		b.Click("#" + id + " form button")
		b.Wait(`document.querySelector("#` + id + ` [data-out] :is(table, svg, [role=alert])")`)
	}
	t.Log(b.Eval(`[...document.querySelectorAll("[data-out]")].map((e) => e.textContent.slice(0, 60)).join("|")`))
	b.Click(".rows tbody tr .name")
	b.Wait(`document.querySelector("#term .kwic")`)
	b.Eval(`scrollTo(0, 0)`)
	b.Picture("3-shown")
	b.Resize(390, 800)
	b.Picture("4-phone")
	b.NoViolations()
	b.Resize(1400, 900)
	for _, row := range []string{"1", "2"} {
		b.Click("#texts tbody tr:nth-child(" + row + ") td:nth-child(" + row + ") input")
	}
	b.Click("[data-compare]")
	b.Wait(`document.querySelector("#texts [data-all-again]:not([hidden])")`)
	b.Picture("5-compared")
	b.Show(os.Getenv("TRY_PAGE"), 1400, 900, "dark")
	b.Wait(`document.documentElement.dataset.state === "ready"`)
	b.Choose("#files", filepath.Join(os.Getenv("TERMSIFT_DATA"), "20news-bydate.tar.gz"))
	b.Wait(`["asking", "error"].includes(document.documentElement.dataset.state)`)
	b.Click("#go")
	b.Wait(`["shown", "error"].includes(document.documentElement.dataset.state)`)
	t.Log(b.Eval(`document.documentElement.dataset.state + document.querySelector("#message").textContent + document.documentElement.dataset.seconds`))
	b.Picture("6-news")
	t.Log(b.Complaints())
}
