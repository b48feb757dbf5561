//go:build js

package main

import (
	"context"
	"encoding/json"
	"syscall/js"
)

// main serves the worker of a page: the script around it calls termsift(request), and gets messages.
func main() {
	s := &session{progress: func(documents int, bytes int64) {}}
	js.Global().Set("termsift", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text := args[0].String()
		go func() {
			var r request
			answer, parts, err := any(nil), map[string][]byte(nil), json.Unmarshal([]byte(text), &r)
			if err == nil {
				answer, parts, err = s.do(context.Background(), r)
			}
			reply(answer, parts, err)
		}()
		return nil
	}))
	js.Global().Call("ready")
	select {}
}

// reply passes an answer to the script around.
func reply(answer any, parts map[string][]byte, err error) {
	if err != nil {
		js.Global().Call("reply", js.Null(), js.Null(), err.Error())
		return
	}
	text, err := json.Marshal(answer)
	if err != nil {
		js.Global().Call("reply", js.Null(), js.Null(), err.Error())
		return
	}
	of := js.Global().Get("Object").New()
	for name, data := range parts {
		array := js.Global().Get("Uint8Array").New(len(data))
		js.CopyBytesToJS(array, data)
		of.Set(name, array)
	}
	js.Global().Call("reply", string(text), of, js.Null())
}
