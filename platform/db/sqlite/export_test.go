package sqlite

import (
	"context"
	"fmt"

	"punchcard/platform/db"
)

// LimitPages limits the file to a number of pages, or to those that it has if they are more.
func LimitPages(d *db.DB, pages int) error {
	return d.Write(context.Background(), func(tx *db.Tx) error {
		_, err := db.Value[int64](tx, fmt.Sprintf("PRAGMA max_page_count = %d", max(1, pages)))
		return err
	})
}

// OpenWithCheckpoints is Open with the number of pages in the write-ahead log at which a checkpoint is due.
func OpenWithCheckpoints(config db.Config, pages int64) (*db.DB, error) {
	return db.New(config, func(host db.Host) (db.Engine, error) {
		e, err := openEngine(host, config.File, config.ReadOnly)
		if err != nil {
			return nil, err
		}
		return e, e.Write(context.Background(), func(*db.Tx) error { // the writer's goroutine, which reads it
			e.writer.wal.pages = pages
			return nil
		})
	})
}
