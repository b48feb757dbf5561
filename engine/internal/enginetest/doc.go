// Package enginetest has what the tests of several rooms of the engine need: corpora from
// texts, random shapes and real data (corpora.go, golden.go), every call of the public API
// that may be cancelled or fail (calls.go, passes.go), and checks that nothing is left
// behind (limits.go, faults.go).
//
// Begin reading with corpora.go. Only tests import the package; its functions fail the test
// instead of returning errors.
package enginetest
