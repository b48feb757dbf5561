package tables

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// This file prints objects, such as the results of info and check. Each is one object, which is printed
// as such in JSON and as one row per value in the other formats for programs.

// An objectValue is a value of an object, identified by its key and, within a map or a
// list, by a name or an index.
type objectValue struct {
	Key, Name string
	Value     any
}

// ObjectColumns are the columns of the values of an object.
var ObjectColumns = []Column[objectValue]{
	{Key: "key", Left: true, Value: func(v objectValue) any { return v.Key }},
	{Key: "name", Left: true, Value: func(v objectValue) any { return v.Name }},
	{Key: "value", Left: true, Value: func(v objectValue) any { return v.Value }},
}

// ObjectValues returns the values of a struct with JSON keys.
func ObjectValues(object any) []objectValue { return fieldValues(reflect.ValueOf(object)) }

// fieldValues returns the values of a struct, and of structs embedded in it.
func fieldValues(fields reflect.Value) (values []objectValue) {
	for i := range fields.NumField() {
		if fields.Type().Field(i).Anonymous {
			values = append(values, fieldValues(fields.Field(i))...)
			continue
		}
		key, _, _ := strings.Cut(fields.Type().Field(i).Tag.Get("json"), ",")
		switch v := fields.Field(i).Interface().(type) {
		case int, int64, bool, string:
			values = append(values, objectValue{key, "", v})
		case map[string]int:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				values = append(values, objectValue{key, name, v[name]})
			}
		case []string:
			for i, text := range v {
				values = append(values, objectValue{key, fmt.Sprint(i + 1), text})
			}
		default:
			values = append(values, objectValue{key, "", jsonText(v)})
		}
	}
	return values
}

// jsonText returns a value as JSON. The value must be representable.
func jsonText(v any) string {
	var b strings.Builder
	if err := WriteJSON(&b, v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
