package points

import (
	"slices"

	"punchcard/platform/event"
	"punchcard/platform/fault"
)

const typeMoved = prefix + "PointsWereMoved"

// The errors of a merge of accounts.
var (
	ErrBlockedPoints = fault.New(fault.Conflict, "merge_blocked_points",
		"Points of this customer are blocked. Cancel the blocks first.")
	ErrReserved = fault.New(fault.Conflict, "merge_open_reservations",
		"This customer has open reservations. Cancel them first, or wait for their end.")
	ErrManyLots   = fault.New(fault.Conflict, "merge_too_many_lots", "This customer has more than %d lots with points.")
	ErrMovedSince = fault.New(fault.Conflict, "merge_points_moved", "Points that the merge moved have moved since.")
)

// MergedLots is how many lots with points left one merge moves at most.
const MergedLots = 1_000

// History holds the sums of an account that tell of the past.
type History struct{ Earned, Used, Expired Amount }

// Merged holds the points and the history that a merge moved from one account to another.
type Merged struct {
	Points Amount  // pending ones included
	Lots   []Taken `json:"Lots,omitempty"` // the new lots in the other account
	History
}

// MergeInto moves what the account holds to another locked account of the store, by entries of the ledger: one transfer
// takes what is left of all lots, and for each of them the other account gets a lot with the same expiry and the same
// end of its lock. What the account earned, used and lost so far counts for the other account. If something came back
// after a merge, it moves that.
func (w *Wallet) MergeInto(target *Wallet) (Merged, []event.Entry, error) {
	if w.blockedByHand() > 0 {
		return Merged{}, nil, ErrBlockedPoints
	}
	if len(w.holds) > 0 {
		return Merged{}, nil, ErrReserved
	}
	if len(w.lots) > MergedLots {
		return Merged{}, nil, ErrManyLots.With(MergedLots)
	}
	m := Merged{History: History{w.Earned, w.Used, w.Expired}}
	var entries []event.Entry
	var err error
	m.Lots, entries, err = w.moveLots(target, slices.Clone(w.lots))
	for _, lot := range m.Lots {
		m.Points += Amount(lot.Amount)
	}
	w.carry(target, m.History)
	return m, entries, err
}

// Unmerge moves back what MergeInto moved. It returns ErrMovedSince unless all lots are whole.
func (w *Wallet) Unmerge(target *Wallet, m Merged) ([]event.Entry, error) {
	lots := make([]*Transfer, len(m.Lots))
	for i, part := range m.Lots {
		at := slices.IndexFunc(target.lots, func(lot *Transfer) bool { return lot.ID == part.LotID })
		if at < 0 || target.lots[at].Available != Amount(part.Amount) {
			return nil, ErrMovedSince
		}
		lots[i] = target.lots[at]
	}
	_, entries, err := target.moveLots(w, lots)
	target.carry(w, m.History)
	return entries, err
}

// carry makes a part of the history of the account count for another one.
func (w *Wallet) carry(to *Wallet, h History) {
	w.remember(History{-h.Earned, -h.Used, -h.Expired})
	to.remember(h)
}

// remember adds a part of another account's history to the sums.
func (w *Wallet) remember(h History) {
	w.Earned, w.Used, w.Expired = w.Earned+h.Earned, w.Used+h.Used, w.Expired+h.Expired
	w.carried.Earned += h.Earned
	w.carried.Used += h.Used
	w.carried.Expired += h.Expired
	w.dirty = true
}

// moveLots moves what is left of open lots to another account, and returns the new lots there.
func (w *Wallet) moveLots(to *Wallet, lots []*Transfer) (made []Taken, entries []event.Entry, err error) {
	if len(lots) == 0 {
		return nil, nil, nil
	}
	ids := make([]string, len(lots))
	for i, lot := range lots {
		ids[i] = lot.ID
	}
	rows, err := findAll(w.tx, w.StoreKey, ids...) // have the receipts that earned the points
	if err != nil {
		return nil, nil, err
	}
	spend := &Transfer{
		StoreKey: w.StoreKey, CustomerID: w.CustomerID, ID: w.tx.NewID(), Type: MergeSpending, State: Active,
		CreatedAt: w.tx.Now(), Issuer: BySystem, OtherCustomerID: to.CustomerID,
	}
	for _, lot := range lots {
		left := lot.Available
		copied := &Transfer{
			StoreKey: to.StoreKey, CustomerID: to.CustomerID, ID: w.tx.NewID(), Type: MergeAdding, State: lot.State,
			Value: left, Available: left, Open: true, CreatedAt: w.tx.Now(), ExpiresAt: lot.ExpiresAt,
			LockedUntil: lot.LockedUntil, Issuer: BySystem, TransactionID: rows[lot.ID].TransactionID,
			OtherCustomerID: w.CustomerID,
		}
		w.takeFrom(lot, spend, left)
		to.acceptMerged(copied)
		entries = append(entries, to.entry(typeAdded, movedLot(w.store, copied)))
		made = append(made, Taken{LotID: copied.ID, Amount: int64(left)})
	}
	w.closeLots()
	w.append(spend)
	slices.SortFunc(to.lots, spendOrder)
	return made, slices.Insert(entries, 0, event.Entry{AggregateID: w.ID, Fact: pointsWereMoved{
		AccountRef{w.ID}, movementTo{moved(w.store, spend), AccountRef{to.ID}},
	}}), nil
}

// acceptMerged adds a lot that may be pending.
func (w *Wallet) acceptMerged(lot *Transfer) {
	w.append(lot)
	w.lots = append(w.lots, lot)
	if lot.State == Pending {
		w.Locked += lot.Available
	} else {
		w.receive(lot, lot.Available)
	}
	w.dueBy(lot)
}

// MoveCounts makes purchases of campaigns count for another account.
func (w *Wallet) MoveCounts(to *Wallet, counts map[string]int64) error {
	var less, more []*purchaseCount
	for _, id := range sortedKeys(counts) {
		less = append(less, w.count(id, -counts[id]))
		more = append(more, to.count(id, counts[id]))
	}
	if err := countTable.Add(w.tx, "bought", less...); err != nil {
		return err
	}
	return addCounts(w.tx, more)
}

// ofMerge reports whether the transfer is part of a merge, which is nothing that a customer does.
func (t *Transfer) ofMerge() bool { return t.Type == MergeAdding || t.Type == MergeSpending }

type pointsWereMoved struct {
	AccountID      AccountRef `json:"accountId"`
	PointsTransfer movementTo `json:"pointsTransfer"`
}

func (pointsWereMoved) EventType() string { return typeMoved }
