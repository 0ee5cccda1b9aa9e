package campaign

import (
	"strings"

	"punchcard/access"
	"punchcard/api"
	"punchcard/level"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Endpoints are those of the contract that manage campaigns.
func Endpoints() []api.Endpoint {
	view := access.AdministratorWith(access.RewardCampaigns, access.View)
	modify := access.AdministratorWith(access.RewardCampaigns, access.Modify)
	return []api.Endpoint{
		{Method: "POST", Path: "/api/{storeCode}/campaign", Access: modify, Handle: create},
		{Method: "GET", Path: "/api/{storeCode}/campaign", Access: view, Handle: list},
		{Method: "GET", Path: "/api/{storeCode}/campaign/{campaign}", Access: view, Handle: get},
		{Method: "POST", Path: "/api/{storeCode}/campaign/{campaign}/{active}", Access: modify, Handle: activate},
	}
}

type identity struct {
	CampaignID string `json:"campaignId"`
}

// create implements endpoint 5.
func create(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	languages, err := c.Stores().Languages(c.Context())
	if err != nil {
		return err
	}
	group := form.Read(body.Child("campaign"))
	draft := read(group, languages, c.Store.Zone)
	if err := group.Err(); err != nil {
		return err
	}
	var id string
	err = c.Write(func(tx *db.Tx) (err error) {
		id, err = Create(tx, c.Store, draft)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(identity{id})
}

// list implements endpoint 6. q searches names by the beginnings of words; the best match comes first.
func list(c *api.Call) error {
	asked, err := c.Asked()
	if err != nil {
		return err
	}
	withoutCodes, _ := form.ParseBool(asked.Query.Child("withoutCoupons").Text())
	answer := struct {
		Campaigns []Full `json:"campaigns"`
		Total     int64  `json:"total"`
	}{Campaigns: []Full{}}
	err = c.Read(func(tx *db.Tx) error {
		var found []Campaign
		if words := asked.Query.Child("q").Text(); words != "" {
			found, answer.Total, err = matching(tx, c.Store.Key, words, asked.Limit, asked.Offset)
		} else {
			found, answer.Total, err = page(tx, c.Store.Key, asked.OrderBy(Sortable, "c.campaign_id"),
				asked.Limit, asked.Offset)
		}
		if err != nil || len(found) == 0 {
			return err
		}
		ids := make([]string, len(found))
		for i := range found {
			ids[i] = found[i].ID
		}
		levels, err := level.All(tx, c.Store.Key)
		if err != nil {
			return err
		}
		counters, err := CountersOf(tx, c.Store.Key, ids...)
		if err != nil {
			return err
		}
		codes := map[string][]string{}
		if !withoutCodes {
			if codes, err = CodesOf(tx, c.Store.Key, ids...); err != nil {
				return err
			}
		}
		viewer := &Viewer{Store: c.Store, Locale: asked.Locale, Levels: levels, Now: tx.Now}
		for i := range found {
			own := codes[found[i].ID]
			if own == nil && !withoutCodes {
				own = []string{}
			}
			answer.Campaigns = append(answer.Campaigns, viewer.Full(&found[i], counters[found[i].ID], own))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.OK(answer)
}

// get implements endpoint 15.
func get(c *api.Call) error {
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	id, err := PathID(c)
	if err != nil {
		return err
	}
	var answer Full
	err = c.Read(func(tx *db.Tx) error {
		found, counters, err := Find(tx, c.Store.Key, id)
		if err != nil {
			return err
		}
		levels, err := level.All(tx, c.Store.Key)
		if err != nil {
			return err
		}
		codes, err := CodesOf(tx, c.Store.Key, id)
		viewer := &Viewer{Store: c.Store, Locale: locale, Levels: levels, Now: tx.Now}
		answer = viewer.Full(found, counters, append([]string{}, codes[id]...))
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(answer)
}

// activate implements endpoint 22.
func activate(c *api.Call) error {
	word := c.PathValue("active")
	if word != "active" && word != "inactive" {
		return fault.ErrNotFound
	}
	id, err := PathID(c)
	if err != nil {
		return err
	}
	err = c.Write(func(tx *db.Tx) error { return SetActive(tx, c.Store, id, word == "active") })
	if err != nil {
		return err
	}
	return c.OK(identity{id})
}

// PathID is the campaign's id in the path; text that is no UUID names no campaign.
func PathID(c *api.Call) (string, error) {
	id := strings.ToLower(c.PathValue("campaign"))
	if !form.IsUUID(id) {
		return "", fault.ErrNotFound
	}
	return id, nil
}
