package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

const (
	receiptsMost   = 3  // of one customer
	linesMost      = 3  // of one receipt
	returnPercent  = 5  // of the receipts
	receiptsAtOnce = 20 // in one transaction
)

// product is an article that a till sells.
type product struct {
	sku, name, category, maker, roast string
	price                             int64 // hundredths
}

// goods are the products of all tills.
var goods = []product{
	{"ESPRESSO-250", "Espresso, 250 g", "coffee", "Amber & Oak", "dark", 11_90},
	{"FILTER-250", "Filter coffee, 250 g", "coffee", "Amber & Oak", "light", 12_50},
	{"TEA-SENCHA", "Sencha, 100 g", "tea", "Green Hill", "", 9_40},
	{"MUG-OAK", "Mug", "things", "Clay & Co", "", 16_00},
	{"CAKE", "A slice of cake", "food", "Amber & Oak", "", 4_20},
	{"DRIPPER", "Dripper", "things", "Clay & Co", "", 24_90},
}

// ring registers the receipts of all active members, oldest first, and some returns.
func (l *loader) ring(ctx context.Context, everybody []person) (receipts int, err error) {
	rng := draws(streamTill)
	var drafts []transaction.Transaction
	for i := range everybody {
		p := &everybody[i]
		for n := range rng.IntN(receiptsMost + 1) {
			drafts = append(drafts, l.receipt(rng, p, fmt.Sprintf("R-%04d-%d", i, n)))
		}
	}
	slices.SortStableFunc(drafts, func(a, b transaction.Transaction) int { return a.PurchasedAt.Compare(b.PurchasedAt) })
	for _, sale := range drafts {
		if chance(rng, returnPercent) {
			back := sale
			back.Type, back.RevisedDocument, back.DocumentNumber = transaction.Return, sale.DocumentNumber,
				sale.DocumentNumber+"-BACK"
			back.Items, back.PurchasedAt = sale.Items[:1], l.now
			drafts = append(drafts, back)
		}
	}
	for group := range slices.Chunk(drafts, receiptsAtOnce) {
		err := l.db.Write(ctx, func(tx *db.Tx) error {
			for _, draft := range group {
				if _, err := transaction.Register(tx, l.store, draft, l.hooks); err != nil {
					return fmt.Errorf("%s: %w", draft.DocumentNumber, err)
				}
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
	}
	return len(drafts), nil
}

func (l *loader) receipt(rng *rand.Rand, p *person, number string) transaction.Transaction {
	t := transaction.Transaction{
		DocumentNumber: number, Type: transaction.Sell, POSID: pick(rng, l.shops),
		PurchasedAt:  p.CreatedAt.Add(time.Duration(rng.Int64N(int64(l.now.Sub(p.CreatedAt)) + 1))).Truncate(time.Second),
		CustomerData: transaction.CustomerData{Name: p.FirstName + " " + p.LastName, Email: p.Email},
	}
	for range 1 + rng.IntN(linesMost) {
		sold, quantity := pick(rng, goods), 1+rng.Int64N(3)
		t.Items = append(t.Items, sold.line(quantity))
	}
	return t
}

// line returns the item of a receipt with so many pieces.
func (p product) line(quantity int64) transaction.Item {
	item := transaction.Item{
		SKU: transaction.SKU{Code: p.sku}, Name: p.name, Quantity: decimal.Thousandths(quantity * 1000),
		GrossValue: decimal.Hundredths(quantity * p.price).Money(), Category: p.category, Maker: p.maker,
		Labels: []transaction.Label{},
	}
	if p.roast != "" {
		item.Labels = append(item.Labels, transaction.Label{Key: "roast", Value: p.roast})
	}
	return item
}
