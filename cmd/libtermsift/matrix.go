package main

import (
	"context"
	"unsafe"

	"github.com/termsift/termsift/engine/matrix"
	"github.com/termsift/termsift/engine/table"
)

// This file takes the matrix of a caller apart: the types of its elements are those that
// the caller says.

// A sparse matrix is one of the types that a caller's can have.
type sparse interface {
	Statistics(ctx context.Context, y *matrix.Labels, o matrix.Options) (*table.Table, error)
	Score(ctx context.Context, y *matrix.Labels, r *matrix.Request) (bool, error)
	Sums(ctx context.Context, sums []float64) error
	Shares(ctx context.Context, threads int, weights []float64, root bool, to []float64) error
}

// matrixAt checks the caller's matrix.
func matrixAt(at uintptr) (*callerMatrix, sparse) {
	m := structAt[callerMatrix](at, "matrix")
	sized(m.structSize, unsafe.Sizeof(*m), "matrix", "ts_matrix")
	switch {
	case m.layout != layoutRows && m.layout != layoutColumns:
		panic(refused("matrix.layout is %d: it must be TS_ROWS or TS_COLUMNS", m.layout))
	case m.documents < 1 || m.documents > 1<<31-1:
		panic(refused("matrix.documents is %d: it must be in [1, 2^31)", m.documents))
	case m.terms < 1 || m.terms > 1<<31-1:
		panic(refused("matrix.terms is %d: it must be in [1, 2^31)", m.terms))
	case m.indexType == typeInt32:
		return m, sparseOfIndex[int32](m)
	case m.indexType == typeInt64:
		return m, sparseOfIndex[int64](m)
	}
	panic(refused("matrix.index_type is %d: it must be TS_INT32 or TS_INT64", m.indexType))
}

// readSharesOptions reads the options of ts_matrix_shares.
func readSharesOptions(text string) (root bool, threads int) {
	readOptions(text, []setting{{"root", &root}, {"threads", &threads}})
	checkThreads(threads)
	return root, threads
}

// sparseOfIndex is the matrix for a type of indices.
func sparseOfIndex[I matrix.Index](m *callerMatrix) sparse {
	switch m.valueType {
	case typeNone:
		if m.values != 0 {
			panic(refused("matrix.value_type is TS_NONE, so matrix.values must be NULL"))
		}
		return sparseOfTypes[I, uint8](m)
	case typeInt32:
		return sparseOfTypes[I, int32](m)
	case typeInt64:
		return sparseOfTypes[I, int64](m)
	case typeFloat32:
		return sparseOfTypes[I, float32](m)
	case typeFloat64:
		return sparseOfTypes[I, float64](m)
	case typeUint8:
		return sparseOfTypes[I, uint8](m)
	}
	panic(refused("matrix.value_type is %d: it must be TS_NONE, TS_INT32, TS_INT64, TS_FLOAT32, TS_FLOAT64 or TS_UINT8", m.valueType))
}

// sparseOfTypes is the matrix for types of indices and values.
func sparseOfTypes[I matrix.Index, V matrix.Value](m *callerMatrix) sparse {
	x := &matrix.Matrix[I, V]{Documents: int(m.documents), Terms: int(m.terms), ByColumn: m.layout == layoutColumns}
	lines := m.documents
	if x.ByColumn {
		lines = m.terms
	}
	x.Start = sliceOf[I](m.start, lines+1, "matrix.start")
	x.Index = sliceOf[I](m.indices, m.stored, "matrix.indices")
	if m.valueType != typeNone {
		x.Values = sliceOf[V](m.values, m.stored, "matrix.values")
	}
	return x
}
