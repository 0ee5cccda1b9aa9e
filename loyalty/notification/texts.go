package notification

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message/template"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// texts writes the texts of notifications in one language, for the inbox or for the gateway.
type texts struct {
	set       *template.Set
	channel   string // template.Inbox or template.Push
	language  string
	zone      *time.Location
	customers map[string]*customer.Customer // by id; empty if no text has their names
}

// textsOf loads the templates of notifications, and the names that these contain beyond the details of a notification.
func textsOf(tx *db.Tx, s *store.Store, channel string, locale api.Locale, all []Notification) (*texts, error) {
	t := &texts{channel: channel, language: locale.Wanted, zone: s.Zone}
	var err error
	if t.set, err = template.Load(tx, s); err != nil || len(all) == 0 {
		return t, err
	}
	var named []*Notification
	customers := make([]string, 0, len(all))
	for i := range all {
		n := &all[i]
		event := kindOf(n).event
		if event == template.CampaignAvailable && t.set.Mentions(event, channel, "campaign_name") {
			named = append(named, n)
		}
		if t.set.Mentions(event, channel, "first_name") || t.set.Mentions(event, channel, "last_name") {
			customers = append(customers, n.CustomerID)
		}
	}
	if err := nameCampaigns(tx, s.Key, locale, named); err != nil || len(customers) == 0 {
		return t, err
	}
	t.customers, err = customer.FindAll(tx, s.Key, db.Distinct(customers)...)
	return t, err
}

// nameCampaigns sets the names of the campaigns that notifications are about.
func nameCampaigns(tx *db.Tx, storeKey int64, locale api.Locale, all []*Notification) error {
	if len(all) == 0 {
		return nil
	}
	ids := make([]string, len(all))
	for i, n := range all {
		ids[i] = n.SubjectID
	}
	names, err := campaign.Names(tx, storeKey, locale, db.Distinct(ids)...)
	for _, n := range all {
		n.Details.Name = names[n.SubjectID]
	}
	return err
}

// of returns the text of a notification. Rows of a newer version may have a kind without texts.
func (t *texts) of(n *Notification) template.Text {
	k := kindOf(n)
	if k.values == nil {
		return template.Text{Content: n.Details.Text}
	}
	values := valuesOf(n, t.zone)
	if c := t.customers[n.CustomerID]; c != nil {
		values["first_name"], values["last_name"] = c.FirstName, c.LastName
	}
	return t.set.Fill(k.event, t.channel, t.language, values)
}

// valuesOf returns the values of the placeholders of a notification whose kind has texts.
func valuesOf(n *Notification, zone *time.Location) map[string]string {
	values := kindOf(n).values(n)
	if end := n.Details.endsAt(); !end.IsZero() {
		values["end_date"] = end.In(zone).Format(time.DateOnly)
		if last := calendar.DayOf(end, zone).LastSecond(zone); end.Before(last.Truncate(time.Minute)) {
			values["end_date"] += end.In(zone).Format(" 15:04")
		}
	}
	return values
}
