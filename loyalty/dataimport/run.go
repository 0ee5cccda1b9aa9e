package dataimport

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// leaseTerm is for how long a run holds an import without a step. Then another run takes over.
const leaseTerm = 15 * time.Second

// checkedAtOnce is how many records are read between two renewals of the lease while a file is checked.
const checkedAtOnce = 5_000

// errStopped is the error of a run that lost its import: it was cancelled, or another run has taken over.
var errStopped = errors.New("the import was cancelled or taken over")

// run carries out an import under a lease.
type run struct {
	db     *db.DB
	store  *store.Store
	kind   *Kind
	of     *Import
	survey *survey // nil until the file was read
	// done receives the results of a batch once they are stored; nil in the background.
	done func(b batch, results []Result)
}

// batch is records that are carried out in one transaction.
type batch struct {
	records []Record
	lines   []int64
	places  []int64 // in the file, from 1
}

// hold locks the import and renews the lease, or returns errStopped.
func (r *run) hold(tx *db.Tx) (*Import, error) {
	i, err := lockImport(tx, r.of.StoreKey, r.of.ID)
	if err == nil && (i.State != Running || i.owner != r.of.owner) {
		err = errStopped
	}
	i.leaseUntil = tx.ServerNow().Add(leaseTerm)
	return i, err
}

// step changes the import in a transaction of its own.
func (r *run) step(ctx context.Context, change func(tx *db.Tx, i *Import) error) error {
	return store.Write(ctx, r.db, r.store, func(tx *db.Tx) error {
		i, err := r.hold(tx)
		if err != nil {
			return err
		}
		return r.save(tx, i, change(tx, i))
	})
}

// save stores the changed import, unless there was an error.
func (r *run) save(tx *db.Tx, i *Import, err error) error {
	if err == nil {
		err = save(tx, i)
	}
	if err == nil {
		tx.AfterCommit(func() { r.of = i })
	}
	return err
}

// carryOut carries out what is left of the import. It returns the error of a run that could not go on; the import can
// be continued then. The error of an invalid file, or a defect, ends the import as failed.
func (r *run) carryOut(ctx context.Context, open func() (decoder, error)) error {
	err := r.work(ctx, open)
	last := context.WithoutCancel(ctx)
	refused, invalid := errors.AsType[*fault.Error](err)
	switch {
	case errors.Is(err, errStopped):
		return err
	case err == nil:
		err = r.step(last, func(tx *db.Tx, i *Import) error {
			i.State, i.FinishedAt, i.owner = Finished, tx.ServerNow(), ""
			return nil
		})
		if err == nil {
			err = deleteFile(last, r.db, r.of)
		}
		return err
	case ctx.Err() != nil, invalid && refused.Kind == fault.Unavailable:
		return errors.Join(err, r.step(last, func(_ *db.Tx, i *Import) error {
			i.owner, i.leaseUntil = "", time.Time{}
			return nil
		}))
	}
	reason := errDefect
	if invalid && refused.Kind == fault.Fields {
		reason = refused
	} else {
		r.db.Log().Error("an import has failed", "import", r.of.ID, "kind", r.kind.Name, "error", err)
	}
	return errors.Join(err, r.step(last, func(tx *db.Tx, i *Import) error {
		i.State, i.Error, i.ErrorCode, i.FinishedAt, i.owner = Failed, reason.Message, reason.Code, tx.ServerNow(), ""
		return nil
	}))
}

func (r *run) work(ctx context.Context, open func() (decoder, error)) error {
	if r.of.Records == 0 || r.survey == nil && r.kind.isSurveyed() {
		if err := r.check(ctx, open); err != nil {
			return err
		}
	}
	skip := r.of.Done
	for _, has := range r.turns() {
		file, err := open()
		if err != nil {
			return err
		}
		if skip, err = r.takeTurn(ctx, file, has, skip); err != nil {
			return err
		}
	}
	return nil
}

// takeTurn carries out the records of a file at the places of a turn, but for the first ones that were carried out
// before. It returns how many of these are left.
func (r *run) takeTurn(ctx context.Context, file decoder, has func(place int64) bool, skip int64) (int64, error) {
	for place, ended := int64(0), false; !ended; {
		var b batch
		for len(b.records) < r.kind.Batch {
			record, line, err := file.next()
			if ended = err == io.EOF; ended {
				break
			}
			if err != nil {
				return 0, err
			}
			if place++; !has(place) {
				continue
			}
			if skip > 0 {
				skip--
				continue
			}
			b.records, b.lines, b.places = append(b.records, record), append(b.lines, line), append(b.places, place)
		}
		if len(b.records) == 0 {
			break
		}
		if err := r.apply(ctx, b); err != nil {
			return 0, err
		}
	}
	return skip, nil
}

// check reads the whole file before its first record takes effect, and counts the records.
func (r *run) check(ctx context.Context, open func() (decoder, error)) error {
	file, err := open()
	if err != nil {
		return err
	}
	s := newSurvey()
	for {
		record, _, err := file.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if s.add(record, r.of.Format); s.count%checkedAtOnce == 0 {
			if err := r.step(ctx, func(*db.Tx, *Import) error { return nil }); err != nil {
				return err
			}
		}
	}
	s.end()
	r.survey = s
	return r.step(ctx, func(_ *db.Tx, i *Import) error {
		i.Records = s.count
		return nil
	})
}

// errRolledBack ends the transaction of a dry run.
var errRolledBack = errors.New("a dry run")

