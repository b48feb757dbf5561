package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"github.com/termsift/termsift/engine"
)

// This file writes vectors in the formats of transform.

var rowFormats = map[string]func(w io.Writer, s *engine.Selection, in rows) error{
	"svmlight": writeSVMLight,
	"jsonl":    writeJSONRows,
	"npz":      writeNPZ,
}

func readSelection(path string) (*engine.Selection, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return engine.ReadSelection(file, path)
}

func writeSVMLight(w io.Writer, _ *engine.Selection, in rows) error {
	out := engine.NewSVMLightWriter(w)
	for row, err := range in {
		if err != nil {
			return err
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	return out.Flush()
}

func writeJSONRows(w io.Writer, s *engine.Selection, in rows) error {
	for row, err := range in {
		if err != nil {
			return err
		}
		line := struct {
			ID       string             `json:"id"`
			Labels   []string           `json:"labels"`
			Features map[string]float32 `json:"features"`
		}{row.ID, make([]string, len(row.Labels)), make(map[string]float32, len(row.Index))}
		for i, l := range row.Labels {
			line.Labels[i] = s.Classes[l]
		}
		for i, index := range row.Index {
			line.Features[s.Features[index-1].Term] = row.Value[i]
		}
		if err := writeJSON(w, line); err != nil {
			return err
		}
	}
	return nil
}

// writeNPZ writes the matrix as scipy.sparse.load_npz reads it: a zip of the
// arrays of a CSR matrix. Column j is the feature of rank j+1. The labels are
// not part of that format; svmlight has them.
func writeNPZ(w io.Writer, s *engine.Selection, in rows) error {
	indptr, indices, data := []int64{0}, []int64{}, []float32{}
	for row, err := range in {
		if err != nil {
			return err
		}
		for i, index := range row.Index {
			indices = append(indices, int64(index)-1)
			data = append(data, row.Value[i])
		}
		indptr = append(indptr, int64(len(indices)))
	}
	z := zip.NewWriter(w)
	for _, array := range []struct {
		name, kind, shape string
		values            any
	}{
		{"indices", "<i8", fmt.Sprintf("(%d,)", len(indices)), indices},
		{"indptr", "<i8", fmt.Sprintf("(%d,)", len(indptr)), indptr},
		{"format", "|S3", "()", []byte("csr")},
		{"shape", "<i8", "(2,)", []int64{int64(len(indptr) - 1), int64(len(s.Features))}},
		{"data", "<f4", fmt.Sprintf("(%d,)", len(data)), data},
	} {
		file, err := z.CreateHeader(&zip.FileHeader{Name: array.name + ".npy", Method: zip.Store})
		if err != nil {
			return err
		}
		if _, err := file.Write(npyHeader(array.kind, array.shape)); err != nil {
			return err
		}
		if err := binary.Write(file, binary.LittleEndian, array.values); err != nil {
			return err
		}
	}
	return z.Close()
}

// npyHeader is version 1.0 of numpy's format, padded to 64 bytes.
func npyHeader(kind, shape string) []byte {
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", kind, shape)
	const fixed = 10 // magic, version, length
	for (fixed+len(text)+1)%64 != 0 {
		text += " "
	}
	text += "\n"
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	b.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(text))))
	b.WriteString(text)
	return b.Bytes()
}
