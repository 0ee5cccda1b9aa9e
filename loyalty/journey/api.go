package journey

import (
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/store"
	"punchcard/loyalty/mailing"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// exampleLanguages are those of the description of the form.
var exampleLanguages = store.Languages{{Code: "en"}}

// Endpoints returns the endpoints of docs/behaviour/journeys.md.
func (svc *Service) Endpoints() []api.Endpoint {
	const (
		all = "/api/{storeCode}/admin/journey"
		one = all + "/{journey}"
	)
	view := access.AdministratorWith(access.RewardCampaigns, access.View)
	modify := access.AdministratorWith(access.RewardCampaigns, access.Modify)
	describe := func(rules ...form.Rule) func(g *form.Group) {
		return func(g *form.Group) { readForm(g.Group("journey"), store.Example, exampleLanguages, "", rules...) }
	}
	full := describe(form.NotBlank)
	return []api.Endpoint{
		{Method: "GET", Path: all, Access: view, Handle: listJourneys, Summary: "List journeys with their figures",
			Query: api.PageQuery[string](nil), Response: viewList{}},
		{Method: "POST", Path: all, Access: modify, Factor: api.InHandler,
			Handle: svc.create, Summary: "Write a journey, which is off at first", Form: full, Response: identity{},
			Audit: api.Audited("CreateJourney", "journey")},
		{Method: "POST", Path: all + "/audience/preview", Access: modify, Factor: api.NoWrite,
			Handle: svc.reach, Unkeyed: true,
			Summary: "Count for whom today is the occasion of a journey", Form: full, Response: reachView{}},
		{Method: "POST", Path: all + "/preview", Access: modify, Factor: api.NoWrite,
			Handle: svc.preview, Unkeyed: true,
			Summary: "Show the message of a journey as a customer would get it", Form: mailing.DescribePreview(full),
			Response: mailing.PreviewView{}},
		{Method: "POST", Path: all + "/test", Access: modify, Factor: api.NoWrite, Handle: svc.test, Unkeyed: true,
			Audit:   api.Audited("SendTestJourney", "journey"),
			Summary: "Send the message of a journey to one address at once", Form: mailing.DescribeTest(full),
			Response: mailing.TestView{}, NoDryRun: api.CallsProvider},
		{Method: "GET", Path: one, Access: view, Handle: showJourney, Summary: "Show a journey with its figures",
			Response: journeyView{}},
		{Method: "PUT", Path: one, Access: modify, Factor: api.InHandler,
			Handle: svc.change, Summary: "Change a journey; its recipe stays",
			Form: describe(), Response: journeyView{}, Audit: api.Audited("UpdateJourney", "journey")},
		{Method: "DELETE", Path: one, Access: modify, Factor: api.Everyday, Handle: deleteJourney,
			Summary: "Delete a journey that nobody entered", Response: api.NoContent{},
			Audit: api.Audited("DeleteJourney", "journey")},
		{Method: "POST", Path: one + "/activate", Access: modify, Factor: api.InHandler,
			Handle: turn(true), Summary: "Turn a journey on",
			Audit: api.Audited("ActivateJourney", "journey"), Response: journeyView{}},
		{Method: "POST", Path: one + "/deactivate", Access: modify, Factor: api.Everyday,
			Handle: turn(false), Summary: "Turn a journey off",
			Audit: api.Audited("DeactivateJourney", "journey"), Response: journeyView{}},
		{Method: "GET", Path: "/api/{storeCode}/journey/{token}", Access: access.Public(), Handle: svc.follow,
			Audit:   api.Audited("GetJourney", "journey"),
			Summary: "Follow the link of a journey", Response: api.Media("text/html")},
		{Method: "GET", Path: "/api/{storeCode}/journey/{token}/{target}", Access: access.Public(), Handle: svc.follow,
			Audit:   api.Audited("GetJourney", "journey"),
			Summary: "Follow a button, a picture or a reward of a journey", Response: api.Media("text/html")},
	}
}

func pathID(c *api.Call) (string, error) {
	id := strings.ToLower(c.PathValue("journey"))
	if !form.IsUUID(id) {
		return "", fault.ErrNotFound
	}
	return id, nil
}

func listJourneys(c *api.Call) error {
	page, err := c.Page()
	if err != nil {
		return err
	}
	response := viewList{Journeys: []journeyView{}}
	err = c.Read(func(tx *db.Tx) error {
		found, err := allJourneys(tx, c.Store.Key)
		response.Total = int64(len(found))
		for i := page.Offset; i < min(len(found), page.Offset+page.Limit) && err == nil; i++ {
			var v journeyView
			v, err = newView(c, tx, &found[i])
			response.Journeys = append(response.Journeys, v)
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// readCall reads the form of a call: the fields around it, and those of a journey with the recipe.
func readCall(c *api.Call, recipe string) (around, g *form.Group, j *Journey, err error) {
	body, err := c.Body()
	if err != nil {
		return nil, nil, nil, err
	}
	languages, err := c.Stores().Languages(c.Context())
	if err != nil {
		return nil, nil, nil, err
	}
	g = form.Read(body, "journey")
	return form.Read(body), g, readForm(g, c.Store, languages, recipe, form.NotBlank), nil
}

// examine adds an error if the reward of a gift cannot be given.
func (svc *Service) examine(c *api.Call, tx *db.Tx, g *form.Group, j *Journey) error {
	suits, err := svc.suits(tx, c.Store, &j.Content.Gift)
	if err == nil && !suits {
		g.Group("gift").AddError("campaignId", form.Invalid("unsuitable_campaign"))
	}
	if err == nil {
		err = g.Err()
	}
	return err
}

// mayGive refuses a caller who may not give the points of a journey, to however many customers.
func mayGive(c *api.Call, j *Journey) error {
	switch {
	case j.Content.Gift.Points == 0:
		return nil
	case !c.Caller.Allowed(access.PointTransfers, access.Modify):
		return errGift
	}
	return c.StepUp()
}

func (svc *Service) create(c *api.Call) error {
	_, g, j, err := readCall(c, "")
	if err == nil && g.Err() == nil {
		err = mayGive(c, j)
	}
	if err != nil {
		return err
	}
	var id string
	return c.Write(func(tx *db.Tx) error {
		if err := svc.examine(c, tx, g, j); err != nil {
			return err
		}
		n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM journeys WHERE store_id = ?`, c.Store.Key)
		if err != nil {
			return err
		}
		if n >= Limit {
			return errTooMany
		}
		made := *j
		made.StoreKey, made.ID, made.CreatedAt = c.Store.Key, tx.NewID(), tx.Now()
		made.CreatedBy = mailing.Author{ID: c.Caller.ID, Name: c.Caller.Username}
		id = made.ID
		audit.Of(tx).SetCreated(id)
		return tx.Insert("journeys", columns, "", made.row())
	}, func() error { return c.OK(identity{id}) })
}

func (svc *Service) change(c *api.Call) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	var recipe string
	if err := c.Read(func(tx *db.Tx) error {
		j, err := findJourney(tx, c.Store.Key, id)
		recipe = j.Recipe
		return err
	}); err != nil {
		return err
	}
	_, g, wanted, err := readCall(c, recipe)
	if err == nil && g.Err() == nil {
		err = mayGive(c, wanted)
	}
	if err != nil {
		return err
	}
	var response journeyView
	return c.Write(func(tx *db.Tx) error {
		j, err := lock(tx, c.Store.Key, id)
		if err != nil {
			return err
		}
		if err := svc.examine(c, tx, g, wanted); err != nil {
			return err
		}
		j.Name, j.Content = wanted.Name, wanted.Content
		if response, err = newView(c, tx, j); err != nil {
			return err
		}
		return save(tx, j)
	}, func() error { return c.OK(response) })
}

func showJourney(c *api.Call) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	var response journeyView
	err = c.Read(func(tx *db.Tx) error {
		j, err := findJourney(tx, c.Store.Key, id)
		if err == nil {
			response, err = newView(c, tx, j)
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func deleteJourney(c *api.Call) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error {
		j, err := lock(tx, c.Store.Key, id)
		if err != nil {
			return err
		}
		if j.Active {
			return errOn
		}
		used, err := db.Value[bool](tx, `SELECT EXISTS (SELECT 1 FROM journey_entries
			WHERE store_id = ? AND journey_id = ?)`, c.Store.Key, id)
		if err != nil {
			return err
		}
		if used {
			return errUsed
		}
		_, err = tx.Exec(`DELETE FROM journeys WHERE store_id = ? AND journey_id = ?`, c.Store.Key, id)
		return err
	}, func() error { return c.NoContent() })
}

// turn turns a journey on or off. Repeating it has no further effect.
func turn(on bool) func(c *api.Call) error {
	return func(c *api.Call) error {
		id, err := pathID(c)
		if err != nil {
			return err
		}
		if err := mayTurn(c, id, on); err != nil {
			return err
		}
		var response journeyView
		return c.Write(func(tx *db.Tx) error {
			j, err := lock(tx, c.Store.Key, id)
			if err != nil {
				return err
			}
			switch {
			case on && !j.Active:
				j.turnOn(tx)
			case !on:
				j.Active = false
			}
			if response, err = newView(c, tx, j); err != nil {
				return err
			}
			return save(tx, j)
		}, func() error { return c.OK(response) })
	}
}

// mayTurn is mayGive for a journey that is turned on.
func mayTurn(c *api.Call, id string, on bool) error {
	if !on {
		return nil
	}
	var j *Journey
	err := c.Read(func(tx *db.Tx) (err error) {
		j, err = findJourney(tx, c.Store.Key, id)
		return err
	})
	if err != nil {
		return err
	}
	return mayGive(c, j)
}

func (svc *Service) preview(c *api.Call) error {
	around, g, j, err := readCall(c, "")
	if err != nil {
		return err
	}
	return svc.mailings.Preview(c, around, g.Err(), &j.Content.Words, j.sample())
}

func (svc *Service) test(c *api.Call) error {
	around, g, j, err := readCall(c, "")
	if err != nil {
		return err
	}
	return svc.mailings.Test(c, around, g.Err(), &j.Content.Words, j.sample())
}

// follow leads the recipient of a message to the target of its link or of a block, and counts the first time.
func (svc *Service) follow(c *api.Call) error {
	var target string
	err := c.Write(func(tx *db.Tx) error {
		id, first, err := mailing.Follow(c, tx)
		if err != nil {
			return err
		}
		j, err := findJourney(tx, c.Store.Key, id)
		if err != nil {
			return err
		}
		if target, err = mailing.TargetOf(c, tx, id, j.Content.Link); err != nil || !first {
			return err
		}
		_, err = tx.Exec(`UPDATE journeys SET clicked = clicked + 1 WHERE store_id = ? AND journey_id = ?`,
			c.Store.Key, id)
		return err
	}, func() error { return nil })
	return svc.mailings.Redirect(c, target, err)
}
