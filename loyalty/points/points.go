// Package points is the ledger. Every grant is a lot with its own expiry, every spend names the lots it took from,
// and the account row, which every change locks, holds their sums.
package points

import (
	"time"

	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

// Amount is a number of points.
type Amount = decimal.Hundredths

// The types of transfers. See docs/behaviour/points.md#transfers.
const (
	Adding      = "adding"
	Spending    = "spending"
	P2PAdding   = "p2p_adding"
	P2PSpending = "p2p_spending"
	Blocked     = "blocked"

	// Of a merge of two customers. See docs/behaviour/merges.md#points.
	MergeAdding   = "merge_adding"
	MergeSpending = "merge_spending"
)

// The states of a transfer. Spending transfers are always active. See docs/behaviour/points.md#states.
const (
	Active   = "active"
	Pending  = "pending"
	Expired  = "expired"
	Canceled = "canceled"
)

// The issuers of a transfer.
const (
	BySystem = "system"
	ByAdmin  = "admin"
	BySeller = "seller"
	ByAPI    = "api"
)

// ErrNotEnough is returned when a spend is larger than the balance.
var ErrNotEnough = fault.New(fault.Refused, "not_enough_points", "Not enough points")

// ErrNotCancelable is returned when the type or state of a transfer does not allow to cancel it.
var ErrNotCancelable = fault.New(fault.Refused, "transfer_not_cancelable", "This transfer cannot be canceled")

// ErrNotActive is returned when a lot that is not active is expired.
var ErrNotActive = fault.New(fault.Refused, "transfer_not_active", "This transfer is not active")

// Account holds the sums of one customer. See docs/behaviour/points.md#balance.
type Account struct {
	StoreKey   int64
	CustomerID string
	ID         string
	Points     Amount // spendable now
	P2P        Amount // the part of Points that came from other customers
	Earned     Amount
	Used       Amount
	Expired    Amount
	Locked     Amount
	Blocked    Amount
	NextDueAt  time.Time // no lot unlocks or expires and no hold ends before; zero if none ever will

	Transfers      int64  // their number
	LastTransferID string // the newest one, empty before the first

	ActiveDay calendar.Day // the last day with a purchase, a receipt or a transfer; 0 for none

	stored []openLot // the open lots as stored in the row
	holds  []hold    // of reservations
}

// Transfer is one movement of points. One that adds points is a lot.
type Transfer struct {
	StoreKey             int64
	CustomerID           string
	ID                   string
	Type                 string
	State                string
	Value                Amount // always positive
	PreviousID           string // the customer's previous transfer; empty for the first
	Available            Amount // the rest of an open lot
	Lapsed               Amount // the rest of a lot that was lost when it expired or was cancelled
	Open                 bool   // a lot with points left or held, active or pending; it is in the account row
	CreatedAt            time.Time
	ExpiresAt            time.Time // first moment at which it cannot be spent any more; zero means never
	LockedUntil          time.Time // first moment at which it can be spent; zero means at once
	Issuer               string
	Comment              string
	TransactionID        string
	RevisedTransactionID string
	OtherCustomerID      string
	Lots                 []Taken // on a spend: the lots it took from

	stored stored
}

// stored holds the mutable columns of a transfer as they are in the database.
type stored struct {
	state     string
	open      bool
	lapsed    Amount
	expiresAt time.Time
}

// openLot is a lot as stored in the account row, with all that a spend needs, so that it reads no other row.
type openLot struct {
	ID          string `json:"id"`
	Left        int64  `json:"left"` // hundredths
	P2P         bool   `json:"p2p,omitempty"`
	Merged      bool   `json:"merged,omitempty"`
	ExpiresAt   int64  `json:"expires,omitempty"` // microseconds since 1970
	LockedUntil int64  `json:"locked,omitempty"`  // of a pending lot, microseconds since 1970
}

func (a *Account) openLot(l openLot) *Transfer {
	t := &Transfer{
		StoreKey: a.StoreKey, CustomerID: a.CustomerID, ID: l.ID, Type: Adding, State: Active,
		Available: Amount(l.Left), Open: true, ExpiresAt: moment(l.ExpiresAt), LockedUntil: moment(l.LockedUntil),
	}
	switch {
	case l.P2P:
		t.Type = P2PAdding
	case l.Merged:
		t.Type = MergeAdding
	}
	if l.LockedUntil != 0 {
		t.State = Pending
	}
	return t.remember()
}

func (t *Transfer) openLot() openLot {
	l := openLot{
		ID: t.ID, Left: int64(t.Available), P2P: t.Type == P2PAdding, Merged: t.Type == MergeAdding,
		ExpiresAt: micro(t.ExpiresAt),
	}
	if t.State == Pending {
		l.LockedUntil = micro(t.LockedUntil)
	}
	return l
}

func moment(micro int64) time.Time {
	if micro == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micro).UTC()
}

func micro(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// Taken is the amount that a spend took from one lot, in hundredths.
type Taken struct {
	LotID  string `json:"lot"`
	Amount int64  `json:"amount"`
}

// Grant describes an adding transfer to be made.
type Grant struct {
	Value         Amount
	Comment       string
	Issuer        string
	TransactionID string
	ValidDays     int       // days until it expires; 0 means the store's setting
	CreatedAt     time.Time // the moment of the grant
}

// lot makes the adding transfer of a grant, with the dates of docs/behaviour/points.md#locking and
// docs/behaviour/points.md#expiry.
func (g Grant) lot(s *store.Store, id, customerID string) *Transfer {
	t := &Transfer{
		StoreKey: s.Key, CustomerID: customerID, ID: id, Type: Adding, State: Active,
		Value: g.Value, Available: g.Value, Open: true, CreatedAt: g.CreatedAt,
		Issuer: g.Issuer, Comment: g.Comment, TransactionID: g.TransactionID,
	}
	if s.Settings.LocksPoints() {
		t.State = Pending
		t.LockedUntil = calendar.AddDate(g.CreatedAt, 0, 0, s.Settings.PointsDaysLocked, s.Zone).UTC()
	}
	base := g.CreatedAt
	if !t.LockedUntil.IsZero() {
		base = t.LockedUntil
	}
	t.ExpiresAt = expiry(base, g.ValidDays, s)
	return t
}

// After returns the account as it is after a spend and a grant of now, neither of which is made.
func (a Account) After(s *store.Store, spent, granted Amount) Account {
	a.Points, a.Used, a.Earned = a.Points-spent, a.Used+spent, a.Earned+granted
	if s.Settings.LocksPoints() {
		a.Locked += granted
	} else {
		a.Points += granted
	}
	return a
}

// expiry returns the last second of the last day of a lot that becomes valid at base.
func expiry(base time.Time, validDays int, s *store.Store) time.Time {
	day := calendar.DayOf(base, s.Zone)
	switch {
	case validDays > 0:
		day += calendar.Day(validDays)
	case s.Settings.PointsDaysExpiryAfter == store.ExpiryAfterDays:
		day += calendar.Day(s.Settings.PointsDaysActiveCount)
	case s.Settings.PointsDaysExpiryAfter == store.ExpiryMonthEnd:
		day = day.Month(1) - 1
	case s.Settings.PointsDaysExpiryAfter == store.ExpiryYearEnd:
		day = day.Year(1) - 1
	default:
		return time.Time{}
	}
	return day.LastSecond(s.Zone).UTC()
}
