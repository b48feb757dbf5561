// Package browsertest opens pages in a headless Chromium, for tests: it loads a file,
// presses keys and buttons, asks the page for values, and looks for messages in the console
// and for violations of the rules of accessibility.
//
// Tests skip where PATH has no chromium, and fail there with TERMSIFT_REQUIRE_BROWSER set.
// TERMSIFT_SCREENSHOTS names a folder that keeps pictures and printed pages; TERMSIFT_AXE
// names the file axe.min.js of axe-core.
package browsertest

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A Browser is one page of a headless Chromium. A method that fails ends the test.
type Browser struct {
	t          testing.TB
	in         *os.File
	out        *bufio.Reader
	session    string
	last       int
	loaded     map[string]bool // by what Chromium calls a loader: one for each page shown
	media      map[string]string
	complaints []string
	downloads  downloads
}

// required is the name of the variable that forbids to skip.
const required = "TERMSIFT_REQUIRE_BROWSER"

// New starts Chromium, which ends with the test.
func New(t testing.TB) *Browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		lacking(t, "no chromium is in PATH")
	}
	return start(t, path)
}

// lacking skips the test, or fails it where it may not skip.
func lacking(t testing.TB, what string) {
	t.Helper()
	if os.Getenv(required) != "" {
		t.Fatalf("%s is set and %s", required, what)
	}
	t.Skipf("SKIPPED: the page is not tried in a browser, for %s", what)
}

// Show loads a file in a window of a width and height in pixels, in "light" or "dark"
// colours, and returns when it is loaded. After the name of the file there may be a
// fragment, as "page.html#state".
func (b *Browser) Show(file string, width, height int, scheme string) {
	b.t.Helper()
	b.Resize(width, height)
	b.Prefer("color-scheme", scheme)
	b.call("Page.navigate", map[string]any{"url": "about:blank"}, nil) // or another fragment of the same file would not load it again
	var page struct {
		LoaderID  string `json:"loaderId"`
		ErrorText string `json:"errorText"`
	}
	b.call("Page.navigate", map[string]any{"url": "file://" + file}, &page)
	if page.ErrorText != "" {
		b.t.Fatal(page.ErrorText)
	}
	if !b.loaded[page.LoaderID] {
		b.until(func(message) bool { return b.loaded[page.LoaderID] })
	}
}

// ShowHTML is Show of a page given by its text.
func (b *Browser) ShowHTML(page string, width, height int, scheme string) {
	b.t.Helper()
	file := filepath.Join(b.t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.Show(file, width, height, scheme)
}

// Resize gives the window a width and height in pixels. One narrower than 500 is a phone's.
func (b *Browser) Resize(width, height int) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}, nil)
}

// Prefer sets what the user prefers, as Prefer("reduced-motion", "reduce"), now and for pages
// that are shown later.
func (b *Browser) Prefer(feature, value string) {
	b.t.Helper()
	b.media["prefers-"+feature] = value
	b.medium("")
}

// PrintMedia shows the page as it is printed, or on the screen again.
func (b *Browser) PrintMedia(on bool) {
	b.t.Helper()
	b.medium(map[bool]string{true: "print"}[on])
}

func (b *Browser) medium(medium string) {
	b.t.Helper()
	var features []map[string]string
	for name, value := range b.media {
		features = append(features, map[string]string{"name": name, "value": value})
	}
	b.call("Emulation.setEmulatedMedia", map[string]any{"media": medium, "features": features}, nil)
}

// WithoutScripts lets pages that are shown later run no script.
func (b *Browser) WithoutScripts() {
	b.t.Helper()
	b.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
}

// Eval returns the value of an expression in the page, or of what it promises: a bool,
// float64, string, []any, map[string]any or nil. An exception ends the test.
func (b *Browser) Eval(expression string) any {
	b.t.Helper()
	var r struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
		ExceptionDetails json.RawMessage `json:"exceptionDetails"`
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, r.ExceptionDetails)
	}
	return r.Result.Value
}

// Expect fails the test if an expression has another value.
func (b *Browser) Expect(expression string, want any) {
	b.t.Helper()
	if n, ok := want.(int); ok {
		want = float64(n)
	}
	if got := b.Eval(expression); got != want {
		b.t.Errorf("%s is %v, want %v", expression, got, want)
	}
}

// Wait returns when an expression is true, and ends the test if it is not within 20 seconds.
func (b *Browser) Wait(expression string) {
	b.t.Helper()
	for until := time.Now().Add(20 * time.Second); b.Eval(`Boolean(`+expression+`)`) != true; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(until) {
			b.t.Fatalf("%s does not come true", expression)
		}
	}
}

// Hover moves the mouse to the middle of the element that a selector names.
func (b *Browser) Hover(selector string) {
	b.t.Helper()
	b.MoveTo(b.middle(selector))
}

// Click presses the mouse on the middle of the element that a selector names.
func (b *Browser) Click(selector string) {
	b.t.Helper()
	b.ClickAt(b.middle(selector))
}

// MoveTo moves the mouse to a place, in pixels of the window.
func (b *Browser) MoveTo(x, y float64) {
	b.t.Helper()
	b.call("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": x, "y": y}, nil)
}

