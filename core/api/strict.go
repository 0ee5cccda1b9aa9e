package api

import (
	"slices"
	"sync"

	"punchcard/platform/form"
)

// alsoInTables are parameters of lists and of all calls that choose nobody. Clients send them to exports too.
var alsoInTables = []string{"page", "perPage", "sort", "direction", "_locale", "auth_token"}

// onlyKnown makes the handler of a table refuse parameters that a list ignores: with a filter that is misspelt, the
// table would have everybody. A handler gives the names of those whose values it cannot read to RefuseUnread.
func (e *Endpoint) onlyKnown() {
	if e.Response != Tables {
		return
	}
	handle, describe := e.Handle, e.Query
	known := sync.OnceValue(func() []*form.Field { return form.Describe(describe) })
	e.Handle = func(c *Call) error {
		query, err := c.Query()
		if err != nil {
			return err
		}
		ignored := form.IgnoredIn(query, known())
		if err := refuseIgnored(query, ignored); err != nil {
			return err
		}
		return handle(c)
	}
}

func refuseIgnored(query *form.Node, ignored []form.Ignored) error {
	g := form.Read(query)
	for _, one := range ignored {
		if one.Problem != form.UnknownFilter || !slices.Contains(alsoInTables, one.Name) {
			g.AddError(one.Name, one.Problem)
		}
	}
	return g.Err()
}

// RefuseUnread returns the error of an export of which these filters have values that cannot be read; nil for none.
func (c *Call) RefuseUnread(names []string) error {
	query, err := c.Query()
	if err != nil || len(names) == 0 {
		return err
	}
	g := form.Read(query)
	for _, name := range names {
		g.AddError(name, form.NotValid)
	}
	return g.Err()
}
