package config

import "punchcard/platform/db"

// totals are the versions of all tables: of a store, and of the installation.
type totals [2]int64

// known holds the versions that an operation has read.
type known struct {
	byStore map[int64]int64      // the version of all tables of a store
	byTable map[db.Version]int64 // of each table; Number is not set
	usedAt  map[int64]totals     // at which it got values of a store
	values  map[key]own          // that it has read itself
	afresh  bool                 // see Afresh
}

type own struct {
	value any
	at    totals
}

type knownKey struct{}

func knownTo(tx *db.Tx) *known {
	return db.Keep(tx, knownKey{}, func() *known {
		return &known{
			byStore: map[int64]int64{}, byTable: map[db.Version]int64{}, usedAt: map[int64]totals{}, values: map[key]own{},
		}
	})
}

func (k *known) totals(storeKey int64) totals {
	return totals{k.byStore[storeKey], k.byStore[db.Installation]}
}

// version returns a number that grows with each change of the tables.
func (k *known) version(storeKey int64, tables []string) (sum int64) {
	for _, table := range tables {
		sum += k.byTable[db.Version{StoreKey: db.Installation, Table: table}]
		if storeKey != db.Installation {
			sum += k.byTable[db.Version{StoreKey: storeKey, Table: table}]
		}
	}
	return sum
}

// missing returns the query for the versions of a store, if they are not known.
func (k *known) missing(storeKey int64) []db.Query {
	if _, is := k.byStore[storeKey]; is {
		return nil
	}
	return []db.Query{k.query(storeKey, false)}
}

// query returns the query for the versions of a store. That of the installation has always a row.
func (k *known) query(storeKey int64, each bool) db.Query {
	return db.SelectVersions(storeKey, each, func(v db.Version) {
		if v.Table != "" {
			k.byTable[db.Version{StoreKey: v.StoreKey, Table: v.Table}] = v.Number
			return
		}
		k.byStore[v.StoreKey] = v.Number
		if _, is := k.byStore[storeKey]; !is {
			k.byStore[storeKey] = 0
		}
	})
}

// use returns db.ErrStale if a write has used values of another moment.
func (k *known) use(tx *db.Tx, storeKey int64) error {
	for key, before := range k.usedAt {
		if tx.Writes() && before != k.totals(key) {
			return db.ErrStale
		}
	}
	k.usedAt[storeKey] = k.totals(storeKey)
	return nil
}
