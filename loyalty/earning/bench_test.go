package earning

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/segment"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

// BenchmarkReceipt is a receipt without HTTP: 64 tills at once, three lines, three rules, levels by spending. One
// operation is one durable receipt.
func BenchmarkReceipt(b *testing.B) {
	for _, engine := range dbtest.EnginesOf(b) {
		b.Run(engine, func(b *testing.B) {
			d := dbtest.Open(b, dbtest.Config(b, engine), time.Now)
			s := newShop(b, d, func(settings *store.Settings) { settings.TierAssignType = store.TierTransactions })
			s.rule(Spending, 0, func(r *Rule) {
				r.Definition.General = General{PointValue: decimal.OneRate, LabelsInclusion: AnyLabels}
			})
			s.rule(ProductPurchase, 5, func(r *Rule) { r.Definition.SKUs = []string{"BEANS"} })
			s.rule(MultiplyProduct, 0, func(r *Rule) {
				r.Definition.SKUs, r.Definition.Multiplier = []string{"CAKE"}, 2*decimal.OneRate
			})
			emails := make([]string, 2000)
			for i := range emails {
				s.customer(func(c *customer.Registration) { emails[i] = c.Email })
			}
			svc := New(s.desk)
			registrar := transaction.NewRegistrar(d, transaction.Hooks{Earn: svc.Earn})
			feature.Connect(d, feature.On(segment.New().Counted))
			b.SetParallelism(32)
			b.ResetTimer()
			var next atomic.Int64
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					n := int(next.Add(1))
					draft := transaction.Transaction{
						DocumentNumber: fmt.Sprint("S-", n), Type: transaction.Sell,
						CustomerData: transaction.CustomerData{Name: "Ida Berg", Email: emails[n*7919%len(emails)]},
					}
					for i, sku := range []string{"COFFEE", "BEANS", "CAKE"} {
						draft.Items = append(draft.Items, transaction.Item{
							SKU: transaction.SKU{Code: sku}, Name: sku, Quantity: 1000, Category: "food",
							GrossValue: decimal.Whole(int64(i + 4)).Money(),
						})
					}
					if _, err := registrar.Register(background, transaction.Draft{Store: s.store, Transaction: draft}); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}
