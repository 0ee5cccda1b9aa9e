package api

import (
	"punchcard/core/audit"
	"punchcard/platform/db"
	"punchcard/platform/idempotency"
)

// Record has the Idempotency-Key of a call and its entry in the audit log, which a batch stores with its effect. An
// operation without a call has a nil Record.
type Record struct {
	key   *idempotency.Request // nil without an Idempotency-Key
	entry *audit.Entry         // nil for none
}

// NewRecord returns a record, for tests. Both may be nil.
func NewRecord(key *idempotency.Request, entry *audit.Entry) *Record { return &Record{key, entry} }

// Record leaves it to a batch to store the response and the entry of the call with its effect.
func (c *Call) Record() *Record {
	e := c.entry(c.named)
	return &Record{c.DelegateKey(), &e}
}

// WithSent adds the body of the call to the entry.
func (r *Record) WithSent(c *Call) *Record {
	r.entry.Data.Sent = audit.Sent(c.Submitted())
	return r
}

// Entry returns the entry of the audit log; nil for none.
func (r *Record) Entry() *audit.Entry {
	if r == nil {
		return nil
	}
	return r.entry
}

// Key returns the Idempotency-Key; empty for none.
func (r *Record) Key() string {
	if r == nil || r.key == nil {
		return ""
	}
	return r.key.Key
}

// Records are those of the calls of a batch.
type Records struct {
	tx      *db.Tx
	keys    *idempotency.Batch
	entries []*audit.Entry
}

// ClaimingRecords returns the records of a batch, and the queries that lock their keys until its transaction ends. They
// travel with the first queries of the batch.
func ClaimingRecords(tx *db.Tx, all ...*Record) (*Records, []db.Query) {
	var keyed []*idempotency.Request
	for _, r := range all {
		if r != nil && r.key != nil {
			keyed = append(keyed, r.key)
		}
	}
	keys, claim := idempotency.Claiming(tx, keyed...)
	return &Records{tx: tx, keys: keys}, claim
}

// ClaimRecords is ClaimingRecords that runs its queries.
func ClaimRecords(tx *db.Tx, all ...*Record) (*Records, error) {
	records, claim := ClaimingRecords(tx, all...)
	return records, tx.Run(claim...)
}

// Check returns the stored response of a call's key, or the error of a key that another request has used. Both are
// errors of the call.
func (a *Records) Check(r *Record) error {
	if r == nil {
		return nil
	}
	return a.keys.Check(r.key)
}

// Respond stores the response of a call that was carried out: 200 with v as JSON.
func (a *Records) Respond(r *Record, v any) {
	if r != nil && r.key != nil {
		a.keys.Add(r.key, StoredOK(v))
	}
}

// Audit adds the entry of a call that was carried out, after describe has added the changes to it.
func (a *Records) Audit(r *Record, describe func(e *audit.Entry)) {
	if r.Entry() == nil {
		return
	}
	r.entry.ID, r.entry.CreatedAt = a.tx.NewID(), a.tx.ServerNow()
	describe(r.entry)
	a.entries = append(a.entries, r.entry)
}

// Save writes entries and responses.
func (a *Records) Save() error {
	if err := audit.Append(a.tx, a.entries...); err != nil {
		return err
	}
	return a.keys.Save(a.tx)
}
