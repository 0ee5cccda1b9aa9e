package attention

import (
	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/message"
	"punchcard/platform/db"
)

func endpoints(catalogue *campaign.Catalogue, messages *message.Config, jobs func() []string,
	lags Lags) []api.Endpoint {
	return []api.Endpoint{{
		Method: "GET", Path: "/api/{storeCode}/admin/attention", Access: access.Only(access.Administrator).WithKeys(),
		Handle:  func(c *api.Call) error { return showAttention(c, catalogue, messages, jobs(), lags) },
		Summary: "Show what needs attention", Query: api.LocaleQuery, Response: view{},
	}}
}

type view struct {
	AsOf  string `json:"asOf"`
	Parts []part `json:"parts"` // of the kinds that the caller may see
}

func showAttention(c *api.Call, catalogue *campaign.Catalogue, messages *message.Config, jobs []string,
	lags Lags) error {
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	r := &reader{Call: c, locale: locale}
	_, age, err := lags.Events(c.Context(), c.DB())
	if err != nil {
		return err
	}
	var response view
	err = c.Read(func(tx *db.Tx) error {
		r.parts = nil // the operation may be repeated
		response.AsOf = api.Timestamp(tx.Now(), c.Store.Zone)
		r.addLate("relay", tx.ServerNow(), age, lags.EventLimit)
		if age, exists := lags.Copy(); exists {
			r.addLate("copy", tx.ServerNow(), age, copyLag)
		}
		err := r.addJobs(tx, jobs)
		if err == nil && r.may(access.Settings) {
			err = r.addDeliveries(tx)
		}
		if err == nil && r.may(access.Settings) {
			err = r.addMessages(tx, messages)
		}
		if err == nil && r.may(access.RewardCampaigns) {
			err = r.addCampaigns(tx, catalogue)
		}
		if err == nil && r.may(access.EarningRules) {
			err = r.addRules(tx)
		}
		if err == nil && r.may(access.Transactions) {
			err = r.addReceipts(tx)
		}
		if err == nil && r.may(access.Analytics) {
			err = r.addPoints(tx)
		}
		return err
	})
	if err != nil {
		return err
	}
	response.Parts = r.parts
	return c.OK(response)
}
