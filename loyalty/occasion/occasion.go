// Package occasion sends marketing messages to customers on occasions: on their birthday, and when they have not
// bought anything for a while. It also gives points for birthdays. See docs/behaviour/messages.md#occasions.
package occasion

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/erasure"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/transaction"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

const (
	// chunk is how many customers one transaction visits: few, so that other writes do not wait long.
	chunk = 50
	// BirthdayPause is the minimum number of days between two birthday messages to a customer, so that a new date of
	// birth does not bring another message in the same year.
	BirthdayPause = 300
	// LateLimit is how many missed days the job makes up for, after the server was stopped. Birthdays are not made up for.
	LateLimit = 7
)

// kinds lists the occasions.
var kinds = []*kind{birthday, winBack, birthdayPoints}

// Later features react to the following types.
type (
	// BirthdayPoints asks whether a store gives points for birthdays now. A reaction sets Given.
	BirthdayPoints struct{ Given bool }
	// Birthdays are those of customers, who are locked and get their points.
	Birthdays struct{ CustomerIDs []string }
)

// kind is an occasion. Its messages go out as far as the templates of its event are switched on.
type kind struct {
	event string // of its messages; it names the occasion in what is stored
	pays  bool   // gives points in place of a message, also to those who do not agree to marketing
	late  int    // how many missed days are made up for
	// days returns the number of days that the store's settings state. The store does not use the occasion if ok is false.
	days func(s *store.Settings) (n int, ok bool)
	// pause returns the minimum number of days between two messages to a customer.
	pause func(days int) int
	// find returns customers for whom the day is the occasion, after a key. next is empty on the last page.
	find func(tx *db.Tx, s *store.Store, day calendar.Day, days int, after string) (
		ids []string, next string, err error)
	// applies reports whether the day is still the occasion of a locked customer.
	applies func(s *store.Store, c *customer.Customer, day calendar.Day, days int) bool
	values  func(days int) map[string]string
}

var birthday = &kind{
	event: template.Birthday,
	days:  func(s *store.Settings) (int, bool) { return s.BirthdayMessageDays, true },
	pause: func(int) int { return BirthdayPause },
	find: func(tx *db.Tx, s *store.Store, day calendar.Day, days int, after string) ([]string, string, error) {
		return customer.BornOn(tx, s.Key, day+calendar.Day(days), after, chunk)
	},
	applies: func(*store.Store, *customer.Customer, calendar.Day, int) bool { return true },
	values:  func(int) map[string]string { return nil },
}

// birthdayPoints gives the points of the earning rules for birthdays, on the day itself.
var birthdayPoints = &kind{
	event: "birthday points", pays: true, late: LateLimit,
	days:    func(*store.Settings) (int, bool) { return 0, true },
	pause:   birthday.pause,
	find:    birthday.find,
	applies: birthday.applies,
}

var winBack = &kind{
	event: template.WinBack, late: LateLimit,
	days:  func(s *store.Settings) (int, bool) { return s.WinBackDays, s.WinBackDays > 0 },
	pause: func(days int) int { return days },
	find: func(tx *db.Tx, s *store.Store, day calendar.Day, days int, after string) ([]string, string, error) {
		from := day - calendar.Day(days)
		return transaction.BuyersBetween(tx, s.Key, from.Start(s.Zone), (from + 1).Start(s.Zone), after, chunk)
	},
	applies: func(s *store.Store, c *customer.Customer, day calendar.Day, days int) bool { // the sale was their last one
		last := c.Purchases.LastAt // zero after all sales were returned
		return !last.IsZero() && calendar.DayOf(last, s.Zone) <= day-calendar.Day(days)
	},
	values: func(days int) map[string]string { return map[string]string{"days": strconv.Itoa(days)} },
}

// Send is the job that queues the messages of a store. Each day it starts at the time that the settings state.
// Progress is stored with every step, so that an interrupted run continues where it stopped. It returns how many
// customers get a message.
func Send(ctx context.Context, d *db.DB, s *store.Store) (total int64, err error) {
	if !s.Active {
		return 0, nil
	}
	for _, k := range kinds {
		days, used := k.days(&s.Settings)
		if !used {
			continue
		}
		r := &run{db: d, store: s, kind: k, days: days}
		for more := true; more && err == nil && ctx.Err() == nil; {
			more, err = r.step(ctx)
		}
		total += r.queued
	}
	return total, err
}

