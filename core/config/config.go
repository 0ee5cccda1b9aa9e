// Package config keeps what administrators configure in memory, as immutable values that all operations of a process
// share. A value is used only by operations that would read the same rows: docs/decisions/configuration.md.
package config

import "punchcard/platform/db"

// Part is a part of the configuration of a store, such as its levels, or of the installation.
type Part[T any] struct {
	tables []string
	shared bool // by all stores
	load   func(tx *db.Tx, storeKey int64) (T, error)
}

// NewPart makes a part that load reads from tables. If all stores share these, load gets db.Installation. Nobody may
// change what load returns. It must not depend on anything else, such as the time or columns of Traffic.
func NewPart[T any](load func(tx *db.Tx, storeKey int64) (T, error), tables ...*db.Schema) *Part[T] {
	p := &Part[T]{load: load, shared: true}
	for _, table := range tables {
		if !table.Configuration {
			panic(table.Name + " is no table of configuration")
		}
		p.tables = append(p.tables, table.Name)
		p.shared = p.shared && table.IsShared()
	}
	return p
}

// attempts is how often a value is read again because the configuration has changed meanwhile.
const attempts = 8

// Of returns the value of a store as the operation sees it. On PostgreSQL the first call in an operation takes a round
// trip, unless Versions was run before.
//
// All values of a store that a write gets are those of one moment. If the configuration has changed since it got
// another one, the error is db.ErrStale.
func (p *Part[T]) Of(tx *db.Tx, storeKey int64) (value T, err error) {
	if p.shared {
		storeKey = db.Installation
	}
	if tx.ChangesConfiguration(storeKey, p.tables...) {
		return p.load(tx, storeKey)
	}
	known := knownTo(tx)
	if err := tx.Run(known.missing(storeKey)...); err != nil {
		return value, err
	}
	made := &entry{id: key{p, storeKey}, seen: known.totals(storeKey), readAt: tx.ServerNow()}
	all := db.Shared(tx, sharedKey{}, newCache)
	if found, is := all.find(made.id, made.seen, made.readAt); is && !known.afresh {
		return found.(T), known.use(tx, storeKey)
	}
	if own, is := known.values[made.id]; is && own.at == made.seen {
		return own.value.(T), known.use(tx, storeKey)
	}
	for range attempts {
		if err := tx.Run(known.query(storeKey, true)); err != nil {
			return value, err
		}
		made.seen, made.version = known.totals(storeKey), known.version(storeKey, p.tables)
		found, isSame := all.findVersion(made.id, made.version, made.readAt)
		if isSame = isSame && !known.afresh; isSame {
			value = found.(T)
		} else if value, err = p.load(tx, storeKey); err != nil {
			return value, err
		} else if err := tx.Run(known.query(storeKey, false)); err != nil {
			return value, err
		}
		if known.totals(storeKey) != made.seen {
			continue // the value may be of several moments
		}
		made.value = value
		known.values[made.id] = own{value, made.seen}
		tx.Publish(func() { all.put(made, isSame) })
		return value, known.use(tx, storeKey)
	}
	return value, db.ErrBusy
}

// Afresh makes an operation read all values itself, so that the time that it takes does not show which store was in
// memory.
func Afresh(tx *db.Tx) { knownTo(tx).afresh = true }

// Versions returns what an operation reads before Of, if it has not yet. Operations send it with their first queries.
func Versions(tx *db.Tx, storeKey int64) []db.Query { return knownTo(tx).missing(storeKey) }

// VersionsAgain is Versions, also if the operation has read them. It stands after a lock that changes of the
// configuration take, too.
func VersionsAgain(tx *db.Tx, storeKey int64) db.Query { return knownTo(tx).query(storeKey, false) }
