package browsertest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"
)

// This file talks with Chromium by its debugging pipe: messages in JSON that end with a
// zero byte, from the test on descriptor 3, to the test on descriptor 4.

type message struct {
	ID        int             `json:"id,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    any             `json:"params,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     json.RawMessage `json:"error,omitempty"`
}

// patience is how long a test waits for Chromium, all its messages together.
const patience = 4 * time.Minute

// start runs Chromium, which ends with the test.
func start(t testing.TB, path string) *Browser {
	t.Helper()
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
	b := &Browser{t: t, in: in, out: bufio.NewReaderSize(out, 1<<20), loaded: map[string]bool{}, media: map[string]string{}}
	t.Cleanup(func() {
		_ = in.Close() // Chromium ends when its pipe does
		timer := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		timer.Stop()
		if t.Failed() {
			t.Logf("%.2000s", talk.String())
		}
	})
	if err := out.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	b.attach()
	return b
}

func pipe(t testing.TB) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	return r, w
}

// attach makes the page and asks for its events.
func (b *Browser) attach() {
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
func (b *Browser) call(method string, params, result any) {
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
func (b *Browser) until(wanted func(message) bool) message {
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
		case "Browser.downloadWillBegin", "Browser.downloadProgress":
			b.downloads.see(m.Method, m.Params)
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
