package checkout

import (
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/keytext"
)

const restoring = "/api/{storeCode}/transaction/{transaction}/restore"

func (svc *Service) restoreEndpoint() api.Endpoint {
	return api.Endpoint{Method: "POST", Path: restoring, Factor: api.Everyday,
		Access:  access.AdministratorWith(access.RewardCampaigns, access.Modify).And(access.Seller).WithPIN(),
		Do:      api.Act(svc.restore),
		Summary: "Give back the coupons and the rewards of a sale that is returned in full",
		Audit:   api.Audited("RestoreCoupons", "transaction"), Secrets: []string{"code"}}
}

// mayRestore returns fault.ErrForbidden for callers who may not take back what a sale used and bought.
func mayRestore(w *api.Writing) error {
	if w.Caller.Role == access.Administrator {
		return administers(w.Call)
	}
	by, found, err := seller.FindByID(w.Tx, w.Store.Key, w.Caller.ID)
	if err == nil && !(found && by.AllowTransactions && by.AllowCouponUse && by.AllowCouponCancel) {
		err = fault.ErrForbidden
	}
	return err
}

// restoredView is the response: what became of each coupon.
type restoredView struct {
	TransactionID string               `json:"transactionId"` // of the sale
	Points        points.Amount        `json:"points"`        // that were given back
	Coupons       []restoredCouponView `json:"coupons"`
}

type restoredCouponView struct {
	CouponID   string        `json:"couponId"`
	CampaignID string        `json:"campaignId"`
	CustomerID string        `json:"customerId"`
	Code       string        `json:"code"`
	Status     string        `json:"status"`
	Used       bool          `json:"used"`
	Points     points.Amount `json:"points"`           // that were given back
	Reason     string        `json:"reason,omitempty"` // why one that was bought with the sale stays
}

// restore gives back the coupons and rewards of the sale of the path, or of the sale of which the path names a return.
func (svc *Service) restore(w *api.Writing) (restoredView, error) {
	saleID, err := saleOf(w)
	if err != nil {
		return restoredView{}, err
	}
	if err := mayRestore(w); err != nil {
		return restoredView{}, err
	}
	reserved, bought, err := couponsOfSale(w.Tx, w.Store.Key, saleID)
	if err != nil {
		return restoredView{}, err
	}
	restored, err := svc.desk.Restore(w.Tx, w.Store, saleID, reserved, bought)
	response := restoredView{TransactionID: saleID, Coupons: []restoredCouponView{}}
	for _, r := range restored {
		v := restoredCouponView{
			CouponID: r.CouponID, CampaignID: r.CampaignID, CustomerID: r.CustomerID, Code: r.Code,
			Status: r.StatusAt(w.Tx.Now()), Used: r.Used,
		}
		switch {
		case r.Problem != nil:
			v.Reason = r.Problem.Code
		case r.Status == purchase.Cancelled:
			v.Points = r.Cost
		}
		response.Points += v.Points
		response.Coupons = append(response.Coupons, v)
	}
	return response, err
}

// saleOf returns the id of the sale that the path names, by the id or the document number of it or of its return.
func saleOf(w *api.Writing) (string, error) {
	name := keytext.Clean(w.PathValue("transaction"))
	find := transaction.FindByDocument
	if form.IsUUID(name) {
		find, name = transaction.Find, strings.ToLower(name)
	}
	of, err := find(w.Tx, w.Store.Key, name)
	if err != nil {
		return "", err
	}
	w.Entry().SetEntity(of.ID)
	if of.CustomerID != "" {
		w.Entry().SetCustomer(of.CustomerID)
	}
	if of.Type == transaction.Return {
		return of.RevisedID, nil
	}
	return of.ID, nil
}

// couponsOfSale returns the ids of the coupons that a reservation kept for a sale, and of those that were bought with
// it. It finds nothing once the reservation is deleted.
func couponsOfSale(tx *db.Tx, storeKey int64, saleID string) (reserved, bought []string, err error) {
	r, _, err := table.One(tx, `SELECT * FROM reservations
		WHERE store_id = ? AND transaction_id = ? AND transaction_id <> ''`, storeKey, saleID)
	for _, of := range r.Outcome.Bought {
		bought = append(bought, of.CouponID)
	}
	return r.Basket.couponIDs(), bought, err
}
