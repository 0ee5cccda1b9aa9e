package api

import (
	"slices"
	"sync"

	"punchcard/platform/form"
)

// inAnyCall are names that every body and every query may have.
var inAnyCall = []string{"_method", "_locale", "auth_token"}

// strictly returns a check of what a call sends, for clients that prefer an error to fields and parameters that the
// endpoint ignores: "Prefer: handling=strict" (RFC 7240). See docs/behaviour/requests.md#strict-mode.
func (e *Endpoint) strictly() func(c *Call) error {
	known := sync.OnceValue(func() described {
		return described{describe(e.Form), describe(e.Query)}
	})
	uploads := e.UploadBytes > 0
	return func(c *Call) error {
		if !c.Prefers("handling", "strict") {
			return nil
		}
		query, err := c.Query()
		if err != nil {
			return err
		}
		var body *form.Node
		if !uploads || !c.IsUpload() {
			if body, err = c.Body(); err != nil {
				return err
			}
		}
		return form.UnknownIn(body, query, known().fields, known().parameters, inAnyCall...)
	}
}

// described are the names that an endpoint reads.
type described struct{ fields, parameters []*form.Field }

func describe(read func(g *form.Group)) []*form.Field {
	if read == nil {
		return nil
	}
	return form.Describe(read)
}

// alsoInTables are parameters of lists and of all calls that choose nobody. Clients send them to exports too.
var alsoInTables = []string{"page", "perPage", "sort", "direction", "_locale", "auth_token"}

// onlyKnown makes the handler of a table refuse parameters that a list ignores: with a filter that is misspelt, the
// table would have everybody. A handler gives the names of those whose values it cannot read to RefuseUnread.
func (e *Endpoint) onlyKnown() {
	if e.Response != Tables {
		return
	}
	handle := e.Handle
	known := sync.OnceValue(func() []*form.Field { return describe(e.Query) })
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
