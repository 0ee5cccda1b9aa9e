package db

import (
	"context"
	"fmt"
)

// Readers is how many connections read from a SQLite file.
const Readers = sqliteReaders

// Waiting is how many operations wait for SQLite's writer.
func (d *DB) Waiting() int { return len(d.engine.(*sqliteEngine).writer.queue) }

// LimitPages bounds the SQLite file to so many pages, and to those that it has when these are more.
func (d *DB) LimitPages(pages int) error {
	return d.Write(context.Background(), func(tx *Tx) error {
		_, err := Value[int64](tx, fmt.Sprintf("PRAGMA max_page_count = %d", max(1, pages)))
		return err
	})
}

// KeepLog makes SQLite's log due for copying at so many pages.
func (d *DB) KeepLog(pages int64) error {
	return d.Write(context.Background(), func(*Tx) error { // the writer's goroutine, which reads it
		d.engine.(*sqliteEngine).writer.log.pages = pages
		return nil
	})
}
