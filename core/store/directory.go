package store

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"punchcard/platform/db"
)

// directoryAge is how long a Directory caches what it has read. Changes on another node are visible after this time,
// changes on this node at once.
const directoryAge = time.Second

// Directory caches all stores and languages, which every request needs. There are few, and they rarely change.
type Directory struct {
	db *db.DB

	mutex     sync.Mutex
	readAt    time.Time
	byCode    map[string]*Store
	byKey     map[int64]*Store
	languages Languages
}

// NewDirectory returns a directory that reads from d.
func NewDirectory(d *db.DB) *Directory { return &Directory{db: d} }

// ByCode finds a store by its code, whose case counts. found is false for an inactive store, which is returned, too.
func (d *Directory) ByCode(ctx context.Context, code string) (*Store, bool, error) {
	byCode, _, _, err := d.fresh(ctx)
	s, found := byCode[code]
	return s, found && s.Active, err
}

// ByKey finds a store, active or not, by its key.
func (d *Directory) ByKey(ctx context.Context, key int64) (*Store, bool, error) {
	_, byKey, _, err := d.fresh(ctx)
	s, found := byKey[key]
	return s, found, err
}

// Active returns the stores that are active, in the order of their creation.
func (d *Directory) Active(ctx context.Context) ([]*Store, error) {
	_, byKey, _, err := d.fresh(ctx)
	var active []*Store
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		if s := byKey[key]; s.Active {
			active = append(active, s)
		}
	}
	return active, err
}

// Languages returns all languages in their order.
func (d *Directory) Languages(ctx context.Context) (Languages, error) {
	_, _, languages, err := d.fresh(ctx)
	return languages, err
}

// Forget empties the cache, after a change.
func (d *Directory) Forget() {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.readAt = time.Time{}
}

func (d *Directory) fresh(ctx context.Context) (map[string]*Store, map[int64]*Store, Languages, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if age := d.db.Now().Sub(d.readAt); age >= 0 && age < directoryAge {
		return d.byCode, d.byKey, d.languages, nil
	}
	err := d.db.Read(db.Committed(ctx), func(tx *db.Tx) error {
		stores, err := All(tx)
		if err != nil {
			return err
		}
		if d.languages, err = AllLanguages(tx); err != nil {
			return err
		}
		d.byCode, d.byKey = map[string]*Store{}, map[int64]*Store{}
		for i := range stores {
			d.byCode[stores[i].Code], d.byKey[stores[i].Key] = &stores[i], &stores[i]
		}
		d.readAt = d.db.Now()
		return nil
	})
	return d.byCode, d.byKey, d.languages, err
}
