package db

import (
	"strconv"
	"sync"
)

// Memo caches values for batches of reads that see the same data: nothing was committed in between. The values
// are of the same second of the operation's clock. It serves values that many clients read and that are
// expensive; while there are many writes, it has nothing.
type Memo[K comparable, V any] struct {
	limit  int
	mutex  sync.Mutex
	stored map[querier]*versionValues[K, V] // the newest version of each connection that counts for itself
}

type versionValues[K comparable, V any] struct {
	text   string
	values map[memoKey[K]]V
}

type memoKey[K comparable] struct {
	second int64 // since 1970
	key    K
}

// NewMemo returns a memo for a number of values. It drops all of them at the limit.
func NewMemo[K comparable, V any](limit int) *Memo[K, V] {
	return &Memo[K, V]{limit: limit, stored: map[querier]*versionValues[K, V]{}}
}

// Find returns the value for the version of the data that tx sees. It finds nothing before tx.FindVersion.
func (m *Memo[K, V]) Find(tx *Tx, key K) (value V, found bool) {
	if tx.version.text == "" {
		return value, false
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if stored := m.stored[tx.version.of]; stored != nil && stored.text == tx.version.text {
		value, found = stored.values[memoKey[K]{tx.Now().Unix(), key}]
	}
	return value, found
}

// Keep stores a value that was read after tx.FindVersion. The value must not be changed afterwards.
func (m *Memo[K, V]) Keep(tx *Tx, key K, value V) {
	if tx.version.text == "" {
		return
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	stored := m.stored[tx.version.of]
	if stored == nil || stored.text != tx.version.text || len(stored.values) >= m.limit {
		stored = &versionValues[K, V]{tx.version.text, map[memoKey[K]]V{}}
		m.stored[tx.version.of] = stored
	}
	stored.values[memoKey[K]{tx.Now().Unix(), key}] = value
}

// version identifies the data that a batch of reads sees. The zero version is unknown.
type version struct {
	of   querier // the connection that counts it; nil where all count alike
	text string
}

// FindVersion reads the version of the data that a batch of reads sees. In other operations it stays unknown,
// because they may see their own writes, or later commits.
func (tx *Tx) FindVersion() (err error) {
	if tx.batched {
		tx.version, err = tx.db.engine.version(tx)
	}
	return err
}

// version counts how often other connections changed the data that this connection sees.
func (e *sqliteEngine) version(tx *Tx) (version, error) {
	changes, err := Value[int64](tx, `PRAGMA data_version`)
	return version{tx.on, strconv.FormatInt(changes, 10)}, err
}

// version is the snapshot's set of ended transactions. Later statements may see more.
func (e *postgresEngine) version(tx *Tx) (version, error) {
	text, err := Value[string](tx, `SELECT CAST(pg_current_snapshot() AS TEXT)`)
	return version{nil, text}, err
}
