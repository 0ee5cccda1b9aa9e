package dataimport

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// The states of an import that is taken back.
const (
	Undoing = "undoing"
	Undone  = "undone"
)

// The outcomes of undoing a record. All but OutcomeUndone leave something, and are listed.
const (
	OutcomeUndone  = "undone"
	OutcomePartly  = "partly"  // points were spent meanwhile
	OutcomeChanged = "changed" // the object changed since
	OutcomeUsed    = "used"    // a new customer has earned, bought or logged in
	OutcomeGone    = "gone"    // the object was deleted
	OutcomeTaken   = "taken"   // a former value has another owner now
)

// Outcomes lists the outcomes.
var Outcomes = []string{
	OutcomeUndone, OutcomePartly, OutcomeChanged, OutcomeUsed, OutcomeGone, OutcomeTaken,
}

// Effect identifies the object that a record made or changed.
type Effect struct {
	storeKey int64
	importID string
	Record   int64
	ObjectID string
	Former   json.RawMessage // of Result.Former; empty if the record made the object
	Version  int64           // of Result.Version
	Outcome  string
}

var effectTable = db.NewTable("import_effects", "store_id, import_id, record", func(e *Effect) db.Row {
	return db.Row{
		"store_id", &e.storeKey, "import_id", &e.importID, "record", &e.Record, "object_id", &e.ObjectID,
		"former", db.JSON(&e.Former), "version", &e.Version, "outcome", &e.Outcome,
	}
})

var (
	errNotUndoable = fault.New(fault.Refused, "import_not_undoable",
		"This import cannot be undone: it is in progress, changed nothing, was undone already, or is of another kind.")
	errUndoLeft = errors.New("another run undoes the import")
)

// insertEffects stores what the records at places of the file made or changed.
func insertEffects(tx *db.Tx, i *Import, places []int64, results []Result) error {
	var rows []*Effect
	for n, result := range results {
		if result.Message != "" || result.ID == "" {
			continue
		}
		e := &Effect{storeKey: i.StoreKey, importID: i.ID, Record: places[n], ObjectID: result.ID, Version: result.Version}
		if result.Former != nil {
			var err error
			if e.Former, err = json.Marshal(result.Former); err != nil {
				return err
			}
		}
		rows = append(rows, e)
	}
	return effectTable.Insert(tx, rows...)
}

// undo begins to take an import back, in the background.
func (svc *Service) undo(tx *db.Tx, i *Import) error {
	if may, err := svc.isUndoable(tx, i); err != nil || !may {
		return errors.Join(err, errNotUndoable)
	}
	i.State = Undoing
	return nil
}

// isUndoable reports whether an import can be undone: it has ended, and it is known what it did.
func (svc *Service) isUndoable(tx *db.Tx, i *Import) (bool, error) {
	k := svc.kind(i.Kind)
	ended := i.State == Finished || i.State == Cancelled || i.State == Failed
	if k == nil || k.Undo == nil || i.DryRun || !ended {
		return false, nil
	}
	_, found, err := nextEffect(tx, i, math.MaxInt64)
	return found, err
}

// nextEffect returns the last effect before a record that was not undone yet. Later records are undone first: they may
// have spent what earlier ones gave.
func nextEffect(tx *db.Tx, i *Import, before int64) (Effect, bool, error) {
	return effectTable.One(tx, `SELECT * FROM import_effects
		WHERE store_id = ? AND import_id = ? AND record < ? AND outcome = '' ORDER BY record DESC LIMIT 1`,
		i.StoreKey, i.ID, before)
}

// undoAll continues the imports of a store that are being undone, and returns the number of records.
func (svc *Service) undoAll(ctx context.Context, d *db.DB, s *store.Store) (done int64, err error) {
	var found []Import
	err = store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		found, err = table.All(tx, `SELECT * FROM imports WHERE store_id = ? AND state = 'undoing' ORDER BY import_id`, s.Key)
		return err
	})
	for n := 0; n < len(found) && err == nil && ctx.Err() == nil; n++ {
		k := svc.kind(found[n].Kind)
		if k == nil || k.Undo == nil {
			continue // of another version of the program
		}
		var claimed *Import
		if claimed, err = claim(ctx, d, s, &found[n]); err != nil || claimed == nil {
			continue
		}
		var records int64
		if records, err = undoRecords(ctx, d, s, k, claimed); errors.Is(err, errUndoLeft) {
			err = nil
		}
		done += records
	}
	return done, err
}

// undoRecords undoes one record after the other, each in a transaction of its own, until none is left.
func undoRecords(ctx context.Context, d *db.DB, s *store.Store, k *Kind, of *Import) (done int64, err error) {
	before := int64(math.MaxInt64)
	for more := true; more && ctx.Err() == nil; {
		err := store.Write(ctx, d, s, func(tx *db.Tx) error {
			i, err := lockImport(tx, of.StoreKey, of.ID)
			if err != nil {
				return err
			}
			if i.State != Undoing || i.owner != of.owner {
				return errUndoLeft
			}
			e, found, err := nextEffect(tx, i, before)
			if err != nil {
				return err
			}
			if more = found; !found {
				i.State, i.owner, i.leaseUntil = Undone, "", time.Time{}
				return save(tx, i)
			}
			if e.Outcome, err = k.Undo(tx, s, e); err != nil {
				return err
			}
			if err := effectTable.Update(tx, "outcome", &e); err != nil {
				return err
			}
			if e.Outcome == OutcomeUndone {
				i.Undone++
			} else {
				i.Remaining++
			}
			i.leaseUntil = tx.ServerNow().Add(leaseTerm)
			tx.AfterCommit(func() { before = e.Record })
			return save(tx, i)
		})
		if err != nil {
			return done, err
		}
		if more {
			done++
		}
	}
	return done, ctx.Err()
}

type remainingList struct {
	Records []remainingView `json:"records"`
	Total   int64           `json:"total"`
}

// remainingView is a record that was not undone, or not as a whole.
type remainingView struct {
	Record   int64  `json:"record"` // number in the file, from 1
	ObjectID string `json:"objectId"`
	Reason   string `json:"reason"`
}

// listRemaining lists the records that undoing has left.
func (svc *Service) listRemaining(r *api.Reading, page api.Page) (remainingList, error) {
	i, err := svc.importOfPath(r.Call, r.Tx, access.View, findImport)
	if err != nil {
		return remainingList{}, err
	}
	found, err := db.All(r.Tx, func(v *remainingView) []any { return []any{&v.Record, &v.ObjectID, &v.Reason} },
		`SELECT record, object_id, outcome FROM import_effects
		WHERE store_id = ? AND import_id = ? AND outcome NOT IN ('', 'undone') ORDER BY record LIMIT ? OFFSET ?`,
		i.StoreKey, i.ID, page.Limit, page.Offset)
	return remainingList{append([]remainingView{}, found...), i.Remaining}, err
}
