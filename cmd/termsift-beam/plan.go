package main

import (
	"encoding/json"
	"fmt"
)

// Functions travel to the workers with their exported fields, for whose types Beam makes schemas,
// which options of the engine do not have. So a function has its options as JSON, and decodes
// them when it is set up.

// encodePlan returns the options of a function as JSON. They are plain values.
func encodePlan(plan any) string {
	text, err := json.Marshal(plan)
	if err != nil {
		panic(fmt.Sprintf("options that are no plain values: %v", err))
	}
	return string(text)
}

// decodePlan decodes what encodePlan has returned.
func decodePlan(text string, plan any) error {
	if err := json.Unmarshal([]byte(text), plan); err != nil {
		return marked(fmt.Errorf("the options of a function came to the worker changed: %w", err))
	}
	return nil
}
