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
	t.Log(b.Eval(`performance.now()`))
	b.Picture("1-ready")
	b.Choose("#files", filepath.Join(os.Getenv("TERMSIFT_DATA"), "20news-bydate.tar.gz"))
	b.Wait(`document.documentElement.dataset.state !== "busy"`)
	t.Log(b.Eval(`document.documentElement.dataset.state + document.querySelector("[data-says]").textContent + document.querySelector("#message").textContent`))
	b.Picture("2-asking")
	b.Click("#go")
	b.Wait(`document.documentElement.dataset.state !== "busy" && document.documentElement.dataset.state !== "asking"`)
	t.Log(b.Eval(`document.documentElement.dataset.state + document.querySelector("#message").textContent + document.documentElement.dataset.seconds`))
	b.Wait(`!document.querySelector("[data-whole]").hidden`)
	b.Picture("3-shown")
	b.Eval(`document.querySelector("#contexts [data-pattern]").value = "price"`)
	b.Click("#contexts form button")
	b.Wait(`document.querySelector("#contexts [data-out] table")`)
	b.Picture("4-contexts")
	b.Eval(`document.querySelector("#spread [data-pattern]").value = "price"`)
	b.Click("#spread form button")
	b.Wait(`document.querySelector("#spread [data-out] svg")`)
	b.Eval(`document.querySelector("#collocates [data-pattern]").value = "price"`)
	b.Click("#collocates form button")
	b.Wait(`document.querySelector("#collocates [data-out] table")`)
	b.Picture("5-panels")
	t.Log(b.Complaints())
}
