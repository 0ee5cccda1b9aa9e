package app

import (
	"context"
	"errors"
	"fmt"
	"io"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
)

// repairedAtOnce is how many customers one transaction repairs.
const repairedAtOnce = 500

// Repair writes the keys by which customers are found and compared, after the country of a store or the rules of keys
// have changed. It prints customers who have the key of another one, and leaves them as they are. Unless apply is set,
// it only prints what it would do. The server may run meanwhile.
func Repair(ctx context.Context, config Database, apply bool, out, logTo io.Writer) (err error) {
	open := openToRead
	if apply {
		open = openToWrite
	}
	d, err := open(ctx, config, logTo)
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
		if err := repairStore(ctx, d, &customer.Repairer{Store: &stores[i], DryRun: !apply}, out); err != nil {
			return err
		}
	}
	if !apply {
		_, err = fmt.Fprintln(out, "nothing was changed: run it again with --apply")
	}
	return err
}

func repairStore(ctx context.Context, d *db.DB, r *customer.Repairer, out io.Writer) error {
	within := d.Write
	if r.DryRun {
		within = d.Read
	}
	repaired, alike := 0, 0
	for last, more := "", true; more; more = last != "" {
		var next string
		var mended []customer.Mended
		err := within(ctx, func(tx *db.Tx) (err error) {
			next, mended, err = r.Repair(tx, last, repairedAtOnce)
			return err
		})
		if err != nil {
			return err
		}
		last = next
		for _, m := range mended {
			if m.Field == "" {
				repaired++
				continue
			}
			alike++
			if _, err := fmt.Fprintf(out, "store %s: the customers %s and %s have the same %s\n",
				r.Store.Code, m.Other, m.ID, m.Field); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintf(out, "store %s: keys of %d customers, %d with the key of another one\n",
		r.Store.Code, repaired, alike)
	return err
}
