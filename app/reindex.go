package app

import (
	"context"
	"errors"
	"fmt"
	"io"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/search"
)

// reindexedAtOnce is how many objects one transaction indexes.
const reindexedAtOnce = 500

// Reindex clears the search index, rebuilds it from the objects, and prints its progress. The server may run meanwhile;
// searches find only what is indexed already.
func Reindex(ctx context.Context, config Database, out, logTo io.Writer) (err error) {
	d, err := openToWrite(ctx, config, logTo)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return reindexAll(ctx, d, out)
}

func reindexAll(ctx context.Context, d *db.DB, out io.Writer) error {
	var stores []store.Store
	err := d.Write(ctx, func(tx *db.Tx) (err error) {
		if stores, err = store.All(tx); err != nil {
			return err
		}
		return search.Clear(tx)
	})
	if err != nil {
		return err
	}
	for _, s := range stores {
		for _, part := range []struct {
			name    string
			reindex func(tx *db.Tx, storeKey int64, after string, limit int) (last string, done int, err error)
		}{{"customers", customer.Reindex}, {"campaigns", campaign.Reindex}} {
			if err := reindexPart(ctx, d, s, part.name, part.reindex, out); err != nil {
				return err
			}
		}
	}
	return nil
}

func reindexPart(ctx context.Context, d *db.DB, s store.Store, name string,
	reindex func(tx *db.Tx, storeKey int64, after string, limit int) (string, int, error), out io.Writer) error {
	total, last := 0, ""
	for {
		var done int
		err := d.Write(ctx, func(tx *db.Tx) (err error) {
			last, done, err = reindex(tx, s.Key, last, reindexedAtOnce)
			return err
		})
		if err != nil {
			return err
		}
		total += done
		if done == 0 || total%(20*reindexedAtOnce) == 0 {
			if _, err := fmt.Fprintf(out, "store %s: %d %s\n", s.Code, total, name); err != nil {
				return err
			}
		}
		if done == 0 {
			return nil
		}
	}
}
