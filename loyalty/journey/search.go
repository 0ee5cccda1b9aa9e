package journey

import (
	"context"
	"fmt"
	"slices"

	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

const (
	// chunk is how many customers one transaction changes: few, so that other writes do not wait long.
	chunk = 50
	// searched is how many customers one transaction examines, where few of them are found.
	searched = 500
)

// search lets the customers enter for whom a day is the occasion. It returns their number.
func (svc *Service) search(ctx context.Context, d *db.DB, s *store.Store, id string) (entered int64, err error) {
	for more := true; more && err == nil && ctx.Err() == nil; {
		var n int64
		n, more, err = svc.searchSome(ctx, d, s, id)
		entered += n
	}
	return entered, err
}

// searchSome continues the search. more is false when today's is complete. Progress is stored with what was found.
func (svc *Service) searchSome(ctx context.Context, d *db.DB, s *store.Store, id string) (
	n int64, more bool, err error) {
	var began, next *Journey
	var found []finding
	err = store.Read(ctx, d, s, func(tx *db.Tx) error {
		more = false
		if tx.Now().In(s.Zone).Format("15:04") < s.Settings.OccasionTime() {
			return nil
		}
		var err error
		if began, err = findJourney(tx, s.Key, id); err != nil || !began.Active {
			return err
		}
		day, after, due := began.nextDay(calendar.DayOf(tx.Now(), s.Zone))
		if more = due; !due {
			return nil
		}
		moved := *began
		next = &moved
		if next.FirstDay == "" {
			next.FirstDay = day.String()
		}
		if found, next.After, err = recipeOf(began.Recipe).find(tx, s, began, day, after); err != nil {
			return err
		}
		if next.Through = day.String(); next.After != "" {
			next.Through = (day - 1).String()
		}
		if next.After != "" && next.After == after {
			return fmt.Errorf("the search of journey %s on %s does not advance", id, day)
		}
		if recipeOf(began.Recipe).lasts && day.String() == next.FirstDay {
			for i := range found {
				found[i].reason, found[i].dueAt = reasonBefore, tx.Now()
			}
		}
		found, err = fresh(tx, s, began, found)
		return err
	})
	if err != nil || !more {
		return 0, false, err
	}
	return int64(len(found)), true, store.Write(ctx, d, s, func(tx *db.Tx) error {
		j, err := lock(tx, s.Key, id)
		if err != nil || !j.Active || j.Through != began.Through || j.After != began.After ||
			!j.ActiveSince.Equal(began.ActiveSince) {
			return err // turned off or moved by another node since
		}
		j.FirstDay, j.Through, j.After = next.FirstDay, next.Through, next.After
		if err := enter(tx, j, found...); err != nil {
			return err
		}
		return saveProgress(tx, j)
	})
}

// nextDay returns the next day to search, and the key to continue after. due is false when today is done.
func (j *Journey) nextDay(today calendar.Day) (day calendar.Day, after string, due bool) {
	through, known := calendar.ParseDay(j.Through)
	if !known { // since it was turned on
		return today, "", true
	}
	day, after = through+1, j.After
	if first := today - calendar.Day(recipeOf(j.Recipe).late); day < first {
		day, after = first, ""
	}
	return day, after, day <= today
}

// fresh leaves out customers who entered a journey too short a time ago.
func fresh(tx *db.Tx, s *store.Store, j *Journey, found []finding) ([]finding, error) {
	pause := recipeOf(j.Recipe).pause
	if pause == 0 || len(found) == 0 {
		return found, nil
	}
	ids := make([]string, len(found))
	for i, f := range found {
		ids[i] = f.customerID
	}
	first := calendar.DayOf(tx.Now(), s.Zone) - calendar.Day(pause) + 1
	had, err := recent(tx, j, first.Start(s.Zone), ids)
	return slices.DeleteFunc(found, func(f finding) bool { return had[f.customerID] }), err
}
