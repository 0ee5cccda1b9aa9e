package message

import (
	"strings"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/outbound"
)

const (
	// UndeliverableTerm is how long an address gets nothing after it was refused for good. Then one message tries it
	// again: mailboxes come back, and lists end.
	UndeliverableTerm = 28 * 24 * time.Hour
	// RefusedApart is how much later a doubtful refusal must come again to be for good.
	RefusedApart = 48 * time.Hour
)

// Undeliverable is an address that was refused for good.
type Undeliverable struct {
	storeKey                 int64
	Channel, Address, Reason string
	Since                    time.Time
}

var (
	undeliverableTable = db.NewTable("undeliverable_addresses", "store_id, channel, address",
		func(u *Undeliverable) db.Row { return append(refusal(u), "reason", &u.Reason) })
	// refusedTable holds addresses that were refused doubtfully, without a reason.
	refusedTable = db.NewTable("refused_addresses", "store_id, channel, address", refusal)
)

func refusal(u *Undeliverable) db.Row {
	return db.Row{"store_id", &u.storeKey, "channel", &u.Channel, "address", &u.Address, "since", db.Time(&u.Since)}
}

// judge returns the outcome of an attempt with what earlier ones to the address say about it, and remembers what this
// one says.
func judge(tx *db.Tx, d *Delivery, o outbound.Outcome) (outbound.Outcome, error) {
	channel, _ := d.channel()
	switch {
	case d.toAdministrator() || d.toBrowser() || d.toNotifications():
		return o, nil
	case o.OK():
		return o, trust(tx, d.StoreKey, channel, d.Address)
	case o.Doubtful:
		again, err := doubt(tx, d.StoreKey, channel, d.Address)
		if err != nil || !again {
			return o, err
		}
		o.Gone, o.Hopeless = true, true
	}
	if !o.Gone {
		return o, nil
	}
	return o, markUndeliverable(tx, d.StoreKey, channel, d.Address, o.Problem)
}

// doubt remembers a doubtful refusal. again is true if an earlier one is RefusedApart ago.
func doubt(tx *db.Tx, storeKey int64, channel, address string) (again bool, err error) {
	now := tx.ServerNow()
	if _, err = refusedTable.InsertNew(tx, &Undeliverable{storeKey, channel, address, "", now}); err != nil {
		return false, err
	}
	n, err := db.Value[int](tx, `SELECT COUNT(*) FROM refused_addresses
		WHERE store_id = ? AND channel = ? AND address = ? AND since <= ?`,
		storeKey, channel, address, now.Add(-RefusedApart).UnixMicro())
	return n > 0, err
}

// trust forgets doubtful refusals of an address.
func trust(tx *db.Tx, storeKey int64, channel, address string) error {
	_, err := tx.Exec(`DELETE FROM refused_addresses WHERE store_id = ? AND channel = ? AND address = ?`,
		storeKey, channel, address)
	return err
}

// markUndeliverable stores that an address was refused for good. A mark that has ended begins anew.
func markUndeliverable(tx *db.Tx, storeKey int64, channel, address, reason string) error {
	if err := trust(tx, storeKey, channel, address); err != nil {
		return err
	}
	return undeliverableTable.Put(tx, &Undeliverable{storeKey, channel, address, reason, tx.ServerNow()})
}

// marksSince returns the time since which marks have not ended.
func marksSince(tx *db.Tx) int64 { return tx.ServerNow().Add(-UndeliverableTerm).UnixMicro() }

// undeliverable returns which of some addresses are.
func undeliverable(tx *db.Tx, storeKey int64, addresses ...string) ([]Undeliverable, error) {
	q := db.NewSQL(`SELECT * FROM undeliverable_addresses WHERE store_id = ?`, storeKey)
	q.And(`channel IN ?`, db.List(channels)).And(`address IN ?`, db.List(addresses)).And(`since > ?`, marksSince(tx))
	return undeliverableTable.All(tx, "?", q.Add(` ORDER BY channel, address`))
}

func isUndeliverable(tx *db.Tx, storeKey int64, channel, address string) (bool, error) {
	n, err := db.Value[int](tx, `SELECT COUNT(*) FROM undeliverable_addresses
		WHERE store_id = ? AND channel = ? AND address = ? AND since > ?`, storeKey, channel, address, marksSince(tx))
	return n > 0, err
}

// deliverable forgets that some addresses were refused.
func deliverable(tx *db.Tx, storeKey int64, addresses ...string) error {
	for _, known := range []string{"undeliverable_addresses", "refused_addresses"} {
		q := db.NewSQL(`DELETE FROM `+known+` WHERE store_id = ?`, storeKey)
		q.And(`channel IN ?`, db.List(channels)).And(`address IN ?`, db.List(addresses))
		if _, err := tx.Exec(q.Text(), q.Args()...); err != nil {
			return err
		}
	}
	return nil
}

