package db_test

import (
	"errors"
	"sync"
	"testing"

	"punchcard/platform/db"
	"punchcard/platform/db/batch"
	"punchcard/platform/db/dbtest"
)

func TestStats(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		before := d.Stats()
		failure := errors.New("no")
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				err := d.Write(t.Context(), func(tx *db.Tx) error {
					if i%2 == 1 {
						return failure
					}
					_, err := tx.Exec(`UPDATE jobs SET done = 1 WHERE name = 'none'`)
					return err
				})
				if i%2 == 0 && err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		b := batch.New(d, func(_ *db.Tx, calls []int) ([]batch.Outcome[int], error) {
			return make([]batch.Outcome[int], len(calls)), nil
		})
		for range 3 {
			if _, err := b.Do(t.Context(), 1); err != nil {
				t.Error(err)
			}
		}
		s := d.Stats()
		writes, commits := s.Writes-before.Writes, s.Commits-before.Commits
		if n := s.Statements - before.Statements; n != 10 {
			t.Errorf("%d statements, want 10", n)
		}
		if writes != 13 || commits < 1 || commits > writes || s.CommitTime <= before.CommitTime || s.Retries != 0 ||
			s.Batches != 3 || s.BatchCalls != 3 || s.WritesWaiting != 0 {
			t.Errorf("%+v after %+v", s, before)
		}
		_ = d.Read(t.Context(), func(*db.Tx) error {
			if n := d.Stats().Reads; n != 1 {
				t.Errorf("%d reads", n)
			}
			return nil
		})
		sets := batch.NewRead(d, func(*db.Tx, []int) ([]batch.Outcome[int64], error) {
			return []batch.Outcome[int64]{{Value: d.Stats().Reads}}, nil
		})
		if n, err := sets.Do(t.Context(), 1); n != 1 || err != nil {
			t.Errorf("%d reads in a set, %v", n, err)
		}
	})
}
