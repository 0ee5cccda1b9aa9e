package checkout

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

// BenchmarkConfirm confirms reservations of three lines without coupons and rewards, and registers receipts of the same
// lines: 64 tills at once, without HTTP. One operation is one durable receipt.
func BenchmarkConfirm(b *testing.B) {
	const customers = 1000
	for _, engine := range dbtest.Engines {
		b.Run(engine, func(b *testing.B) {
			m := openMarket(b, engine)
			m.restock(customers)
			s := m.servers[0]
			var lines []transaction.Item
			for i, sku := range []string{"COFFEE", "BEANS", "CAKE"} {
				lines = append(lines, transaction.Item{
					SKU: transaction.SKU{Code: sku}, Name: sku, Quantity: 1000, Category: "food",
					GrossValue: decimal.Whole(int64(i + 4)).Money(),
				})
			}
			var next atomic.Int64
			parallel := func(b *testing.B, do func(n int) error) {
				b.SetParallelism(32)
				b.ResetTimer()
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						if err := do(int(next.Add(1))); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			b.Run("receipt", func(b *testing.B) {
				registrar := transaction.NewRegistrar(s.db, s.svc.receipts)
				cards := make([]string, customers)
				m.Read(func(tx *db.Tx) error {
					found, err := customer.FindAll(tx, m.Store.Key, m.customers...)
					for i, id := range m.customers {
						cards[i] = found[id].Email
					}
					return err
				})
				parallel(b, func(n int) error {
					_, err := registrar.Register(context.Background(), transaction.Draft{
						Store: m.Store, Transaction: transaction.Transaction{
							DocumentNumber: fmt.Sprint("S-", n), Type: transaction.Sell, Items: append([]transaction.Item{}, lines...),
							CustomerData: transaction.CustomerData{Name: "Ida Berg", Email: cards[n%customers]},
						},
					})
					return err
				})
			})
			b.Run("confirm", func(b *testing.B) {
				reserved, at := make([]*reservation, b.N), atomic.Int64{}
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						n := int(at.Add(1)) - 1
						err := store.Write(context.Background(), s.db, m.Store, func(tx *db.Tx) error {
							r, _, err := s.svc.reserve(tx, request{
								store: m.Store, customer: m.customers[n%customers], items: append([]transaction.Item{}, lines...),
							}, fmt.Sprint(n/OpenOfCaller), LongestTime)
							if err != nil {
								return err
							}
							reserved[n], r.Checkout = r, "{}"
							return r.insert(tx)
						})
						if err != nil {
							b.Error(err)
							return
						}
					}
				})
				at.Store(0)
				parallel(b, func(n int) error {
					r := reserved[at.Add(1)-1]
					return store.Write(context.Background(), s.db, m.Store, func(tx *db.Tx) error {
						return s.svc.confirm(tx, m.Store, r, receipt{number: fmt.Sprint("C-", n)}, "en")
					})
				})
			})
		})
	}
}
