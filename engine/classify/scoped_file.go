package classify

// encode writes how many scopes each column has, so that a file has as many bytes as its
// reader needs, and the scopes, each with its model as a file of its own.
func (s *Scoped) encode(e *encoder) {
	sizes := make([]uint32, s.columns)
	for c := range sizes {
		sizes[c] = s.router.start[c+1] - s.router.start[c]
	}
	e.uint32s(sizes)
	e.count(len(s.scopes))
	for i, scope := range s.scopes {
		e.count(int(scope.Class))
		e.uint32s(scope.Columns)
		e.bool(scope.Needs != nil)
		e.uint32s(scope.Needs)
		e.model(s.models[i])
	}
}

func (s *Scoped) decode(d *decoder) {
	sizes := d.uint32s()
	if len(sizes) != s.columns {
		d.fail("scopes of %d columns of %d", len(sizes), s.columns)
		return
	}
	for range d.length(leastScope) {
		scope := Scope{Class: uint32(d.count()), Columns: d.uint32s()}
		needs := d.bool()
		if scope.Needs = d.uint32s(); !needs {
			scope.Needs = nil
		}
		m := d.model()
		if d.err != nil {
			return
		}
		if len(m.Classes()) != 1 || m.Columns() != len(scope.Columns) {
			d.fail("the model of a scope of %d columns has %d, and %d classes", len(scope.Columns), m.Columns(), len(m.Classes()))
			return
		}
		s.scopes, s.models = append(s.scopes, scope), append(s.models, m)
	}
	if err := checkScopes(s.scopes, s.columns, len(s.classes)); err != nil {
		d.fail("%v", err)
		return
	}
	s.router = newRouter(s.scopes, s.columns)
	for c, n := range sizes {
		if n != s.router.start[c+1]-s.router.start[c] {
			d.fail("column %d is not in %d scopes", c, n)
			return
		}
	}
}

// leastScope is the fewest bytes that a scope takes: its class, the lengths of two lists
// and of the model, and a truth value.
const leastScope = 4*8 + 1
