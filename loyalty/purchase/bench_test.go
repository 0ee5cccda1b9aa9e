package purchase_test

import (
	"sync/atomic"
	"testing"
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/platform/db/dbtest"
)

// BenchmarkBuy is a purchase without HTTP: 64 and 1,500 buyers at once, all on one campaign or spread
// over many. One operation is one durable purchase.
func BenchmarkBuy(b *testing.B) {
	for _, engine := range dbtest.EnginesOf(b) {
		for _, campaigns := range []int{1, 100} {
			for _, buyers := range []int{64, 1500} {
				b.Run(name(engine, campaigns, buyers), func(b *testing.B) {
					s := newShop(b, dbtest.Open(b, dbtest.Config(b, engine), time.Now))
					who := s.Customers(20_000, 1_000_000)
					ids := make([]string, campaigns)
					for i := range ids {
						ids[i] = s.campaign(1, 1, func(d *campaign.Draft) {
							d.Codes = manyCodes(b.N/campaigns*2 + 1000)
						})
					}
					b.SetParallelism(buyers / 2)
					b.ResetTimer()
					var next atomic.Int64
					b.RunParallel(func(pb *testing.PB) {
						for pb.Next() {
							n := int(next.Add(1))
							if _, err := s.buy(who[n*7919%len(who)], ids[n%len(ids)], nil); err != nil {
								b.Error(err)
								return
							}
						}
					})
				})
			}
		}
	}
}
