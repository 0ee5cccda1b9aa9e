package segment

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/audit"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// endpoints holds what the handlers need.
type endpoints struct {
	*Service
	hooks Hooks
}

// Endpoints returns the endpoints of docs/behaviour/segments.md#endpoints.
func (svc *Service) Endpoints(hooks Hooks) []api.Endpoint {
	e := endpoints{svc, hooks}
	view := access.AdministratorWith(access.Segments, access.View)
	modify := access.AdministratorWith(access.Segments, access.Modify)
	const path, one = "/api/{storeCode}/segment", "/api/{storeCode}/segment/{segment}"
	return []api.Endpoint{
		{Method: "GET", Path: path, Access: view, Handle: e.list,
			Summary: "List segments", Query: api.PageQuery(sortable.Columns, describeFilter), Response: viewList{}},
		{Method: "POST", Path: path, Access: modify, Factor: api.Everyday, Handle: e.create,
			Summary: "Add a segment", Form: e.describe, Response: identity{},
			Audit: api.Audited("CreateSegment", "segment")},
		{Method: "GET", Path: path + "/criteria", Access: view, Handle: e.listCriteria,
			Summary: "Describe the types of criteria", Response: criteriaList{}},
		{Method: "POST", Path: path + "/preview", Access: modify, Factor: api.NoWrite, Handle: e.preview, Unkeyed: true,
			Summary: "Count the customers of a segment that is not saved", Form: e.describePreview,
			Response: customer.Reach{}},
		{Method: "GET", Path: "/api/{storeCode}/admin/customer/{customer}/segments", Access: view,
			Handle: e.listOfCustomer, Summary: "List the segments of the store, and which the customer is in and why",
			Query: api.PageQuery(sortable.Columns, describeOfCustomer), Response: customerSegments{}},
		{Method: "GET", Path: one, Access: view, Handle: e.get,
			Summary: "Show a segment", Response: newView(&store.Store{Zone: time.UTC}, &Segment{}, Totals{})},
		{Method: "PUT", Path: one, Access: modify, Factor: api.Everyday, Handle: e.put,
			Summary: "Replace the data of a segment", Form: e.describe, Response: identity{},
			Audit: api.Audited("UpdateSegment", "segment")},
		{Method: "DELETE", Path: one, Access: modify, Factor: api.Everyday, Handle: e.remove,
			Summary: "Delete a segment", Response: api.NoContent{}, Audit: api.Audited("DeleteSegment", "segment")},
		{Method: "POST", Path: one + "/activate", Access: modify, Factor: api.Everyday, Handle: e.activate,
			Summary: "Switch a segment on", Response: api.NoContent{},
			Audit: api.Audited("ActivateSegment", "segment")},
		{Method: "POST", Path: one + "/deactivate", Access: modify, Factor: api.Everyday, Handle: e.deactivate,
			Summary: "Switch a segment off", Response: api.NoContent{},
			Audit: api.Audited("DeactivateSegment", "segment")},
		{Method: "GET", Path: one + "/customers", Access: view, Handle: e.listMembers,
			Summary: "List the customers of a segment",
			Query:   api.PageQuery(customer.Sortable().Columns, customer.DescribeMemberFilter), Response: memberList{}},
		{Method: "GET", Path: "/api/{storeCode}/csv/segment/{segment}",
			Access: access.AdministratorWith(access.SegmentExport, access.View), Handle: e.export,
			Summary: "Export the customers of a segment", Query: api.TableQuery(customer.ExportColumns),
			Response: api.Tables},
	}
}

func describeFilter(q *form.Group) {
	q.Text("name")
	q.Choice("active", []string{"1", "0"})
}

func readFilter(query *form.Node) filter {
	f := filter{name: strings.TrimSpace(query.Child("name").Text())}
	if active, ok := form.ParseActive(query.Child("active").Text()); ok {
		f.active = &active
	}
	return f
}

func (e endpoints) describe(g *form.Group) { e.read(g.Group("segment"), store.Example) }

