package notification

import (
	"context"
	"fmt"
	"time"

	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// ending is one page of the things that end on a day. next is the key to continue after, empty on the last
// page.
type ending struct {
	notices []Notification
	next    string
}

// NotifyEndings is the job that notifies customers of what ends in n days. On each day in the time
// zone of the store it covers the day that is n days ahead. Days that were missed are caught up,
// unless they are over. Progress is stored with every step. It returns how many notifications it
// made.
func NotifyEndings(ctx context.Context, d *db.DB, s *store.Store) (total int64, err error) {
	if !s.Active {
		return 0, nil
	}
	for _, k := range kinds {
		if k.days == nil {
			continue
		}
		t := &reminder{db: d, store: s, kind: k, days: k.days(&s.Settings)}
		for more := true; more && err == nil && ctx.Err() == nil; {
			more, err = t.step(ctx)
		}
		total += t.notified
	}
	return total, err
}

// reminder notifies the customers of one store of one kind of endings.
type reminder struct {
	db       *db.DB
	store    *store.Store
	kind     *kind
	days     int // ahead
	notified int64
}

// position is the progress of one kind of endings in one store.
type position struct {
	Through string // the last finished day, YYYY-MM-DD
	After   string // the key after which the next day continues
}

// endingProgress is a row of ending_notices.
type endingProgress struct {
	storeKey int64
	kind     string
	position
}

var endingTable = db.NewTable("ending_notices", "store_id, kind", func(p *endingProgress) db.Row {
	return db.Row{"store_id", &p.storeKey, "kind", &p.kind, "through", &p.Through, "after_id", &p.After}
})

// step notifies some customers of what ends on the next day. more is false when today's work is
// finished.
func (t *reminder) step(ctx context.Context) (more bool, err error) {
	var began, next position
	var found ending
	err = store.Read(ctx, t.db, t.store, func(tx *db.Tx) (err error) {
		if began, _, err = t.position(tx, ""); err != nil {
			return err
		}
		day, behind, due := t.day(began, tx.Now())
		if more = due; !due {
			return nil
		}
		if found, err = t.kind.find(tx, t.store, day, behind); err != nil {
			return err
		}
		if next = (position{day.String(), found.next}); found.next != "" {
			next.Through = (day - 1).String()
		}
		if next == began {
			return fmt.Errorf("the search for what ends on %s does not advance beyond %q", day, began.After)
		}
		return nil
	})
	if err != nil || !more {
		return false, err
	}
	return true, store.Write(ctx, t.db, t.store, func(tx *db.Tx) error {
		return t.notify(tx, began, next, found.notices)
	})
}

// day returns the next day to process, and the key to continue after. due is false when that day is
// more than t.days ahead. Days before today are skipped. The first run starts with the day that is
// due today.
func (t *reminder) day(p position, now time.Time) (day calendar.Day, after string, due bool) {
	today := calendar.DayOf(now, t.store.Zone)
	target := today + calendar.Day(t.days)
	through, known := calendar.ParseDay(p.Through)
	if !known { // the first run
		return target, "", true
	}
	if day, after = through+1, p.After; day < today {
		day, after = today, ""
	}
	return day, after, day <= target
}

// notify stores notifications and their events together with the new position, unless another node has moved it since
// began was read.
func (t *reminder) notify(tx *db.Tx, began, next position, notices []Notification) error {
	ids := make([]string, len(notices))
	for i := range notices {
		ids[i] = notices[i].CustomerID
	}
	a := &announcer{db: t.db, store: t.store}
	active, err := a.lockActive(tx, ids)
	if err != nil {
		return err
	}
	now, found, err := t.position(tx, " FOR UPDATE")
	if err != nil || now != began {
		return err
	}
	progress := &endingProgress{t.store.Key, t.kind.name, next}
	if !found {
		if inserted, err := endingTable.InsertNew(tx, progress); err != nil || !inserted {
			return err
		}
	} else if err := endingTable.Update(tx, "through, after_id", progress); err != nil {
		return err
	}
	var all []Notification
	for _, n := range notices {
		if active[n.CustomerID] {
			n.Kind = t.kind.name
			all = append(all, n)
		}
	}
	tx.AfterCommit(func() { t.notified += int64(len(all)) })
	if err := post(tx, t.store, all); err != nil || len(all) == 0 {
		return err
	}
	events, err := t.kind.events(tx, t.store, all)
	if err != nil {
		return err
	}
	return event.Append(tx, t.store.Key, events...)
}

func (t *reminder) position(tx *db.Tx, ending string) (position, bool, error) {
	p, found, err := endingTable.One(tx, `SELECT * FROM ending_notices WHERE store_id = ? AND kind = ?`+ending,
		t.store.Key, t.kind.name)
	return p.position, found, err
}
