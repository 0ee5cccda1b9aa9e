package points

import (
	"slices"

	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

const typeTransferred = prefix + "PointsWereTransferred"

// Gift is a transfer of points from one customer to another of the same store.
type Gift struct {
	From, To string // customers
	Value    Amount
	Comment  string
	Issuer   string
}

// Given is the result of a gift.
type Given struct {
	Spend            *Transfer // of the sender
	Sender, Receiver Account
}

// Give carries out a gift. The sender's lots are consumed as in a spend, and for each of them the receiver gets a
// lot of the consumed amount with the same expiry. Both accounts are locked in a fixed order, so that opposite gifts
// do not deadlock. See docs/behaviour/points.md#points-from-customer-to-customer.
func Give(tx *db.Tx, s *store.Store, gift Gift) (Given, error) {
	wallets, err := Lock(tx, Owner{s, gift.From}, Owner{s, gift.To})
	if err != nil {
		return Given{}, err
	}
	sender, receiver := wallets.Of(Owner{s, gift.From}), wallets.Of(Owner{s, gift.To})
	if sender == nil || receiver == nil || sender == receiver {
		return Given{}, fault.ErrNotFound
	}
	spend, err := sender.take(P2PSpending, gift.Value, gift.Comment, gift.Issuer)
	if err != nil {
		return Given{}, err
	}
	spend.OtherCustomerID = gift.To
	sender.Used += gift.Value
	entries := []event.Entry{{AggregateID: sender.ID, Fact: pointsWereTransferred{
		AccountRef{sender.ID}, movementTo{moved(s, spend), AccountRef{receiver.ID}},
	}}}
	for _, part := range spend.Lots {
		from, err := sender.transfer(part.LotID)
		if err != nil {
			return Given{}, err
		}
		lot := receiver.accept(&Transfer{
			StoreKey: s.Key, CustomerID: gift.To, ID: tx.NewID(), Type: P2PAdding, State: Active,
			Value: Amount(part.Amount), Available: Amount(part.Amount), Open: true, CreatedAt: tx.Now(),
			ExpiresAt: from.ExpiresAt, Issuer: gift.Issuer, Comment: gift.Comment, OtherCustomerID: gift.From,
		})
		entries = append(entries, receiver.entry(typeAdded, movedLot(s, lot)))
	}
	if err := wallets.Save(); err != nil {
		return Given{}, err
	}
	return Given{spend, sender.Account, receiver.Account}, event.Append(tx, s.Key, entries...)
}

// accept adds an active lot to the wallet.
func (w *Wallet) accept(lot *Transfer) *Transfer {
	w.append(lot)
	w.lots = append(w.lots, lot)
	slices.SortFunc(w.lots, spendOrder)
	w.receive(lot, lot.Available)
	w.dueBy(lot)
	return lot
}

// movementTo is a movement with the account of its receiver.
type movementTo struct {
	movement
	Receiver AccountRef `json:"receiverId"`
}

type pointsWereTransferred struct {
	AccountID      AccountRef `json:"accountId"`
	PointsTransfer movementTo `json:"pointsTransfer"`
}

func (pointsWereTransferred) EventType() string { return typeTransferred }
