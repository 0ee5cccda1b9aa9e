// Package points is the ledger: every grant is a lot with its own expiry, every spend names the lots
// it took from, and the account row, which every change locks, holds their sums.
package points

import (
	"time"

	"punchcard/loyalty/store"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

// Amount is a number of points.
type Amount = decimal.Hundredths

// The types of transfers (program-api 2.5).
const (
	Adding      = "adding"
	Spending    = "spending"
	P2PAdding   = "p2p_adding"
	P2PSpending = "p2p_spending"
	Blocked     = "blocked"
)

// The states of a transfer. Spending ones are always active.
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

// ErrNotEnough says that a spend is larger than the balance.
var ErrNotEnough = fault.New(fault.Refused, "Not enough points")

// ErrNotCancelable says that a transfer is of a kind or in a state that cannot be taken back.
var ErrNotCancelable = fault.New(fault.Refused, "This transfer cannot be canceled")

// ErrNotActive says that only an active lot can expire.
var ErrNotActive = fault.New(fault.Refused, "This transfer is not active")

// Account is a customer's sums; the figures of program-api 4.9.
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
	NextDueAt  time.Time // no lot unlocks or expires before; zero when none ever will

	Transfers      int64  // how many there are
	LastTransferID string // the newest one, empty before the first

	// Bought tells how often the customer bought each campaign. It is kept here because a purchase locks
	// the account anyway: no other row has to be read and written for the limit per customer.
	Bought map[string]int64

	stored []openLot // the open lots as the row keeps them
}

// Transfer is one movement of points. One that adds points is a lot.
type Transfer struct {
	StoreKey             int64
	CustomerID           string
	ID                   string
	Type                 string
	State                string
	Value                Amount // always positive
	PreviousID           string // the transfer before it of the same customer; empty for his first
	Available            Amount // what is left of an open lot
	Lapsed               Amount // what a lot lost when it expired
	Open                 bool   // a lot with something to give, now or when unlocked: it is in the account row
	CreatedAt            time.Time
	ExpiresAt            time.Time // first moment it can no longer be spent; zero for never
	LockedUntil          time.Time // first moment it can be spent; zero for at once
	Issuer               string
	Comment              string
	TransactionID        string
	RevisedTransactionID string
	OtherCustomerID      string
	Lots                 []Taken // on a spend: where it came from

	stored stored
}

// stored is what the database holds of a transfer's row that can change.
type stored struct {
	state     string
	open      bool
	lapsed    Amount
	expiresAt time.Time
}

// openLot is a lot as the account row keeps it: what a spend needs to know, so that it reads no other row.
type openLot struct {
	ID          string `json:"id"`
	Left        int64  `json:"left"` // hundredths
	P2P         bool   `json:"p2p,omitempty"`
	ExpiresAt   int64  `json:"expires,omitempty"` // microseconds since 1970
	LockedUntil int64  `json:"locked,omitempty"`  // of a pending lot, microseconds since 1970
}

func (a *Account) openLot(l openLot) *Transfer {
	t := &Transfer{
		StoreKey: a.StoreKey, CustomerID: a.CustomerID, ID: l.ID, Type: Adding, State: Active,
		Available: Amount(l.Left), Open: true, ExpiresAt: moment(l.ExpiresAt), LockedUntil: moment(l.LockedUntil),
	}
	if l.P2P {
		t.Type = P2PAdding
	}
	if l.LockedUntil != 0 {
		t.State = Pending
	}
	return t.remember()
}

func (t *Transfer) openLot() openLot {
	l := openLot{ID: t.ID, Left: int64(t.Available), P2P: t.Type == P2PAdding, ExpiresAt: micro(t.ExpiresAt)}
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

// Taken is what a spend took from one lot, in hundredths.
type Taken struct {
	LotID  string `json:"lot"`
	Amount int64  `json:"amount"`
}

// Grant is what an adding transfer is made of.
type Grant struct {
	Value         Amount
	Comment       string
	Issuer        string
	TransactionID string
	ValidDays     int       // days until it expires, instead of the store's setting; 0 for the setting
	CreatedAt     time.Time // the moment of the grant
}

// lot makes the adding transfer of a grant with the dates of program-api 4.7.
func (g Grant) lot(s *store.Store, id, customerID string) *Transfer {
	t := &Transfer{
		StoreKey: s.Key, CustomerID: customerID, ID: id, Type: Adding, State: Active,
		Value: g.Value, Available: g.Value, Open: true, CreatedAt: g.CreatedAt,
		Issuer: g.Issuer, Comment: g.Comment, TransactionID: g.TransactionID,
	}
	if settings := s.Settings; !settings.AllTimeNotLocked && settings.PointsDaysLocked > 0 {
		t.State = Pending
		t.LockedUntil = addDays(g.CreatedAt, settings.PointsDaysLocked, s.Zone)
	}
	base := g.CreatedAt
	if !t.LockedUntil.IsZero() {
		base = t.LockedUntil
	}
	t.ExpiresAt = expiry(base, g.ValidDays, s)
	return t
}

// addDays moves by calendar days at the same clock time, across changes of daylight saving.
func addDays(t time.Time, days int, zone *time.Location) time.Time {
	return t.In(zone).AddDate(0, 0, days).UTC()
}

// expiry is the last second of the last day of a lot that starts to live at base.
func expiry(base time.Time, validDays int, s *store.Store) time.Time {
	local := base.In(s.Zone)
	year, month, day := local.Date()
	endOf := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 23, 59, 59, 0, s.Zone).UTC()
	}
	switch {
	case validDays > 0:
		return endOf(year, month, day+validDays)
	case s.Settings.PointsDaysExpiryAfter == store.ExpiryAfterDays:
		return endOf(year, month, day+s.Settings.PointsDaysActiveCount)
	case s.Settings.PointsDaysExpiryAfter == store.ExpiryMonthEnd:
		return endOf(year, month+1, 0)
	case s.Settings.PointsDaysExpiryAfter == store.ExpiryYearEnd:
		return endOf(year, time.December, 31)
	}
	return time.Time{}
}
