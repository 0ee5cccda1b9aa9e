package points

import (
	"cmp"
	"slices"
	"time"

	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// Wallet is a locked account with its open lots, settled to the present moment. Its methods decide in
// memory; Save writes what they changed. A method that returns an error has changed nothing.
type Wallet struct {
	Account
	store *store.Store
	tx    *db.Tx

	lots     []*Transfer          // open ones, in the order in which they are spent
	fetched  map[string]*Transfer // further ones that were touched
	added    []*Transfer
	changed  map[*Transfer]bool
	dirty    bool
	settled  []event.Entry // what became due while nobody looked
	newDueAt bool
}

func newWallet(tx *db.Tx, s *store.Store, account Account) *Wallet {
	w := &Wallet{
		Account: account, store: s, tx: tx, fetched: map[string]*Transfer{}, changed: map[*Transfer]bool{},
		lots: make([]*Transfer, len(account.stored)),
	}
	for i, lot := range account.stored {
		w.lots[i] = account.openLot(lot)
	}
	slices.SortFunc(w.lots, spendOrder)
	return w
}

// openLots are the lots as the account row keeps them.
func (w *Wallet) openLots() []openLot {
	open := make([]openLot, len(w.lots))
	for i, lot := range w.lots {
		open[i] = lot.openLot()
	}
	return open
}

// append puts a new transfer at the end of the customer's list.
func (w *Wallet) append(t *Transfer) {
	t.PreviousID, w.LastTransferID = w.LastTransferID, t.ID
	w.Transfers++
	w.added, w.dirty = append(w.added, t), true
}

// spendOrder puts the soonest expiry first, lots without expiry last, older ones first among equals.
func spendOrder(a, b *Transfer) int {
	switch {
	case a.ExpiresAt.Equal(b.ExpiresAt):
		return cmp.Compare(a.ID, b.ID)
	case a.ExpiresAt.IsZero():
		return 1
	case b.ExpiresAt.IsZero():
		return -1
	}
	return a.ExpiresAt.Compare(b.ExpiresAt)
}

// expired tells whether the lot's last moment has passed: it can be spent until the end of it.
func (t *Transfer) expired(now time.Time) bool {
	return !t.ExpiresAt.IsZero() && t.ExpiresAt.Before(now)
}

// due is the next moment at which the lot changes by itself, zero when it never does.
func (t *Transfer) due() time.Time {
	if t.State == Pending {
		return t.LockedUntil
	}
	if t.ExpiresAt.IsZero() {
		return time.Time{}
	}
	return t.ExpiresAt.Add(time.Microsecond)
}

// settle unlocks and expires the lots that are due.
func (w *Wallet) settle() {
	if w.NextDueAt.IsZero() || w.NextDueAt.After(w.tx.Now) {
		return
	}
	for _, lot := range w.lots {
		if lot.State == Pending && !lot.LockedUntil.After(w.tx.Now) {
			w.unlock(lot)
			w.settled = append(w.settled, w.change(typeUnlocked, lot))
		}
		if lot.State == Active && lot.expired(w.tx.Now) {
			w.lapse(lot)
			w.settled = append(w.settled, w.change(typeExpired, lot))
		}
	}
	w.closeLots()
	w.NextDueAt, w.newDueAt = time.Time{}, true
	for _, lot := range w.lots {
		w.dueBy(lot)
	}
}

func (w *Wallet) unlock(lot *Transfer) {
	lot.State = Active
	w.Locked -= lot.Available
	w.receive(lot, lot.Available)
}

// lapse ends an active lot; what it had left is lost.
func (w *Wallet) lapse(lot *Transfer) {
	left := lot.Available
	w.Expired += left
	lot.Lapsed += left
	lot.Available, lot.State, lot.Open = 0, Expired, false
	w.receive(lot, -left)
}

// receive adds to the spendable sums what an active lot gained, or takes what it lost.
func (w *Wallet) receive(lot *Transfer, amount Amount) {
	w.Points += amount
	if lot.Type == P2PAdding {
		w.P2P += amount
	}
	w.changed[lot], w.dirty = true, true
}

func (w *Wallet) closeLots() {
	w.lots = slices.DeleteFunc(w.lots, func(lot *Transfer) bool {
		if !lot.Open {
			w.fetched[lot.ID] = lot
		}
		return !lot.Open
	})
}

// CountPurchases notes that the customer bought n more coupons of the campaign.
func (w *Wallet) CountPurchases(campaignID string, n int64) {
	if w.Bought == nil {
		w.Bought = map[string]int64{}
	}
	w.Bought[campaignID] += n
	w.dirty = true
}

// Add makes a lot and returns it with its event.
func (w *Wallet) Add(grant Grant) (*Transfer, event.Entry) {
	lot := grant.lot(w.store, w.tx.NewID(), w.CustomerID)
	w.append(lot)
	w.Earned += lot.Value
	w.lots = append(w.lots, lot)
	slices.SortFunc(w.lots, spendOrder)
	if lot.State == Pending {
		w.Locked += lot.Value
	} else {
		w.Points += lot.Value
	}
	w.dueBy(lot)
	return lot, w.entry(typeAdded, movedLot(w.store, lot))
}

// Spend takes value from the lots and returns the transfer with its event.
func (w *Wallet) Spend(value Amount, comment, issuer string) (*Transfer, event.Entry, error) {
	t, err := w.take(Spending, value, comment, issuer)
	if err != nil {
		return nil, event.Entry{}, err
	}
	w.Used += value
	return t, w.entry(typeSpent, moved(w.store, t)), nil
}

// Block takes value out of the balance until the transfer is cancelled.
func (w *Wallet) Block(value Amount, comment, issuer string) (*Transfer, event.Entry, error) {
	t, err := w.take(Blocked, value, comment, issuer)
	if err != nil {
		return nil, event.Entry{}, err
	}
	w.Account.Blocked += value
	return t, w.entry(typeBlocked, moved(w.store, t)), nil
}

func (w *Wallet) take(kind string, value Amount, comment, issuer string) (*Transfer, error) {
	if value <= 0 || value > w.Points {
		return nil, ErrNotEnough
	}
	t := &Transfer{
		StoreKey: w.StoreKey, CustomerID: w.CustomerID, ID: w.tx.NewID(), Type: kind, State: Active, Value: value,
		CreatedAt: w.tx.Now, Issuer: issuer, Comment: comment,
	}
	for _, lot := range w.lots {
		if lot.State != Active {
			continue
		}
		part := min(value, lot.Available)
		lot.Available -= part
		lot.Open = lot.Available > 0
		w.receive(lot, -part)
		t.Lots = append(t.Lots, Taken{LotID: lot.ID, Amount: int64(part)})
		if value -= part; value == 0 {
			break
		}
	}
	w.closeLots()
	w.append(t)
	return t, nil
}

// Cancel takes an adding or blocked transfer back (program-api 4.8). What was already spent of a lot
// stays spent.
func (w *Wallet) Cancel(t *Transfer) (event.Entry, error) {
	switch {
	case t.Type == Adding && (t.State == Active || t.State == Pending):
		if t.State == Active {
			w.receive(t, -t.Available)
		} else {
			w.Locked -= t.Available
		}
		w.Earned -= t.Value
		t.Available, t.Open = 0, false
		w.closeLots()
	case t.Type == Blocked && t.State == Active:
		w.Account.Blocked -= t.Value
		if err := w.giveBack(t.Lots); err != nil {
			return event.Entry{}, err
		}
	default:
		return event.Entry{}, ErrNotCancelable
	}
	t.State = Canceled
	w.changed[t], w.dirty = true, true
	return w.change(typeCanceled, t), nil
}

// Expire ends an active lot now.
func (w *Wallet) Expire(lot *Transfer) (event.Entry, error) {
	if (lot.Type != Adding && lot.Type != P2PAdding) || lot.State != Active {
		return event.Entry{}, ErrNotActive
	}
	w.lapse(lot)
	lot.ExpiresAt = w.tx.Now
	w.closeLots()
	return w.change(typeExpired, lot), nil
}

// Return gives a spend back to the very lots it came from, with their expiry; what expired meanwhile
// stays expired.
func (w *Wallet) Return(spend *Transfer) (event.Entry, error) {
	if spend.Type != Spending || spend.State != Active {
		return event.Entry{}, ErrNotCancelable
	}
	if err := w.giveBack(spend.Lots); err != nil {
		return event.Entry{}, err
	}
	w.Used -= spend.Value
	spend.State = Canceled
	w.changed[spend], w.dirty = true, true
	return w.entry(typeReturned, moved(w.store, spend)), nil
}

func (w *Wallet) giveBack(taken []Taken) error {
	lots := make([]*Transfer, len(taken))
	for i, part := range taken {
		var err error
		if lots[i], err = w.transfer(part.LotID); err != nil {
			return err
		}
	}
	for i, part := range taken {
		w.refill(lots[i], Amount(part.Amount))
	}
	slices.SortFunc(w.lots, spendOrder)
	return nil
}

// refill puts points back into a lot, unless the lot itself was taken back or has expired meanwhile.
func (w *Wallet) refill(lot *Transfer, amount Amount) {
	if lot.State == Canceled {
		return
	}
	w.changed[lot], w.dirty = true, true
	if lot.State == Expired || lot.expired(w.tx.Now) {
		lot.State = Expired
		lot.Lapsed += amount
		w.Expired += amount
		return
	}
	lot.Available += amount
	w.receive(lot, amount)
	if !lot.Open {
		lot.Open = true
		delete(w.fetched, lot.ID)
		w.lots = append(w.lots, lot)
	}
	w.dueBy(lot)
}

// dueBy makes sure that the account is looked at when the lot is due.
func (w *Wallet) dueBy(lot *Transfer) {
	if due := lot.due(); !due.IsZero() && (w.NextDueAt.IsZero() || due.Before(w.NextDueAt)) {
		w.NextDueAt, w.newDueAt = due, true
	}
}

// Transfer finds a transfer of this account, so that it can be cancelled, expired or returned.
func (w *Wallet) Transfer(id string) (*Transfer, error) {
	t, err := w.transfer(id)
	if err != nil || t.Value > 0 {
		return t, err
	}
	row, err := find(w.tx, w.StoreKey, w.CustomerID, id) // the account row knows only what is left of it
	if err != nil {
		return nil, err
	}
	row.State, row.Available, row.Open, row.ExpiresAt, row.stored = t.State, t.Available, t.Open, t.ExpiresAt, t.stored
	*t = *row
	return t, nil
}

func (w *Wallet) transfer(id string) (*Transfer, error) {
	for _, lot := range w.lots {
		if lot.ID == id {
			return lot, nil
		}
	}
	if t := w.fetched[id]; t != nil {
		return t, nil
	}
	t, err := find(w.tx, w.StoreKey, w.CustomerID, id)
	if err == nil {
		w.fetched[id] = t
	}
	return t, err
}
