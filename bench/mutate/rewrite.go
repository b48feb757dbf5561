package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A change is another meaning of one place of a package.
type change struct {
	id       int
	place    token.Position
	from, to string
}

// An edit puts text in place of the bytes from at up to end.
type edit struct {
	at, end int
	text    string
}

// A rewriter makes a call of every place of a file that can have another meaning. The call does what
// the source says unless its change is switched on: a < b becomes mutantLess(7, a, b). Lines stay
// where they are.
type rewriter struct {
	*source
	text    []byte
	base    int             // of the positions of this file
	skipped map[string]bool // lines that do not compile with calls
	changes []change
	edits   []edit
	ends    []edit // the ends of calls, outer ones first
}

// operators are the binary operators that change: the function of each, and what it becomes.
var operators = map[token.Token]struct{ function, to string }{
	token.LSS: {"mutantLess", "<="}, token.LEQ: {"mutantAtMost", "<"},
	token.GTR: {"mutantMore", ">="}, token.GEQ: {"mutantAtLeast", ">"},
	token.EQL: {"mutantEqual", "!="}, token.NEQ: {"mutantDiffer", "=="},
	token.ADD: {"mutantPlus", "-"}, token.SUB: {"mutantMinus", "+"},
	token.MUL: {"mutantTimes", "/"}, token.QUO: {"mutantOver", "*"},
	token.LAND: {"mutantAnd", "||"}, token.LOR: {"mutantOr", "&&"},
}

// rewrite returns the text of a file with calls for its changes, which it adds to r.changes.
func (r *rewriter) rewrite(file *ast.File, text []byte) string {
	r.text, r.base, r.edits, r.ends = text, r.fset.File(file.FileStart).Base(), nil, nil
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok == token.VAR
		case *ast.BinaryExpr:
			r.binary(n)
		case *ast.UnaryExpr:
			if n.Op == token.NOT && r.isBool(n.X) {
				r.call(n, "mutantNot", "without !", n.OpPos, n.X.Pos(), n.End(), ")")
			}
		case *ast.IfStmt:
			r.condition(n.Cond)
		case *ast.ForStmt:
			r.condition(n.Cond)
		case *ast.BlockStmt:
			r.statements(n.List)
		case *ast.CaseClause:
			r.statements(n.Body)
		case *ast.CommClause:
			r.statements(n.Body)
		}
		return true
	})
	return r.edited()
}

// binary changes the operator of an expression whose operands have one type.
func (r *rewriter) binary(n *ast.BinaryExpr) {
	operator, ok := operators[n.Op]
	if !ok || !r.operands(n) {
		return
	}
	between, end := ",", ")"
	if n.Op == token.LAND || n.Op == token.LOR { // the right side is evaluated only where the source does
		between, end = ", func() bool { return (", ") })" // ( for a right side on the next line
	}
	if r.call(n, operator.function, n.Op.String()+" is "+operator.to, n.Pos(), n.Pos(), n.End(), end) {
		at := r.offset(n.OpPos)
		r.edits = append(r.edits, edit{at, at + len(n.Op.String()), between})
	}
}

// operands tells whether the operands of an expression can be the arguments of a call.
func (r *rewriter) operands(n *ast.BinaryExpr) bool {
	x, y := r.info.Types[n.X], r.info.Types[n.Y]
	if r.info.Types[n].Value != nil || x.IsNil() || y.IsNil() || !types.Identical(x.Type, y.Type) || r.hasOpenShift(n) {
		return false
	}
	if _, ok := x.Type.(*types.TypeParam); ok {
		return false
	}
	basic, _ := x.Type.Underlying().(*types.Basic)
	switch n.Op {
	case token.EQL, token.NEQ:
		return true
	case token.LAND, token.LOR:
		return r.isBool(n.X)
	case token.ADD, token.SUB, token.MUL, token.QUO:
		return basic != nil && basic.Info()&(types.IsInteger|types.IsFloat) != 0
	default:
		return basic != nil && basic.Info()&types.IsOrdered != 0
	}
}

