// Package browsertest opens pages in a headless Chromium, for tests: it loads a file,
// presses keys and buttons, asks the page for values, and looks for messages in the console
// and for violations of the rules of accessibility.
//
// Tests skip where PATH has no chromium, and fail there with TERMSIFT_REQUIRE_BROWSER set.
// TERMSIFT_SCREENSHOTS names a folder that keeps pictures and printed pages; TERMSIFT_AXE
// names the file axe.min.js of axe-core.
package browsertest

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A Browser is one page of a headless Chromium. A method that fails ends the test.
type Browser struct {
	t         testing.TB
	ctx       context.Context
	media     map[string]string
	downloads string // a folder

	mu         sync.Mutex
	complaints []any
	saved      []string // names of whole downloads
}

// required is the name of the variable that forbids to skip.
const required = "TERMSIFT_REQUIRE_BROWSER"

// patience is how long a test waits for Chromium, all its answers together.
const patience = 10 * time.Minute

// New starts Chromium without a network, which ends with the test. Its engine of JavaScript has the flags.
func New(t testing.TB, flags ...string) *Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("testing.Short: starts a browser")
	}
	path, err := exec.LookPath("chromium")
	if err != nil && os.Getenv(required) != "" {
		t.Fatalf("%s is set and no chromium is in PATH", required)
	}
	if err != nil {
		t.Skip("SKIPPED: the page is not tried in a browser, for no chromium is in PATH")
	}
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.DisableGPU, chromedp.Flag("js-flags", strings.Join(flags, " ")), chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND")}
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses to start as root with it
	}
	limited, stop := context.WithTimeout(context.Background(), patience)
	ctx, _ := chromedp.NewContext(limited, chromedp.WithAllocatorOptions(options...))
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx)
		stop()
	})
	b := &Browser{t: t, ctx: ctx, media: map[string]string{}}
	if err := cmp.Or(chromedp.Listen(ctx, b.hear), chromedp.ListenBrowser(ctx, b.hear)); err != nil {
		t.Fatal(err)
	}
	return b
}

// hear keeps complaints and the names of what was saved.
func (b *Browser) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown, *log.EventEntryAdded, *runtime.EventConsoleAPICalled:
		b.complaints = append(b.complaints, e)
	case *browser.EventDownloadProgress:
		if e.State == browser.DownloadProgressStateCompleted {
			b.saved = append(b.saved, filepath.Base(e.FilePath))
		}
	}
}

// do runs an action.
func do[T any](b *Browser, action chromedp.Action[T]) T {
	b.t.Helper()
	result, err := chromedp.Run(b.ctx, action)
	if err != nil {
		b.t.Fatal(err)
	}
	return result
}

// call runs a command for which chromedp has no action.
func call[P, R any](b *Browser, command cdp.Command[P, R], parameters P) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, command, parameters); err != nil {
		b.t.Fatal(err)
	}
}

// Show loads a file in a window of a width and height in pixels, in "light" or "dark"
// colours, and returns when it is loaded. After the name of the file there may be a
// fragment, as "page.html#state".
func (b *Browser) Show(file string, width, height int, scheme string) {
	b.t.Helper()
	b.Resize(width, height)
	b.Prefer("color-scheme", scheme)
	do(b, chromedp.Navigate("about:blank")) // or another fragment of the same file would not load it again
	do(b, chromedp.Navigate("file://"+file))
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
	var options []chromedp.EmulateViewportOption
	if width < 500 {
		options = append(options, chromedp.EmulateMobile)
	}
	do(b, chromedp.EmulateViewport(int64(width), int64(height), options...))
}

// Prefer sets what the user prefers, as Prefer("reduced-motion", "reduce"), now and for pages
// that are shown later.
func (b *Browser) Prefer(feature, value string) {
	b.t.Helper()
	b.media["prefers-"+feature] = value
	b.PrintMedia(false)
}

// PrintMedia shows the page as it is printed, or on the screen again.
func (b *Browser) PrintMedia(on bool) {
	b.t.Helper()
	medium := emulation.SetEmulatedMediaParams{Media: map[bool]string{true: "print"}[on]}
	for name, value := range b.media {
		medium.Features = append(medium.Features, &emulation.MediaFeature{Name: name, Value: value})
	}
	call(b, emulation.SetEmulatedMedia, medium)
}

// WithoutScripts lets pages that are shown later run no script.
func (b *Browser) WithoutScripts() {
	b.t.Helper()
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
}

// Eval returns the value of an expression in the page, or of what it promises: a bool,
// float64, string, []any, map[string]any or nil. An exception ends the test.
func (b *Browser) Eval(expression string) any {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[any](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%.2000s: %v", expression, err)
	}
	return value
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
	b.until(expression+" does not come true", func() bool { return b.Eval(`Boolean(`+expression+`)`) == true })
}

// until waits up to 20 seconds for a condition.
func (b *Browser) until(otherwise string, holds func() bool) {
	b.t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatal(otherwise)
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

// Choose chooses files in the input that a selector names.
func (b *Browser) Choose(selector string, files ...string) {
	b.t.Helper()
	do(b, chromedp.SetUploadFiles(selector, files))
}

// Drop drops files and folders on the middle of the element that a selector names.
func (b *Browser) Drop(selector string, paths ...string) {
	b.t.Helper()
	x, y := b.middle(selector)
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: paths, DragOperationsMask: 1}
	for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
		call(b, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: x, Y: y, Data: data})
	}
}

