package journey

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/mailing"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// Endpoints returns the endpoints of docs/behaviour/journeys.md.
func (svc *Service) Endpoints() []api.Endpoint {
	const (
		all = "/api/{storeCode}/admin/journey"
		one = all + "/{journey}"
	)
	view := access.AdministratorWith(access.RewardCampaigns, access.View)
	modify := access.AdministratorWith(access.RewardCampaigns, access.Modify)
	sent := api.LeaveErrors(api.BodyInLanguages("journey", readNew))
	return []api.Endpoint{
		{Method: "GET", Path: all, Access: view, Do: api.Read(api.InPages[string](nil), listJourneys),
			Summary: "List journeys with their figures"},
		{Method: "POST", Path: all, Access: modify, Factor: api.InHandler,
			Do:      api.Write(api.BodyInCall("journey", readCreated, describe(form.NotBlank)), svc.create),
			Summary: "Write a journey, which is off at first", Audit: api.Audited("CreateJourney", "journey")},
		{Method: "POST", Path: all + "/audience/preview", Access: modify, Factor: api.NoWrite, Unkeyed: true,
			Do: api.Respond(sent, reach), Summary: "Count for whom today is the occasion of a journey"},
		{Method: "POST", Path: all + "/preview", Access: modify, Factor: api.NoWrite, Unkeyed: true,
			Do:      api.Respond(sent.Also(mailing.DescribePreview), svc.preview),
			Summary: "Show the message of a journey as a customer would get it"},
		{Method: "POST", Path: all + "/test", Access: modify, Factor: api.NoWrite, Unkeyed: true,
			Do: api.Respond(sent.Also(mailing.DescribeTest), svc.test), Audit: api.Audited("SendTestJourney", "journey"),
			Summary: "Send the message of a journey to one address at once", NoDryRun: api.CallsProvider},
		{Method: "GET", Path: one, Access: view, Do: api.Show(showJourney), Summary: "Show a journey with its figures"},
		{Method: "PUT", Path: one, Access: modify, Factor: api.InHandler,
			Do:      api.Write(api.BodyInCall("journey", readChanged, describe()), svc.change),
			Summary: "Change a journey; its recipe stays", Audit: api.Audited("UpdateJourney", "journey")},
		{Method: "DELETE", Path: one, Access: modify, Factor: api.Everyday, Do: api.Act(deleteJourney),
			Summary: "Delete a journey that nobody entered", Audit: api.Audited("DeleteJourney", "journey")},
		{Method: "POST", Path: one + "/activate", Access: modify, Factor: api.InHandler,
			Do: api.Write(api.InCall(nil, mayTurnOn), turnOn), Summary: "Turn a journey on",
			Audit: api.Audited("ActivateJourney", "journey")},
		{Method: "POST", Path: one + "/deactivate", Access: modify, Factor: api.Everyday,
			Do: api.Act(turnOff), Summary: "Turn a journey off",
			Audit: api.Audited("DeactivateJourney", "journey")},
		{Method: "GET", Path: "/api/{storeCode}/journey/{token}", Access: access.Public(), Handle: svc.follow,
			Audit:   api.Audited("GetJourney", "journey"),
			Summary: "Follow the link of a journey", Response: api.Media("text/html")},
		{Method: "GET", Path: "/api/{storeCode}/journey/{token}/{target}", Access: access.Public(), Handle: svc.follow,
			Audit:   api.Audited("GetJourney", "journey"),
			Summary: "Follow a button, a picture or a reward of a journey", Response: api.Media("text/html")},
	}
}

func listJourneys(r *api.Reading, page api.Page) (viewList, error) {
	found, err := allJourneys(r.Tx, r.Store.Key)
	list := viewList{[]journeyView{}, int64(len(found))}
	for i := page.Offset; i < min(len(found), page.Offset+page.Limit) && err == nil; i++ {
		var v journeyView
		v, err = newView(r.Call, r.Tx, &found[i])
		list.Journeys = append(list.Journeys, v)
	}
	return list, err
}

func describe(rules ...form.Rule) func(g *form.Group) {
	return func(g *form.Group) { readForm(g, store.Example, store.ExampleLanguages, "", rules...) }
}

func readNew(g *form.Group, languages store.Languages, s *store.Store) *Journey {
	return readForm(g, s, languages, "", form.NotBlank)
}

// readDraft reads a journey whose gift the caller may give. One that exists keeps its recipe.
func readDraft(c *api.Call, g *form.Group, recipe string) (*Journey, error) {
	languages, err := c.Stores().Languages(c.Context())
	if err != nil {
		return nil, err
	}
	j := readForm(g, c.Store, languages, recipe, form.NotBlank)
	if g.Err() == nil {
		err = mayGive(c, j)
	}
	return j, err
}

func readCreated(c *api.Call, g *form.Group) (*Journey, error) { return readDraft(c, g, "") }

