package points

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/event"
)

const (
	prefix       = "Platform.Domain.Account.Event."
	typeAdded    = prefix + "PointsWereAdded"
	typeSpent    = prefix + "PointsWereSpent"
	typeBlocked  = prefix + "PointsWereBlocked"
	typeReturned = prefix + "PointsWereReturned"
	typeCanceled = prefix + "PointsTransferHasBeenCanceled"
	typeExpired  = prefix + "PointsTransferHasBeenExpired"
	typeUnlocked = prefix + "PointsTransferHasBeenUnlocked"
)

// entry returns an event that contains a whole transfer.
func (w *Wallet) entry(kind string, m movement) event.Entry {
	return event.Entry{AggregateID: w.ID, Fact: pointsMoved{kind, AccountRef{w.ID}, m}}
}

// change returns the event of a transfer that was cancelled, expired or unlocked.
func (w *Wallet) change(kind string, t *Transfer) event.Entry {
	return event.Entry{AggregateID: w.ID, Fact: transferChanged{kind, AccountRef{w.ID}, transferRef{t.ID}}}
}

// AccountRef is the nested form of an account's id in event payloads.
type AccountRef struct {
	AccountID string `json:"accountId"`
}

type transferRef struct {
	ID string `json:"pointsTransferId"`
}

type transactionRef struct {
	ID string `json:"transactionId"`
}

// movement is the JSON of a transfer in event payloads, with the fields of a lot. See
// docs/behaviour/points.md#events.
type movement struct {
	ID                   transferRef     `json:"id"`
	Comment              string          `json:"comment"`
	CreatedAt            string          `json:"createdAt"`
	Value                Amount          `json:"value"`
	Canceled             bool            `json:"canceled"`
	Issuer               string          `json:"issuer"`
	AvailableAmount      *Amount         `json:"availableAmount,omitempty"`
	Expired              *bool           `json:"expired,omitempty"`
	Locked               *bool           `json:"locked,omitempty"`
	LockedUntil          *string         `json:"lockedUntil,omitempty"`
	ExpiresAt            *string         `json:"expiresAt,omitempty"`
	TransactionID        *transactionRef `json:"transactionId,omitempty"`
	RevisedTransactionID *transactionRef `json:"revisedTransactionId,omitempty"`

	byHand bool
}

func moved(s *store.Store, t *Transfer) movement {
	m := movement{
		ID: transferRef{t.ID}, Comment: t.Comment, CreatedAt: api.EventTimestamp(t.CreatedAt, s.Zone),
		Value: t.Value, Canceled: t.State == Canceled, Issuer: t.Issuer,
		byHand: t.byHand(),
	}
	if t.TransactionID != "" {
		m.TransactionID = &transactionRef{t.TransactionID}
	}
	if t.RevisedTransactionID != "" {
		m.RevisedTransactionID = &transactionRef{t.RevisedTransactionID}
	}
	return m
}

func movedLot(s *store.Store, t *Transfer) movement {
	m := moved(s, t)
	expired, locked, available := t.State == Expired, t.State == Pending, t.Available
	m.Expired, m.Locked, m.AvailableAmount = &expired, &locked, &available
	m.LockedUntil, m.ExpiresAt = optional(t.LockedUntil, s), optional(t.ExpiresAt, s)
	return m
}

func optional(t time.Time, s *store.Store) *string {
	if t.IsZero() {
		return nil
	}
	text := api.EventTimestamp(t, s.Zone)
	return &text
}

// pointsMoved is the payload of the events that contain a whole transfer.
type pointsMoved struct {
	kind           string
	AccountID      AccountRef `json:"accountId"`
	PointsTransfer movement   `json:"pointsTransfer"`
}

func (p pointsMoved) EventType() string { return p.kind }

// Frequent is true for transfers by the system, because the transfer holds the same data.
func (p pointsMoved) Frequent() bool { return !p.PointsTransfer.byHand }

type transferChanged struct {
	kind             string
	AccountID        AccountRef  `json:"accountId"`
	PointsTransferID transferRef `json:"pointsTransferId"`
}

func (c transferChanged) EventType() string { return c.kind }

// Facts are the events of points, for the emissions of packages that change points.
var Facts = struct {
	Added, Spent, Blocked, Returned, Transferred, Canceled, Unlocked, Expired, Reset, Moved event.Fact
}{
	Added: pointsMoved{kind: typeAdded}, Spent: pointsMoved{kind: typeSpent}, Blocked: pointsMoved{kind: typeBlocked},
	Returned: pointsMoved{kind: typeReturned}, Transferred: pointsWereTransferred{},
	Canceled: transferChanged{kind: typeCanceled}, Unlocked: transferChanged{kind: typeUnlocked},
	Expired: transferChanged{kind: typeExpired}, Reset: pointsHasBeenReset{}, Moved: pointsWereMoved{},
}
