package attention

import (
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/message"
	"punchcard/platform/db"
)

func endpoints(catalogue *campaign.Catalogue, messages *message.Config, jobs func() []string,
	lags Lags) []api.Endpoint {
	d := desk{catalogue, messages, jobs, lags}
	return []api.Endpoint{{
		Method: "GET", Path: "/api/{storeCode}/admin/attention", Access: access.Only(access.Administrator).WithKeys(),
		Do: api.Read(api.InCall(api.LocaleQuery, d.begin), d.show), Summary: "Show what needs attention",
	}}
}

// desk has what the endpoint needs.
type desk struct {
	catalogue *campaign.Catalogue
	messages  *message.Config
	jobs      func() []string
	lags      Lags
}

type view struct {
	AsOf  string `json:"asOf"`
	Parts []part `json:"parts"` // of the kinds that the caller may see
}

// beginning has the data that are read before the snapshot of the database.
type beginning struct {
	locale api.Locale
	age    time.Duration // of the oldest event that waits
}

func (d desk) begin(c *api.Call) (in beginning, err error) {
	if in.locale, err = c.Locale(); err != nil {
		return in, err
	}
	_, in.age, err = d.lags.Events(c.Context(), c.DB())
	return in, err
}

func (d desk) show(of *api.Reading, in beginning) (view, error) {
	r := &reader{Reading: of, locale: in.locale}
	r.addLate("relay", r.Tx.ServerNow(), in.age, d.lags.EventLimit)
	if age, exists := d.lags.Copy(); exists {
		r.addLate("copy", r.Tx.ServerNow(), age, copyLag)
	}
	if err := r.addJobs(r.Tx, d.jobs()); err != nil {
		return view{}, err
	}
	for _, p := range []struct {
		resource string
		add      func(tx *db.Tx) error
	}{
		{access.Settings, r.addDeliveries},
		{access.Settings, func(tx *db.Tx) error { return r.addMessages(tx, d.messages) }},
		{access.RewardCampaigns, func(tx *db.Tx) error { return r.addCampaigns(tx, d.catalogue) }},
		{access.EarningRules, r.addRules},
		{access.Transactions, r.addReceipts},
		{access.Analytics, r.addPoints},
	} {
		if !r.may(p.resource) {
			continue
		}
		if err := p.add(r.Tx); err != nil {
			return view{}, err
		}
	}
	return view{api.Timestamp(r.Tx.Now(), r.Store.Zone), r.parts}, nil
}