// condition makes the opposite of a condition that is no expression with operators.
func (r *rewriter) condition(n ast.Expr) {
	switch n.(type) {
	case nil, *ast.BinaryExpr, *ast.UnaryExpr:
	default:
		if r.isBool(n) && r.info.Types[n].Value == nil {
			r.call(n, "mutantIs", "the opposite", n.Pos(), n.Pos(), n.End(), ")")
		}
	}
}

// statements takes out assignments, counters, calls and jumps, one at a time.
func (r *rewriter) statements(list []ast.Stmt) {
	for _, n := range list {
		if canGo(n) {
			r.call(n, "if mutantDo", "taken out", n.Pos(), n.Pos(), n.End(), " }")
		}
	}
}

// canGo tells whether a program compiles, and its goroutines end, without a statement.
func canGo(n ast.Stmt) bool {
	switch n := n.(type) {
	case *ast.IncDecStmt:
		return true
	case *ast.AssignStmt:
		return n.Tok != token.DEFINE
	case *ast.BranchStmt:
		return n.Tok == token.BREAK || n.Tok == token.CONTINUE
	case *ast.ExprStmt:
		call, ok := n.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		switch f := call.Fun.(type) {
		case *ast.Ident:
			return f.Name != "panic"
		case *ast.SelectorExpr:
			return !slices.Contains([]string{"Lock", "Unlock", "RLock", "RUnlock", "Wait", "Done", "Add"}, f.Sel.Name)
		}
		return true
	}
	return false
}

// call puts the beginning of a call in place of the bytes from one position up to another, and its
// end behind a third. It returns false for a line that is left as it is.
func (r *rewriter) call(n ast.Node, function, to string, from, upTo, behind token.Pos, end string) bool {
	place := r.fset.Position(n.Pos())
	if r.skipped[lineOf(place)] {
		return false
	}
	id := len(r.changes) + 1
	text := strings.Join(strings.Fields(string(r.text[r.offset(n.Pos()):r.offset(n.End())])), " ")
	r.changes = append(r.changes, change{id, place, text, to})
	begin := fmt.Sprintf("%s(%d, ", function, id)
	if function == "if mutantDo" {
		begin = fmt.Sprintf("%s(%d) { ", function, id)
	}
	r.edits = append(r.edits, edit{r.offset(from), r.offset(upTo), begin})
	r.ends = append(r.ends, edit{r.offset(behind), r.offset(behind), end})
	return true
}

// edited applies the edits. At one place ends come first, inner ones before outer ones, then
// beginnings, outer ones before inner ones.
func (r *rewriter) edited() string {
	slices.Reverse(r.ends)
	edits := slices.Concat(r.ends, r.edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return a.at - b.at })
	var out strings.Builder
	last := 0
	for _, e := range edits {
		out.Write(r.text[last:e.at])
		out.WriteString(e.text)
		last = e.end
	}
	out.Write(r.text[last:])
	return out.String()
}

func (r *rewriter) offset(p token.Pos) int { return int(p) - r.base }

// lineOf names a line as the compiler does in its messages.
func lineOf(p token.Position) string { return fmt.Sprintf("%s:%d", p.Filename, p.Line) }

// isBool tells whether an expression is of the type bool itself.
func (r *rewriter) isBool(n ast.Expr) bool {
	t := r.info.Types[n].Type
	return t != nil && (types.Identical(t, types.Typ[types.Bool]) || types.Identical(t, types.Typ[types.UntypedBool]))
}

// hasOpenShift tells whether an expression has a shift of a constant, such as 1 << n, whose type
// comes from where it stands.
func (r *rewriter) hasOpenShift(n ast.Expr) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.SHL || b.Op == token.SHR) && r.info.Types[b.X].Value != nil {
			found = true
		}
		return !found
	})
	return found
}
