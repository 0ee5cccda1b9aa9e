package mailing

import (
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/store"
	"punchcard/loyalty/message"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// DraftLimit is the number of mailings of a store that were not sent.
const DraftLimit = 100

var errTooMany = fault.New(fault.Conflict, "too_many_mailings",
	"The store has 100 mailings that were not sent. Delete one of them.")

// exampleLanguages are those of the description of the form.
var exampleLanguages = store.Languages{{Code: "en"}}

// Endpoints returns the endpoints of docs/behaviour/mailings.md.
func (svc *Service) Endpoints() []api.Endpoint {
	const (
		all = "/api/{storeCode}/admin/mailing"
		one = all + "/{mailing}"
	)
	view := access.AdministratorWith(access.RewardCampaigns, access.View)
	modify := access.AdministratorWith(access.RewardCampaigns, access.Modify)
	describe := func(g *form.Group) { readForm(g.Group("mailing"), store.Example, exampleLanguages) }
	endpoints := []api.Endpoint{
		{Method: "GET", Path: all, Access: view, Handle: listMailings, Summary: "List mailings, the newest first",
			Query: api.PageQuery[string](nil), Response: viewList{}},
		{Method: "POST", Path: all, Access: modify, Factor: api.Everyday,
			Handle: createMailing, Summary: "Write a mailing", Form: describe,
			Response: identity{}, Audit: api.Audited("CreateMailing", "mailing")},
		{Method: "POST", Path: all + "/audience/preview", Access: modify, Factor: api.NoWrite,
			Handle: svc.reach, Unkeyed: true,
			Summary: "Count whom a mailing would reach", Form: describe, Response: reachView{}},
		{Method: "POST", Path: all + "/preview", Access: modify, Factor: api.NoWrite,
			Handle: svc.preview, Unkeyed: true,
			Summary: "Show a mailing as a customer would get it", Form: DescribePreview(describe), Response: PreviewView{}},
		{Method: "POST", Path: all + "/test", Access: modify, Factor: api.NoWrite, Handle: svc.test, Unkeyed: true,
			Audit:   api.Audited("SendTestMailing", "mailing"),
			Summary: "Send a mailing to one address at once", Form: DescribeTest(describe), Response: TestView{},
			NoDryRun: api.CallsProvider},
		{Method: "GET", Path: one, Access: view, Handle: showMailing, Summary: "Show a mailing with its progress and results",
			Response: mailingView{}},
		{Method: "PUT", Path: one, Access: modify, Factor: api.Everyday,
			Handle: changeMailing, Summary: "Change a mailing that was not sent",
			Form: describe, Response: mailingView{}, Audit: api.Audited("UpdateMailing", "mailing")},
		{Method: "DELETE", Path: one, Access: modify, Factor: api.Everyday,
			Handle: deleteMailing, Summary: "Delete a mailing that was not sent",
			Response: api.NoContent{}, Audit: api.Audited("DeleteMailing", "mailing")},
		{Method: "GET", Path: "/api/{storeCode}/mailing/{token}", Access: access.Public(), Handle: svc.follow,
			Audit:   api.Audited("GetMailing", "mailing"),
			Summary: "Follow the link of a mailing", Response: api.Media("text/html")},
		{Method: "GET", Path: "/api/{storeCode}/mailing/{token}/{target}", Access: access.Public(), Handle: svc.follow,
			Audit:   api.Audited("GetMailing", "mailing"),
			Summary: "Follow a button, a picture or a reward of a mailing", Response: api.Media("text/html")},
	}
	for _, a := range []struct{ name, event, summary string }{
		{"send", "SendMailing", "Send a mailing, now or at its time"},
		{"pause", "PauseMailing", "Pause a mailing"},
		{"resume", "ResumeMailing", "Go on with a mailing"},
		{"stop", "StopMailing", "Stop a mailing, and drop its messages that wait"},
	} {
		endpoints = append(endpoints, api.Endpoint{Method: "POST", Path: one + "/" + a.name, Access: modify,
			Factor: api.Everyday, Handle: svc.act(a.name), Summary: a.summary, Response: mailingView{},
			Audit: api.Audited(a.event, "mailing")})
	}
	return endpoints
}

func pathID(c *api.Call) (string, error) {
	id := strings.ToLower(c.PathValue("mailing"))
	if !form.IsUUID(id) {
		return "", fault.ErrNotFound
	}
	return id, nil
}

func listMailings(c *api.Call) error {
	page, err := c.Page()
	if err != nil {
		return err
	}
	response := viewList{Mailings: []mailingView{}}
	err = c.Read(func(tx *db.Tx) error {
		found, total, err := listPage(tx, c.Store.Key, page.Limit, page.Offset)
		for i := range found {
			response.Mailings = append(response.Mailings, newView(c, &found[i]))
		}
		response.Total = total
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// readCall reads the form of a call: the fields around it, and those of the mailing.
func readCall(c *api.Call) (around, g *form.Group, m *Mailing, err error) {
	body, err := c.Body()
	if err != nil {
		return nil, nil, nil, err
	}
	var languages store.Languages
	if err := c.Read(func(tx *db.Tx) (err error) {
		languages, err = store.AllLanguages(tx)
		return err
	}); err != nil {
		return nil, nil, nil, err
	}
	g = form.Read(body, "mailing")
	return form.Read(body), g, readForm(g, c.Store, languages), nil
}

func createMailing(c *api.Call) error {
	_, g, m, err := readCall(c)
	if err == nil {
		err = g.Err()
	}
	if err != nil {
		return err
	}
	var id string
	return c.Write(func(tx *db.Tx) error {
		open, err := db.Value[int64](tx, `SELECT COUNT(*) FROM mailings WHERE store_id = ? AND state = 'draft'`,
			c.Store.Key)
		if err != nil {
			return err
		}
		if open >= DraftLimit {
			return errTooMany
		}
		made := *m
		made.StoreKey, made.ID, made.State, made.CreatedAt = c.Store.Key, tx.NewID(), Draft, tx.Now()
		made.CreatedBy = Author{c.Caller.ID, c.Caller.Username}
		id = made.ID
		audit.Of(tx).SetCreated(id)
		return tx.Insert("mailings", columns, "", made.row())
	}, func() error { return c.OK(identity{id}) })
}

func changeMailing(c *api.Call) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	_, g, wanted, err := readCall(c)
	if err != nil {
		return err
	}
	var response mailingView
	return c.Write(func(tx *db.Tx) error {
		m, err := lockMailing(tx, c.Store.Key, id)
		if err != nil {
			return err
		}
		if !m.isOpen() {
			return errNotOpen
		}
		if err := g.Err(); err != nil {
			return err
		}
		m.Name, m.Content, m.SendAt, m.State = wanted.Name, wanted.Content, wanted.SendAt, Draft
		response = newView(c, m)
		return save(tx, m)
	}, func() error { return c.OK(response) })
}

func showMailing(c *api.Call) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	var response mailingView
	err = c.Read(func(tx *db.Tx) error {
		m, err := findMailing(tx, c.Store.Key, id)
		if err != nil {
			return err
		}
		if !m.Settled && !m.isOpen() {
			if m.Results, err = message.CountMailing(tx, c.Store.Key, id); err != nil {
				return err
			}
		}
		response = newView(c, m)
		if m.isOpen() {
			return nil
		}
		outcome, err := OutcomeOf(tx, c.Store.Key, id)
		response.Outcome = outcome.View(c.Store, m.Content.outcomeDays())
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func deleteMailing(c *api.Call) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error {
		m, err := lockMailing(tx, c.Store.Key, id)
		if err != nil {
			return err
		}
		if !m.isOpen() {
			return errNotOpen
		}
		_, err = tx.Exec(`DELETE FROM mailings WHERE store_id = ? AND mailing_id = ?`, c.Store.Key, id)
		return err
	}, func() error { return c.NoContent() })
}

// droppedAtOnce is how many waiting messages stopping a mailing drops at most: more than a mailing lets wait.
const droppedAtOnce = 2 * WaitingLimit

func (svc *Service) act(name string) func(c *api.Call) error {
	return func(c *api.Call) error {
		id, err := pathID(c)
		if err != nil {
			return err
		}
		var response mailingView
		return c.Write(func(tx *db.Tx) error {
			m, err := lockMailing(tx, c.Store.Key, id)
			if err == nil {
				err = m.act(tx, name)
			}
			if err == nil && name == "stop" {
				_, err = message.DropMailing(tx, c.Store.Key, id, droppedAtOnce)
			}
			if err != nil {
				return err
			}
			response = newView(c, m)
			tx.AfterCommit(func() { svc.wakeups.Wake(c.Store) })
			return nil
		}, func() error { return c.OK(response) })
	}
}

// follow leads the recipient of a mailing to the target of its link or of a block, and counts the first time.
func (svc *Service) follow(c *api.Call) error {
	var target string
	err := c.Write(func(tx *db.Tx) error {
		id, first, err := Follow(c, tx)
		if err != nil {
			return err
		}
		m, err := findMailing(tx, c.Store.Key, id)
		if err != nil {
			return err
		}
		if target, err = TargetOf(c, tx, id, m.Content.Link); err != nil || !first {
			return err
		}
		_, err = tx.Exec(`UPDATE mailings SET clicked = clicked + 1 WHERE store_id = ? AND mailing_id = ?`,
			c.Store.Key, id)
		return err
	}, func() error { return nil })
	return svc.Redirect(c, target, err)
}
