//go:build !purego

package kernels

func init() {
	implementations = append(implementations, implementation{
		name:     NEON,
		classify: classifyNEON,
	})
}
