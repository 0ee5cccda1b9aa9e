package customer

import (
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/limit"
)

// Hooks is what the rooms after this one know of customers, and what they do when one changes; app fills
// it. A missing function knows and does nothing.
type Hooks struct {
	// Segments lists the active segments that customers are in.
	Segments func(tx *db.Tx, storeKey int64, customerIDs ...string) (map[string][]Segment, error)
	// Purchases lists the coupons of customers, the newest first, PurchasesShown of each customer at most.
	Purchases func(tx *db.Tx, s *store.Store, customerIDs ...string) (map[string][]CampaignPurchase, error)
	// Invited attaches a new customer to the invitation of the token; found is false when there is none
	// that is still open.
	Invited func(tx *db.Tx, s *store.Store, c *Customer, token string) (found bool, err error)
	// Registered runs after a registration, in its transaction.
	Registered func(tx *db.Tx, s *store.Store, c *Customer) error
	// Changed runs after a change of a customer, in its transaction, with his account locked; after is
	// deleted when he was.
	Changed func(tx *db.Tx, s *store.Store, before, after *Customer) error
	// Welcome hands a new customer the password that the system made for him. Without it none is made,
	// because nobody could learn it.
	Welcome func(tx *db.Tx, s *store.Store, c *Customer, password string) error
	// Unclaimed clear what names a customer without being his, while it is still known who he is; as a Trace does.
	UnlinkedTraces []UnlinkedTrace
	// Traces clear what rooms keep of a customer who became anonymous.
	Traces []Trace
	// Sections are what rooms keep of a customer, for the export of it all.
	Sections []Section
	// EndSessions ends all sessions of a customer but the one named by keep.
	EndSessions func(tx *db.Tx, id, keep string) error
	// StatusChanged runs when a change of a customer's status is durable.
	StatusChanged func(id string)
	// Registrations bounds how often somebody registers himself, by where he calls from; nil does not.
	Registrations *limit.Limiter
	// ContactLookups bounds how often somebody asks whether an address or phone is known, by where he calls from.
	ContactLookups *limit.Limiter
}

// PurchasesShown is how many coupons of a customer his detail lists.
const PurchasesShown = 100

// Segment is a segment as a customer's detail names it.
type Segment struct {
	ID   string `json:"segmentId"`
	Name string `json:"name"`
}

// CampaignPurchase is a bought coupon as a customer's detail lists it.
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

// PurchasedCode is the code of a bought coupon.
type PurchasedCode struct {
	ID   string `json:"id,omitempty"`
	Code string `json:"code"`
}

func (h *Hooks) registered(tx *db.Tx, s *store.Store, c *Customer) error {
	if h.Registered == nil {
		return nil
	}
	return h.Registered(tx, s, c)
}

func (h *Hooks) changed(tx *db.Tx, s *store.Store, before, after *Customer) error {
	if h.StatusChanged != nil && before.Status != after.Status {
		tx.AfterCommit(func() { h.StatusChanged(after.ID) })
	}
	if h.Changed == nil {
		return nil
	}
	return h.Changed(tx, s, before, after)
}
