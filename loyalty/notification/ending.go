package notification

import (
	"context"
	"time"

	"punchcard/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// lookedAt is how many accounts one step looks at for points that end.
const lookedAt = 500

// ending is what ends on a day, some of it: a key to go on behind, empty when there is no more.
type ending struct {
	notices []Notification
	next    string
}

// find looks for what ends on the day, behind a key.
type find func(tx *db.Tx, s *store.Store, day time.Time, after string) (ending, error)

// notices are the kinds of what ends, with the setting that says how many days before its end a customer is told.
var notices = []struct {
	kind string
	days func(s *store.Settings) int
	find find
}{
	{PointsEnding, func(s *store.Settings) int { return s.ExpirePointsNotificationDays }, pointsEnding},
	{CouponEnding, func(s *store.Settings) int { return s.ExpireCouponsNotificationDays }, couponsEnding},
	{LevelEnding, func(s *store.Settings) int { return s.ExpireLevelsNotificationDays }, levelsEnding},
}

// NotifyEndings is the job of what ends in n days (program-api 4.13): once in every day of a store's time zone it tells
// customers of what ends on the day that is n days ahead. Days that were missed are made up for, unless they are over.
// How far it is is stored with every step. It returns how many customers were told.
func NotifyEndings(ctx context.Context, d *db.DB, s *store.Store) (total int64, err error) {
	if !s.Active {
		return 0, nil
	}
	for _, n := range notices {
		t := &reminder{db: d, store: s, kind: n.kind, days: n.days(&s.Settings), find: n.find}
		for more := true; more && err == nil && ctx.Err() == nil; {
			more, err = t.step(ctx)
		}
		total += t.notified
	}
	return total, err
}

// teller tells of one kind of endings in one store.
type reminder struct {
	db       *db.DB
	store    *store.Store
	kind     string
	days     int // ahead
	find     find
	notified int64
}

// position is how far a store's customers have been told of a kind of endings.
type position struct {
	Through string // the last day that is done, YYYY-MM-DD
	After   string // the key behind which the next day goes on
}

func (p *position) row() []any { return []any{&p.Through, &p.After} }

// step tells some customers of what ends on the next day; more is false when today's work is done.
func (t *reminder) step(ctx context.Context) (more bool, err error) {
	var began, next position
	var found ending
	err = t.db.Read(ctx, func(tx *db.Tx) (err error) {
		t.store.EnterTime(tx)
		if began, _, err = t.position(tx, ""); err != nil {
			return err
		}
		day, behind, due := t.day(began, tx.Now)
		if more = due; !due {
			return nil
		}
		if found, err = t.find(tx, t.store, day, behind); err != nil {
			return err
		}
		if next = (position{began.Through, found.next}); found.next == "" {
			next.Through = day.Format(time.DateOnly)
		} else {
			next.Through = day.AddDate(0, 0, -1).Format(time.DateOnly)
		}
		return nil
	})
	if err != nil || !more {
		return false, err
	}
	return true, t.db.Write(ctx, func(tx *db.Tx) error {
		t.store.EnterTime(tx)
		return t.notify(tx, began, next, found.notices)
	})
}

// day is the next day to be done, at its beginning, and the key behind which it goes on; due is false when that day is
// still too far ahead. Days before today are passed over, and the first time begins with the day that is due today.
func (t *reminder) day(p position, now time.Time) (day time.Time, after string, due bool) {
	year, month, date := now.In(t.store.Zone).Date()
	at := func(days int) time.Time { return time.Date(year, month, date+days, 0, 0, 0, 0, t.store.Zone) }
	target := at(t.days)
	through, err := time.ParseInLocation(time.DateOnly, p.Through, t.store.Zone)
	if err != nil { // nothing was ever done
		return target, "", true
	}
	day, after = through.AddDate(0, 0, 1), p.After
	if today := at(0); day.Before(today) {
		day, after = today, ""
	}
	return day, after, !day.After(target)
}

// tell stores notices with how far that is, unless another node was faster.
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
	if !found {
		inserted, err := tx.InsertNew("ending_notices", "store_id, kind, through, after_id",
			[]any{t.store.Key, t.kind, next.Through, next.After})
		if err != nil || !inserted {
			return err
		}
	} else if _, err := tx.Exec(`UPDATE ending_notices SET through = $3, after_id = $4 WHERE store_id = $1 AND kind = $2`,
		t.store.Key, t.kind, next.Through, next.After); err != nil {
		return err
	}
	var all []Notification
	for _, n := range notices {
		if active[n.CustomerID] {
			n.Kind = t.kind
			all = append(all, n)
		}
	}
	tx.AfterCommit(func() { t.notified += int64(len(all)) })
	return post(tx, t.store.Key, all)
}

func (t *reminder) position(tx *db.Tx, ending string) (position, bool, error) {
	return db.One(tx, (*position).row, `SELECT through, after_id FROM ending_notices
		WHERE store_id = $1 AND kind = $2`+ending, t.store.Key, t.kind)
}

func couponsEnding(tx *db.Tx, s *store.Store, day time.Time, after string) (e ending, err error) {
	found, last, err := purchase.Ending(tx, s.Key, day, day.AddDate(0, 0, 1), after, chunk)
	for i := range found {
		p := &found[i]
		e.notices = append(e.notices, Notification{CustomerID: p.CustomerID, SubjectID: p.CouponID, Details: Details{
			Name: p.CampaignName, CampaignID: p.CampaignID, Code: p.Code, EndsAt: p.ActiveTo.UnixMicro(),
		}})
	}
	if len(found) == chunk {
		e.next = last
	}
	return e, err
}

func levelsEnding(tx *db.Tx, s *store.Store, day time.Time, after string) (e ending, err error) {
	found, next, err := customer.LevelsEnding(tx, s, day, after, chunk)
	if err != nil || len(found) == 0 {
		return ending{next: next}, err
	}
	levels, err := level.All(tx, s.Key)
	if err != nil {
		return e, err
	}
	languages, err := store.AllLanguages(tx)
	locale := api.Locale{Wanted: languages.Default(), Default: languages.Default()}
	for _, f := range found {
		if l := level.Find(levels, f.LevelID); l != nil && l.ConditionValue > 0 { // there is nothing below the first one
			e.notices = append(e.notices, Notification{CustomerID: f.CustomerID, SubjectID: f.LevelID, Details: Details{
				Name: l.Name(locale), EndsAt: day.UnixMicro(),
			}})
		}
	}
	e.next = next
	return e, err
}

// pointsEnding looks at many accounts for the few whose points end: as many as one transaction tells.
func pointsEnding(tx *db.Tx, s *store.Store, day time.Time, after string) (e ending, err error) {
	found, last, more, err := points.EndingBetween(tx, s, day, day.AddDate(0, 0, 1), after, lookedAt)
	if e.next = last; !more {
		e.next = ""
	}
	if len(found) > chunk {
		found, e.next = found[:chunk], found[chunk-1].CustomerID
	}
	for _, f := range found {
		e.notices = append(e.notices, Notification{CustomerID: f.CustomerID, Details: Details{
			Points: f.Points, EndsAt: f.EndsAt.UnixMicro(),
		}})
	}
	return e, err
}
