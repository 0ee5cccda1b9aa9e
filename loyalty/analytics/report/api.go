package report

import (
	"encoding/json"
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/analytics"
	"punchcard/loyalty/campaign"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

const (
	// Limit is the number of reports that a store keeps. The oldest gives way to a new one.
	Limit = 20
	// OpenLimit is the number of reports of a store that wait or are being computed.
	OpenLimit = 5
)

// errTooMany is the error of a report beyond OpenLimit.
var errTooMany = fault.New(fault.Conflict, "too_many_reports",
	"5 reports of this store are still being computed. Wait for one of them, or cancel it.")

// Endpoints returns the endpoints of docs/behaviour/reports.md.
func (svc *Service) Endpoints(catalogue *campaign.Catalogue) []api.Endpoint {
	const (
		ofStore = "/api/{storeCode}/admin/analytics/report"
		one     = ofStore + "/{report}"
	)
	viewer := access.AdministratorWith(access.Analytics, access.View)
	d := desk{svc, catalogue}
	all := []api.Endpoint{
		{Method: "GET", Path: ofStore, Access: viewer, Do: api.Show(listReports), Summary: "List reports, the newest first"},
		{Method: "POST", Path: ofStore, Access: viewer, Factor: api.Everyday, Do: api.Write(body, svc.create),
			Summary: "Ask for a report about the customers or the rewards of a period",
			Audit:   api.Audited("CreateReport", "report")},
		{Method: "GET", Path: one, Access: viewer, Do: api.Respond(api.InLocale, d.read),
			Summary: "Show the progress or the result of a report"},
		{Method: "POST", Path: one + "/cancel", Access: viewer, Factor: api.Everyday, Do: api.Act(cancelReport),
			Summary: "Stop computing a report", Audit: api.Audited("CancelReport", "report")},
	}
	for _, t := range tables {
		all = append(all, api.Endpoint{Method: "GET", Path: one + "/" + t.name, Access: viewer,
			Do: api.Export(t.columns, api.InLocale, d.export(t)), Summary: t.summary})
	}
	return all
}

// desk shows reports.
type desk struct {
	*Service
	catalogue *campaign.Catalogue
}

type identity struct {
	ReportID string `json:"reportId"`
}

type viewList struct {
	Reports []view `json:"reports"`
	Total   int    `json:"total"`
}

// view is the JSON of a report: docs/behaviour/reports.md.
type view struct {
	ReportID   string  `json:"reportId"`
	Kind       string  `json:"kind" enum:"customers,rewards"`
	From       string  `json:"from"`
	To         string  `json:"to"`
	State      string  `json:"state" enum:"waiting,running,finished,cancelled"`
	Read       int64   `json:"rowsRead"`
	Total      int64   `json:"rowsTotal"` // an estimate, never less than the rows that were read
	CreatedBy  string  `json:"createdBy"`
	CreatedAt  string  `json:"createdAt"`
	FinishedAt *string `json:"finishedAt,omitempty"`
}

func newView(c *api.Call, r *Report) view {
	v := view{
		ReportID: r.ID, Kind: r.Kind, From: r.From.String(), To: r.To.String(), State: r.State, Read: r.Read,
		Total: max(r.Total, r.Read), CreatedBy: r.CreatedBy.Name, CreatedAt: api.Timestamp(r.CreatedAt, c.Store.Zone),
		FinishedAt: api.OptionalTimestamp(r.FinishedAt, c.Store.Zone),
	}
	if r.State == Finished {
		v.Total = r.Read
	}
	return v
}

func listReports(r *api.Reading) (viewList, error) {
	found, err := allReports(r.Tx, r.Store.Key)
	list := viewList{make([]view, len(found)), len(found)}
	for i := range found {
		list.Reports[i] = newView(r.Call, &found[i])
	}
	return list, err
}

var body = api.BodyInCall("report", func(c *api.Call, g *form.Group) (Report, error) {
	return readForm(g, analytics.Today(c)), nil
}, func(g *form.Group) { readForm(g, 0) })

// create stores a report that waits to be computed. One of the same kind and period that is not finished is returned.
func (svc *Service) create(w *api.Writing, r Report) (identity, error) {
	found, err := allReports(w.Tx, w.Store.Key)
	if err != nil {
		return identity{}, err
	}
	open := 0
	for i := range found {
		of := &found[i]
		if of.State != Waiting && of.State != Running {
			continue
		}
		if of.Kind == r.Kind && of.From == r.From && of.To == r.To {
			w.Entry().SetEntity(of.ID)
			return identity{of.ID}, nil
		}
		if open++; open == OpenLimit {
			return identity{}, errTooMany
		}
	}
	if err := makeRoom(w.Tx, found); err != nil {
		return identity{}, err
	}
	k := findKind(r.Kind)
	if r.Total, err = k.estimate(w.Tx, w.Store); err != nil {
		return identity{}, err
	}
	r.StoreKey, r.ID, r.State, r.CreatedAt = w.Store.Key, w.Tx.NewID(), Waiting, w.Tx.Now()
	r.CreatedBy = Author{w.Caller.ID, w.Caller.Username}
	if r.Sums, err = json.Marshal(k.begin()); err != nil {
		return identity{}, err
	}
	w.Entry().SetEntity(r.ID)
	w.Tx.AfterCommit(func() { svc.wakeups.Wake(w.Store) })
	return identity{r.ID}, reports.Insert(w.Tx, &r)
}

// makeRoom deletes the oldest reports that are not being computed, so that there is room for a new one.
func makeRoom(tx *db.Tx, found []Report) error {
	excess := len(found) - Limit + 1
	for _, r := range slices.Backward(found) {
		if excess <= 0 {
			break
		}
		if r.State != Finished && r.State != Cancelled {
			continue
		}
		_, err := tx.Exec(`DELETE FROM reports WHERE store_id = ? AND report_id = ?`, r.StoreKey, r.ID)
		if err != nil {
			return err
		}
		excess--
	}
	return nil
}

func cancelReport(w *api.Writing) (view, error) {
	id, err := pathID(w.Call)
	if err != nil {
		return view{}, err
	}
	w.Entry().SetEntity(id)
	r, err := lockReport(w.Tx, w.Store.Key, id)
	if err != nil {
		return view{}, err
	}
	if r.State == Waiting || r.State == Running {
		r.State, r.owner, r.FinishedAt = Cancelled, "", w.Tx.Now()
		err = save(w.Tx, r)
	}
	return newView(w.Call, r), err
}

func pathID(c *api.Call) (string, error) {
	id := c.PathID("report")
	if !form.IsUUID(id) {
		return "", fault.ErrNotFound
	}
	return id, nil
}

// fullView is a report with its result, once it is finished.
type fullView struct {
	view
	Currency  string         `json:"currency"`
	Customers *customersView `json:"customers,omitempty"`
	Rewards   *rewardsView   `json:"rewards,omitempty"`
}

// read returns the report of the path as the caller may see it: its progress, or its result. With "Prefer: wait=10" it
// waits up to 10 seconds for the end.
func (d desk) read(c *api.Call, locale api.Locale) (fullView, error) {
	v := fullView{Currency: c.Store.Currency}
	id, err := pathID(c)
	if err != nil {
		return v, err
	}
	err = c.Await(func() (ended bool, err error) {
		err = d.readInto(c, &v, id, locale)
		return v.State != Waiting && v.State != Running, err
	})
	return v, err
}

// readInto reads a report.
func (d desk) readInto(c *api.Call, v *fullView, id string, locale api.Locale) error {
	return c.Read(func(tx *db.Tx) error {
		r, err := findReport(tx, c.Store.Key, id)
		if err != nil {
			return err
		}
		v.view = newView(c, r)
		k := findKind(r.Kind)
		if r.State != Finished || k == nil {
			return nil
		}
		found, err := k.found(r)
		if err != nil {
			return err
		}
		switch s := found.(type) {
		case *customerSums:
			v.Customers, err = s.view(c, tx, r)
		case *rewardSums:
			v.Rewards, err = s.view(c, tx, d.catalogue, locale)
		}
		return err
	})
}
