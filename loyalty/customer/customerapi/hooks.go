package customerapi

import (
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/limit"
)

// Hooks are the functions of features that build on customers: what they know about customers and what they
// do when one changes. Package app sets them. A hook that is nil is skipped.
type Hooks struct {
	// Segments lists the active segments of customers.
	Segments func(tx *db.Tx, storeKey int64, customerIDs ...string) (map[string][]customer.Segment, error)
	// SegmentMembers returns a query for the ids of the customers in a segment.
	SegmentMembers func(storeKey int64, segmentID string) *db.SQL
	// Purchases lists the coupons of customers, newest first, at most PurchasesShown of each customer.
	Purchases func(tx *db.Tx, s *store.Store, customerIDs ...string) (map[string][]CampaignPurchase, error)
	// Registered runs after a registration, in its transaction.
	Registered func(tx *db.Tx, s *store.Store, c *customer.Customer) error
	// Invited returns the id of the invitation by which somebody with the token can register, or an empty one. It runs
	// before the registration, in its transaction.
	Invited func(tx *db.Tx, s *store.Store, token string) (invitationID string, err error)
	// Changed runs after a change of a customer, in its transaction, with the customer's account locked. If
	// the customer was deleted, after has the status Deleted.
	Changed func(tx *db.Tx, s *store.Store, before, after *customer.Customer) error
	// ConfirmContact asks a customer to confirm a new e-mail address or phone, in stores that want it confirmed.
	ConfirmContact func(tx *db.Tx, s *store.Store, c *customer.Customer, field, value string) error
	// ContactChanged runs after a change of an e-mail address or phone by the customer or by staff, in its transaction.
	ContactChanged func(tx *db.Tx, s *store.Store, before, after *customer.Customer, byStaff bool) error
	// Follow runs some seconds after the points, the level or the coupons of customers have changed, in the transaction of
	// the job that sorts them anew. It is called even if nothing depends on these.
	Follow func(tx *db.Tx, s *store.Store, customerIDs ...string) error
	// StatusChanged runs after the commit of a change of a customer's status.
	StatusChanged func(id string)
	// Registrations limits self-registrations per client network. Nil means no limit.
	Registrations *limit.Limiter
	// Activations limits, per client network, self-registrations that send an activation message. Nil means no limit.
	Activations *limit.Limiter
	// ContactLookups limits, per client network, the checks whether an e-mail address or phone is registered.
	ContactLookups *limit.Limiter
}

// PurchasesShown is how many coupons the details of a customer list at most.
const PurchasesShown = 100

// CampaignPurchase is a coupon in the views of a customer. It stands here, and not in the later package purchase that
// fills it, because these views hold it.
type CampaignPurchase struct {
	CanBeUsed      bool          `json:"canBeUsed"`
	PurchaseAt     string        `json:"purchaseAt"`
	CostInPoints   points.Amount `json:"costInPoints"`
	CampaignID     string        `json:"campaignId"`
	Used           bool          `json:"used"`
	Coupon         PurchasedCode `json:"coupon"`
	Status         string        `json:"status"`
	ActiveSince    *string       `json:"activeSince,omitempty"`
	ActiveTo       *string       `json:"activeTo,omitempty"`
	DeliveryStatus string        `json:"deliveryStatus"`
	UsageDate      *string       `json:"usageDate,omitempty"`
}

// PurchasedCode is the code of a coupon.
type PurchasedCode struct {
	ID   string `json:"id,omitempty"`
	Code string `json:"code"`
}

func (h *Hooks) invited(tx *db.Tx, s *store.Store, token string) (invitationID string, err error) {
	if h.Invited == nil || token == "" {
		return "", nil
	}
	return h.Invited(tx, s, token)
}

func (h *Hooks) registered(tx *db.Tx, s *store.Store, c *customer.Customer) error {
	if h.Registered == nil {
		return nil
	}
	return h.Registered(tx, s, c)
}

// AfterChange calls the hooks of a change: Changed, and StatusChanged after the commit if the status is another one.
func (h *Hooks) AfterChange(tx *db.Tx, s *store.Store, before, after *customer.Customer) error {
	if h.StatusChanged != nil && before.Status != after.Status {
		tx.AfterCommit(func() { h.StatusChanged(after.ID) })
	}
	if h.Changed == nil {
		return nil
	}
	return h.Changed(tx, s, before, after)
}
