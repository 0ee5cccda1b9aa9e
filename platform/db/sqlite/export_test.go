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
