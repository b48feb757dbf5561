package kernels

import "math"

// fitTables reports whether tables of so many classes can be looked up by 32-bit numbers:
// the forms with gathers take a class as a signed number, and the last one is n-1.
func fitTables(classes int) bool { return classes > 0 && classes <= math.MaxInt32 }
