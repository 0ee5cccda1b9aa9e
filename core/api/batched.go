package api

import (
	"context"
	"errors"
	"time"

	"punchcard/core/audit"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/batch"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/idempotency"
)

// Batched is an operation whose concurrent calls share transactions. It locks the Idempotency-Keys of a batch together
// with what its first queries read, and stores responses and audit entries with the effects.
type Batched[In, Out any] struct {
	// Alone reports whether a call has a transaction of its own, because it would delay a batch. nil for no calls.
	Alone func(in In) bool
	// RefusesIfMatch refuses calls with an If-Match: what they make has no tag.
	RefusesIfMatch bool

	db     *db.DB
	decide func(tx *db.Tx, s *store.Store, calls []*Asked[In, Out]) error
	view   func(a *Asked[In, Out]) (any, error)
	batch  *batch.Batch[*request[In], *Asked[In, Out]]
}

// request is a call of a batched operation, whose transaction may run again.
type request[In any] struct {
	store *store.Store
	in    In
	key   *idempotency.Request // nil without an Idempotency-Key
	entry *audit.Entry         // of the audit log; nil for none
}

// Asked is a call in one attempt to carry it out. A nil one, or one made by a feature, is an operation without a call.
type Asked[In, Out any] struct {
	In    In
	Out   Out
	Err   error // why it is not carried out
	Store *store.Store
	Now   time.Time // of the transaction

	request *request[In]
	entry   *audit.Entry
	set     *set[In, Out]
}

// set is the calls of one store in a batch.
type set[In, Out any] struct {
	tx      *db.Tx
	view    func(a *Asked[In, Out]) (any, error)
	keys    *idempotency.Batch
	entries []*audit.Entry
}

// NewBatched starts an operation.
//
// decide carries out the calls of one store in order of arrival, or those of batch.Rounds. It reads and locks what they
// need, skips calls that are not IsNew, and for each other sets Err, or else Out and calls Done. Any error that it
// returns rolls back the batch, whose calls then run one by one. Errors that clients may see and that only a later
// statement shows are returned in this way, too: alone, they are the call's.
//
// view returns the response to a call that was carried out. It is called for what is stored with an Idempotency-Key and
// for what is sent.
func NewBatched[In, Out any](d *db.DB, decide func(tx *db.Tx, s *store.Store, calls []*Asked[In, Out]) error,
	view func(a *Asked[In, Out]) (any, error)) *Batched[In, Out] {
	b := &Batched[In, Out]{db: d, decide: decide, view: view}
	if d != nil { // nil only describes
		b.batch = store.NewBatch(d, func(r *request[In]) *store.Store { return r.store }, b.run)
	}
	return b
}

// run is one attempt to carry out calls of a store.
func (b *Batched[In, Out]) run(tx *db.Tx, s *store.Store, requests []*request[In]) (
	[]batch.Outcome[*Asked[In, Out]], error) {
	of := &set[In, Out]{tx: tx, view: b.view}
	var keyed []*idempotency.Request
	calls := make([]*Asked[In, Out], len(requests))
	for i, r := range requests {
		calls[i] = &Asked[In, Out]{In: r.in, Store: s, Now: tx.Now(), request: r, set: of}
		if r.entry != nil {
			entry := *r.entry
			calls[i].entry = &entry
		}
		if r.key != nil {
			keyed = append(keyed, r.key)
		}
	}
	var claim []db.Query
	of.keys, claim = idempotency.Claiming(tx, keyed...)
	tx.First(claim...)
	if err := b.decide(tx, s, calls); err != nil {
		if len(calls) > 1 && (IsRefusal(err) || errors.Is(err, db.ErrBusy)) {
			err = batch.ErrApart
		}
		return nil, err
	}
	outcomes := make([]batch.Outcome[*Asked[In, Out]], len(calls))
	for i, a := range calls {
		outcomes[i] = batch.Outcome[*Asked[In, Out]]{Value: a, Err: a.Err}
	}
	return outcomes, of.save()
}

// save writes audit entries and responses.
func (s *set[In, Out]) save() error {
	if err := audit.Append(s.tx, s.entries...); err != nil {
		return err
	}
	return s.keys.Save(s.tx)
}

// IsRefusal reports whether an error is about a call. Others are about the operation.
func IsRefusal(err error) bool {
	_, isFault := errors.AsType[*fault.Error](err)
	_, isField := errors.AsType[FieldError](err)
	return isFault || isField
}

