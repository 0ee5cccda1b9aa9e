package points

import "slices"

// transferTypes lists the types of transfers. A further type needs an entry here and an operation of Wallet.
var transferTypes = []transferType{
	{name: Adding, isLot: true, total: func(a *Account) *Amount { return &a.Earned }, cancel: cancelLot},
	{name: Spending, total: func(a *Account) *Amount { return &a.Used }},
	{name: P2PAdding, isLot: true},
	{name: P2PSpending, total: func(a *Account) *Amount { return &a.Used }},
	{name: MergeAdding, isLot: true},
	{name: MergeSpending},
	{name: Blocked, total: func(a *Account) *Amount { return &a.Blocked }, cancel: cancelBlock},
}

// transferType is one type of transfer. See docs/behaviour/points.md#transfers.
type transferType struct {
	name   string
	isLot  bool                               // it adds points, from which spends take
	total  func(a *Account) *Amount           // the sum that counts its value; nil for none
	cancel func(w *Wallet, t *Transfer) error // undoes it; nil if it cannot be cancelled
}

// typeOf returns the type of a transfer, or nil if it is unknown.
func typeOf(t *Transfer) *transferType {
	at := slices.IndexFunc(transferTypes, func(of transferType) bool { return of.name == t.Type })
	if at < 0 {
		return nil
	}
	return &transferTypes[at]
}

func typeNames() []string {
	names := make([]string, len(transferTypes))
	for i := range transferTypes {
		names[i] = transferTypes[i].name
	}
	return names
}

// IsLot reports whether the transfer adds points, from which spends take.
func (t *Transfer) IsLot() bool {
	of := typeOf(t)
	return of != nil && of.isLot
}

// cancelLot removes what is left of an active or pending lot. Points that were spent already stay spent.
func cancelLot(w *Wallet, t *Transfer) error {
	switch t.State {
	case Active:
		w.receive(t, -t.Available)
	case Pending:
		w.Locked -= t.Available
	default:
		return ErrNotCancelable
	}
	w.Earned -= t.Value
	t.Lapsed += t.Available
	t.Available, t.Open = 0, false
	w.closeLots()
	return nil
}

// cancelBlock gives blocked points back to the lots they came from.
func cancelBlock(w *Wallet, t *Transfer) error {
	if t.State != Active {
		return ErrNotCancelable
	}
	w.Account.Blocked -= t.Value
	return w.giveBack(t.Lots)
}
