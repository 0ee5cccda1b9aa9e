package customerapi

import (
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// Summary is the short form of a customer in responses.
type Summary struct {
	CustomerID               string            `json:"customerId"`
	Active                   bool              `json:"active"`
	FirstName                string            `json:"firstName"`
	LastName                 string            `json:"lastName"`
	Gender                   string            `json:"gender"`
	Email                    string            `json:"email,omitempty"`
	Phone                    string            `json:"phone,omitempty"`
	BirthDate                string            `json:"birthDate,omitempty"`
	Address                  *customer.Address `json:"address,omitempty"`
	LoyaltyCardNumber        string            `json:"loyaltyCardNumber,omitempty"`
	CreatedAt                string            `json:"createdAt"`
	UpdatedAt                string            `json:"updatedAt"`
	LevelID                  string            `json:"levelId,omitempty"`
	ManuallyAssignedLevel    *levelRef         `json:"manuallyAssignedLevelId,omitempty"`
	Agreement1               bool              `json:"agreement1"`
	Agreement2               bool              `json:"agreement2"`
	Agreement3               bool              `json:"agreement3"`
	CampaignPurchases        any               `json:"campaignPurchases"`
	TransactionsCount        int64             `json:"transactionsCount"`
	TransactionsAmount       decimal.Money     `json:"transactionsAmount"`
	AmountWithoutDelivery    decimal.Money     `json:"transactionsAmountWithoutDeliveryCosts"`
	AmountExcludedForLevel   decimal.Money     `json:"amountExcludedForLevel"`
	AverageTransactionAmount decimal.Money     `json:"averageTransactionAmount"`
	LastTransactionDate      *string           `json:"lastTransactionDate,omitempty"`
	Currency                 string            `json:"currency"`
	LevelPercent             string            `json:"levelPercent,omitempty"`
}

// summaryPurchase is a coupon in a summary.
type summaryPurchase struct {
	PurchaseAt   string        `json:"purchaseAt"`
	CostInPoints points.Amount `json:"costInPoints"`
	Campaign     campaignRef   `json:"campaignId"`
	Used         bool          `json:"used"`
	Coupon       couponCode    `json:"coupon"`
}

type campaignRef struct {
	CampaignID string `json:"campaignId"`
}

type couponCode struct {
	Code string `json:"code"`
}

// SummaryOf returns the summary of a customer with their coupons in the short form.
func SummaryOf(s *store.Store, levels []level.Level, c *customer.Customer, purchases []CampaignPurchase) Summary {
	short := make([]summaryPurchase, len(purchases))
	for i, p := range purchases {
		short[i] = summaryPurchase{
			p.PurchaseAt, p.CostInPoints, campaignRef{p.CampaignID}, p.Used, couponCode{p.Coupon.Code},
		}
	}
	return summaryOf(s, levels, c, short)
}

func summaryOf(s *store.Store, levels []level.Level, c *customer.Customer, purchases any) Summary {
	summary := Summary{
		CustomerID: c.ID, Active: c.IsActive(), FirstName: c.FirstName, LastName: c.LastName, Gender: c.Gender,
		Email: c.Email, Phone: c.Phone, BirthDate: c.BirthDate, LoyaltyCardNumber: c.LoyaltyCard,
		CreatedAt: api.Timestamp(c.CreatedAt, s.Zone), UpdatedAt: api.Timestamp(c.UpdatedAt, s.Zone), LevelID: c.LevelID,
		Agreement1: c.Agreements[0], Agreement2: c.Agreements[1], Agreement3: c.Agreements[2],
		CampaignPurchases: purchases, TransactionsCount: c.Purchases.Count, TransactionsAmount: c.Purchases.Amount,
		AmountWithoutDelivery: c.Purchases.AmountWithoutDelivery, AmountExcludedForLevel: c.Purchases.ExcludedForLevel,
		AverageTransactionAmount: c.Purchases.Average(s.MoneyDigits()),
		LastTransactionDate:      api.OptionalTimestamp(c.Purchases.LastAt, s.Zone), Currency: s.Currency,
	}
	if c.Address != (customer.Address{}) {
		summary.Address = &c.Address
	}
	if c.ManualLevelID != "" {
		summary.ManuallyAssignedLevel = &levelRef{c.ManualLevelID}
	}
	if l := level.Find(levels, c.LevelID); l != nil {
		summary.LevelPercent = l.Percent()
	}
	return summary
}

// Detail is the full form of a customer in responses.
type Detail struct {
	Summary
	ID                     string             `json:"id"`
	Company                *customer.Company  `json:"company,omitempty"`
	Status                 StatusView         `json:"status"`
	Unverified             []string           `json:"unverifiedContacts,omitempty"` // email or phone
	Labels                 []customer.Label   `json:"labels"`
	Points                 *points.Amount     `json:"points,omitempty"` // available ones, in lists that ask for them
	Locale                 string             `json:"locale,omitempty"`
	Level                  *levelView         `json:"level,omitempty"`
	Segments               []customer.Segment `json:"segments"`
	POSID                  string             `json:"posId,omitempty"`
	POSIdentifier          string             `json:"posIdentifier,omitempty"`
	SellerID               string             `json:"sellerId,omitempty"`
	LastLevelRecalculation *string            `json:"lastLevelRecalculation,omitempty"`
	LevelAchievementDate   *string            `json:"levelAchievementDate,omitempty"`
	AvatarPath             string             `json:"avatarPath,omitempty"`
	AvatarOriginalName     string             `json:"avatarOriginalName,omitempty"`
	AvatarMIME             string             `json:"avatarMime,omitempty"`
	StoreCode              string             `json:"storeCode"`
	Version                int64              `json:"version"`
	MergedInto             string             `json:"mergedInto,omitempty"` // the customer who has everything now
}

// StatusView is a customer's status in responses.
type StatusView struct {
	Type            string   `json:"type" enum:"new,active,blocked,deleted"`
	State           string   `json:"state" enum:"no-card,card-sent,with-card"`
	AvailableTypes  []string `json:"availableTypes"`
	AvailableStates []string `json:"availableStates"`
}

type levelView struct {
	LevelID      levelIDs          `json:"levelId"`
	Name         string            `json:"name"`
	Translations map[string]string `json:"translations"`
}

type levelIDs struct {
	LevelID string `json:"levelId"`
	ID      string `json:"id"`
}

// Details returns the full form of customers, with their segments, coupons, points of sale and avatars.
func Details(c *api.Call, tx *db.Tx, levels []level.Level, locale api.Locale, found []customer.Customer) (
	[]Detail, error) {
	details := []Detail{}
	if len(found) == 0 {
		return details, nil
	}
	ids, tills := make([]string, len(found)), []string(nil)
	for i := range found {
		ids[i] = found[i].ID
		if found[i].POSID != "" {
			tills = append(tills, found[i].POSID)
		}
	}
	var places map[string]*pos.POS
	avatars, err := customer.Avatars.Of(tx, c.Store.Key, ids...)
	if err != nil {
		return nil, err
	}
	memberships := SegmentsOf{CustomerIDs: ids}
	if err := feature.React(tx, c.Store, &memberships); err != nil {
		return nil, err
	}
	purchases, err := Coupons(tx, c.Store, ids...)
	if err != nil {
		return nil, err
	}
	if len(tills) > 0 {
		if places, err = pos.FindAll(tx, c.Store.Key, tills...); err != nil {
			return nil, err
		}
	}
	for i := range found {
		who := &found[i]
		d := detailOf(c.Store, levels, locale, who, purchases[who.ID])
		d.Segments = append(d.Segments, memberships.Segments[who.ID]...)
		if place := places[who.POSID]; place != nil {
			d.POSIdentifier = place.Identifier
		}
		if avatar, set := avatars[who.ID]; set {
			d.AvatarPath, d.AvatarOriginalName = customer.AvatarPath(c.Store, who.ID), avatar.Name
			d.AvatarMIME = avatar.MIMEType
		}
		details = append(details, d)
	}
	return details, nil
}

// StatusOf returns the status of a customer.
func StatusOf(c *customer.Customer) StatusView {
	status := StatusView{
		Type: c.Status, State: "no-card",
		AvailableTypes:  []string{customer.New, customer.Active, customer.Blocked, customer.Deleted},
		AvailableStates: []string{"no-card", "card-sent", "with-card"},
	}
	if c.LoyaltyCard != "" {
		status.State = "with-card"
	}
	return status
}

func detailOf(s *store.Store, levels []level.Level, locale api.Locale, c *customer.Customer,
	purchases []CampaignPurchase) Detail {
	d := Detail{
		Summary: summaryOf(s, levels, c, append([]CampaignPurchase{}, purchases...)), ID: c.ID,
		Status: StatusOf(c), Unverified: c.Unverified(s),
		Labels: append([]customer.Label{}, c.Labels...), Locale: c.Locale, Segments: []customer.Segment{},
		POSID: c.POSID, SellerID: c.SellerID,
		LastLevelRecalculation: api.OptionalTimestamp(c.LevelRecalculatedAt, s.Zone),
		LevelAchievementDate:   api.OptionalTimestamp(c.LevelAchievedAt, s.Zone),
		StoreCode:              s.Code, Version: c.Version, MergedInto: c.MergedInto,
	}
	if c.Company != (customer.Company{}) {
		d.Company = &c.Company
	}
	if l := level.Find(levels, c.LevelID); l != nil {
		d.Level = &levelView{levelIDs{l.ID, l.ID}, l.Name(locale), map[string]string{}}
		for _, t := range l.Translations {
			d.Level.Translations[t.Locale] = t.Name
		}
	}
	return d
}

type levelRef struct {
	LevelID string `json:"levelId"`
}
