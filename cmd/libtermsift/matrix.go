package main

import (
	"context"
	"unsafe"

	"github.com/termsift/termsift/engine/matrix"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file takes the matrix of ts_score apart: the types of its elements are those that
// the caller says.

// A sparse matrix is one of the types that a caller's can have.
type sparse interface {
	Statistics(ctx context.Context, y *matrix.Labels, o matrix.Options) (*table.Table, error)
	Score(ctx context.Context, y *matrix.Labels, r *matrix.Request) (bool, error)
}

// sparseOf checks a matrix.
func sparseOf(m *callerMatrix) (sparse, error) {
	switch {
	case m.structSize != uint32(unsafe.Sizeof(*m)):
		return nil, wrongSize("matrix", "ts_matrix", m.structSize, unsafe.Sizeof(*m))
	case m.layout != layoutRows && m.layout != layoutColumns:
		return nil, usage.Errorf("matrix.layout is %d: it must be TS_ROWS or TS_COLUMNS", m.layout)
	case m.documents < 1 || m.documents > 1<<31-1:
		return nil, usage.Errorf("matrix.documents is %d: it must be in [1, 2^31)", m.documents)
	case m.terms < 1 || m.terms > 1<<31-1:
		return nil, usage.Errorf("matrix.terms is %d: it must be in [1, 2^31)", m.terms)
	}
	switch m.indexType {
	case typeInt32:
		return sparseOfIndex[int32](m)
	case typeInt64:
		return sparseOfIndex[int64](m)
	}
	return nil, usage.Errorf("matrix.index_type is %d: it must be TS_INT32 or TS_INT64", m.indexType)
}

// sparseOfIndex is sparseOf for a type of indices.
func sparseOfIndex[I matrix.Index](m *callerMatrix) (sparse, error) {
	switch m.valueType {
	case typeNone:
		if m.values != 0 {
			return nil, usage.Errorf("matrix.value_type is TS_NONE, so matrix.values must be NULL")
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
	return nil, usage.Errorf("matrix.value_type is %d: it must be TS_NONE, TS_INT32, TS_INT64, TS_FLOAT32, TS_FLOAT64 or TS_UINT8", m.valueType)
}

// sparseOfTypes is sparseOf for types of indices and values.
func sparseOfTypes[I matrix.Index, V matrix.Value](m *callerMatrix) (sparse, error) {
	x := &matrix.Matrix[I, V]{Documents: int(m.documents), Terms: int(m.terms), ByColumn: m.layout == layoutColumns}
	lines := m.documents
	if x.ByColumn {
		lines = m.terms
	}
	var err error
	if x.Start, err = sliceOf[I](m.start, lines+1, "matrix.start"); err != nil {
		return nil, err
	}
	if x.Index, err = sliceOf[I](m.indices, m.stored, "matrix.indices"); err != nil {
		return nil, err
	}
	if m.valueType != typeNone {
		if x.Values, err = sliceOf[V](m.values, m.stored, "matrix.values"); err != nil {
			return nil, err
		}
	}
	return x, nil
}