// apply carries out a batch. Its effects and the progress of the import are one transaction; in a dry run the effects
// are rolled back before the progress is stored.
func (r *run) apply(ctx context.Context, b batch) error {
	var results []Result
	carryOut := func(tx *db.Tx, i *Import) (err error) {
		results, err = r.results(tx, i, b.records)
		return err
	}
	if r.of.DryRun {
		err := store.Write(ctx, r.db, r.store, func(tx *db.Tx) error {
			if err := carryOut(tx, r.of); err != nil {
				return err
			}
			return errRolledBack
		})
		if !errors.Is(err, errRolledBack) {
			return err
		}
		for n := range results {
			results[n].ID = "" // nothing was made
		}
	}
	err := r.step(ctx, func(tx *db.Tx, i *Import) error {
		if !i.DryRun {
			if err := carryOut(tx, i); err != nil {
				return err
			}
		}
		var failures []Failure
		for n, result := range results {
			if result.Message != "" {
				failures = append(failures, Failure{
					Record: b.places[n], Line: b.lines[n], Identifier: clipped(b.records[n].Identifier()),
					Message: result.Message, Problems: result.Problems,
				})
			}
		}
		if r.kind.Undo != nil && !i.DryRun {
			if err := insertEffects(tx, i, b.places, results); err != nil {
				return err
			}
		}
		i.Done += int64(len(b.records))
		i.Failed += int64(len(failures))
		return insertFailures(tx, i, failures)
	})
	if err == nil && r.done != nil {
		r.done(b, results)
	}
	return err
}

// results carries out the records whose lines are together, and refuses the others.
func (r *run) results(tx *db.Tx, i *Import, records []Record) ([]Result, error) {
	results := make([]Result, len(records))
	var whole []Record
	var places []int // of the whole ones in records
	for n, record := range records {
		if r.survey.isApart(record) {
			results[n] = refusal(errApart)
		} else {
			whole, places = append(whole, record), append(places, n)
		}
	}
	made, err := r.kind.Apply(tx, r.store, i, whole)
	for n, result := range made {
		results[places[n]] = result
	}
	return results, err
}

// identifierLimit is the maximal length of a stored identifier, in bytes.
const identifierLimit = 512

func clipped(identifier string) string {
	return strings.ToValidUTF8(identifier[:min(len(identifier), identifierLimit)], "")
}

// Service carries out imports of the kinds.
type Service struct {
	kinds   []*Kind
	wakeups store.Wakeups
}

// New returns a service for the kinds.
func New(kinds ...*Kind) *Service {
	return &Service{kinds: kinds, wakeups: store.NewWakeups()}
}

// Run carries out imports as soon as their files have arrived, until ctx ends.
func (svc *Service) Run(ctx context.Context, d *db.DB) {
	svc.wakeups.Run(ctx, d, AtOnce, "could not carry out imports, the job will retry", svc.CarryOut)
}

// CarryOut carries out the imports of a store that no other run holds, and returns the number of records. It is the job
// that continues imports after a crash. It also continues those that are being undone.
func (svc *Service) CarryOut(ctx context.Context, d *db.DB, s *store.Store) (done int64, err error) {
	ctx = db.InBackground(ctx)
	var found []Import
	err = store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		found, err = open(tx, s.Key)
		return err
	})
	for n := 0; n < len(found) && err == nil && ctx.Err() == nil; n++ {
		kind := svc.kind(found[n].Kind)
		if kind == nil {
			continue // of another version of the program
		}
		r := &run{db: d, store: s, kind: kind}
		if r.of, err = claim(ctx, d, s, &found[n]); err != nil || r.of == nil {
			continue
		}
		before := r.of.Done
		failed := r.carryOut(ctx, func() (decoder, error) {
			file, _, _, err := kind.open(&storedFile{ctx: ctx, db: d, store: s, of: r.of}, r.of.Options.Layout)
			return file, err
		})
		if fault.KindOf(failed) == fault.Unavailable {
			err = failed
		}
		done += r.of.Done - before
	}
	if err != nil {
		return done, err
	}
	undone, err := svc.undoAll(ctx, d, s)
	return done + undone, err
}

// claim takes the lease of an import, and returns nil if another run holds it or there is nothing left to do.
func claim(ctx context.Context, d *db.DB, s *store.Store, of *Import) (claimed *Import, err error) {
	err = store.Write(ctx, d, s, func(tx *db.Tx) error {
		claimed = nil
		i, err := lockImport(tx, of.StoreKey, of.ID)
		if errors.Is(err, fault.ErrNotFound) {
			return nil
		}
		if err != nil || i.isHeld(tx.ServerNow()) || i.State != Waiting && i.State != Running &&
			i.State != Undoing {
			return err
		}
		i.take(tx)
		claimed = i
		return save(tx, i)
	})
	return claimed, err
}

// isHeld reports whether a run holds the lease. One that ends later than any run could have set it is void: the clock
// was ahead when it was set.
func (i *Import) isHeld(now time.Time) bool {
	return i.owner != "" && now.Before(i.leaseUntil) && !i.leaseUntil.After(now.Add(leaseTerm))
}

// take makes the import one that a new run carries out.
func (i *Import) take(tx *db.Tx) {
	i.owner, i.leaseUntil = tx.NewID(), tx.ServerNow().Add(leaseTerm)
	if i.State != Undoing {
		i.State = Running
	}
	if i.StartedAt.IsZero() {
		i.StartedAt = tx.ServerNow()
	}
}

func (svc *Service) kind(name string) *Kind {
	for _, k := range svc.kinds {
		if k.Name == name {
			return k
		}
	}
	return nil
}