// removeEnded deletes at most limit rows of a table of refusals, of all stores, whose term is over.
func removeEnded(tx *db.Tx, table string, limit int) (int64, error) {
	return tx.DeleteSome(table, "store_id, channel, address",
		db.NewSQL("since <= ? ORDER BY since", marksSince(tx)), limit)
}

// refusals selects addresses that were refused for good. Empty members select all.
type refusals struct {
	Channel     string
	Reason      string // a part of it, in any case
	From, Until time.Time
}

// and adds the conditions to a query.
func (f *refusals) and(tx *db.Tx, q *db.SQL) *db.SQL {
	q.And(`since > ?`, marksSince(tx))
	if f.Channel != "" {
		q.And(`channel = ?`, f.Channel)
	}
	if f.Reason != "" {
		q.And(`LOWER(reason) LIKE ? ESCAPE '\'`, db.Containing(strings.ToLower(f.Reason)))
	}
	if !f.From.IsZero() {
		q.And(`since >= ?`, f.From.UnixMicro())
	}
	if !f.Until.IsZero() {
		q.And(`since <= ?`, f.Until.UnixMicro())
	}
	return q
}

// listRefusals returns a page of the addresses that were refused for good, the last ones first. total stops counting at
// delivery.CountLimit.
func listRefusals(tx *db.Tx, storeKey int64, f *refusals, limit, offset int) (found []Undeliverable, total int,
	err error) {
	from := f.and(tx, db.NewSQL(`FROM undeliverable_addresses WHERE store_id = ?`, storeKey))
	page := from.Select(`*`)
	page.Add(` ORDER BY since DESC, channel, address LIMIT ? OFFSET ?`, limit, offset)
	if found, err = undeliverableTable.All(tx, "?", page); err != nil {
		return nil, 0, err
	}
	counted := db.NewSQL(`SELECT COUNT(*) FROM (? LIMIT ?) AS listed`, from.Select("1"), delivery.CountLimit)
	total, err = db.Value[int](tx, counted.Text(), counted.Args()...)
	return found, total, err
}

// forgive forgets refusals for good, and returns how many.
func forgive(tx *db.Tx, storeKey int64, f *refusals) (int64, error) {
	q := f.and(tx, db.NewSQL(`DELETE FROM undeliverable_addresses WHERE store_id = ?`, storeKey))
	return tx.Exec(q.Text(), q.Args()...)
}

// RefusedHour is how many addresses of a channel were refused in an hour, for good or doubtfully.
type RefusedHour struct {
	Channel   string
	Hour      time.Time // its beginning
	Addresses int
}

// RefusedHours returns the worst hour of each channel since a time with at least so many refused addresses, among the
// newest delivery.CountLimit.
func RefusedHours(tx *db.Tx, storeKey int64, since time.Time, least int) (worst []RefusedHour, err error) {
	var hours []RefusedHour
	var hour int64
	err = db.Each(tx, func(r *RefusedHour) []any { return []any{&r.Channel, &hour, &r.Addresses} }, func(r RefusedHour) {
		r.Hour = time.Unix(hour*int64(time.Hour/time.Second), 0).UTC()
		hours = append(hours, r)
	}, `SELECT channel, hour, COUNT(*) FROM (
			SELECT * FROM (SELECT channel, since / 3600000000 AS hour FROM undeliverable_addresses
				WHERE store_id = ? AND since >= ? ORDER BY since DESC LIMIT ?) AS gone
			UNION ALL
			SELECT * FROM (SELECT channel, since / 3600000000 AS hour FROM refused_addresses
				WHERE store_id = ? AND since >= ? ORDER BY since DESC LIMIT ?) AS doubtful) AS refused
		GROUP BY channel, hour HAVING COUNT(*) >= ? ORDER BY COUNT(*) DESC, hour DESC`,
		storeKey, since.UnixMicro(), delivery.CountLimit, storeKey, since.UnixMicro(), delivery.CountLimit, least)
	for _, channel := range channels {
		for _, h := range hours {
			if h.Channel == channel {
				worst = append(worst, h)
				break
			}
		}
	}
	return worst, err
}

// CountUndeliverable returns how many addresses of all stores were refused, up to 10000.
func CountUndeliverable(tx *db.Tx) (int64, error) {
	return db.Value[int64](tx, `SELECT COUNT(*) FROM (SELECT 1 AS one FROM undeliverable_addresses LIMIT 10000) AS found`)
}
