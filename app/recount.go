package app

import (
	"context"
	"errors"
	"fmt"
	"io"

	"punchcard/core/store"
	"punchcard/loyalty/analytics"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
)

// Recount corrects the sums of analytics and the places of customers in sorted lists by the rows of each store, and
// prints how many sums it has changed. The server may run meanwhile. Writes keep both exact, so there is something to
// correct only after a change by hand or a fault.
func Recount(ctx context.Context, config Database, out, logTo io.Writer) (err error) {
	d, err := openToWrite(ctx, config, logTo)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	var stores []store.Store
	if err := d.Read(ctx, func(tx *db.Tx) error {
		stores, err = store.All(tx)
		return err
	}); err != nil {
		return err
	}
	for i := range stores {
		if _, err := analytics.Recompute(ctx, d, &stores[i]); err != nil { // of a store that was never computed
			return err
		}
		changed, err := analytics.Correct(ctx, d, &stores[i])
		if err != nil {
			return err
		}
		if err := customer.RankAll(ctx, d, &stores[i]); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "store %s: %d sums corrected\n", stores[i].Code, changed); err != nil {
			return err
		}
	}
	return nil
}
