package mailing

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/message"
)

type identity struct {
	MailingID string `json:"mailingId"`
}

type viewList struct {
	Mailings []mailingView `json:"mailings"`
	Total    int64         `json:"total"`
}

// mailingView is the JSON of a mailing: docs/behaviour/mailings.md.
type mailingView struct {
	MailingID string `json:"mailingId"`
	Name      string `json:"name"`
	State     string `json:"state" enum:"draft,scheduled,running,paused,finished,stopped"`
	Content
	SendAt     *string                        `json:"sendAt,omitempty"`
	Visited    int64                          `json:"visited"`
	Recipients int64                          `json:"recipients"`
	Clicked    int64                          `json:"clicked"`
	Results    map[string]message.StateCounts `json:"results,omitempty"` // by channel and state; not in lists
	CreatedBy  string                         `json:"createdBy"`
	CreatedAt  string                         `json:"createdAt"`
	StartedAt  *string                        `json:"startedAt,omitempty"`
	FinishedAt *string                        `json:"finishedAt,omitempty"`
	Capped     int64                          `json:"capped"`
	Outcome    *OutcomeView                   `json:"outcome,omitempty"` // not in lists, and not of open mailings
}

func newView(c *api.Call, m *Mailing) mailingView {
	zone := c.Store.Zone
	return mailingView{
		MailingID: m.ID, Name: m.Name, State: m.State, Content: m.Content, SendAt: api.OptionalTimestamp(m.SendAt, zone),
		Visited: m.Visited, Recipients: m.Recipients, Clicked: m.Clicked, Results: m.Results, CreatedBy: m.CreatedBy.Name,
		CreatedAt: api.Timestamp(m.CreatedAt, zone), StartedAt: api.OptionalTimestamp(m.StartedAt, zone),
		FinishedAt: api.OptionalTimestamp(m.FinishedAt, zone), Capped: m.Capped,
	}
}

// View returns the JSON of an outcome.
func (o *Outcome) View(s *store.Store, days int) *OutcomeView {
	return &OutcomeView{days, o.Numbers, api.OptionalTimestamp(o.CountedAt, s.Zone)}
}
