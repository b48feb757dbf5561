package reader

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
)

// manyLines gives lines of JSON that compress as text does.
func manyLines(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"id":"%d","label":"%c","text":"the %d. of %d lines, %x"}`+"\n", i, 'a'+i%3, i, n, i*i*7919)
	}
	return b.Bytes()
}

// readBeside reads inputs as builds do, on threads, and gives the documents in their order.
func readBeside(ctx context.Context, opt Options, threads int, inputs ...string) (docs []string, sum Summary, err error) {
	s, err := Read(ctx, inputs, opt)
	if err != nil {
		return nil, sum, err
	}
	batches := make([][]string, 1<<16)
	err = pool.Feed(ctx, threads, s.Batches(), func(_, number int, batch document.Stream) error {
		for d, err := range batch {
			if err != nil {
				return err
			}
			batches[number] = append(batches[number], show(d))
		}
		return nil
	})
	if err == nil {
		err = s.Check()
	}
	return slices.Concat(batches...), s.Summary(), err
}

// someThreads gives numbers of threads up to 8: all of them if every case is tried.
func someThreads() []int {
	if testkit.AllCases() {
		return []int{1, 2, 3, 4, 5, 6, 7, 8}
	}
	return []int{1, 2, 8}
}

// A member of gzip that is broken is named by its number.
func TestBrokenMemberSaysWhere(t *testing.T) {
	var members [][]byte
	for piece := range slices.Chunk(manyLines(9000), 50_000) {
		members = append(members, zip(t, piece))
	}
	whole := bytes.Join(members, nil)
	members[5][len(members[5])-6] ^= 1
	for want, data := range map[string][]byte{"after 5 members: ": bytes.Join(members, nil), "members: unexpected EOF": whole[:len(whole)-1]} {
		file := writeFile(t, data)
		_, _, err := readBeside(t.Context(), Options{}, 2, file)
		testkit.Refused(t, err, ErrBadInput, want, file)
	}
}
