package points

import (
	"slices"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// ErrNotHeld is returned when a reservation holds nothing in the account, because it has ended.
var ErrNotHeld = fault.New(fault.Conflict, "reservation_ended", "The reservation has ended.")

// hold holds points out of lots, as a block takes them, and purchases of campaigns for a reservation until it ends. It
// is stored in the account row, so that every operation and reader after the end counts the points as given back.
type hold struct {
	ID        string           `json:"id"`   // of the reservation
	EndsAt    int64            `json:"ends"` // first moment at which nothing is kept, microseconds since 1970
	Parts     []heldPart       `json:"parts,omitempty"`
	Campaigns map[string]int64 `json:"campaigns,omitempty"` // purchases
}

// heldPart is an amount that a hold took from a lot. The lot stays open while anything of it is held, unless it expires
// or is cancelled.
type heldPart struct {
	LotID  string     `json:"lot"`
	Amount int64      `json:"amount"` // hundredths
	Closed *closedLot `json:"closed,omitempty"`
}

// closedLot is the lot of a heldPart that expired or was cancelled meanwhile, as in its row.
type closedLot struct {
	Type      string `json:"type"`
	State     string `json:"state"`
	Lapsed    int64  `json:"lapsed"` // hundredths
	CreatedAt int64  `json:"created"`
	ExpiresAt int64  `json:"expires,omitempty"`
}

func (h *hold) points() (sum Amount) {
	for _, part := range h.Parts {
		sum += Amount(part.Amount)
	}
	return sum
}

// Held returns how many purchases of a campaign reservations of the customer keep.
func (a *Account) Held(campaignID string) (n int64) {
	for i := range a.holds {
		n += a.holds[i].Campaigns[campaignID]
	}
	return n
}

// EachHeld visits the campaigns of which reservations of the customer keep purchases.
func (a *Account) EachHeld(visit func(campaignID string, n int64)) {
	for i := range a.holds {
		for id, n := range a.holds[i].Campaigns {
			visit(id, n)
		}
	}
}

// blockedByHand returns the blocked points that no reservation holds.
func (w *Wallet) blockedByHand() Amount {
	blocked := w.Account.Blocked
	for i := range w.holds {
		blocked -= w.holds[i].points()
	}
	return blocked
}

// HeldPoints returns the points that a reservation holds.
func (w *Wallet) HeldPoints(id string) Amount {
	if h := w.hold(id); h != nil {
		return h.points()
	}
	return 0
}

func (w *Wallet) hold(id string) *hold {
	at := slices.IndexFunc(w.holds, func(h hold) bool { return h.ID == id })
	if at < 0 {
		return nil
	}
	return &w.holds[at]
}

// Hold keeps points and purchases of campaigns for a reservation until it ends. It takes the points as Spend does, or
// returns ErrNotEnough.
func (w *Wallet) Hold(id string, endsAt time.Time, value Amount, campaigns map[string]int64) error {
	if value < 0 || value > w.Points {
		return ErrNotEnough
	}
	h := hold{ID: id, EndsAt: endsAt.UnixMicro(), Campaigns: campaigns}
	for _, lot := range w.lots {
		if lot.State != Active || lot.Available == 0 || value == 0 {
			continue
		}
		part := min(value, lot.Available)
		lot.Available -= part
		w.receive(lot, -part)
		h.Parts = append(h.Parts, heldPart{LotID: lot.ID, Amount: int64(part)})
		value -= part
	}
	w.Account.Blocked += h.points()
	w.holds = append(w.holds, h)
	w.newHolds, w.dirty = true, true
	w.dueAt(endsAt)
	return nil
}

// SpendHeld spends points that a reservation holds, also those of lots that have expired meanwhile, and returns the
// transfer with its event, or ErrNotHeld.
func (w *Wallet) SpendHeld(id string, value Amount, comment, issuer string) (*Transfer, event.Entry, error) {
	h := w.hold(id)
	if h == nil || value <= 0 || value > h.points() {
		return nil, event.Entry{}, ErrNotHeld
	}
	t := &Transfer{
		StoreKey: w.StoreKey, CustomerID: w.CustomerID, ID: w.tx.NewID(), Type: Spending, State: Active, Value: value,
		CreatedAt: w.tx.Now(), Issuer: issuer, Comment: comment,
	}
	for left := value; left > 0; {
		part := &h.Parts[0]
		taken := min(left, Amount(part.Amount))
		t.Lots = append(t.Lots, Taken{LotID: part.LotID, Amount: int64(taken)})
		left -= taken
		if part.Amount -= int64(taken); part.Amount == 0 {
			h.Parts = h.Parts[1:]
		}
	}
	w.newHolds = true
	w.closeSpent()
	w.append(t)
	w.Account.Blocked -= value
	w.Used += value
	return t, w.entry(typeSpent, moved(w.store, t)), nil
}

// Release ends what a reservation keeps, gives the points back to their lots, and reports whether it kept anything.
// Lots that have expired meanwhile stay expired.
func (w *Wallet) Release(id string) bool {
	h := w.hold(id)
	if h == nil {
		return false
	}
	ended := *h
	w.holds = slices.DeleteFunc(slices.Clone(w.holds), func(h hold) bool { return h.ID == id })
	w.endHold(&ended)
	return true
}

// Prolong keeps what a reservation keeps until another time. It returns ErrNotHeld if the reservation has ended.
func (w *Wallet) Prolong(id string, endsAt time.Time) error {
	h := w.hold(id)
	if h == nil {
		return ErrNotHeld
	}
	h.EndsAt = endsAt.UnixMicro()
	w.newHolds, w.dirty = true, true
	w.findDue()
	return nil
}

// endHolds gives back what is held until now or earlier.
func (w *Wallet) endHolds() {
	var ended, open []hold
	for _, h := range w.holds {
		if h.EndsAt <= w.tx.Now().UnixMicro() {
			ended = append(ended, h)
		} else {
			open = append(open, h)
		}
	}
	w.holds = open
	for i := range ended {
		w.endHold(&ended[i])
	}
}

// endHold gives the points of a hold that was removed back.
func (w *Wallet) endHold(h *hold) {
	w.Account.Blocked -= h.points()
	w.newHolds, w.dirty = true, true
	for i := range h.Parts {
		part := &h.Parts[i]
		if lot := w.heldLot(part); lot != nil {
			w.refill(lot, Amount(part.Amount))
		}
	}
	w.closeSpent()
}

// heldLot returns the lot of a part, without reading it.
func (w *Wallet) heldLot(part *heldPart) *Transfer {
	if lot := w.open(part.LotID); lot != nil {
		return lot
	}
	if lot := w.fetched[part.LotID]; lot != nil {
		return lot
	}
	c := part.Closed
	if c == nil {
		return nil // damaged; punchcard check tells
	}
	lot := &Transfer{
		StoreKey: w.StoreKey, CustomerID: w.CustomerID, ID: part.LotID, Type: c.Type, State: c.State,
		Lapsed: Amount(c.Lapsed), CreatedAt: moment(c.CreatedAt), ExpiresAt: moment(c.ExpiresAt),
	}
	w.fetched[lot.ID] = lot.remember()
	return lot
}

// open returns an open lot, or nil.
func (w *Wallet) open(id string) *Transfer {
	at := slices.IndexFunc(w.lots, func(lot *Transfer) bool { return lot.ID == id })
	if at < 0 {
		return nil
	}
	return w.lots[at]
}

// isHeld reports whether a reservation holds points of the lot.
func (w *Wallet) isHeld(lot *Transfer) bool {
	return slices.ContainsFunc(w.holds, func(h hold) bool {
		return slices.ContainsFunc(h.Parts, func(part heldPart) bool { return part.LotID == lot.ID })
	})
}

// closeSpent closes open lots of which nothing is left or held.
func (w *Wallet) closeSpent() {
	for _, lot := range w.lots {
		if lot.Available == 0 && !w.isHeld(lot) {
			lot.Open = false
			w.changed[lot], w.dirty = true, true
		}
	}
	w.closeLots()
}

// noteClosed notes what became of a lot that expired or was cancelled in the parts of it that are held.
func (w *Wallet) noteClosed(lot *Transfer) {
	for _, h := range w.holds {
		for i := range h.Parts {
			if part := &h.Parts[i]; part.LotID == lot.ID {
				part.Closed = &closedLot{
					lot.Type, lot.State, int64(lot.Lapsed), micro(lot.CreatedAt), micro(lot.ExpiresAt),
				}
				w.newHolds = true
			}
		}
	}
}

// Holds returns how many reservations keep something in the account.
func (w *Wallet) Holds() int { return len(w.holds) }

// dueAt lowers NextDueAt of the account to a time, if that is earlier.
func (w *Wallet) dueAt(at time.Time) {
	if w.NextDueAt.IsZero() || at.Before(w.NextDueAt) {
		w.NextDueAt, w.newDueAt = at, true
	}
}

// EachHold visits what reservations keep in accounts, with the points that they hold. It is meant for checks.
func EachHold(tx *db.Tx,
	visit func(storeKey int64, customerID, reservationID string, endsAt time.Time, held Amount)) error {
	return db.Each(tx, func(a *Account) []any { return []any{&a.StoreKey, &a.CustomerID, db.JSON(&a.holds)} },
		func(a Account) {
			for i := range a.holds {
				h := &a.holds[i]
				visit(a.StoreKey, a.CustomerID, h.ID, moment(h.EndsAt), h.points())
			}
		}, `SELECT store_id, customer_id, holds FROM accounts WHERE holds NOT IN ('null', '[]')`)
}