// ClickAt presses the mouse at a place, in pixels of the window.
func (b *Browser) ClickAt(x, y float64) {
	b.t.Helper()
	b.MoveTo(x, y)
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		b.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}, nil)
	}
}

// Wheel turns the wheel of the mouse at a place, by so many pixels down.
func (b *Browser) Wheel(x, y, down float64) {
	b.t.Helper()
	b.call("Input.dispatchMouseEvent", map[string]any{"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": down}, nil)
}

// middle scrolls to an element and returns the place of its middle.
func (b *Browser) middle(selector string) (x, y float64) {
	b.t.Helper()
	at, ok := b.Eval(`(async () => { const e = document.querySelector(` + strconv.Quote(selector) + `); e.scrollIntoView({block: "center", behavior: "instant"});
		for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame); // the mouse hits what was painted
		const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`).([]any)
	if !ok {
		b.t.Fatalf("no place of %s", selector)
	}
	return at[0].(float64), at[1].(float64)
}

// Focus moves the focus to an element as the keyboard does.
func (b *Browser) Focus(selector string) {
	b.t.Helper()
	b.Eval(`document.querySelector(` + strconv.Quote(selector) + `).focus({focusVisible: true})`)
}

// Type enters text where the focus is.
func (b *Browser) Type(text string) {
	b.t.Helper()
	b.call("Input.insertText", map[string]any{"text": text}, nil)
}

// keys are the codes and texts of keys that are no letter or digit.
var keys = map[string]struct {
	code int
	text string
}{
	"Backspace": {8, ""}, "Tab": {9, ""}, "Enter": {13, "\r"}, "Escape": {27, ""}, " ": {32, " "},
	"PageUp": {33, ""}, "PageDown": {34, ""}, "End": {35, ""}, "Home": {36, ""},
	"ArrowLeft": {37, ""}, "ArrowUp": {38, ""}, "ArrowRight": {39, ""}, "ArrowDown": {40, ""}, "Delete": {46, ""},
	"+": {187, "+"}, "-": {189, "-"}, "/": {191, "/"}, "*": {56, "*"}, "?": {191, "?"},
}

// modifiers are the keys that are held while another is pressed.
var modifiers = map[string]int{"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}

// Press presses a key, as "Tab", "ArrowRight", "a" or "Shift+Tab".
func (b *Browser) Press(key string) {
	b.t.Helper()
	held := 0
	for {
		name, rest, ok := strings.Cut(key, "+")
		if !ok || modifiers[name] == 0 || rest == "" {
			break
		}
		held, key = held|modifiers[name], rest
	}
	k, ok := keys[key]
	if !ok {
		if len(key) != 1 {
			b.t.Fatalf("no key %q", key)
		}
		k.code, k.text = int(strings.ToUpper(key)[0]), key
	}
	if held&^modifiers["Shift"] != 0 {
		k.text = "" // a command, no text
	}
	event := map[string]any{"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": k.code, "text": k.text, "modifiers": held}
	b.call("Input.dispatchKeyEvent", event, nil)
	event["type"], event["text"] = "keyUp", ""
	b.call("Input.dispatchKeyEvent", event, nil)
}

// Downloads lets the page save files, for [Browser.Saved].
func (b *Browser) Downloads() {
	b.t.Helper()
	b.downloads.dir, b.downloads.names, b.downloads.whole = b.t.TempDir(), map[string]string{}, map[string]bool{}
	session := b.session
	b.session = "" // it is said to the browser
	b.call("Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": b.downloads.dir, "eventsEnabled": true}, nil)
	b.session = session
}

// downloads are the files that a page saves.
type downloads struct {
	dir   string
	names map[string]string // by what Chromium calls a download
	whole map[string]bool   // by name
}

// see keeps what an event says of a download.
func (d *downloads) see(method string, params any) {
	p, _ := params.(map[string]any)
	id, _ := p["guid"].(string)
	switch method {
	case "Browser.downloadWillBegin":
		d.names[id], _ = p["suggestedFilename"].(string)
	case "Browser.downloadProgress":
		if p["state"] == "completed" {
			d.whole[d.names[id]] = true
		}
	}
}

// Saved waits for a file that the page saves under a name, removes it, and returns its content.
func (b *Browser) Saved(name string) string {
	b.t.Helper()
	for until := time.Now().Add(20 * time.Second); !b.downloads.whole[name]; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(until) {
			b.t.Fatalf("the page does not save %s", name)
		}
		b.Eval(`0`) // to hear of it
	}
	delete(b.downloads.whole, name)
	path := filepath.Join(b.downloads.dir, name)
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

// Complaints returns what was not caught, and what the console has as errors and warnings,
// since the start or the last call.
func (b *Browser) Complaints() []string {
	b.Eval(`0`) // what was said before it has arrived
	c := b.complaints
	b.complaints = nil
	return c
}

// NoComplaints fails the test if there are any.
func (b *Browser) NoComplaints() {
	b.t.Helper()
	for _, c := range b.Complaints() {
		b.t.Error(c)
	}
}