// run handles one occasion of one store.
type run struct {
	db     *db.DB
	store  *store.Store
	kind   *kind
	days   int
	queued int64
}

// step visits some customers of the next day. more is false when today's work is done.
func (r *run) step(ctx context.Context) (more bool, err error) {
	var began, next progress
	var day calendar.Day
	var ids []string
	err = store.Read(ctx, r.db, r.store, func(tx *db.Tx) error {
		more = false
		if now := tx.Now().In(r.store.Zone); now.Format("15:04") < r.store.Settings.OccasionTime() {
			return nil
		}
		if used, err := r.isUsed(tx); err != nil || !used {
			return err
		}
		var err error
		if began, _, err = findProgress(tx, r.store.Key, r.kind.event, ""); err != nil {
			return err
		}
		var after string
		if day, after, more = r.next(began, tx.Now()); !more {
			return nil
		}
		ids, next.After, err = r.kind.find(tx, r.store, day, r.days, after)
		if err != nil {
			return err
		}
		if next.Through = day.String(); next.After != "" {
			next.Through = (day - 1).String()
		}
		if next == began {
			return fmt.Errorf("the search for %s on %s does not advance", r.kind.event, day)
		}
		return nil
	})
	if err != nil || !more {
		return false, err
	}
	return true, store.Write(ctx, r.db, r.store, func(tx *db.Tx) error { return r.queue(tx, began, next, day, ids) })
}

// isUsed reports whether the occasion has any effect now.
func (r *run) isUsed(tx *db.Tx) (bool, error) {
	if r.kind.pays {
		var asked BirthdayPoints
		err := feature.React(tx, r.store, &asked)
		return asked.Given, err
	}
	templates, err := template.Load(tx, r.store)
	return err == nil && templates.Any(r.kind.event), err
}

// next returns the next day to handle, and the key to continue after. due is false when today is done.
func (r *run) next(p progress, now time.Time) (day calendar.Day, after string, due bool) {
	today := calendar.DayOf(now, r.store.Zone)
	through, known := calendar.ParseDay(p.Through)
	if !known { // the first run
		return today, "", true
	}
	day, after = through+1, p.After
	if first := today - calendar.Day(r.kind.late); day < first {
		day, after = first, ""
	}
	return day, after, day <= today
}

// queue queues messages together with the new progress, unless another node has moved it since began was read.
func (r *run) queue(tx *db.Tx, began, next progress, day calendar.Day, ids []string) error {
	customers, err := customer.LockRows(tx, r.store.Key, db.Distinct(ids))
	if err != nil {
		return err
	}
	if moved, err := began.replace(tx, r.store.Key, r.kind.event, next); err != nil || !moved {
		return err
	}
	leaving, err := erasure.Planned(tx, r.store.Key, db.Distinct(ids)...)
	if err != nil {
		return err
	}
	customers = slices.DeleteFunc(customers, func(c *customer.Customer) bool {
		return !c.IsActive() || !r.kind.pays && (!c.AgreedToMarketing() || leaving[c.ID]) ||
			!r.kind.applies(r.store, c, day, r.days)
	})
	fresh, err := r.claim(tx, day, customers)
	if err != nil || len(fresh) == 0 {
		return err
	}
	if r.kind.pays {
		tx.AfterCommit(func() { r.queued += int64(len(fresh)) })
		return feature.React(tx, r.store, Birthdays{customer.IDs(fresh)})
	}
	all := make([]message.Message, len(fresh))
	for i, c := range fresh {
		all[i] = message.To(c, r.kind.event, r.kind.values(r.days))
	}
	tx.AfterCommit(func() { r.queued += int64(len(fresh)) })
	return message.Queue(tx, r.store, all...)
}

// claim records the day for customers whose last message is long enough ago, and returns these.
func (r *run) claim(tx *db.Tx, day calendar.Day, customers []*customer.Customer) (
	fresh []*customer.Customer, err error) {
	ids := make([]string, len(customers))
	for i, c := range customers {
		ids[i] = c.ID
	}
	last, err := lastDays(tx, r.store.Key, r.kind.event, ids)
	if err != nil {
		return nil, err
	}
	var rows []*sent
	for _, c := range customers {
		if former, had := last[c.ID]; !had || int64(day)-former >= int64(r.kind.pause(r.days)) {
			fresh = append(fresh, c)
			rows = append(rows, &sent{r.store.Key, r.kind.event, c.ID, int64(day)})
		}
	}
	return fresh, sentTable.Put(tx, rows...)
}
