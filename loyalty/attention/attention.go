// Package attention collects what the administrators of a store should look at.
package attention

import (
	"cmp"
	"slices"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/analytics"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/cashback"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/message"
	"punchcard/loyalty/points"
	"punchcard/loyalty/transaction"
	"punchcard/loyalty/webhook"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/job"
)

// The limits of a response.
const (
	Shown       = 5   // items of each kind
	FailedLimit = 100 // failed deliveries that are counted, of each receiver

	RefusedLeast = 20 // refused addresses of an hour that are shown

	RecasedLimit = 100 // receipts whose numbers differ only in case
)

const (
	lowUsage     = 10 // how often a campaign can still be bought when it is listed
	endingDays   = 7
	expiringDays = 30
	failedDays   = 7
	recasedDays  = 30
	refusedDays  = 1
	day          = 24 * time.Hour
)

// reader collects the parts of one response.
type reader struct {
	*api.Reading
	locale api.Locale
	parts  []part
}

// part is all that was found of one kind. See docs/behaviour/attention.md#kinds.
type part struct {
	Kind     string         `json:"kind"`
	Total    int            `json:"total"`
	Complete bool           `json:"complete"`         // false if there may be more than total
	Points   *points.Amount `json:"points,omitempty"` // of all customers
	Items    []item         `json:"items"`            // the most urgent ones, at most Shown
}

type item struct {
	ID       string         `json:"id,omitempty"`
	Name     string         `json:"name,omitempty"`
	Left     *int64         `json:"left,omitempty"`
	Points   *points.Amount `json:"points,omitempty"`
	EndsAt   *string        `json:"endsAt,omitempty"`
	Since    *string        `json:"since,omitempty"`
	Earlier  string         `json:"earlier,omitempty"`  // number of a receipt
	Disabled bool           `json:"disabled,omitempty"` // by the server
	Failed   int            `json:"failed,omitempty"`   // deliveries, or addresses
	Waiting  int            `json:"waiting,omitempty"`  // messages
}

func (r *reader) may(resource string) bool { return r.Caller.Allowed(resource, access.View) }

// add adds a part. Of its items only the first ones are shown.
func (r *reader) add(p part) {
	p.Items = append([]item{}, p.Items[:min(len(p.Items), Shown)]...)
	r.parts = append(r.parts, p)
}

// addJobs finds jobs whose last run failed.
func (r *reader) addJobs(tx *db.Tx, names []string) error {
	states, err := job.Status(tx)
	p := part{Kind: "jobs", Complete: true}
	for _, s := range states {
		if s.Error != "" && slices.Contains(names, s.Name) {
			p.Items = append(p.Items, item{ID: s.Name, Name: s.Name, Since: api.OptionalTimestamp(s.LastRunAt, r.Store.Zone)})
		}
	}
	p.Total = len(p.Items)
	r.add(p)
	return err
}

// addLate reports what has waited for longer than a limit; 0 means that it may wait for ever.
func (r *reader) addLate(kind string, now time.Time, age, limit time.Duration) {
	p := part{Kind: kind, Complete: true}
	if limit > 0 && age > limit {
		p.Total = 1
		p.Items = []item{{Since: api.OptionalTimestamp(now.Add(-age), r.Store.Zone)}}
	}
	r.add(p)
}

// addDeliveries finds web hooks that do not work, and deliveries and pushes that failed in the last days.
func (r *reader) addDeliveries(tx *db.Tx) error {
	since := tx.ServerNow().Add(-failedDays * day)
	hooks, failed := part{Kind: "webHooks", Complete: true}, part{Kind: "webHookDeliveries", Complete: true}
	troubles, err := webhook.Troubles(tx, r.Store.Key, since, FailedLimit)
	if err != nil {
		return err
	}
	slices.SortStableFunc(troubles, func(a, b webhook.Trouble) int { return cmp.Compare(b.Failed, a.Failed) })
	for _, t := range troubles {
		if t.Disabled || !t.Since.IsZero() {
			since := api.OptionalTimestamp(t.Since, r.Store.Zone)
			hooks.Items = append(hooks.Items, item{ID: t.ID, Name: t.Name, Since: since, Disabled: t.Disabled})
		}
		if t.Failed > 0 {
			failed.Items = append(failed.Items, item{ID: t.ID, Name: t.Name, Failed: t.Failed})
			failed.Total += t.Failed
			failed.Complete = failed.Complete && t.Failed < FailedLimit
		}
	}
	hooks.Total = len(hooks.Items)
	pushes := part{Kind: "pushes"}
	to := message.PushReceiver(r.Store.Key)
	err = tx.Run(message.Pushes.SelectFailed(to, since, FailedLimit, &pushes.Total))
	pushes.Complete = pushes.Total < FailedLimit
	r.add(hooks)
	r.add(failed)
	r.add(pushes)
	return err
}

// addMessages finds channels that do not work although messages wait for them, and messages that failed in the last
// days.
func (r *reader) addMessages(tx *db.Tx, messages *message.Config) error {
	channels, failed := part{Kind: "messageChannels", Complete: true}, part{Kind: "messages"}
	blocked, err := messages.Blocked(tx, r.Store)
	if err != nil {
		return err
	}
	for _, b := range blocked {
		channels.Items = append(channels.Items, item{ID: b.Channel, Name: b.Channel, Waiting: b.Waiting})
	}
	channels.Total = len(channels.Items)
	failed.Total, err = message.CountFailed(tx, r.Store.Key, tx.ServerNow().Add(-failedDays*day), FailedLimit)
	failed.Complete = failed.Total < FailedLimit
	r.add(channels)
	r.add(failed)
	refused := part{Kind: "refusedAddresses", Complete: true}
	if err != nil {
		return err
	}
	hours, err := message.RefusedHours(tx, r.Store.Key, tx.ServerNow().Add(-refusedDays*day), RefusedLeast)
	for _, h := range hours {
		since := api.OptionalTimestamp(h.Hour, r.Store.Zone)
		refused.Items = append(refused.Items, item{ID: h.Channel, Name: h.Channel, Failed: h.Addresses, Since: since})
	}
	refused.Total = len(refused.Items)
	r.add(refused)
	return err
}

