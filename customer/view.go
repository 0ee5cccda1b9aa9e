package customer

import (
	"punchcard/api"
	"punchcard/level"
	"punchcard/platform/decimal"
	"punchcard/points"
	"punchcard/store"
)

// detail is the customer of program-api 2.3.
type detail struct {
	CustomerID               string             `json:"customerId"`
	ID                       string             `json:"id"`
	Active                   bool               `json:"active"`
	FirstName                string             `json:"firstName"`
	LastName                 string             `json:"lastName"`
	Gender                   string             `json:"gender"`
	Email                    string             `json:"email,omitempty"`
	Phone                    string             `json:"phone,omitempty"`
	BirthDate                string             `json:"birthDate,omitempty"`
	Address                  *Address           `json:"address,omitempty"`
	Company                  *Company           `json:"company,omitempty"`
	LoyaltyCardNumber        string             `json:"loyaltyCardNumber,omitempty"`
	Status                   statusView         `json:"status"`
	Labels                   []Label            `json:"labels"`
	CreatedAt                string             `json:"createdAt"`
	UpdatedAt                string             `json:"updatedAt"`
	LevelID                  string             `json:"levelId,omitempty"`
	Level                    *levelView         `json:"level,omitempty"`
	LevelPercent             string             `json:"levelPercent,omitempty"`
	ManuallyAssignedLevel    *levelRef          `json:"manuallyAssignedLevelId,omitempty"`
	LevelAchievementDate     *string            `json:"levelAchievementDate,omitempty"`
	LastLevelRecalculation   *string            `json:"lastLevelRecalculation,omitempty"`
	POSID                    string             `json:"posId,omitempty"`
	SellerID                 string             `json:"sellerId,omitempty"`
	Agreement1               bool               `json:"agreement1"`
	Agreement2               bool               `json:"agreement2"`
	Agreement3               bool               `json:"agreement3"`
	TransactionsCount        int64              `json:"transactionsCount"`
	TransactionsAmount       decimal.Hundredths `json:"transactionsAmount"`
	AmountWithoutDelivery    decimal.Hundredths `json:"transactionsAmountWithoutDeliveryCosts"`
	AmountExcludedForLevel   decimal.Hundredths `json:"amountExcludedForLevel"`
	AverageTransactionAmount decimal.Hundredths `json:"averageTransactionAmount"`
	LastTransactionDate      *string            `json:"lastTransactionDate,omitempty"`
	Currency                 string             `json:"currency"`
	StoreCode                string             `json:"storeCode"`
	Version                  int64              `json:"version"`
}