// IsNew reports whether a call has to be carried out. Otherwise its Idempotency-Key was used, also by a call before it
// in the batch, and Err is the stored response or the error of the key.
func (a *Asked[In, Out]) IsNew() bool {
	if !a.isKeyed() {
		return true
	}
	if a.Err = a.set.tx.Run(); a.Err == nil { // the claims, if nothing has run yet
		a.Err = a.set.keys.Check(a.request.key)
	}
	return a.Err == nil
}

func (a *Asked[In, Out]) isKeyed() bool { return a != nil && a.request != nil && a.request.key != nil }

// Keys returns the keys of batch.Rounds: some of the call, and its Idempotency-Key if there is one.
func (a *Asked[In, Out]) Keys(some ...string) []string {
	if a.isKeyed() {
		some = append(some, "key "+a.request.key.Key)
	}
	return some
}

// Done notes that a call is carried out and Out set. describe adds to its audit entry, if it has one.
func (a *Asked[In, Out]) Done(describe func(e *audit.Entry) error) error {
	if a == nil || a.request == nil {
		return nil
	}
	if a.entry != nil {
		a.entry.CreatedAt = a.set.tx.ServerNow()
		if err := describe(a.entry); err != nil {
			return err
		}
		if a.entry.ID == "" {
			a.entry.ID = a.set.tx.NewID()
		}
		a.set.entries = append(a.set.entries, a.entry)
	}
	if !a.isKeyed() {
		return nil
	}
	view, err := a.set.view(a)
	if err == nil {
		a.set.keys.Add(a.request.key, StoredOK(view))
	}
	return err
}

// Do carries out a call of no endpoint, and returns after its effects are durable.
func (b *Batched[In, Out]) Do(ctx context.Context, s *store.Store, in In) (Out, error) {
	return b.DoKeyed(ctx, s, nil, in)
}

// DoKeyed is Do with an Idempotency-Key; nil for none.
func (b *Batched[In, Out]) DoKeyed(ctx context.Context, s *store.Store, key *idempotency.Request, in In) (
	out Out, err error) {
	a, err := b.do(ctx, &request[In]{store: s, in: in, key: key})
	if err != nil {
		return out, err
	}
	return a.Out, nil
}

func (b *Batched[In, Out]) do(ctx context.Context, r *request[In]) (*Asked[In, Out], error) {
	if b.Alone == nil || !b.Alone(r.in) {
		return b.batch.Do(ctx, r)
	}
	var a *Asked[In, Out]
	err := store.Write(ctx, b.db, r.store, func(tx *db.Tx) error {
		outcomes, err := b.run(tx, r.store, []*request[In]{r})
		if err != nil {
			return err
		}
		a = outcomes[0].Value
		return a.Err
	})
	return a, err
}

// Serve carries out a call of an endpoint, and responds. g is the form of the call, which gets errors of its fields.
func (b *Batched[In, Out]) Serve(c *Call, g *form.Group, in In) error {
	if b.RefusesIfMatch && c.Header["If-Match"] != nil {
		return ErrChangedMeanwhile
	}
	entry := c.entry(c.named)
	entry.Data.Sent = audit.Sent(c.Submitted())
	a, err := b.do(c.Context(), &request[In]{c.Store, in, c.DelegateKey(), &entry})
	if err != nil {
		return inForm(g, err)
	}
	view, err := b.view(a)
	if err != nil {
		return err
	}
	return c.send(view)
}

// Operation returns the operation of an endpoint. response describes what the view returns.
func (b *Batched[In, Out]) Operation(input Input[In], response any) Operation {
	return Operation{func(c *Call) error {
		in, g, err := input.valid(c)
		if err != nil {
			return err
		}
		return b.Serve(c, g, in)
	}, input.query, input.form, response, true}
}

// Try carries out calls in an operation of the caller, for tests. keys are their Idempotency-Keys, nil for none.
func (b *Batched[In, Out]) Try(tx *db.Tx, s *store.Store, keys []*idempotency.Request, calls ...In) (
	[]*Asked[In, Out], error) {
	requests := make([]*request[In], len(calls))
	for i, in := range calls {
		requests[i] = &request[In]{store: s, in: in}
		if keys != nil {
			requests[i].key = keys[i]
		}
	}
	outcomes, err := b.run(tx, s, requests)
	asked := make([]*Asked[In, Out], len(outcomes))
	for i, o := range outcomes {
		asked[i] = o.Value
	}
	return asked, err
}