// addCampaigns finds campaigns of which few are left, that end soon or that reach nobody, and messages to the payment
// provider that failed.
func (r *reader) addCampaigns(tx *db.Tx, catalogue *campaign.Catalogue) error {
	messages := part{Kind: "cashbackMessages"}
	if err := tx.Run(cashback.SelectFailed(r.Store.Key, FailedLimit, &messages.Total)); err != nil {
		return err
	}
	messages.Complete = messages.Total < FailedLimit
	w, err := catalogue.Watch(tx, r.Store.Key, lowUsage, tx.Now().Add(endingDays*day))
	if err != nil {
		return err
	}
	slices.SortStableFunc(w.Low, func(a, b campaign.Watched) int { return cmp.Compare(a.Left, b.Left) })
	slices.SortStableFunc(w.Ending, func(a, b campaign.Watched) int { return a.EndsAt.Compare(b.EndsAt) })
	lows := part{Kind: "campaignsRunningOut", Total: len(w.Low), Complete: w.All}
	ends := part{Kind: "campaignsEnding", Total: len(w.Ending), Complete: w.All}
	nobody := part{Kind: "campaignsReachingNobody", Total: len(w.ReachingNobody), Complete: w.All}
	first := func(all []campaign.Watched) []campaign.Watched { return all[:min(len(all), Shown)] }
	w.Low, w.Ending, w.ReachingNobody = first(w.Low), first(w.Ending), first(w.ReachingNobody)
	var ids []string
	for _, c := range slices.Concat(w.Low, w.Ending, w.ReachingNobody) {
		ids = append(ids, c.ID)
	}
	names := map[string]string{}
	if len(ids) > 0 {
		if names, err = campaign.Names(tx, r.Store.Key, r.locale, db.Distinct(ids)...); err != nil {
			return err
		}
	}
	for _, c := range w.Low {
		lows.Items = append(lows.Items, item{ID: c.ID, Name: names[c.ID], Left: new(c.Left)})
	}
	for _, c := range w.Ending {
		ends.Items = append(ends.Items, item{
			ID: c.ID, Name: names[c.ID], EndsAt: api.OptionalTimestamp(c.EndsAt, r.Store.Zone),
		})
	}
	for _, c := range w.ReachingNobody {
		nobody.Items = append(nobody.Items, item{ID: c.ID, Name: names[c.ID]})
	}
	for _, p := range []part{messages, lows, ends, nobody} {
		r.add(p)
	}
	return nil
}

// addRules finds earning rules that reach nobody.
func (r *reader) addRules(tx *db.Tx) error {
	found, all, err := earning.ReachingNobody(tx, r.Store.Key)
	p := part{Kind: "earningRulesReachingNobody", Total: len(found), Complete: all}
	for i := range found {
		p.Items = append(p.Items, item{ID: found[i].ID, Name: found[i].Name})
	}
	r.add(p)
	return err
}

// addReceipts finds receipts of the last days whose numbers differ only in case from earlier ones.
func (r *reader) addReceipts(tx *db.Tx) error {
	found, err := transaction.FindRecased(tx, r.Store.Key, tx.Now().Add(-recasedDays*day), RecasedLimit)
	p := part{Kind: "receiptNumbers", Total: len(found), Complete: len(found) < RecasedLimit}
	for _, f := range found {
		p.Items = append(p.Items, item{
			ID: f.ID, Name: f.Number, Earlier: f.Earlier, Since: api.OptionalTimestamp(f.RegisteredAt, r.Store.Zone),
		})
	}
	r.add(p)
	return err
}

// addPoints finds points that expire soon. Their owners are named to those who may see customers.
func (r *reader) addPoints(tx *db.Tx) error {
	last := calendar.DayOf(r.Now(), r.Store.Zone) + expiringDays
	found, all, err := points.EndingSoon(tx, r.Store, last.Start(r.Store.Zone), analytics.ExpiringAccountsLimit,
		customer.Present("a"))
	if err != nil {
		return err
	}
	var sum points.Amount
	for _, e := range found {
		sum += e.Points
	}
	p := part{Kind: "pointsExpiring", Total: len(found), Complete: all, Points: &sum}
	slices.SortStableFunc(found, func(a, b points.Ending) int { return a.EndsAt.Compare(b.EndsAt) })
	if found = found[:min(len(found), Shown)]; len(found) > 0 && r.may(access.Customers) {
		ids := make([]string, len(found))
		for i := range found {
			ids[i] = found[i].CustomerID
		}
		owners, err := customer.FindAll(tx, r.Store.Key, ids...)
		if err != nil {
			return err
		}
		for _, e := range found {
			if owner := owners[e.CustomerID]; owner != nil {
				p.Items = append(p.Items, item{
					ID: e.CustomerID, Name: owner.FirstName + " " + owner.LastName, Points: new(e.Points),
					EndsAt: api.OptionalTimestamp(e.EndsAt, r.Store.Zone),
				})
			}
		}
	}
	r.add(p)
	return nil
}
