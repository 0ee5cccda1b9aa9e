package points

import (
	"cmp"
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// Wallet is a locked account with its open lots, settled to the present time. Its methods work in memory, and
// Wallets.Save writes their changes. A method that returns an error changes nothing.
type Wallet struct {
	Account
	store *store.Store
	tx    *db.Tx

	lots     []*Transfer          // open ones, in spending order
	fetched  map[string]*Transfer // other lots that were read or changed
	added    []*Transfer
	changed  map[*Transfer]bool
	dirty    bool
	active   bool          // the customer did something, as docs/behaviour/analytics.md#active-members says
	settled  []event.Entry // events of lots that became due since the last change
	newDueAt bool
	newHolds bool
	carried  History // to add to what the sums contain from merged customers

	counted map[string]int64 // purchases to add to purchase_counts, by campaign
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

// record notes the balance for a dry run.
func (w *Wallet) record() { Effect.Note(w.tx, w.CustomerID, int64(w.Points)) }

// openLots returns the lots in their stored form.
func (w *Wallet) openLots() []openLot {
	open := make([]openLot, len(w.lots))
	for i, lot := range w.lots {
		open[i] = lot.openLot()
	}
	return open
}

// append adds a new transfer to the end of the customer's linked list.
func (w *Wallet) append(t *Transfer) {
	t.PreviousID, w.LastTransferID = w.LastTransferID, t.ID
	w.Transfers++
	w.added, w.dirty, w.active = append(w.added, t), true, w.active || !t.ofMerge()
}

// spendOrder sorts the earliest expiry first and lots without expiry last. Among equals, the older lot is first.
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

// expired reports whether the lot's time of expiry has passed. The lot can still be spent at that time itself.
func (t *Transfer) expired(now time.Time) bool {
	return !t.ExpiresAt.IsZero() && t.ExpiresAt.Before(now)
}

// due returns the next time at which the lot unlocks or expires, or zero if it never does.
func (t *Transfer) due() time.Time {
	if t.State == Pending {
		return t.LockedUntil
	}
	if t.ExpiresAt.IsZero() {
		return time.Time{}
	}
	return t.ExpiresAt.Add(time.Microsecond)
}

// settle unlocks and expires the lots that are due, and gives back what is held no longer.
func (w *Wallet) settle() {
	if w.NextDueAt.IsZero() || w.NextDueAt.After(w.tx.Now()) {
		return
	}
	for _, lot := range w.lots {
		if lot.State == Pending && !lot.LockedUntil.After(w.tx.Now()) {
			w.unlock(lot)
			w.settled = append(w.settled, w.change(typeUnlocked, lot))
		}
		if lot.State == Active && lot.expired(w.tx.Now()) {
			w.lapse(lot)
			w.settled = append(w.settled, w.change(typeExpired, lot))
		}
	}
	w.closeLots()
	w.endHolds()
	w.findDue()
}

// findDue sets NextDueAt to the time at which the first lot unlocks or expires, or the first hold ends.
func (w *Wallet) findDue() {
	w.NextDueAt, w.newDueAt = time.Time{}, true
	for _, lot := range w.lots {
		w.dueBy(lot)
	}
	for i := range w.holds {
		w.dueAt(moment(w.holds[i].EndsAt))
	}
}

func (w *Wallet) unlock(lot *Transfer) {
	lot.State = Active
	w.Locked -= lot.Available
	w.receive(lot, lot.Available)
}

// lapse expires an active lot. The rest of its points is lost.
func (w *Wallet) lapse(lot *Transfer) {
	left := lot.Available
	w.Expired += left
	lot.Lapsed += left
	lot.Available, lot.State, lot.Open = 0, Expired, false
	w.receive(lot, -left)
	w.noteClosed(lot)
}

// receive adds an amount that an active lot gained to the spendable sums. It is negative if the lot lost points.
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

// Add creates a lot and returns it with its event.
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

// Spend takes value from the lots and returns the transfer with its event, or ErrNotEnough.
func (w *Wallet) Spend(value Amount, comment, issuer string) (*Transfer, event.Entry, error) {
	t, err := w.take(Spending, value, comment, issuer)
	if err != nil {
		return nil, event.Entry{}, err
	}
	w.Used += value
	return t, w.entry(typeSpent, moved(w.store, t)), nil
}

// Block removes value from the balance until the transfer is cancelled. It returns ErrNotEnough like Spend.
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
		CreatedAt: w.tx.Now(), Issuer: issuer, Comment: comment,
	}
	for _, lot := range w.lots {
		if lot.State != Active || lot.Available == 0 {
			continue
		}
		part := min(value, lot.Available)
		lot.Available -= part
		lot.Open = lot.Available > 0 || w.isHeld(lot)
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

// Cancel cancels a transfer whose type allows it, or returns ErrNotCancelable. See
// docs/behaviour/points.md#cancelling.
func (w *Wallet) Cancel(t *Transfer) (event.Entry, error) {
	of := typeOf(t)
	if of == nil || of.cancel == nil {
		return event.Entry{}, ErrNotCancelable
	}
	if err := of.cancel(w, t); err != nil {
		return event.Entry{}, err
	}
	t.State = Canceled
	w.noteClosed(t)
	w.changed[t], w.dirty = true, true
	return w.change(typeCanceled, t), nil
}

// Expire expires an active lot now. It returns ErrNotActive for other lots.
func (w *Wallet) Expire(lot *Transfer) (event.Entry, error) {
	if !lot.IsLot() || lot.State != Active {
		return event.Entry{}, ErrNotActive
	}
	w.lapse(lot)
	lot.ExpiresAt = w.tx.Now()
	w.noteClosed(lot)
	w.closeLots()
	return w.change(typeExpired, lot), nil
}

// Return gives a spend back to the lots it took from, with their expiry. Lots that expired meanwhile stay expired.
// See docs/behaviour/points.md#giving-back.
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

// refill puts points back into a lot, unless the lot was cancelled or has expired meanwhile.
func (w *Wallet) refill(lot *Transfer, amount Amount) {
	w.changed[lot], w.dirty = true, true
	if lot.State == Canceled {
		lot.Lapsed += amount
		w.noteClosed(lot)
		return
	}
	if lot.State == Expired || lot.expired(w.tx.Now()) {
		lot.State = Expired
		lot.Lapsed += amount
		w.Expired += amount
		w.noteClosed(lot)
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

// dueBy lowers NextDueAt of the account to the due time of the lot, if that is earlier.
func (w *Wallet) dueBy(lot *Transfer) {
	if due := lot.due(); !due.IsZero() {
		w.dueAt(due)
	}
}

// Transfer returns a transfer of this account, for cancelling, expiring or giving back.
func (w *Wallet) Transfer(id string) (*Transfer, error) {
	t, err := w.transfer(id)
	if err != nil || t.Value > 0 {
		return t, err
	}
	row, err := findTransfer(w.tx, w.StoreKey, w.CustomerID, id) // the account row holds only the rest of it
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
	t, err := findTransfer(w.tx, w.StoreKey, w.CustomerID, id)
	if err == nil {
		w.fetched[id] = t
	}
	return t, err
}
