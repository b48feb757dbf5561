package main

import (
	"math"

	"github.com/termsift/termsift/engine/bagofwords"
)

// This file copies rows to the caller's memory, in the types of the caller's arrays.

// rows are what a handle of rows stands for: a *rowSet, or *bagofwords.Rows.
type rows interface {
	Len() int
	Stored() int64
}

// Len is the number of documents.
func (r *rowSet) Len() int { return len(r.start) - 1 }

// Stored is the number of elements.
func (r *rowSet) Stored() int64 { return int64(len(r.values)) }

func rowsHeld(handle uint64) rows { return handleOf[rows](handle, "rows") }

// copyRowsAs copies rows: places and columns in one type, values in another.
func copyRowsAs(r rows, indexType, valueType uint32, start, indices, values uintptr) {
	copyValues := valuesCopier(r, valueType, values)
	switch indexType {
	case typeInt32:
		if start != 0 && r.Stored() > math.MaxInt32 {
			panic(refused("there are %d elements, and their places need TS_INT64", r.Stored()))
		}
		copyPlaces[int32](r, start, indices)
	case typeInt64:
		copyPlaces[int64](r, start, indices)
	default:
		panic(refused("index_type is %d: it must be TS_INT32 or TS_INT64", indexType))
	}
	copyValues()
}

// copyPlaces copies the starts of rows and the columns of their elements, where they are not NULL.
func copyPlaces[I int32 | int64](r rows, start, indices uintptr) {
	starts, columns := outputOf[I](start, int64(r.Len())+1, "start"), outputOf[I](indices, r.Stored(), "indices")
	switch r := r.(type) {
	case *bagofwords.Rows:
		if starts != nil {
			bagofwords.CopyStart(r, starts)
		}
		if columns != nil {
			bagofwords.CopyColumns(r, columns)
		}
	case *rowSet:
		convert(starts, r.start)
		convert(columns, r.indices)
	}
}

// valuesCopier returns what copies values in a type.
func valuesCopier(r rows, valueType uint32, to uintptr) func() {
	switch valueType {
	case typeNone:
		if to != 0 {
			panic(refused("value_type is TS_NONE, so values must be NULL"))
		}
		return func() {}
	case typeInt32:
		return copierTo[int32](r, to)
	case typeInt64:
		return copierTo[int64](r, to)
	case typeFloat32:
		return copierTo[float32](r, to)
	case typeFloat64:
		return copierTo[float64](r, to)
	case typeUint8:
		return copierTo[uint8](r, to)
	}
	panic(refused("value_type is %d: it must be TS_NONE, TS_INT32, TS_INT64, TS_FLOAT32, TS_FLOAT64 or TS_UINT8", valueType))
}

func copierTo[V bagofwords.Value](r rows, at uintptr) func() {
	to := outputOf[V](at, r.Stored(), "values")
	return func() {
		switch r := r.(type) {
		case *bagofwords.Rows:
			if to != nil {
				bagofwords.CopyValues(r, to)
			}
		case *rowSet:
			convert(to, r.values)
		}
	}
}

// convert stores numbers in another type; to may be nil.
func convert[To, From bagofwords.Value](to []To, from []From) {
	if to == nil {
		return
	}
	for i, v := range from {
		to[i] = To(v)
	}
}
