package classify

import (
	"slices"
	"strings"
)

// mostNamed bounds how many classes a warning names.
const mostNamed = 10

func someOf(names []string) string {
	if len(names) > mostNamed {
		return strings.Join(names[:mostNamed], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

// short returns the first names of a list, for messages.
func short(names []string) []string {
	if len(names) > 5 {
		return append(slices.Clone(names[:5]), "...")
	}
	return names
}
