package journey

import (
	"punchcard/core/api"
	"punchcard/loyalty/mailing"
	"punchcard/loyalty/message"
	"punchcard/platform/db"
)

type identity struct {
	JourneyID string `json:"journeyId"`
}

type viewList struct {
	Journeys []journeyView `json:"journeys"`
	Total    int64         `json:"total"`
}

// journeyView is the JSON of a journey: docs/behaviour/journeys.md.
type journeyView struct {
	JourneyID   string  `json:"journeyId"`
	Recipe      string  `json:"recipe"`
	Name        string  `json:"name"`
	Active      bool    `json:"active"`
	ActiveSince *string `json:"activeSince,omitempty"`
	Content
	Entered   int64                          `json:"entered"`
	Waiting   int64                          `json:"waiting"`
	Sent      int64                          `json:"sent"`
	Skipped   map[string]int64               `json:"skipped"` // by reason
	Clicked   int64                          `json:"clicked"`
	Gifts     int64                          `json:"gifts"`
	Unsettled int64                          `json:"unsettled"` // sent, but messages of them are not in results yet
	Results   map[string]message.StateCounts `json:"results"`   // by channel and state
	Outcome   *mailing.OutcomeView           `json:"outcome"`
	CreatedBy string                         `json:"createdBy"`
	CreatedAt string                         `json:"createdAt"`
}

// newView reads the figures of a journey besides those in its row.
func newView(c *api.Call, tx *db.Tx, j *Journey) (journeyView, error) {
	v := journeyView{
		JourneyID: j.ID, Recipe: j.Recipe, Name: j.Name, Active: j.Active, Content: j.Content,
		ActiveSince: api.OptionalTimestamp(j.ActiveSince, c.Store.Zone), Sent: j.Sent, Clicked: j.Clicked, Gifts: j.Gifts,
		Skipped: j.Skipped, Results: j.Results, CreatedBy: j.CreatedBy.Name,
		CreatedAt: api.Timestamp(j.CreatedAt, c.Store.Zone),
	}
	if v.Skipped == nil {
		v.Skipped = map[string]int64{}
	}
	if v.Results == nil {
		v.Results = map[string]message.StateCounts{}
	}
	n, err := waiting(tx, c.Store.Key, j.ID)
	if err != nil {
		return v, err
	}
	v.Waiting, v.Unsettled, v.Entered = n.Waiting, n.Unsettled, n.Waiting+j.Sent
	for _, skipped := range j.Skipped {
		v.Entered += skipped
	}
	outcome, err := mailing.OutcomeOf(tx, c.Store.Key, j.ID)
	v.Outcome = outcome.View(c.Store, j.Content.OutcomeDays)
	return v, err
}
