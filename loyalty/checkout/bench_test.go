package checkout

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

const benchCustomers = 1000

// BenchmarkConfirm confirms reservations of three lines without coupons and rewards, and registers receipts of the same
// lines: 64 tills at once, without HTTP. One operation is one durable receipt.
func BenchmarkConfirm(b *testing.B) {
	for _, engine := range dbtest.EnginesOf(b) {
		b.Run(engine, func(b *testing.B) {
			m := openMarket(b, engine)
			m.restock(benchCustomers)
			var next atomic.Int64
			b.Run("receipt", func(b *testing.B) { m.register(b, &next) })
			b.Run("confirm", func(b *testing.B) { m.confirm(b, &next) })
		})
	}
}

// atOnce runs an operation b.N times with the next numbers.
func atOnce(b *testing.B, next *atomic.Int64, do func(n int) error) {
	b.SetParallelism(32)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := do(int(next.Add(1) - 1)); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

func benchLines() (lines []transaction.Item) {
	for i, sku := range []string{"COFFEE", "BEANS", "CAKE"} {
		lines = append(lines, transaction.Item{
			SKU: transaction.SKU{Code: sku}, Name: sku, Quantity: 1000, Category: "food",
			GrossValue: decimal.Whole(int64(i + 4)).Money(),
		})
	}
	return lines
}

func (m *market) register(b *testing.B, next *atomic.Int64) {
	s := m.servers[0]
	registrar := transaction.NewRegistrar(s.db, s.svc.receipts)
	emails := make([]string, benchCustomers)
	m.Read(func(tx *db.Tx) error {
		found, err := customer.FindAll(tx, m.Store.Key, m.customers...)
		for i, id := range m.customers {
			emails[i] = found[id].Email
		}
		return err
	})
	atOnce(b, next, func(n int) error {
		_, err := registrar.Register(context.Background(), transaction.Draft{
			Store: m.Store, Transaction: transaction.Transaction{
				DocumentNumber: fmt.Sprint("S-", n), Type: transaction.Sell, Items: benchLines(),
				CustomerData: transaction.CustomerData{Name: "Ida Berg", Email: emails[n%benchCustomers]},
			},
		})
		return err
	})
}

func (m *market) confirm(b *testing.B, next *atomic.Int64) {
	s := m.servers[0]
	reserved := make([]*reservation, b.N)
	var made atomic.Int64
	atOnce(b, &made, func(n int) error {
		return store.Write(context.Background(), s.db, m.Store, func(tx *db.Tx) error {
			r, _, err := s.svc.reserve(tx, request{
				store: m.Store, customer: m.customers[n%benchCustomers], items: benchLines(), lasting: LongestTime,
			}, fmt.Sprint(n/100))
			if err != nil {
				return err
			}
			reserved[n], r.Checkout = r, "{}"
			return r.insert(tx)
		})
	})
	first := next.Load()
	atOnce(b, next, func(n int) error {
		confirm := m.confirmation(reserved[int64(n)-first].ID, fmt.Sprint("C-", n))
		_, err := s.svc.confirmations.Do(context.Background(), m.Store, confirm)
		return err
	})
}
