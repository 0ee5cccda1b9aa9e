// Package mailing sends messages that a store writes to many of its customers: docs/behaviour/mailings.md.
package mailing

import (
	"cmp"
	"slices"
	"time"

	"punchcard/loyalty/message"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// The states of mailings.
const (
	Draft     = "draft"
	Scheduled = "scheduled" // begins at its time
	Running   = "running"   // messages are being queued
	Paused    = "paused"
	Finished  = "finished" // all messages were queued
	Stopped   = "stopped"
)

// States lists the states.
var States = []string{Draft, Scheduled, Running, Paused, Finished, Stopped}

// The audiences of mailings.
const (
	toEverybody = "everybody"
	toLevels    = "levels"
	toSegments  = "segments"
	toCustomers = "customers"
)

// Mailing is a message to many customers.
type Mailing struct {
	StoreKey   int64
	ID         string
	Name       string
	State      string
	Content    Content
	SendAt     time.Time // zero: when it is sent by hand
	Part       int64     // of the audience that is visited now
	After      string    // the last customer of it who was visited
	Visited    int64
	Recipients int64
	Capped     int64 // customers who were left out because of the frequency cap
	Clicked    int64
	Results    map[string]message.StateCounts // by channel, once they are settled
	Settled    bool
	Final      bool // the outcome does not change any more
	CreatedBy  Author
	CreatedAt  time.Time
	StartedAt  time.Time
	FinishedAt time.Time
}

// Author is the administrator who wrote a mailing.
type Author struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Content holds the texts of a mailing and its audience.
type Content struct {
	Channels  []string `json:"channels"`
	Audience  string   `json:"audience"`
	Levels    []string `json:"levels,omitempty"`
	Segments  []string `json:"segments,omitempty"`
	Customers []string `json:"customers,omitempty"`
	Words
	OutcomeDays int `json:"outcomeDays,omitempty"`
}

// parts returns the lists of the audience: levels, segments, or one of all.
func (c *Content) parts() []string {
	switch c.Audience {
	case toLevels:
		return c.Levels
	case toSegments:
		return c.Segments
	}
	return []string{""}
}

// outcomeDays is OutcomeDays, or the default of mailings that are older than the field.
func (c *Content) outcomeDays() int { return cmp.Or(c.OutcomeDays, defaultOutcomeDays) }

// isOpen reports whether the mailing can still be changed.
func (m *Mailing) isOpen() bool { return m.State == Draft || m.State == Scheduled }

var table = db.NewTable("mailings", "store_id, mailing_id", func(m *Mailing) db.Row {
	return db.Row{
		"store_id", &m.StoreKey, "mailing_id", &m.ID, "name", &m.Name, "state", &m.State, "content", db.JSON(&m.Content),
		"send_at", db.Time(&m.SendAt), "part", &m.Part, "after_id", &m.After, "visited", &m.Visited,
		"recipients", &m.Recipients, "clicked", &m.Clicked, "capped", &m.Capped, "results", db.JSON(&m.Results),
		"settled", &m.Settled, "outcome_final", &m.Final, "created_by", db.JSON(&m.CreatedBy),
		"created_at", db.Time(&m.CreatedAt), "started_at", db.Time(&m.StartedAt), "finished_at", db.Time(&m.FinishedAt),
	}
})

const oneMailing = `SELECT * FROM mailings WHERE store_id = ? AND mailing_id = ?`

func findMailing(tx *db.Tx, storeKey int64, id string) (*Mailing, error) {
	return readMailing(tx, oneMailing, storeKey, id)
}

// lockMailing is findMailing with a row lock.
func lockMailing(tx *db.Tx, storeKey int64, id string) (*Mailing, error) {
	return readMailing(tx, oneMailing+` FOR UPDATE`, storeKey, id)
}

func readMailing(tx *db.Tx, query string, storeKey int64, id string) (*Mailing, error) {
	m, found, err := table.One(tx, query, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return &m, err
}

// save writes all that can change.
func save(tx *db.Tx, m *Mailing) error {
	return table.Update(tx, "name, state, content, send_at, part, after_id, visited, recipients, results, settled, "+
		"started_at, finished_at, capped", m)
}

func listPage(tx *db.Tx, storeKey int64, limit, offset int) (found []Mailing, total int64, err error) {
	if total, err = db.Value[int64](tx, `SELECT COUNT(*) FROM mailings WHERE store_id = ?`, storeKey); err != nil {
		return nil, 0, err
	}
	found, err = table.All(tx, `SELECT * FROM mailings
		WHERE store_id = ? ORDER BY mailing_id DESC LIMIT ? OFFSET ?`, storeKey, limit, offset)
	return found, total, err
}

// The errors of what is done to a mailing.
var (
	errNotOpen = fault.New(fault.Conflict, "mailing_begun", "This mailing was sent already.")
	errNoState = fault.New(fault.Conflict, "mailing_state", "This is not possible in the present state of the mailing.")
)

// actions maps the changes of the state of a mailing to the states in which they are possible.
var actions = map[string]struct {
	from []string
	do   func(tx *db.Tx, m *Mailing)
}{
	"send": {[]string{Draft, Scheduled}, func(tx *db.Tx, m *Mailing) {
		if m.State == Draft && m.SendAt.After(tx.Now()) {
			m.State = Scheduled
		} else {
			m.begin(tx)
		}
	}},
	"pause":  {[]string{Running}, func(_ *db.Tx, m *Mailing) { m.State = Paused }},
	"resume": {[]string{Paused}, func(_ *db.Tx, m *Mailing) { m.State = Running }},
	"stop": {[]string{Scheduled, Running, Paused}, func(tx *db.Tx, m *Mailing) {
		m.State, m.FinishedAt = Stopped, tx.Now()
		if m.StartedAt.IsZero() {
			m.State, m.FinishedAt = Draft, time.Time{}
		}
	}},
}

func (m *Mailing) begin(tx *db.Tx) { m.State, m.StartedAt = Running, tx.Now() }

// act does something to a locked mailing.
func (m *Mailing) act(tx *db.Tx, name string) error {
	a := actions[name]
	if !slices.Contains(a.from, m.State) {
		return errNoState
	}
	a.do(tx, m)
	return save(tx, m)
}