func (e endpoints) list(c *api.Call) error {
	request, err := c.ListRequest()
	if err != nil {
		return err
	}
	f := readFilter(request.Query)
	response := viewList{Segments: []view{}}
	err = c.Read(func(tx *db.Tx) error {
		found, total, err := e.page(tx, c.Store.Key, f, request.Page)
		if err != nil {
			return err
		}
		response.Total = total
		response.Segments, err = views(tx, c.Store, found)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func (e endpoints) get(c *api.Call) error {
	var response []view
	err := c.Read(func(tx *db.Tx) error {
		s, err := e.segmentOfPath(c, tx)
		if err == nil {
			response, err = views(tx, c.Store, []Segment{*s})
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response[0])
}

// views returns segments with their totals and the customers that they list.
func views(tx *db.Tx, shop *store.Store, found []Segment) ([]view, error) {
	ids := make([]string, len(found))
	for i := range found {
		ids[i] = found[i].ID
	}
	sums, err := totalsOf(tx, shop.Key, ids...)
	if err != nil {
		return nil, err
	}
	if err := readLists(tx, shop.Key, found); err != nil {
		return nil, err
	}
	shown := make([]view, len(found))
	for i := range found {
		shown[i] = newView(shop, &found[i], sums[found[i].ID])
	}
	return shown, nil
}

// segmentOfPath returns the segment that the path names.
func (e endpoints) segmentOfPath(c *api.Call, tx *db.Tx) (*Segment, error) {
	id := strings.ToLower(c.PathValue("segment"))
	if !form.IsUUID(id) {
		return nil, fault.ErrNotFound
	}
	return e.find(tx, c.Store.Key, id)
}

func (e endpoints) create(c *api.Call) error {
	return e.save(c, func(tx *db.Tx) (string, error) { return "", nil },
		func(tx *db.Tx, _ string, draft Draft) (string, error) {
			s, err := e.Create(tx, c.Store, draft)
			if err != nil {
				return "", err
			}
			return s.ID, nil
		})
}

func (e endpoints) put(c *api.Call) error {
	return e.save(c,
		func(tx *db.Tx) (string, error) {
			s, err := e.segmentOfPath(c, tx)
			if err != nil {
				return "", err
			}
			return s.ID, nil
		},
		func(tx *db.Tx, id string, draft Draft) (string, error) { return id, e.Update(tx, c.Store, id, draft) })
}

// save reads a draft and writes it to the segment that named returns, or to a new one if the id is empty.
func (e endpoints) save(c *api.Call, named func(tx *db.Tx) (id string, err error),
	write func(tx *db.Tx, id string, draft Draft) (string, error)) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	var saved identity
	err = c.Write(func(tx *db.Tx) error {
		id, err := named(tx)
		if err != nil {
			return err
		}
		group := form.Read(body, "segment")
		draft := e.read(group, c.Store)
		if group.Err() == nil {
			saved.SegmentID, err = write(tx, id, draft)
			audit.Of(tx).SetEntity(saved.SegmentID)
		} else {
			err = validate(tx, c.Store.Key, id, draft)
		}
		if refused, ok := errors.AsType[*Refused](err); ok {
			refused.addErrors(group)
			err = nil
		}
		return cmp.Or(err, group.Err())
	}, func() error { return c.OK(saved) })
	if err == nil {
		e.rebuildNow(c, saved.SegmentID)
	}
	return err
}

// rebuildTimeout is how long a response waits for the members of a saved segment. The job finishes a rebuild
// that takes longer.
const rebuildTimeout = 15 * time.Second

// rebuildNow rebuilds the members of a saved segment. A failure does not undo the save: the job retries
// within a minute.
func (e endpoints) rebuildNow(c *api.Call, id string) {
	if db.IsDry(c.Context()) {
		return // others would wait for all of it
	}
	ctx, stop := context.WithTimeout(c.Context(), rebuildTimeout)
	defer stop()
	if _, err := e.Rebuild(ctx, c.DB(), c.Store.Key, id); err != nil {
		c.Log().Warn("could not rebuild a segment at once, the job will retry", "segment", id, "error", err)
	}
}

func (e endpoints) activate(c *api.Call) error { return e.switchTo(c, true) }

func (e endpoints) deactivate(c *api.Call) error { return e.switchTo(c, false) }

func (e endpoints) switchTo(c *api.Call, active bool) error {
	id := ""
	err := c.Write(func(tx *db.Tx) error {
		s, err := e.segmentOfPath(c, tx)
		if err != nil {
			return err
		}
		id = s.ID
		return e.SetActive(tx, c.Store, id, active)
	}, c.NoContent)
	if err == nil && active {
		e.rebuildNow(c, id)
	}
	return err
}

func (e endpoints) remove(c *api.Call) error {
	return c.Write(func(tx *db.Tx) error {
		s, err := e.segmentOfPath(c, tx)
		if err != nil {
			return err
		}
		return e.Delete(tx, c.Store, s.ID)
	}, c.NoContent)
}
