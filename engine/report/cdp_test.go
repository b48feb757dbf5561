package report

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// This file drives Chromium by its debugging pipe: messages in JSON that end with a
// zero byte, from the test on descriptor 3, to the test on descriptor 4.

// A browser is one page of a headless Chromium.
type browser struct {
	t       *testing.T
	in      *os.File
	out     *bufio.Reader
	session string
	last    int
	loaded  map[string]bool // by what Chromium calls a loader: one for each page shown
	// complaints are uncaught errors and what the console had as errors and warnings.
	complaints []string
}

type message struct {
	ID        int             `json:"id,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    any             `json:"params,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     json.RawMessage `json:"error,omitempty"`
}

// newBrowser starts Chromium, or skips the test where there is none. With
// TERMSIFT_REQUIRE_BROWSER in the environment it fails there.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("TERMSIFT_REQUIRE_BROWSER") != "" {
			t.Fatal("TERMSIFT_REQUIRE_BROWSER is set and no chromium is in PATH")
		}
		t.Skip("SKIPPED: the report is not tried in a browser, for no chromium is in PATH")
	}
	args := []string{
		"--headless", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--hide-scrollbars", "--user-data-dir=" + t.TempDir(), "about:blank",
	}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // Chromium refuses to start as root with it
	}
	theirIn, in := pipe(t)
	out, theirOut := pipe(t)
	cmd := exec.Command(path, args...)
	var talk bytes.Buffer
	cmd.Stderr = &talk
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = theirIn.Close(), theirOut.Close()
	b := &browser{t: t, in: in, out: bufio.NewReaderSize(out, 1<<20), loaded: map[string]bool{}}
	t.Cleanup(func() {
		_ = in.Close() // Chromium ends when its pipe does
		timer := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		timer.Stop()
		if t.Failed() {
			t.Logf("%.2000s", talk.String())
		}
	})
	if err := out.SetReadDeadline(time.Now().Add(4 * time.Minute)); err != nil {
		t.Fatal(err)
	}
	b.open()
	return b
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	return r, w
}

// open makes the page and asks for its events.
func (b *browser) open() {
	var target struct {
		TargetID string `json:"targetId"`
	}
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page.enable", "Runtime.enable", "Log.enable", "Network.enable"} {
		b.call(domain, nil, nil)
	}
	b.call("Page.setLifecycleEventsEnabled", map[string]any{"enabled": true}, nil)
}

// call sends a command and waits for its result.
func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	b.last++
	id := b.last
	sent, err := json.Marshal(message{ID: id, Method: method, Params: params, SessionID: b.session})
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(sent, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	m := b.until(func(m message) bool { return m.ID == id })
	if m.Error != nil {
		b.t.Fatalf("%s: %s", method, m.Error)
	}
	if result != nil {
		if err := json.Unmarshal(m.Result, result); err != nil {
			b.t.Fatalf("%s: %v", method, err)
		}
	}
}

// until reads messages up to one that is waited for, and keeps complaints.
func (b *browser) until(wanted func(message) bool) message {
	b.t.Helper()
	for {
		text, err := b.out.ReadBytes(0)
		if err != nil {
			b.t.Fatalf("chromium: %v", err)
		}
		text = bytes.TrimSuffix(text, []byte{0})
		var m message
		if err := json.Unmarshal(text, &m); err != nil {
			b.t.Fatalf("%v in %.200s", err, text)
		}
		switch m.Method {
		case "Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled":
			b.complaints = append(b.complaints, string(text))
		case "Page.lifecycleEvent":
			if p, ok := m.Params.(map[string]any); ok && p["name"] == "load" {
				loader, _ := p["loaderId"].(string)
				b.loaded[loader] = true
			}
		}
		if wanted(m) {
			return m
		}
	}
}

// show loads a file at a width, in light or dark colours.
func (b *browser) show(file string, width, height int, scheme string) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}, nil)
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
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

// eval gives the value of an expression in the page; an exception fails the test.
func (b *browser) eval(expression string) any {
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

// expect compares the value of an expression.
func (b *browser) expect(expression string, want any) {
	b.t.Helper()
	if n, ok := want.(int); ok {
		want = float64(n)
	}
	if got := b.eval(expression); got != want {
		b.t.Errorf("%s is %v, want %v", expression, got, want)
	}
}

// point moves the mouse to the middle of an element and presses it if asked to.
func (b *browser) point(selector string, press bool) {
	b.t.Helper()
	quoted := strconv.Quote(selector)
	at, ok := b.eval(`(async () => { const e = document.querySelector(` + quoted + `); e.scrollIntoView({block: "center", behavior: "instant"});
		for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame); // the mouse hits what was painted
		const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`).([]any)
	if !ok {
		b.t.Fatalf("no place of %s", selector)
	}
	event := func(kind string) {
		b.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}, nil)
	}
	b.call("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": at[0], "y": at[1]}, nil)
	if press {
		event("mousePressed")
		event("mouseReleased")
	}
}

// key presses a key, as "Tab" or "ArrowRight".
func (b *browser) key(name string, code int, text string) {
	b.t.Helper()
	b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": name, "code": name, "windowsVirtualKeyCode": code, "text": text}, nil)
	b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": name, "code": name, "windowsVirtualKeyCode": code}, nil)
}

// picture writes a screenshot of the whole page.
func (b *browser) picture(file string) {
	b.t.Helper()
	var shot struct {
		Data string `json:"data"`
	}
	b.call("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": true}, &shot)
	png, err := base64.StdEncoding.DecodeString(shot.Data)
	if err == nil {
		err = os.WriteFile(file, png, 0o644)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}