// MoveTo moves the mouse to a place, in pixels of the window.
func (b *Browser) MoveTo(x, y float64) {
	b.t.Helper()
	do(b, chromedp.MouseEvent(chromedp.MouseMoved, x, y))
}

// ClickAt presses the mouse at a place, in pixels of the window.
func (b *Browser) ClickAt(x, y float64) {
	b.t.Helper()
	b.MoveTo(x, y)
	do(b, chromedp.MouseClickXY(x, y))
}

// Wheel turns the wheel of the mouse at a place, by so many pixels down.
func (b *Browser) Wheel(x, y, down float64) {
	b.t.Helper()
	do(b, chromedp.MouseEvent(chromedp.MouseWheel, x, y, func(p *input.DispatchMouseEventParams) {
		p.DeltaX, p.DeltaY = 1e-9, down // Chromium demands both, and cdproto leaves 0 out
	}))
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
	call(b, input.InsertText, input.InsertTextParams{Text: text})
}

// keys are the keys that are no letter, digit or sign.
var keys = map[string]string{
	"Tab": kb.Tab, "Enter": kb.Enter, "Escape": kb.Escape, "PageUp": kb.PageUp, "PageDown": kb.PageDown, "End": kb.End, "Home": kb.Home,
	"ArrowLeft": kb.ArrowLeft, "ArrowUp": kb.ArrowUp, "ArrowRight": kb.ArrowRight, "ArrowDown": kb.ArrowDown,
}

// Press presses a key, as "Tab", "ArrowRight", "a" or "Shift+Tab".
func (b *Browser) Press(key string) {
	b.t.Helper()
	var held []chromedp.Modifier
	for name, modifier := range map[string]chromedp.Modifier{"Control+": chromedp.ModifierCtrl, "Shift+": chromedp.ModifierShift} {
		if strings.Contains(key, name) {
			key, held = strings.Replace(key, name, "", 1), append(held, modifier)
		}
	}
	do(b, chromedp.KeyEvent(cmp.Or(keys[key], key), chromedp.KeyModifiers(held...)))
}

// Downloads lets the page save files, for [Browser.Saved].
func (b *Browser) Downloads() {
	b.t.Helper()
	b.downloads = b.t.TempDir()
	events := true
	behaviour := browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: b.downloads, EventsEnabled: &events}
	if _, err := chromedp.CallBrowser(b.ctx, browser.SetDownloadBehavior, behaviour); err != nil {
		b.t.Fatal(err)
	}
}

// Saved waits for a file that the page saves under a name, removes it, and returns its content.
func (b *Browser) Saved(name string) string {
	b.t.Helper()
	b.until("the page does not save "+name, func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		i := slices.Index(b.saved, name)
		if i >= 0 {
			b.saved = slices.Delete(b.saved, i, i+1)
		}
		return i >= 0
	})
	path := filepath.Join(b.downloads, name)
	text, err := os.ReadFile(path)
	if err := cmp.Or(err, os.Remove(path)); err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

// Complaints returns what was not caught, and what the console has as errors and warnings,
// since the start or the last call.
func (b *Browser) Complaints() (texts []string) {
	b.Eval(`0`) // what was said before it has arrived
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.complaints {
		text, _ := json.Marshal(c)
		texts = append(texts, string(text))
	}
	b.complaints = nil
	return texts
}

// NoComplaints fails the test if there are any.
func (b *Browser) NoComplaints() {
	b.t.Helper()
	for _, c := range b.Complaints() {
		b.t.Error(c)
	}
}

// pictures is the folder of pictures, "" if none are wanted.
func pictures() string { return os.Getenv("TERMSIFT_SCREENSHOTS") }

// Pictures reports whether pictures are kept.
func Pictures() bool { return pictures() != "" }

// Picture keeps a picture of the whole page, as name.png in the folder of
// TERMSIFT_SCREENSHOTS, if that is set.
func (b *Browser) Picture(name string) {
	b.t.Helper()
	if Pictures() {
		b.keep(name+".png", do(b, chromedp.FullScreenshot(100)))
	}
}

// PDF prints the page, keeps it as a picture is kept, and returns its bytes.
func (b *Browser) PDF(name string) []byte {
	b.t.Helper()
	printed := do(b, chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize()))
	if Pictures() {
		b.keep(name+".pdf", printed)
	}
	return printed
}

func (b *Browser) keep(name string, content []byte) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(pictures(), name), content, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// violations returns what axe-core finds of the levels A and AA of WCAG 2.0 and 2.1 in the page as it is now: a text for
// each rule. The test skips where TERMSIFT_AXE does not name axe-core.
func (b *Browser) violations() []any {
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
	return b.Eval(`axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], resultTypes: ["violations"]}).then((r) =>
		r.violations.map((v) => v.id + ": " + v.help + ": " + v.nodes.map((n) => n.target.join(" ") + ": " + n.failureSummary).join("; ")))`).([]any)
}

// NoViolations fails the test for each rule that the page breaks.
func (b *Browser) NoViolations() {
	b.t.Helper()
	for _, v := range b.violations() {
		b.t.Error(v)
	}
}
