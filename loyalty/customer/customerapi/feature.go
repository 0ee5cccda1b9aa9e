package customerapi

import (
	"slices"
	"time"

	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/device"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/job"
	"punchcard/platform/limit"
)

// Limits are those of each client network. Nil means no limit.
type Limits struct {
	Registrations  *limit.Limiter // by customers themselves
	Activations    *limit.Limiter // registrations that send an activation message
	ContactLookups *limit.Limiter // checks whether an e-mail address or phone is registered
}

// Feature returns customers. See docs/behaviour/customers.md.
func Feature(d *db.DB, limits Limits) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Customers",
			Description: "Register, find and change customers, see what happened to them, export or erase their data."},
		Endpoints: Endpoints(d, limits),
		Customers: feature.Personal{
			Exports: []feature.Export{
				{Name: "pushTokens", Rank: 11, Read: device.ExportTokens},
				{Name: "pushSubscriptions", Rank: 12, Read: device.ExportSubscriptions},
			},
			NotForgotten:  "customer.Anonymize clears the row and the devices",
			NotHandedOver: "customer.Merge gives the target what it lacks",
		},
		Jobs: []job.Job{{
			Name: "customer ranks", Every: 5 * time.Second, Run: store.Everywhere(d, customer.Rank),
		}},
		Rules:     slices.Concat(customer.Rules(), customer.KeyRules()),
		Tables:    []check.Table{customer.Customers},
		Emissions: customer.Emissions(),
		Objects: map[string]audit.Object{"customer": func(tx *db.Tx, of *store.Store, id string) (any, error) {
			found, err := customer.FindAll(tx, of.Key, id)
			return found[id], err
		}},
		Limits: []feature.Limit{
			{Name: "customerLabels", Value: customer.LabelLimit, Unit: "labels"},
			{Name: "customerPushTokens", Value: device.TokenLimit, Unit: "devices"},
			{Name: "customerPushSubscriptions", Value: device.SubscriptionLimit, Unit: "browsers"},
			{Name: "customerCouponsShown", Value: PurchasesShown, Unit: "coupons"},
			{Name: "customersFoundAtTill", Value: SearchLimit, Unit: "customers"},
			{Name: "registrationsLastDays", Value: LastDaysLimit, Unit: "days"},
			{Name: "audiencePreviewCustomers", Value: customer.PreviewLimit, Unit: "customers"},
			{Name: "customersWaitingCounted", Value: customer.WaitingLimit, Unit: "customers"},
		},
	}
}
