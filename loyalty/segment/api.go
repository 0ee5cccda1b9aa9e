package segment

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
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
	body := api.UnreadBody(e.describe)
	return []api.Endpoint{
		{Method: "GET", Path: path, Access: view, Do: api.Read(api.InFilteredPages(sortable.Columns, describeFilter), e.list),
			Summary: "List segments"},
		{Method: "POST", Path: path, Access: modify, Factor: api.Everyday, Do: api.Write(body, e.create),
			Summary: "Add a segment", Audit: api.Audited("CreateSegment", "segment")},
		{Method: "GET", Path: path + "/criteria", Access: view, Do: api.Tell(e.listCriteria),
			Summary: "Describe the types of criteria"},
		{Method: "POST", Path: path + "/preview", Access: modify, Factor: api.NoWrite, Unkeyed: true,
			Do:      api.Read(api.UnreadBody(e.describePreview), e.preview),
			Summary: "Count the customers of a segment that is not saved"},
		{Method: "GET", Path: "/api/{storeCode}/admin/customer/{customer}/segments", Access: view,
			Do:      api.Read(inPagesOfCustomer, e.listOfCustomer),
			Summary: "List the segments of the store, and which the customer is in and why"},
		{Method: "GET", Path: one, Access: view, Do: api.Show(e.show), Summary: "Show a segment"},
		{Method: "PUT", Path: one, Access: modify, Factor: api.Everyday, Do: api.Write(body, e.replace),
			Summary: "Replace the data of a segment", Audit: api.Audited("UpdateSegment", "segment")},
		{Method: "DELETE", Path: one, Access: modify, Factor: api.Everyday, Do: api.Act(e.remove),
			Summary: "Delete a segment", Audit: api.Audited("DeleteSegment", "segment")},
		{Method: "POST", Path: one + "/activate", Access: modify, Factor: api.Everyday, Do: api.Act(e.activate),
			Summary: "Switch a segment on", Audit: api.Audited("ActivateSegment", "segment")},
		{Method: "POST", Path: one + "/deactivate", Access: modify, Factor: api.Everyday, Do: api.Act(e.deactivate),
			Summary: "Switch a segment off", Audit: api.Audited("DeactivateSegment", "segment")},
		{Method: "GET", Path: one + "/customers", Access: view,
			Do:      api.Read(api.InFilteredPages(customer.Sortable().Columns, customer.DescribeMemberFilter), e.listMembers),
			Summary: "List the customers of a segment"},
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

func (e endpoints) list(r *api.Reading, request api.ListRequest) (viewList, error) {
	found, total, err := e.page(r.Tx, r.Store.Key, readFilter(request.Query), request.Page)
	if err != nil {
		return viewList{}, err
	}
	shown, err := views(r.Tx, r.Store, found)
	return viewList{shown, total}, err
}

func (e endpoints) show(r *api.Reading) (view, error) {
	s, err := e.segmentOfPath(r.Call, r.Tx)
	if err != nil {
		return view{}, err
	}
	shown, err := views(r.Tx, r.Store, []Segment{*s})
	if err != nil {
		return view{}, err
	}
	return shown[0], nil
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
	id := c.PathID("segment")
	if !form.IsUUID(id) {
		return nil, fault.ErrNotFound
	}
	return e.find(tx, c.Store.Key, id)
}

func (e endpoints) create(w *api.Writing, body *form.Node) (identity, error) {
	return e.save(w, "", body)
}

func (e endpoints) replace(w *api.Writing, body *form.Node) (identity, error) {
	s, err := e.segmentOfPath(w.Call, w.Tx)
	if err != nil {
		return identity{}, err
	}
	return e.save(w, s.ID, body)
}

// save writes the draft in the body to the segment with the id, or to a new one if that is empty.
func (e endpoints) save(w *api.Writing, id string, body *form.Node) (identity, error) {
	group := form.Read(body, "segment")
	draft := e.read(group, w.Store)
	id, err := e.write(w, id, group, draft)
	if refused, ok := errors.AsType[*Refused](err); ok {
		refused.addErrors(group)
		err = nil
	}
	if err = cmp.Or(err, group.Err()); err != nil {
		return identity{}, err
	}
	w.Entry().SetEntity(id)
	w.Then(func() { e.rebuildNow(w.Call, id) })
	return identity{id}, nil
}

// write only validates the draft of a form that has errors.
func (e endpoints) write(w *api.Writing, id string, group *form.Group, draft Draft) (string, error) {
	if group.Err() != nil {
		return id, validate(w.Tx, w.Store.Key, id, draft)
	}
	if id != "" {
		return id, e.Update(w.Tx, w.Store, id, draft)
	}
	s, err := e.Create(w.Tx, w.Store, draft)
	if err != nil {
		return "", err
	}
	return s.ID, nil
}

// rebuildTimeout is how long a response waits for the members of a saved segment. The job finishes a rebuild
// that takes longer.
const rebuildTimeout = 15 * time.Second

// rebuildNow rebuilds the members of a saved segment. A failure does not undo the save: the job retries
// within a minute.
func (e endpoints) rebuildNow(c *api.Call, id string) {
	ctx, stop := context.WithTimeout(c.Context(), rebuildTimeout)
	defer stop()
	if _, err := e.Rebuild(ctx, c.DB(), c.Store.Key, id); err != nil {
		c.Log().Warn("could not rebuild a segment at once, the job will retry", "segment", id, "error", err)
	}
}

func (e endpoints) activate(w *api.Writing) (api.NoContent, error) { return e.switchTo(w, true) }

func (e endpoints) deactivate(w *api.Writing) (api.NoContent, error) { return e.switchTo(w, false) }

func (e endpoints) switchTo(w *api.Writing, active bool) (none api.NoContent, err error) {
	s, err := e.segmentOfPath(w.Call, w.Tx)
	if err != nil {
		return none, err
	}
	if active {
		w.Then(func() { e.rebuildNow(w.Call, s.ID) })
	}
	return none, e.SetActive(w.Tx, w.Store, s.ID, active)
}

func (e endpoints) remove(w *api.Writing) (none api.NoContent, err error) {
	s, err := e.segmentOfPath(w.Call, w.Tx)
	if err != nil {
		return none, err
	}
	return none, e.Delete(w.Tx, w.Store, s.ID)
}
