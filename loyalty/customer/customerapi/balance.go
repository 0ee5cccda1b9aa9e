package customerapi

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// Balance is the point balance and the level of a customer, see docs/behaviour/points.md#balance.
type Balance struct {
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
	LevelConditionValue   *decimal.Money           `json:"levelConditionValue,omitempty"`
	NextLevel             string                   `json:"nextLevel,omitempty"`
	NextLevelName         string                   `json:"nextLevelName,omitempty"`
	NextConditionValue    *decimal.Money           `json:"nextLevelConditionValue,omitempty"`
	PointsToNextLevel     *decimal.Money           `json:"pointsToNextLevel,omitempty"`
	AmountToNextLevel     *decimal.Money           `json:"transactionsAmountToNextLevel,omitempty"`
	NetAmountToNextLevel  *decimal.Money           `json:"transactionsAmountToNextLevelWithoutDeliveryCosts,omitempty"`
	TransactionsAmount    decimal.Money            `json:"transactionsAmount"`
	AmountWithoutDelivery decimal.Money            `json:"transactionsAmountWithoutDeliveryCosts"`
	TransactionsCount     int64                    `json:"transactionsCount"`
	AverageAmount         string                   `json:"averageTransactionsAmount"`
	Currency              string                   `json:"currency"`
	LevelExpiresInDays    *int                     `json:"levelWillExpireInDays,omitempty"`
	PointsSinceCheck      *points.Amount           `json:"pointsSinceLastLevelRecalculation,omitempty"`
	PointsToRetain        *decimal.Money           `json:"pointsRequiredToRetainLevel,omitempty"`
	ExpiringNextMonth     points.Amount            `json:"pointsExpiringNextMonth"`
	ExpiringBreakdown     map[string]points.Amount `json:"pointsExpiringBreakdown"`
}

func showBalance(r *api.Reading, locale api.Locale) (none Balance, err error) {
	found, err := customer.Of(r.Call, r.Tx)
	if err != nil {
		return none, err
	}
	levels, err := level.All(r.Tx, r.Store.Key)
	if err != nil {
		return none, err
	}
	return BalanceNow(r.Call, r.Tx, levels, locale, found)
}

// BalanceNow reads the points of a customer and shows them with their level.
func BalanceNow(c *api.Call, tx *db.Tx, levels []level.Level, locale api.Locale, who *customer.Customer) (
	Balance, error) {
	account, err := points.Balance(tx, c.Store, who.ID)
	if err != nil {
		return Balance{}, err
	}
	basis, err := membership.ReadLevelBasis(tx, c.Store, who, account)
	if err != nil {
		return Balance{}, err
	}
	expiring, err := points.WillExpire(tx, c.Store, who.ID)
	response := balanceOf(c.Store, who, basis, expiring)
	response.showLevels(c.Store, levels, locale, who, basis, tx.Now())
	return response, err
}

func balanceOf(s *store.Store, c *customer.Customer, basis membership.LevelBasis, expiring points.Expiring) Balance {
	a, digits := basis.Account, s.MoneyDigits()
	return Balance{
		CustomerID: c.ID, FirstName: c.FirstName, LastName: c.LastName,
		Points: a.Points, P2PPoints: a.P2P, TotalEarnedPoints: a.Earned, UsedPoints: a.Used,
		ExpiredPoints: a.Expired, LockedPoints: a.Locked, BlockedPoints: a.Blocked,
		TransactionsAmount: c.Purchases.Amount, AmountWithoutDelivery: c.Purchases.AmountWithoutDelivery,
		TransactionsCount: c.Purchases.Count, AverageAmount: c.Purchases.Average(digits).Fixed(digits), Currency: s.Currency,
		ExpiringNextMonth: expiring.NextMonth, ExpiringBreakdown: expiring.ByDay,
	}
}

// showLevels adds the present level, the next one, and how much is missing to reach or keep them.
func (b *Balance) showLevels(s *store.Store, levels []level.Level, locale api.Locale, c *customer.Customer,
	basis membership.LevelBasis, now time.Time) {
	present, value := level.Find(levels, c.LevelID), basis.Value(s, c.Purchases)
	if present != nil {
		b.Level, b.LevelName, b.LevelConditionValue = present.Percent(), present.Name(locale), &present.ConditionValue
	}
	byPoints := s.Settings.TierAssignType == store.TierPoints
	if next := level.Next(levels, present, value); next != nil {
		missing := max(0, next.ConditionValue-value)
		b.NextLevel, b.NextLevelName, b.NextConditionValue = next.Percent(), next.Name(locale), &next.ConditionValue
		switch {
		case byPoints:
			b.PointsToNextLevel = &missing
		case s.Settings.ExcludeDeliveryCosts:
			b.NetAmountToNextLevel = &missing
		default:
			b.AmountToNextLevel = &missing
		}
	}
	if level.DropsAfterDays(&s.Settings) {
		days := membership.ExpiresInDays(s, c, now)
		b.LevelExpiresInDays, b.PointsSinceCheck = &days, &basis.Earned
		if present != nil {
			missing := max(0, present.ConditionValue-basis.Earned.Money())
			b.PointsToRetain = &missing
		}
	}
}
