package api

import (
	"time"

	"punchcard/core/access"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// AtDays is how many days before and after the present administrators can ask about.
const AtDays = 5 * 366

var errTooFar = fault.New(fault.Fields, "time_too_far", "This value should be at most %d days from now.")

// AtQuery describes what Call.MoveByQuery reads.
func AtQuery(q *form.Group) { q.DateTime("at", time.UTC) }

// MoveByQuery is MoveBy with the query.
func (c *Call) MoveByQuery() error {
	query, err := c.Query()
	if err != nil || !query.Has("at") {
		return err
	}
	g := form.Read(query)
	if err := c.MoveBy(g, g.DateTime("at", c.Store.Zone)); err != nil {
		return err
	}
	return g.Err()
}

// MoveBy lets Read see the database as if it were the time that the field at of a form has, for administrators. The
// zero time means the present, which writes keep anyway. A time that is too far away is an error of the form. See
// docs/behaviour/requests.md#another-time.
func (c *Call) MoveBy(g *form.Group, at time.Time) error {
	switch {
	case at.IsZero() && !g.Failed("at"):
		return nil
	case c.Caller == nil || c.Caller.Role != access.Administrator:
		return fault.ErrForbidden
	case at.Sub(c.Now()).Abs() > AtDays*24*time.Hour:
		g.AddError("at", errTooFar.With(AtDays))
	default:
		c.at = at
	}
	return nil
}

// Moved reports whether the call asks about another time, so that its answer must not be shared with other calls.
func (c *Call) Moved() bool { return !c.at.IsZero() }

// readAt runs an operation that only reads at the time that the call asks about.
func (c *Call) readAt(run func(tx *db.Tx) error) error {
	return c.server.DB.Read(c.Context(), func(tx *db.Tx) error { return run(tx.Ahead(c.at.Sub(tx.ServerNow()))) })
}
