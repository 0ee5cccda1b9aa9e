package journey

import (
	"slices"

	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/mailing"
	"punchcard/loyalty/segment"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// reachView is the JSON of for whom today is the occasion of a journey.
type reachView struct {
	Customers int `json:"customers"` // with today's occasion, in the levels and segments
	Reachable int `json:"reachable"` // those of them with an agreement and an address, or an inbox
	// those of them who are not reachable because their address was refused for good
	Undeliverable int  `json:"undeliverable"`
	Messages      int  `json:"messages"` // those reachable who get a message after turning the journey on now
	Complete      bool `json:"complete"` // false if there are more than were counted
}

// reach counts today's occasions of a form, without its texts.
func reach(c *api.Call, sent api.Unchecked[*Journey]) (reachView, error) {
	j, v := sent.In, reachView{Complete: true}
	for _, name := range []string{"recipe", "channels", "levels", "segments", "days", "missing", "leastPoints"} {
		if sent.Form.Failed(name) {
			return v, sent.Form.Err()
		}
	}
	r := recipeOf(j.Recipe)
	if r.find == nil { // nobody yet: it begins with what customers do from now on
		return v, nil
	}
	h := &handling{judge: judge{store: c.Store, journey: j}, source: j.source()}
	j.StoreKey = c.Store.Key
	seen, after := map[string]bool{}, ""
	for more := true; more; more = after != "" && v.Complete {
		err := c.Read(func(tx *db.Tx) error {
			var found []finding
			var err error
			found, after, err = r.find(tx, c.Store, j, calendar.DayOf(tx.Now(), c.Store.Zone), after)
			if err != nil {
				return err
			}
			var ids []string
			for _, f := range found {
				if !seen[f.customerID] {
					seen[f.customerID], ids = true, append(ids, f.customerID)
				}
			}
			return v.add(tx, h, db.Distinct(ids))
		})
		if err != nil {
			return v, err
		}
		v.Complete = len(seen) < mailing.ReachLimit
	}
	if r.lasts {
		v.Messages = 0
	}
	return v, nil
}

func (v *reachView) add(tx *db.Tx, h *handling, ids []string) error {
	customers, err := customer.FindAll(tx, h.store.Key, ids...)
	if err != nil {
		return err
	}
	if h.in, err = segment.OfCustomers(tx, h.store.Key, ids...); err != nil {
		return err
	}
	active := slices.DeleteFunc(ids, func(id string) bool {
		c := customers[id]
		return c == nil || !c.IsActive() || !h.meets(c)
	})
	found := make([]*customer.Customer, len(active))
	for i, id := range active {
		found[i] = customers[id]
	}
	reach, err := h.source.Reach(tx, h.store, found...)
	for _, id := range active {
		v.Customers++
		switch r := reach[id]; {
		case len(r.Channels) > 0:
			v.Reachable++
			v.Messages++
		case len(r.Undeliverable) > 0:
			v.Undeliverable++
		}
	}
	return err
}
