package db

import (
	"context"
	"fmt"
)

// Readers is the number of reading connections of a SQLite file.
const Readers = sqliteReaders

// Waiting returns how many operations wait for SQLite's writer.
func (d *DB) Waiting() int { return len(d.engine.(*sqliteEngine).writer.queue) }

// LimitPages limits the SQLite file to a number of pages, or to those that it has if they are more.
func (d *DB) LimitPages(pages int) error {
	return d.Write(context.Background(), func(tx *Tx) error {
		_, err := Value[int64](tx, fmt.Sprintf("PRAGMA max_page_count = %d", max(1, pages)))
		return err
	})
}

// CheckpointAt sets the number of pages in the write-ahead log at which a checkpoint is due.
func (d *DB) CheckpointAt(pages int64) error {
	return d.Write(context.Background(), func(*Tx) error { // the writer's goroutine, which reads it
		d.engine.(*sqliteEngine).writer.wal.pages = pages
		return nil
	})
}
