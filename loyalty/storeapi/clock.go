package storeapi

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// catchUp is how long a response waits for work that became due. The jobs do the rest within minutes.
const catchUp = 10 * time.Second

type clockView struct {
	Now     string `json:"now"`          // by the store's clock
	RealNow string `json:"realNow"`      // by the server's clock
	Ahead   int64  `json:"aheadSeconds"` // difference between now and realNow, rounded down
}

// movedClock reports the work that became due, in the order of its execution. Complete is false if some of it is left
// to the jobs.
type movedClock struct {
	clockView
	Done     []jobDone `json:"done"`
	Complete bool      `json:"complete"`
}

type jobDone struct {
	Job     string `json:"job"`
	Handled int64  `json:"handled"` // rows
}

func viewOfClock(tx *db.Tx, s *store.Store) clockView {
	return clockView{
		Now: api.Timestamp(s.Tx(tx).Now(), s.Zone), RealNow: api.Timestamp(tx.ServerNow(), s.Zone),
		Ahead: int64(s.Ahead / time.Second),
	}
}

func showClock(r *api.Reading) (clockView, error) {
	if err := inSandbox(r.Call); err != nil {
		return clockView{}, err
	}
	return viewOfClock(r.Tx, r.Store), nil
}

func inSandbox(c *api.Call) error {
	if !c.Store.Sandbox {
		return store.ErrNotSandbox
	}
	return nil
}

var errNoMove = fault.New(fault.Fields, "neither_forward_nor_to", "Say how far forward, or to which moment.")

// moveClock moves the clock of a sandbox forward and does the work that became due before it responds. The clock moves
// in one step: work that happens daily happens once, at the new time.
func moveClock(due func() []store.Job) func(c *api.Call, to *move) (movedClock, error) {
	return func(c *api.Call, to *move) (response movedClock, err error) {
		var moved *store.Store
		err = c.Step(func(tx *db.Tx) error {
			if moved, err = store.MoveClock(tx, c.Store.Key, to.from); err != nil {
				return err
			}
			tx.AfterCommit(c.Stores().Forget)
			response.clockView = viewOfClock(tx, moved)
			return nil
		})
		if refused, _ := errors.AsType[*fault.Error](err); refused == store.ErrBackwards || refused == store.ErrTooFar {
			return response, c.Refuse(to.field, refused)
		}
		if err != nil {
			return response, err
		}
		jobs := due()
		response.Done, response.Complete = make([]jobDone, len(jobs)), true
		ctx, stop := context.WithTimeout(c.Context(), catchUp)
		defer stop()
		for i, job := range jobs {
			handled, err := job.Work(ctx, c.DB(), moved)
			response.Done[i] = jobDone{job.Name, handled}
			if err != nil || ctx.Err() != nil {
				c.Log().Warn("work that became due with a moved clock is left to the job", "job", job.Name, "error", err)
				response.Complete = false
			}
		}
		return response, nil
	}
}

// move is the target of a clock, a moment or a duration from now.
type move struct {
	field string // that sets it: to or forward
	to    time.Time
	by    span
}

func (m *move) from(s *store.Store, now time.Time) time.Time {
	if m.field == "to" {
		return m.to
	}
	return m.by.after(now, s.Zone)
}

// readMove reads a move, of which exactly one field is set.
func readMove(g *form.Group, s *store.Store) *move {
	m := &move{field: "to", to: g.DateTime("to", s.Zone)}
	text := g.Text("forward", form.Matches(form.Invalid("not_a_duration"), func(text string) bool {
		_, ok := parseSpan(text)
		return ok
	}))
	if text != "" || g.Failed("forward") {
		m.field = "forward"
		m.by, _ = parseSpan(text)
	}
	if m.field == "forward" && !m.to.IsZero() {
		g.AddError("to", form.Invalid("both_forward_and_to"))
	}
	if m.field == "to" && m.to.IsZero() && !g.Failed("to") {
		g.AddFormError(errNoMove)
	}
	return m
}

// span is a duration in calendar units as in ISO 8601.
type span struct {
	years, months, days int
	clock               time.Duration // hours and less
}

var isoSpan = regexp.MustCompile(
	`^P(\d{1,6}Y)?(\d{1,6}M)?(\d{1,6}W)?(\d{1,6}D)?(?:T(\d{1,6}H)?(\d{1,6}M)?(\d{1,6}S)?)?$`)

// parseSpan parses durations such as P30D, P1Y2M and PT12H30M, with at least one unit and whole numbers.
func parseSpan(text string) (span, bool) {
	parts := isoSpan.FindStringSubmatch(text)
	if parts == nil || text[len(text)-1] == 'P' || text[len(text)-1] == 'T' {
		return span{}, false
	}
	var n [7]int
	for i, part := range parts[1:] {
		if part != "" {
			n[i], _ = strconv.Atoi(part[:len(part)-1]) // digits, as the pattern says
		}
	}
	return span{
		years: n[0], months: n[1], days: 7*n[2] + n[3],
		clock: time.Duration(n[4])*time.Hour + time.Duration(n[5])*time.Minute + time.Duration(n[6])*time.Second,
	}, true
}

func (s span) after(t time.Time, zone *time.Location) time.Time {
	return calendar.AddDate(t, s.years, s.months, s.days, zone).Add(s.clock)
}
