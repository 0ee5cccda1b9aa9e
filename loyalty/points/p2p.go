package points

import (
	"slices"

	"punchcard/platform/event"
	"punchcard/platform/fault"
)

const typeTransferred = prefix + "PointsWereTransferred"

// Gift is a transfer of points from one customer to another of the same store.
type Gift struct {
	Value   Amount
	Comment string
	Issuer  string
}

// GiveTo carries out a gift to another locked account, and returns the spend with the events, or fault.ErrNotFound
// without another account. The lots are consumed as in a spend, and for each of them the receiver gets a lot of the
// consumed amount with the same expiry. See docs/behaviour/points.md#points-from-customer-to-customer.
func (w *Wallet) GiveTo(receiver *Wallet, gift Gift) (*Transfer, []event.Entry, error) {
	if receiver == nil || receiver == w {
		return nil, nil, fault.ErrNotFound
	}
	spend, err := w.take(P2PSpending, gift.Value, gift.Comment, gift.Issuer)
	if err != nil {
		return nil, nil, err
	}
	spend.OtherCustomerID = receiver.CustomerID
	w.Used += gift.Value
	entries := []event.Entry{{AggregateID: w.ID, Fact: pointsWereTransferred{
		AccountRef{w.ID}, movementTo{moved(w.store, spend), AccountRef{receiver.ID}},
	}}}
	for _, part := range spend.Lots {
		from, err := w.transfer(part.LotID)
		if err != nil {
			return nil, nil, err
		}
		lot := receiver.accept(&Transfer{
			StoreKey: w.StoreKey, CustomerID: receiver.CustomerID, ID: w.tx.NewID(), Type: P2PAdding, State: Active,
			Value: Amount(part.Amount), Available: Amount(part.Amount), Open: true, CreatedAt: w.tx.Now(),
			ExpiresAt: from.ExpiresAt, Issuer: gift.Issuer, Comment: gift.Comment, OtherCustomerID: w.CustomerID,
		})
		entries = append(entries, receiver.entry(typeAdded, movedLot(w.store, lot)))
	}
	return spend, entries, nil
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
