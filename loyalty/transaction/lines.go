package transaction

import (
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// Paid is a sale of a reserved basket, with its customer; nil for nobody.
type Paid struct {
	Transaction
	Customer *customer.Customer
}

// RegisterPaid registers sales of different customers in an operation of the caller. The data of their documents is
// that of their customers. It returns the error of the first one that is refused, after which the operation must end.
func (h Hooks) RegisterPaid(tx *db.Tx, s *store.Store, sales ...Paid) ([]*Transaction, error) {
	documents, made := make([]*receipt, len(sales)), make([]*Transaction, len(sales))
	for i := range sales {
		t := &sales[i].Transaction
		t.Type = Sell
		if sales[i].Customer != nil {
			t.CustomerData.complete(sales[i].Customer)
		}
		documents[i] = &receipt{Transaction: t, identified: true, who: sales[i].Customer}
		made[i] = t
	}
	if err := register(tx, s, documents, h); err != nil {
		return nil, err
	}
	for _, d := range documents {
		if d.err != nil {
			return nil, d.err
		}
	}
	return made, nil
}

// pointsOfReturned returns the points that the returned lines of a sale gave, of those that it earned. The returns are
// some of the sale, oldest first. Only a sale with LinePoints has points by line.
func (t *Transaction) pointsOfReturned(returns []Transaction, earned points.Amount) points.Amount {
	left := make([]decimal.Money, len(t.Items))
	for i := range t.Items {
		left[i] = t.Items[i].GrossValue
	}
	for i := range returns {
		for n := range returns[i].Items {
			t.takeLine(left, &returns[i].Items[n])
		}
	}
	var all, back points.Amount
	for i, n := range t.LinePoints {
		all += n
		if whole := t.Items[i].GrossValue; whole > 0 {
			back += n.MulDiv(int64(whole-left[i]), int64(whole))
		}
	}
	if all == 0 {
		return 0
	}
	return earned.MulDiv(int64(back), int64(all))
}

// takeLine subtracts a returned line from the sale: from lines of the product, first from one of the same value, and
// never more than these cost. A product that is not in the sale is subtracted from all lines in their order.
func (t *Transaction) takeLine(left []decimal.Money, back *Item) {
	rest := back.GrossValue
	take := func(matches func(i int) bool) {
		for i := range left {
			if rest > 0 && left[i] > 0 && matches(i) {
				part := min(rest, left[i])
				left[i], rest = left[i]-part, rest-part
			}
		}
	}
	same := func(i int) bool { return t.Items[i].SKU == back.SKU && t.Items[i].Name == back.Name }
	whole := rest
	take(func(i int) bool { return same(i) && left[i] == whole })
	take(same)
	product := func(i int) bool { return t.Items[i].SKU == back.SKU }
	take(product)
	for i := range t.Items {
		if product(i) {
			return
		}
	}
	take(func(int) bool { return true })
}
