package api

import (
	"slices"

	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Errors of parameters that a write would ignore, although the client relies on them.
var (
	errDryRunQuery = fault.New(fault.Fields, "dry_run_in_query", "Ask for a dry run with the header Dry-Run: true.")
	errAtQuery     = fault.New(fault.Fields, "time_in_query", "This call takes effect now, not at another time.")
)

// dryRunNames has the names by which clients ask for a dry run in the query.
var dryRunNames = []string{"dryRun", "dryrun", "dry_run", "dry-run"}

// refuseWishes refuses a write whose query asks that it has no effect, or has one at another time. An endpoint that has
// such a parameter of its own takes it, a dry run with a value that is a switch. What writes nothing may look at
// another time.
func (c *Call) refuseWishes(e *Endpoint) error {
	if c.URL.RawQuery == "" {
		return nil
	}
	query, err := c.Query()
	if err != nil {
		return err
	}
	g := form.Read(query)
	for _, name := range dryRunNames {
		_, isSwitch := form.ParseBool(query.Child(name).Text())
		switch {
		case !query.Has(name):
		case !e.takes(name):
			g.AddError(name, errDryRunQuery)
		case !isSwitch:
			g.AddError(name, form.NotValid)
		}
	}
	if query.Has("at") && !e.takes("at") && e.Factor.why != NoWrite.why {
		g.AddError("at", errAtQuery)
	}
	return g.Err()
}

// takes reports whether the endpoint has a parameter of the query.
func (e *Endpoint) takes(name string) bool {
	return e.Query != nil &&
		slices.ContainsFunc(form.Describe(e.Query), func(f *form.Field) bool { return f.Name == name })
}
