package checkout

import (
	"cmp"
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// The stored states of a reservation. An open one has ended when its time is up. See
// docs/behaviour/reservations.md#states.
const (
	Reserved  = "reserved"
	Confirmed = "confirmed"
	Cancelled = "cancelled"
	Expired   = "expired" // never stored
)

// Limits of reservations.
const (
	OpenOfCustomer = 10 // open reservations

	DefaultTime  = 10 * time.Minute
	LongestTime  = 24 * time.Hour
	ShortestTime = time.Second
)

// openSetting is the flag of the number of open reservations of a caller.
const openSetting = "--reservations-per-caller"

var (
	errManyOfCustomer = fault.New(fault.Conflict, "customer_reservations", "The customer has %d open reservations.")
	errManyOfCaller   = fault.New(fault.Conflict, "caller_reservations", "You have %d open reservations.").
				WithSetting(openSetting)
	errConfirmed = fault.New(fault.Conflict, "reservation_confirmed",
		"The reservation was confirmed with the document %s.")
	errCancelled = fault.New(fault.Conflict, "reservation_cancelled", "The reservation was cancelled.")
	errGone      = fault.New(fault.Conflict, "reservation_customer", "The customer of the reservation is not active.")
)

// reservation keeps a basket with its prices, and the coupons, limits, codes and points of it, until it ends.
type reservation struct {
	StoreKey       int64
	ID             string
	CustomerID     string // empty for nobody
	CallerID       string
	POSID          string // of the seller who made it
	State          string // as stored
	CreatedAt      time.Time
	ExpiresAt      time.Time // first moment at which nothing is kept
	EndedAt        time.Time // zero unless it was confirmed or cancelled
	DocumentNumber string    // of the receipt
	TransactionID  string
	Basket         content
	Checkout       string // JSON: the response of the checkout
	Outcome        outcomeView
}

// content is the part of a basket that a reservation keeps.
type content struct {
	Items      []transaction.Item `json:"items"` // at the prices that are paid
	LinePoints []points.Amount    `json:"linePoints,omitempty"`
	Coupons    []keptCoupon       `json:"coupons,omitempty"`
	Rewards    []purchase.Reward  `json:"rewards,omitempty"`
}

// keptCoupon is a coupon that lowers the price of the basket.
type keptCoupon struct {
	CouponID   string `json:"couponId"`
	CampaignID string `json:"campaignId"`
	CustomerID string `json:"customerId"`
	Code       string `json:"code"`
}

// stateAt returns the state at a time.
func (r *reservation) stateAt(now time.Time) string {
	if r.State == Reserved && !r.ExpiresAt.After(now) {
		return Expired
	}
	return r.State
}

// ended returns the error of what needs an open reservation, for one that is not.
func (r *reservation) ended() error {
	switch r.State {
	case Confirmed:
		return errConfirmed.With(r.DocumentNumber)
	case Cancelled:
		return errCancelled
	}
	return points.ErrNotHeld
}

func (k *content) couponIDs() []string {
	ids := make([]string, len(k.Coupons))
	for i, c := range k.Coupons {
		ids[i] = c.CouponID
	}
	return ids
}

// holds returns what the reservation keeps of campaigns.
func (r *reservation) holds() (holds []campaign.Hold) {
	for _, reward := range r.Basket.Rewards {
		at := slices.IndexFunc(holds, func(h campaign.Hold) bool { return h.CampaignID == reward.CampaignID })
		if at < 0 {
			at = len(holds)
			holds = append(holds, campaign.Hold{CampaignID: reward.CampaignID, ReservationID: r.ID, EndsAt: r.ExpiresAt})
		}
		holds[at].Quantity++
	}
	return holds
}

// complete gives a line with an amount alone what a receipt must have, as tills do that register one.
func complete(line *transaction.Item) {
	line.SKU.Code = cmp.Or(line.SKU.Code, amountAlone)
	line.Name = cmp.Or(line.Name, line.SKU.Code)
	line.Category = cmp.Or(line.Category, "till")
}

// amountAlone is the SKU of a line without one.
const amountAlone = "SUM"

// keeps returns what a checkout applies.
func (c *checkout) keeps() content {
	k := content{Items: slices.Clone(c.items)}
	for i := range k.Items {
		k.Items[i].GrossValue = c.outcome.left[i]
		complete(&k.Items[i])
	}
	if c.customer != nil {
		k.LinePoints = c.forecast.ByItem(len(c.items))
	}
	for i := range c.offers {
		switch o := &c.offers[i]; {
		case !o.applied:
		case o.wish != nil:
			k.Rewards = append(k.Rewards, purchase.Reward{
				CampaignID: o.campaign.ID, Cost: o.campaign.Cost, Use: o.campaign.Reward.TakesOff != campaign.TakesNothing,
			})
		default:
			k.Coupons = append(k.Coupons, keptCoupon{
				o.shown.Coupon.CouponID, o.shown.CampaignID, o.shown.CustomerID, o.shown.Coupon.Code,
			})
		}
	}
	return k
}

// reserve computes a checkout and keeps what it applies. It locks in the order of a purchase: counters, account,
// coupons.
func (svc *Service) reserve(tx *db.Tx, in request, callerID string) (*reservation, *checkout, error) {
	s := in.store
	if err := tx.Lock("reservations of " + callerID); err != nil {
		return nil, nil, err
	}
	if open, err := openOf(tx, s.Key, callerID); err != nil || open >= int64(svc.openOfCaller) {
		return nil, nil, orFault(err, errManyOfCaller.With(svc.openOfCaller))
	}
	counters, err := campaign.LockCounters(tx, s.Key, db.Distinct(in.rewards)...)
	if err != nil {
		return nil, nil, err
	}
	var wallets *points.Wallets
	var wallet *points.Wallet
	if in.customer != "" {
		who, err := findCustomer(tx, s.Key, in.customer)
		if err != nil {
			return nil, nil, err
		}
		owner := points.Owner{Store: s, CustomerID: who.ID}
		if wallets, err = points.Lock(tx, owner); err != nil {
			return nil, nil, err
		}
		if wallet = wallets.Of(owner); wallet == nil {
			return nil, nil, errUnknownCustomer
		}
		if wallet.Holds() >= OpenOfCustomer {
			return nil, nil, errManyOfCustomer.With(OpenOfCustomer)
		}
	}
	made, err := svc.computeOne(tx, in)
	if err != nil {
		return nil, nil, err
	}
	r := &reservation{
		StoreKey: s.Key, ID: tx.NewID(), CallerID: callerID, POSID: in.posID, State: Reserved, CreatedAt: tx.Now(),
		ExpiresAt: tx.Now().Add(in.lasting), Basket: made.keeps(),
	}
	if wallet != nil {
		r.CustomerID = wallet.CustomerID
		if err := r.hold(wallet, made.cost); err != nil {
			return nil, nil, err
		}
		if err := wallets.Save(); err != nil {
			return nil, nil, err
		}
	}
	if err := campaign.KeepHolds(tx, counters, r.holds()...); err != nil {
		return nil, nil, err
	}
	if err := purchase.Hold(tx, s, r.ID, r.ExpiresAt, r.Basket.couponIDs()...); err != nil {
		return nil, nil, err
	}
	return r, made, event.Append(tx, s.Key, wasReserved(s, r, made))
}

func orFault(err error, otherwise *fault.Error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// hold keeps the points and purchases of the reservation in the account of the customer.
func (r *reservation) hold(w *points.Wallet, cost points.Amount) error {
	var campaigns map[string]int64
	for _, h := range r.holds() {
		if campaigns == nil {
			campaigns = map[string]int64{}
		}
		campaigns[h.CampaignID] = h.Quantity
	}
	return w.Hold(r.ID, r.ExpiresAt, cost, campaigns)
}

// cancel ends a locked open reservation, and gives back what it keeps.
func (svc *Service) cancel(tx *db.Tx, s *store.Store, r *reservation) error {
	if r.CustomerID != "" {
		_, err := points.Change(tx, points.Owner{Store: s, CustomerID: r.CustomerID},
			func(w *points.Wallet) ([]event.Entry, error) {
				w.Release(r.ID)
				return nil, nil
			})
		if err != nil {
			return err
		}
	}
	if err := campaign.EndHolds(tx, s.Key, r.holds()...); err != nil {
		return err
	}
	if err := purchase.Release(tx, s, r.ID, r.Basket.couponIDs()...); err != nil {
		return err
	}
	r.State, r.EndedAt = Cancelled, tx.Now()
	if err := saveEnds(tx, r); err != nil {
		return err
	}
	return event.Append(tx, s.Key, wasCancelled(r))
}

// extend prolongs a locked open reservation until a time, unless it lasts as long already. It locks in the order of a
// purchase: counters, account, coupons.
func (svc *Service) extend(tx *db.Tx, s *store.Store, r *reservation, until time.Time) error {
	if !until.After(r.ExpiresAt) {
		return nil
	}
	held := r.holds()
	campaigns := make([]string, len(held))
	for i := range held {
		campaigns[i] = held[i].CampaignID
	}
	counters, err := campaign.LockCounters(tx, s.Key, campaigns...)
	if err != nil {
		return err
	}
	if r.CustomerID != "" {
		_, err := points.Change(tx, points.Owner{Store: s, CustomerID: r.CustomerID},
			func(w *points.Wallet) ([]event.Entry, error) { return nil, w.Prolong(r.ID, until) })
		if err != nil {
			return err
		}
	}
	if err := campaign.EndHolds(tx, s.Key, held...); err != nil {
		return err
	}
	r.ExpiresAt = until
	if err := campaign.KeepHolds(tx, counters, r.holds()...); err != nil {
		return err
	}
	if err := purchase.Prolong(tx, s, r.ID, until, r.Basket.couponIDs()...); err != nil {
		return err
	}
	return saveEnd(tx, r)
}

// outcomeView holds the points and coupons that confirming a reservation brought.
type outcomeView struct {
	Earned decimal.Hundredths `json:"pointsEarned"`
	Bought []boughtView       `json:"bought"`
}

type boughtView struct {
	CampaignID string `json:"campaignId"`
	CouponID   string `json:"couponId"`
	Code       string `json:"code"`
}
