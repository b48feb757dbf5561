package score

// Registered measures are compiled: package formula has a function in Go for each.
//
//go:generate go test -run ^TestCompiledFormulas$ -update .
