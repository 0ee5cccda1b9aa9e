package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/batch"
)

// inserts is the rate of a bare insert loop in rows per second, with commits like the product's:
// one row in each transaction, and batched, by number of goroutines.
type inserts struct {
	alone   float64
	batched map[int]float64
}

// insertValue is about as long as the text of a purchase.
var insertValue = strings.Repeat("x", 300)

func measureInserts(ctx context.Context, e *engine, o *options) (found inserts, err error) {
	c, err := e.copy()
	if err != nil {
		return found, err
	}
	found.batched = map[int]float64{}
	err = within(ctx, c.config, func(d *db.DB) error {
		if err := d.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(`CREATE TABLE bare (id TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)`)
			return err
		}); err != nil {
			return err
		}
		if found.alone, err = insertsBy(ctx, 1, o.measure, func() error {
			return d.Write(ctx, func(tx *db.Tx) error { return insertBare(tx, 1) })
		}); err != nil {
			return err
		}
		batch := batch.New(d, func(tx *db.Tx, calls []struct{}) ([]batch.Outcome[struct{}], error) {
			return make([]batch.Outcome[struct{}], len(calls)), insertBare(tx, len(calls))
		})
		for _, n := range o.connections {
			if found.batched[n], err = insertsBy(ctx, n, o.measure, func() error {
				_, err := batch.Do(ctx, struct{}{})
				return err
			}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return found, fmt.Errorf("bare inserts: %w", err)
	}
	return found, c.remove()
}

func insertBare(tx *db.Tx, n int) error {
	rows := make([][]any, n)
	for i := range rows {
		rows[i] = []any{tx.NewID(), insertValue}
	}
	return tx.Insert("bare", "id, value", "", rows...)
}

// insertsBy inserts with n goroutines and returns rows per second.
func insertsBy(ctx context.Context, n int, span time.Duration, insert func() error) (float64, error) {
	began := time.Now()
	var rows atomic.Int64
	failures := make(chan error, n)
	var running sync.WaitGroup
	for range n {
		running.Go(func() {
			for time.Since(began) < span && ctx.Err() == nil {
				if err := insert(); err != nil {
					failures <- err
					return
				}
				rows.Add(1)
			}
		})
	}
	running.Wait()
	close(failures)
	for err := range failures {
		return 0, err
	}
	return float64(rows.Load()) / time.Since(began).Seconds(), ctx.Err()
}
