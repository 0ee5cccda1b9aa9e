package mailing

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/message"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// DraftLimit is the number of mailings of a store that were not sent.
const DraftLimit = 100

var errTooMany = fault.New(fault.Conflict, "too_many_mailings",
	"The store has 100 mailings that were not sent. Delete one of them.")

// Endpoints returns the endpoints of docs/behaviour/mailings.md.
func (svc *Service) Endpoints() []api.Endpoint {
	const (
		all = "/api/{storeCode}/admin/mailing"
		one = all + "/{mailing}"
	)
	view := access.AdministratorWith(access.RewardCampaigns, access.View)
	modify := access.AdministratorWith(access.RewardCampaigns, access.Modify)
	body := api.BodyInLanguages("mailing", readForm)
	sent := api.LeaveErrors(body)
	endpoints := []api.Endpoint{
		{Method: "GET", Path: all, Access: view, Do: api.Read(api.InPages[string](nil), listMailings),
			Summary: "List mailings, the newest first"},
		{Method: "POST", Path: all, Access: modify, Factor: api.Everyday, Do: api.Write(body, createMailing),
			Summary: "Write a mailing", Audit: api.Audited("CreateMailing", "mailing")},
		{Method: "POST", Path: all + "/audience/preview", Access: modify, Factor: api.NoWrite, Unkeyed: true,
			Do: api.Respond(sent, reach), Summary: "Count whom a mailing would reach"},
		{Method: "POST", Path: all + "/preview", Access: modify, Factor: api.NoWrite, Unkeyed: true,
			Do: api.Respond(sent.Also(DescribePreview), svc.preview), Summary: "Show a mailing as a customer would get it"},
		{Method: "POST", Path: all + "/test", Access: modify, Factor: api.NoWrite, Unkeyed: true,
			Do: api.Respond(sent.Also(DescribeTest), svc.test), Summary: "Send a mailing to one address at once",
			Audit: api.Audited("SendTestMailing", "mailing"), NoDryRun: api.CallsProvider},
		{Method: "GET", Path: one, Access: view, Do: api.Show(showMailing),
			Summary: "Show a mailing with its progress and results"},
		{Method: "PUT", Path: one, Access: modify, Factor: api.Everyday, Do: api.Write(sent, changeMailing),
			Summary: "Change a mailing that was not sent", Audit: api.Audited("UpdateMailing", "mailing")},
		{Method: "DELETE", Path: one, Access: modify, Factor: api.Everyday, Do: api.Act(deleteMailing),
			Summary: "Delete a mailing that was not sent", Audit: api.Audited("DeleteMailing", "mailing")},
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
			Factor: api.Everyday, Do: api.Act(svc.act(a.name)), Summary: a.summary, Audit: api.Audited(a.event, "mailing")})
	}
	return endpoints
}

func listMailings(r *api.Reading, page api.Page) (viewList, error) {
	found, total, err := listPage(r.Tx, r.Store.Key, page.Limit, page.Offset)
	list := viewList{[]mailingView{}, total}
	for i := range found {
		list.Mailings = append(list.Mailings, newView(r.Call, &found[i]))
	}
	return list, err
}

func createMailing(w *api.Writing, m *Mailing) (identity, error) {
	open, err := db.Value[int64](w.Tx, `SELECT COUNT(*) FROM mailings WHERE store_id = ? AND state = 'draft'`,
		w.Store.Key)
	if err != nil {
		return identity{}, err
	}
	if open >= DraftLimit {
		return identity{}, errTooMany
	}
	made := *m
	made.StoreKey, made.ID, made.State, made.CreatedAt = w.Store.Key, w.Tx.NewID(), Draft, w.Tx.Now()
	made.CreatedBy = Author{w.Caller.ID, w.Caller.Username}
	w.Entry().SetCreated(made.ID)
	return identity{made.ID}, table.Insert(w.Tx, &made)
}

// lockOfPath locks the mailing that the path names.
func lockOfPath(w *api.Writing) (*Mailing, error) {
	id, err := w.PathUUID("mailing")
	if err != nil {
		return nil, err
	}
	return lockMailing(w.Tx, w.Store.Key, id)
}

// lockOpen locks the mailing that the path names, which was not sent.
func lockOpen(w *api.Writing) (*Mailing, error) {
	m, err := lockOfPath(w)
	if err == nil && !m.isOpen() {
		err = errNotOpen
	}
	return m, err
}

func changeMailing(w *api.Writing, sent api.Unchecked[*Mailing]) (mailingView, error) {
	m, err := lockOpen(w)
	if err == nil {
		err = sent.Form.Err()
	}
	if err != nil {
		return mailingView{}, err
	}
	m.Name, m.Content, m.SendAt, m.State = sent.In.Name, sent.In.Content, sent.In.SendAt, Draft
	return newView(w.Call, m), save(w.Tx, m)
}

func showMailing(r *api.Reading) (v mailingView, err error) {
	id, err := r.PathUUID("mailing")
	if err != nil {
		return v, err
	}
	m, err := findMailing(r.Tx, r.Store.Key, id)
	if err != nil {
		return v, err
	}
	if m.isOpen() {
		return newView(r.Call, m), nil
	}
	if !m.Settled {
		if m.Results, err = message.CountMailing(r.Tx, r.Store.Key, id); err != nil {
			return v, err
		}
	}
	v = newView(r.Call, m)
	outcome, err := OutcomeOf(r.Tx, r.Store.Key, id)
	v.Outcome = outcome.View(r.Store, m.Content.outcomeDays())
	return v, err
}

func deleteMailing(w *api.Writing) (done api.NoContent, err error) {
	m, err := lockOpen(w)
	if err != nil {
		return done, err
	}
	_, err = w.Tx.Exec(`DELETE FROM mailings WHERE store_id = ? AND mailing_id = ?`, w.Store.Key, m.ID)
	return done, err
}

// droppedAtOnce is how many waiting messages stopping a mailing drops at most: more than a mailing lets wait.
const droppedAtOnce = 2 * WaitingLimit

func (svc *Service) act(name string) func(w *api.Writing) (mailingView, error) {
	return func(w *api.Writing) (mailingView, error) {
		m, err := lockOfPath(w)
		if err == nil {
			err = m.act(w.Tx, name)
		}
		if err == nil && name == "stop" {
			_, err = message.DropMailing(w.Tx, w.Store.Key, m.ID, droppedAtOnce)
		}
		if err != nil {
			return mailingView{}, err
		}
		w.Tx.AfterCommit(func() { svc.wakeups.Wake(w.Store) })
		return newView(w.Call, m), nil
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