type statusView struct {
	Type            string   `json:"type"`
	State           string   `json:"state"`
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

func detailOf(s *store.Store, levels []level.Level, locale api.Locale, c *Customer) detail {
	d := detail{
		CustomerID: c.ID, ID: c.ID, Active: c.IsActive(), FirstName: c.FirstName, LastName: c.LastName,
		Gender: c.Gender, Email: c.Email, Phone: c.Phone, BirthDate: c.BirthDate, LoyaltyCardNumber: c.LoyaltyCard,
		Status: statusView{
			Type: c.Status, State: "no-card", AvailableTypes: []string{New, Active, Blocked, Deleted},
			AvailableStates: []string{"no-card", "card-sent", "with-card"},
		},
		Labels:    append([]Label{}, c.Labels...),
		CreatedAt: api.Timestamp(c.CreatedAt, s.Zone), UpdatedAt: api.Timestamp(c.UpdatedAt, s.Zone),
		LevelID: c.LevelID, POSID: c.POSID, SellerID: c.SellerID,
		LevelAchievementDate:   api.OptionalTimestamp(c.LevelAchievedAt, s.Zone),
		LastLevelRecalculation: api.OptionalTimestamp(c.LevelRecalculatedAt, s.Zone),
		Agreement1:             c.Agreements[0], Agreement2: c.Agreements[1], Agreement3: c.Agreements[2],
		TransactionsCount: c.Purchases.Count, TransactionsAmount: c.Purchases.Amount,
		AmountWithoutDelivery: c.Purchases.AmountWithoutDelivery, AmountExcludedForLevel: c.Purchases.ExcludedForLevel,
		AverageTransactionAmount: c.Purchases.Average(),
		LastTransactionDate:      api.OptionalTimestamp(c.Purchases.LastAt, s.Zone),
		Currency:                 s.Currency, StoreCode: s.Code, Version: c.Version,
	}
	if c.LoyaltyCard != "" {
		d.Status.State = "with-card"
	}
	if c.Address != (Address{}) {
		d.Address = &c.Address
	}
	if c.Company != (Company{}) {
		d.Company = &c.Company
	}
	if c.ManualLevelID != "" {
		d.ManuallyAssignedLevel = &levelRef{c.ManualLevelID}
	}
	if l := level.Find(levels, c.LevelID); l != nil {
		d.LevelPercent = l.Percent()
		d.Level = &levelView{levelIDs{l.ID, l.ID}, l.Name(locale), map[string]string{}}
		for _, t := range l.Translations {
			d.Level.Translations[t.Locale] = t.Name
		}
	}
	return d
}

// balance is the customer status of program-api 2.4.
type balance struct {
	CustomerID            string                   `json:"customerId"`
	FirstName             string                   `json:"firstName"`
	LastName              string                   `json:"lastName"`
	Points                points.Amount            `json:"points"`
	P2PPoints             points.Amount            `json:"p2pPoints"`
	TotalEarnedPoints     points.Amount            `json:"totalEarnedPoints"`
	UsedPoints            points.Amount            `json:"usedPoints"`
	ExpiredPoints         points.Amount            `json:"expiredPoints"`
	LockedPoints          points.Amount            `json:"lockedPoints"`
	BlockedPoints         points.Amount            `json:"blockedPoints"`
	Level                 string                   `json:"level,omitempty"`
	LevelName             string                   `json:"levelName,omitempty"`
	LevelConditionValue   *decimal.Hundredths      `json:"levelConditionValue,omitempty"`
	NextLevel             string                   `json:"nextLevel,omitempty"`
	NextLevelName         string                   `json:"nextLevelName,omitempty"`
	NextConditionValue    *decimal.Hundredths      `json:"nextLevelConditionValue,omitempty"`
	PointsToNextLevel     *decimal.Hundredths      `json:"pointsToNextLevel,omitempty"`
	AmountToNextLevel     *decimal.Hundredths      `json:"transactionsAmountToNextLevel,omitempty"`
	TransactionsAmount    decimal.Hundredths       `json:"transactionsAmount"`
	AmountWithoutDelivery decimal.Hundredths       `json:"transactionsAmountWithoutDeliveryCosts"`
	TransactionsCount     int64                    `json:"transactionsCount"`
	AverageAmount         string                   `json:"averageTransactionsAmount"`
	Currency              string                   `json:"currency"`
	ExpiringNextMonth     points.Amount            `json:"pointsExpiringNextMonth"`
	ExpiringBreakdown     map[string]points.Amount `json:"pointsExpiringBreakdown"`
}

func balanceOf(s *store.Store, levels []level.Level, locale api.Locale, c *Customer, a points.Account,
	expiring points.Expiring) balance {
	b := balance{
		CustomerID: c.ID, FirstName: c.FirstName, LastName: c.LastName,
		Points: a.Points, P2PPoints: a.P2P, TotalEarnedPoints: a.Earned, UsedPoints: a.Used,
		ExpiredPoints: a.Expired, LockedPoints: a.Locked, BlockedPoints: a.Blocked,
		TransactionsAmount: c.Purchases.Amount, AmountWithoutDelivery: c.Purchases.AmountWithoutDelivery,
		TransactionsCount: c.Purchases.Count, AverageAmount: c.Purchases.Average().Fixed(), Currency: s.Currency,
		ExpiringNextMonth: expiring.NextMonth, ExpiringBreakdown: expiring.ByDay,
	}
	present, value := level.Find(levels, c.LevelID), levelValue(s, c, a)
	if present != nil {
		b.Level, b.LevelName, b.LevelConditionValue = present.Percent(), present.Name(locale), &present.ConditionValue
	}
	if next := level.Next(levels, present, value); next != nil {
		missing := max(0, next.ConditionValue-value)
		b.NextLevel, b.NextLevelName, b.NextConditionValue = next.Percent(), next.Name(locale), &next.ConditionValue
		if s.Settings.TierAssignType == store.TierPoints {
			b.PointsToNextLevel = &missing
		} else {
			b.AmountToNextLevel = &missing
		}
	}
	return b
}
