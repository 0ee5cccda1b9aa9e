package report

import (
	"encoding/json"
	"slices"
	"strings"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/analytics"
	"punchcard/loyalty/audit"
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
		{Method: "GET", Path: ofStore, Access: viewer, Handle: listReports, Summary: "List reports, the newest first",
			Response: viewList{}},
		{Method: "POST", Path: ofStore, Access: viewer, Factor: api.Everyday, Handle: svc.create,
			Summary: "Ask for a report about the customers or the rewards of a period",
			Form:    func(g *form.Group) { readForm(g.Group("report"), 0) }, Response: identity{},
			Audit: api.Audited("CreateReport", "report")},
		{Method: "GET", Path: one, Access: viewer, Handle: d.show, Summary: "Show the progress or the result of a report",
			Query: api.LocaleQuery, Response: fullView{}},
		{Method: "POST", Path: one + "/cancel", Access: viewer, Factor: api.Everyday,
			Handle: cancelReport, Summary: "Stop computing a report",
			Response: view{}, Audit: api.Audited("CancelReport", "report")},
	}
	for _, t := range tables {
		all = append(all, api.Endpoint{Method: "GET", Path: one + "/" + t.name, Access: viewer, Handle: d.export(t),
			Summary: t.summary, Query: api.TableQuery(t.columns, api.LocaleQuery), Response: api.Tables})
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
	Kind       string  `json:"kind"`
	From       string  `json:"from"`
	To         string  `json:"to"`
	State      string  `json:"state"`
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

func listReports(c *api.Call) error {
	response := viewList{Reports: []view{}}
	err := c.Read(func(tx *db.Tx) error {
		found, err := allReports(tx, c.Store.Key)
		for i := range found {
			response.Reports = append(response.Reports, newView(c, &found[i]))
		}
		return err
	})
	if err != nil {
		return err
	}
	response.Total = len(response.Reports)
	return c.OK(response)
}

// create stores a report that waits to be computed. One of the same kind and period that is not finished is returned.
func (svc *Service) create(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body, "report")
	wanted := readForm(g, analytics.Today(c))
	if err := g.Err(); err != nil {
		return err
	}
	wanted.StoreKey, wanted.State = c.Store.Key, Waiting
	wanted.CreatedBy = Author{c.Caller.ID, c.Caller.Username}
	var id string
	err = c.Write(func(tx *db.Tx) error {
		r := *wanted
		found, err := allReports(tx, c.Store.Key)
		if err != nil {
			return err
		}
		open := 0
		for i := range found {
			of := &found[i]
			if of.State != Waiting && of.State != Running {
				continue
			}
			if of.Kind == r.Kind && of.From == r.From && of.To == r.To {
				id = of.ID
				audit.Of(tx).SetEntity(id)
				return nil
			}
			if open++; open == OpenLimit {
				return errTooMany
			}
		}
		if err := makeRoom(tx, found); err != nil {
			return err
		}
		k := findKind(r.Kind)
		if r.Total, err = k.estimate(tx, c.Store); err != nil {
			return err
		}
		r.ID, r.CreatedAt = tx.NewID(), tx.Now()
		if r.Sums, err = json.Marshal(k.begin()); err != nil {
			return err
		}
		id = r.ID
		audit.Of(tx).SetEntity(id)
		tx.AfterCommit(func() { svc.wakeups.Wake(c.Store) })
		return tx.Insert("reports", columns, "", r.row())
	}, func() error { return c.OK(identity{id}) })
	return err
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
		_, err := tx.Exec(`DELETE FROM reports WHERE store_id = $1 AND report_id = $2`, r.StoreKey, r.ID)
		if err != nil {
			return err
		}
		excess--
	}
	return nil
}

func cancelReport(c *api.Call) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	var response view
	return c.Write(func(tx *db.Tx) error {
		r, err := lockReport(tx, c.Store.Key, id)
		audit.Of(tx).SetEntity(id)
		if err != nil {
			return err
		}
		if r.State == Waiting || r.State == Running {
			r.State, r.owner, r.FinishedAt = Cancelled, "", tx.Now()
			err = save(tx, r)
		}
		response = newView(c, r)
		return err
	}, func() error { return c.OK(response) })
}

func pathID(c *api.Call) (string, error) {
	id := strings.ToLower(c.PathValue("report"))
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

// show serves the progress, or the result, with "Prefer: wait=10" once the report has ended or after 10 seconds.
func (d desk) show(c *api.Call) error {
	v, err := d.read(c)
	if err != nil {
		return err
	}
	return c.OK(v)
}

// read returns the report of the path as the caller may see it.
func (d desk) read(c *api.Call) (*fullView, error) {
	id, err := pathID(c)
	if err != nil {
		return nil, err
	}
	locale, err := c.Locale()
	if err != nil {
		return nil, err
	}
	v := &fullView{Currency: c.Store.Currency}
	return v, c.Await(func() (ended bool, err error) {
		err = d.readInto(c, v, id, locale)
		return v.State != Waiting && v.State != Running, err
	})
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