func readChanged(c *api.Call, g *form.Group) (*Journey, error) {
	j, err := ofPath(c)
	if err != nil {
		return nil, err
	}
	return readDraft(c, g, j.Recipe)
}

// ofPath returns the journey that the path names, before the transaction of a call that changes it.
func ofPath(c *api.Call) (j *Journey, err error) {
	err = c.Read(func(tx *db.Tx) (err error) {
		j, err = findOfPath(c, tx)
		return err
	})
	return j, err
}

func findOfPath(c *api.Call, tx *db.Tx) (*Journey, error) {
	id, err := c.PathUUID("journey")
	if err != nil {
		return nil, err
	}
	return findJourney(tx, c.Store.Key, id)
}

func lockOfPath(w *api.Writing) (*Journey, error) {
	id, err := w.PathUUID("journey")
	if err != nil {
		return nil, err
	}
	return lock(w.Tx, w.Store.Key, id)
}

// examine refuses a reward that cannot be a gift.
func (svc *Service) examine(w *api.Writing, j *Journey) error {
	suits, err := svc.suits(w.Tx, w.Store, &j.Content.Gift)
	if err == nil && !suits {
		err = w.Refuse("gift.campaignId", form.Invalid("unsuitable_campaign"))
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

func (svc *Service) create(w *api.Writing, j *Journey) (identity, error) {
	if err := svc.examine(w, j); err != nil {
		return identity{}, err
	}
	n, err := db.Value[int64](w.Tx, `SELECT COUNT(*) FROM journeys WHERE store_id = ?`, w.Store.Key)
	if err != nil {
		return identity{}, err
	}
	if n >= Limit {
		return identity{}, errTooMany
	}
	made := *j
	made.StoreKey, made.ID, made.CreatedAt = w.Store.Key, w.Tx.NewID(), w.Tx.Now()
	made.CreatedBy = mailing.Author{ID: w.Caller.ID, Name: w.Caller.Username}
	w.Entry().SetCreated(made.ID)
	return identity{made.ID}, table.Insert(w.Tx, &made)
}

func (svc *Service) change(w *api.Writing, wanted *Journey) (journeyView, error) {
	j, err := lockOfPath(w)
	if err == nil {
		err = svc.examine(w, wanted)
	}
	if err != nil {
		return journeyView{}, err
	}
	j.Name, j.Content = wanted.Name, wanted.Content
	return saved(w, j)
}

// saved saves a journey and returns its view.
func saved(w *api.Writing, j *Journey) (v journeyView, err error) {
	if v, err = newView(w.Call, w.Tx, j); err != nil {
		return v, err
	}
	return v, save(w.Tx, j)
}

func showJourney(r *api.Reading) (journeyView, error) {
	j, err := findOfPath(r.Call, r.Tx)
	if err != nil {
		return journeyView{}, err
	}
	return newView(r.Call, r.Tx, j)
}

func deleteJourney(w *api.Writing) (done api.NoContent, err error) {
	j, err := lockOfPath(w)
	if err != nil {
		return done, err
	}
	if j.Active {
		return done, errOn
	}
	used, err := db.Value[bool](w.Tx, `SELECT EXISTS (SELECT 1 FROM journey_entries
		WHERE store_id = ? AND journey_id = ?)`, w.Store.Key, j.ID)
	if err != nil {
		return done, err
	}
	if used {
		return done, errUsed
	}
	_, err = w.Tx.Exec(`DELETE FROM journeys WHERE store_id = ? AND journey_id = ?`, w.Store.Key, j.ID)
	return done, err
}

// mayTurnOn is mayGive for the journey that the path names.
func mayTurnOn(c *api.Call) (struct{}, error) {
	j, err := ofPath(c)
	if err == nil {
		err = mayGive(c, j)
	}
	return struct{}{}, err
}

// turnOn turns a journey on. Repeating it has no further effect.
func turnOn(w *api.Writing, _ struct{}) (journeyView, error) {
	j, err := lockOfPath(w)
	if err != nil {
		return journeyView{}, err
	}
	if !j.Active {
		j.turnOn(w.Tx)
	}
	return saved(w, j)
}

func turnOff(w *api.Writing) (journeyView, error) {
	j, err := lockOfPath(w)
	if err != nil {
		return journeyView{}, err
	}
	j.Active = false
	return saved(w, j)
}

func (svc *Service) preview(c *api.Call, sent api.Unchecked[*Journey]) (mailing.PreviewView, error) {
	return svc.mailings.Preview(c, sent.Form.Err(), &sent.In.Content.Words, sent.In.sample())
}

func (svc *Service) test(c *api.Call, sent api.Unchecked[*Journey]) (mailing.TestView, error) {
	return svc.mailings.Test(c, sent.Form.Err(), &sent.In.Content.Words, sent.In.sample())
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
		return table.Add(tx, "clicked", &Journey{StoreKey: c.Store.Key, ID: id, Clicked: 1})
	}, func() error { return nil })
	return svc.mailings.Redirect(c, target, err)
}
