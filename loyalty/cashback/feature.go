package cashback

import (
	"punchcard/core/feature"
	"punchcard/platform/delivery"
	"punchcard/platform/limit"
)

// Feature returns cashback. See docs/behaviour/cashback.md.
func Feature(callbacks *limit.Limiter) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Cashback",
			Description: "Exchange points for money, which a payment provider pays."},
		Endpoints: Endpoints(callbacks),
		Customers: feature.Personal{
			Exports:       []feature.Export{{Name: "cashbacks", Rank: 3, Read: Export}},
			Forget:        []feature.Trace{Forget},
			NotHandedOver: "the orders of the payment provider name the customer",
		},
		Rules:     Rules(),
		Emissions: Emissions(),
		Limits: []feature.Limit{
			{Name: "cashbackProviderCalls", Value: CallsPerStore, Unit: "calls"},
			{Name: "cashbackProviderStores", Value: StoresAtOnce, Unit: "stores"},
			{Name: "cashbackMessagesCounted", Value: delivery.CountLimit, Unit: "messages"},
		},
	}
}
