package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/termsift/termsift/engine/usage"
)

// ballast is memory that is allocated and never touched, so that it takes no page. The collector
// begins at twice of what lives, which between calls is nothing: without ballast it ran five times while
// ts_fit counted 20 Newsgroups, and its free pages went back to the system before the next call
// needed them. That was 13,000 page faults a call and is 3,300, for 60 MB more that the process keeps.
// Half of the ballast left 4,000 to 9,000.
var ballast struct {
	taken  sync.Once
	memory atomic.Pointer[[64 << 20]byte]
}

// takeBallast allocates the ballast before the first call that computes something. The collector
// runs for it: as a part of loading the library it took 0.7 of 4.5 ms.
func takeBallast() { ballast.taken.Do(func() { ballast.memory.Store(new([64 << 20]byte)) }) }

// dropBallast frees the ballast for good.
func dropBallast() {
	ballast.taken.Do(func() {})
	ballast.memory.Store(nil)
}

// setLimits bounds what the runtime of Go takes in the process.
func setLimits(text string) {
	var memory string
	var gc, threads int
	readOptions(text, []setting{{"memory", &memory}, {"gc", &gc}, {"threads", &threads}})
	if gc < 0 {
		panic(refused("option \"gc\" must be 0 or more, not %d", gc))
	}
	checkThreads(threads)
	if memory != "" {
		most := parseSize(memory)
		dropBallast() // the caller says when the collector begins
		debug.SetMemoryLimit(most)
	}
	if gc > 0 {
		dropBallast()
		debug.SetGCPercent(gc)
	}
	if threads > 0 {
		runtime.GOMAXPROCS(threads)
	}
}

// parseSize parses a number of bytes with a unit, such as 256MiB, 2GB or 1.5g.
func parseSize(text string) int64 {
	number := strings.TrimRight(strings.ToLower(text), "bikmgt")
	unit := strings.TrimSpace(strings.ToLower(text)[len(number):])
	factors := map[string]float64{
		"": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "kb": 1e3, "m": 1 << 20, "mib": 1 << 20, "mb": 1e6,
		"g": 1 << 30, "gib": 1 << 30, "gb": 1e9, "t": 1 << 40, "tib": 1 << 40, "tb": 1e12,
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	v *= factors[unit]
	if err != nil || !(v >= 1<<20) || v >= math.MaxInt64 {
		panic(refused("option \"memory\" takes a size of 1 MiB or more, such as 256MiB or 2GB, not %q", usage.Cut(text)))
	}
	return int64(v)
}
