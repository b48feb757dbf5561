// Command _asm writes the assembly of package kernels and its Go declarations,
// kernels_amd64.s and kernels_amd64.go, into the directory above. Run it by
//
//	go generate ./kernels
//
// It is a module of its own so that avo does not become a dependency of those
// who import termsift.
package main

import (
	"fmt"
	"go/token"
	"go/types"
	"log"
	"os"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	log.SetFlags(0)
	a := &assembler{Context: build.NewContext()}
	a.ConstraintExpr("!purego")
	for _, kernel := range []func(*assembler){
		classify, prefetch, deviationMaxima, planeMaxima, ascending,
	} {
		kernel(a)
	}
	if err := a.print("../kernels_amd64"); err != nil {
		log.Fatal(err)
	}
}

// An assembler collects the functions.
type assembler struct {
	*build.Context
	labels int
	masks  *operand.Mem // laneMasks, once they are there
}

// print writes the assembly to name.s and the declarations to name.go.
func (a *assembler) print(name string) error {
	file, err := a.Result()
	if err != nil {
		return err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return err
	}
	config := printer.Config{Argv: []string{"go", "generate", "./kernels"}, Pkg: "kernels"}
	for suffix, p := range map[string]printer.Printer{".s": printer.NewGoAsm(config), ".go": printer.NewStubs(config)} {
		text, err := p.Print(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(name+suffix, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// function begins a function that must give the results of another one.
func (a *assembler) function(name, signature string, doc ...string) {
	a.Function(name)
	a.Attributes(attr.NOSPLIT)
	a.Pragma("noescape")
	s, err := gotypes.ParseSignatureInPackage(kernelTypes, signature)
	if err != nil {
		log.Fatal(err)
	}
	a.Signature(s)
	a.Doc(doc...)
}

// kernelTypes holds the types of package kernels that signatures name.
var kernelTypes = func() *types.Package {
	kernels := types.NewPackage("kernels", "kernels")
	name := func(name string, underlying types.Type) {
		t := types.NewTypeName(token.NoPos, kernels, name, nil)
		kernels.Scope().Insert(t)
		types.NewNamed(t, underlying, nil)
	}
	name("Class", types.Typ[types.Uint8])
	name("Deviation", types.Typ[types.Uint8])
	return kernels
}()

// label makes a label that no other place in the function has.
func (a *assembler) label(name string) string {
	a.labels++
	return fmt.Sprintf("%s%d", name, a.labels)
}

// pointer loads the address of the first element of a slice.
func (a *assembler) pointer(param string) reg.Register {
	return a.Load(a.Param(param).Base(), a.GP64())
}

// length loads the number of elements of a slice.
func (a *assembler) length(param string) reg.GPVirtual {
	r := a.GP64()
	a.Load(a.Param(param).Len(), r)
	return r
}

// param is the memory of a parameter that is one number.
func (a *assembler) param(name string) operand.Mem {
	b, err := a.Param(name).Resolve()
	if err != nil {
		log.Fatal(err)
	}
	return b.Addr
}

// words makes a constant.
func (a *assembler) words(name string, words ...operand.Constant) operand.Mem {
	m := a.StaticGlobal(name)
	a.DataAttributes(attr.RODATA | attr.NOPTR)
	for _, w := range words {
		a.AppendDatum(w)
	}
	return m
}

// at is the memory at base + index*scale + offset.
func at(base, index reg.Register, scale uint8, offset int) operand.Mem {
	return operand.Mem{Base: base, Index: index, Scale: scale, Disp: offset}
}

// from is the memory at base + offset.
func from(base reg.Register, offset int) operand.Mem {
	return operand.Mem{Base: base, Disp: offset}
}

// clear makes a vector of zeros.
func (a *assembler) clear(v reg.VecVirtual) {
	a.VPXOR(v.AsX(), v.AsX(), v.AsX())
}

// leave ends the function; dirty upper halves would slow down the SSE code of
// the caller.
func (a *assembler) leave() {
	a.VZEROUPPER()
	a.RET()
}

// returnTruth ends the function with a result of true or false.
func (a *assembler) returnTruth(truth bool) {
	r := a.GP8()
	value := operand.U8(0)
	if truth {
		value = 1
	}
	a.MOVB(value, r)
	a.returns(r)
}

// returns ends the function with the result that a register has.
func (a *assembler) returns(r reg.Register) {
	a.VZEROUPPER()
	a.Store(r, a.ReturnIndex(0))
	a.RET()
}
