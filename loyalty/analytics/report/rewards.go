package report

import (
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/rollup"
	"punchcard/loyalty/transaction"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// RewardLimit is the number of rewards that a report sums up.
const RewardLimit = 2_000

const couponsAtOnce = 1_000

// rewardSums are the sums of a report about rewards by campaign. See docs/behaviour/reports.md#rewards.
type rewardSums struct {
	Campaigns map[string]*rewardOf
}

type rewardOf struct {
	Bought   int64         // in the period, without those that were cancelled
	Points   points.Amount // that they cost
	Used     int64         // in the period
	Receipts int64         // for which one was used
	Sales    decimal.Money // of these receipts, less returns
	Unused   int64         // coupons that can be used now or later
	// UnusedOfDeleted are the same of deleted and erased customers.
	UnusedOfDeleted int64 `json:",omitempty"`
}

func newRewardSums() *rewardSums { return &rewardSums{map[string]*rewardOf{}} }

func estimateCoupons(tx *db.Tx, s *store.Store) (int64, error) {
	total, err := rollup.Total(tx, s.Key, calendar.DayOf(tx.Now(), s.Zone))
	return total[rollup.CouponsBought], err
}

func (sums *rewardSums) read(tx *db.Tx, s *store.Store, r *Report) (int64, string, bool, error) {
	coupons, err := purchase.After(tx, s.Key, r.Position, couponsAtOnce)
	if err != nil || len(coupons) == 0 {
		return 0, r.Position, false, err
	}
	from, before := r.span(s.Zone)
	within := func(at time.Time) bool { return !at.Before(from) && at.Before(before) }
	owners := make([]string, len(coupons))
	for i := range coupons {
		owners[i] = coupons[i].CustomerID
	}
	gone, err := customer.AreGone(tx, s.Key, db.Distinct(owners)...)
	if err != nil {
		return 0, "", false, err
	}
	var usedFor []*purchase.Purchase // with a receipt
	for i := range coupons {
		p := &coupons[i]
		if p.Status == purchase.Cancelled {
			continue
		}
		of := sums.Campaigns[p.CampaignID]
		if of == nil {
			if len(sums.Campaigns) == RewardLimit {
				continue
			}
			of = &rewardOf{}
			sums.Campaigns[p.CampaignID] = of
		}
		if within(p.PurchasedAt) {
			of.Bought++
			of.Points += p.Cost
		}
		switch {
		case p.Used && within(p.UsedAt):
			of.Used++
			if p.UsedForTransactionID != "" {
				usedFor = append(usedFor, p)
			}
		case p.Used || p.StatusAt(tx.Now()) == purchase.Expired:
		case gone[p.CustomerID]:
			of.UnusedOfDeleted++
		default:
			of.Unused++
		}
	}
	if err := sums.addReceipts(tx, s, usedFor, from, before); err != nil {
		return 0, "", false, err
	}
	return int64(len(coupons)), coupons[len(coupons)-1].CouponID, len(coupons) == couponsAtOnce, nil
}

// addReceipts adds the receipts for which coupons were used. A receipt with several coupons of a campaign counts with
// the first of them.
func (sums *rewardSums) addReceipts(
	tx *db.Tx, s *store.Store, coupons []*purchase.Purchase, from, before time.Time,
) error {
	repeated, err := purchase.UsedAfterOthers(tx, s.Key, coupons, from, before)
	if err != nil {
		return err
	}
	receipts := make([]string, len(coupons))
	for i, p := range coupons {
		receipts[i] = p.UsedForTransactionID
	}
	left, err := transaction.LeftOf(tx, s.Key, db.Distinct(receipts)...)
	for _, p := range coupons {
		if sales, found := left[p.UsedForTransactionID]; found && !repeated[p.CouponID] {
			sums.Campaigns[p.CampaignID].Receipts++
			sums.Campaigns[p.CampaignID].Sales += sales
		}
	}
	return err
}
