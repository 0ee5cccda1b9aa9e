package db

import (
	"strconv"
	"sync"
)

// Memo keeps what sets of reads found for those after them that see the same of the database: nothing that can be seen
// has been committed in between, by whomever. What is kept is also of the same second of the operation's clock, so what
// depends on the time is late by less than that. It is for what many ask alike and what takes much to read; where there
// are writes all the time, nothing is found in it.
type Memo[K comparable, V any] struct {
	limit int
	mutex sync.Mutex
	kept  map[querier]*keptVersion[K, V] // the newest version of each connection that counts for itself
}

type keptVersion[K comparable, V any] struct {
	text   string
	values map[keptKey[K]]V
}

type keptKey[K comparable] struct {
	second int64 // since 1970
	key    K
}

// NewMemo returns a memo that keeps so many values of a version; past the limit all are forgotten.
func NewMemo[K comparable, V any](limit int) *Memo[K, V] {
	return &Memo[K, V]{limit: limit, kept: map[querier]*keptVersion[K, V]{}}
}

// Find returns what was kept of the version of the database that tx sees. Nothing is found before tx.FindVersion.
func (m *Memo[K, V]) Find(tx *Tx, key K) (value V, found bool) {
	if tx.version.text == "" {
		return value, false
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if kept := m.kept[tx.version.of]; kept != nil && kept.text == tx.version.text {
		value, found = kept.values[keptKey[K]{tx.Now().Unix(), key}]
	}
	return value, found
}

// Keep keeps what was read after tx.FindVersion, by which it is not older than the version. Nobody may change it.
func (m *Memo[K, V]) Keep(tx *Tx, key K, value V) {
	if tx.version.text == "" {
		return
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	kept := m.kept[tx.version.of]
	if kept == nil || kept.text != tx.version.text || len(kept.values) >= m.limit {
		kept = &keptVersion[K, V]{tx.version.text, map[keptKey[K]]V{}}
		m.kept[tx.version.of] = kept
	}
	kept.values[keptKey[K]{tx.Now().Unix(), key}] = value
}

// version names what can be seen of the database; the zero one is not known.
type version struct {
	of   querier // the connection that counts it; nil where all count alike
	text string
}

// FindVersion asks which version of the database a set of reads sees. Of other operations it stays unknown: what they
// see may be their own, or change between two statements.
func (tx *Tx) FindVersion() (err error) {
	if tx.ofSet {
		tx.version, err = tx.db.engine.version(tx)
	}
	return err
}

// version is counted by each connection for itself: how often others have changed what it sees.
func (e *sqliteEngine) version(tx *Tx) (version, error) {
	changes, err := Value[int64](tx, `PRAGMA data_version`)
	return version{tx.on, strconv.FormatInt(changes, 10)}, err
}

// version is the name of the snapshot: which transactions had ended. Statements that follow may see more.
func (e *postgresEngine) version(tx *Tx) (version, error) {
	text, err := Value[string](tx, `SELECT CAST(pg_current_snapshot() AS TEXT)`)
	return version{nil, text}, err
}
