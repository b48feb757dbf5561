//go:build js

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"syscall/js"
	"time"
)

// tellEach is the time between two messages of how far a count is.
const tellEach = 100 * time.Millisecond

// main serves the worker of a page, a request after the other: its script calls termsift with the number and the text of
// each, and gets what it calls told and replied.
func main() {
	type call struct {
		id   js.Value
		text string
	}
	global, calls := js.Global(), make(chan call)
	global.Set("termsift", js.FuncOf(func(_ js.Value, args []js.Value) any {
		go func() { calls <- call{args[0], args[1].String()} }() // what a callback waits for would never come
		return nil
	}))
	global.Call("ready")
	var s session
	for c := range calls {
		said := time.Now()
		s.progress = func(documents int, bytes int64) {
			if now := time.Now(); now.Sub(said) > tellEach {
				said = now
				global.Call("told", c.id, documents, float64(bytes))
			}
		}
		answer, parts, err := s.answer(context.Background(), c.text)
		if err != nil {
			global.Call("replied", c.id, nil, nil, err.Error())
		} else {
			global.Call("replied", c.id, answer, arrays(parts), nil)
		}
	}
}

// answer answers a request as JSON.
func (s *session) answer(ctx context.Context, text string) (answer string, parts map[string][]byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the engine failed: %v", r)
		}
	}()
	var r request
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return "", nil, err
	}
	value, parts, err := s.do(ctx, r)
	if err != nil {
		return "", nil, err
	}
	said, err := json.Marshal(value)
	return string(said), parts, err
}

// arrays returns bytes as arrays of the script.
func arrays(parts map[string][]byte) js.Value {
	of := js.Global().Get("Object").New()
	for name, data := range parts {
		array := js.Global().Get("Uint8Array").New(len(data))
		js.CopyBytesToJS(array, data)
		of.Set(name, array)
	}
	return of
}
