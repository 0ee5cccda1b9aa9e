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

// Endpoints returns the endpoints of docs/behaviour/segments.md#endpoints.
func (svc *Service) Endpoints() []api.Endpoint {
	view := access.AdministratorWith(access.Segments, access.View)
	modify := access.AdministratorWith(access.Segments, access.Modify)
	const path, one = "/api/{storeCode}/segment", "/api/{storeCode}/segment/{segment}"
	body := api.UnreadBody(svc.describe)
	return []api.Endpoint{
		{Method: "GET", Path: path, Access: view,
			Do:      api.Read(api.InFilteredPages(sortable.Columns, describeFilter), svc.list),
			Summary: "List segments"},
		{Method: "POST", Path: path, Access: modify, Factor: api.Everyday, Do: api.Write(body, svc.create),
			Summary: "Add a segment", Audit: api.Audited("CreateSegment", "segment")},
		{Method: "GET", Path: path + "/criteria", Access: view, Do: api.Tell(svc.listCriteria),
			Summary: "Describe the types of criteria"},
		{Method: "POST", Path: path + "/preview", Access: modify, Factor: api.NoWrite, Unkeyed: true,
			Do:      api.Read(api.UnreadBody(svc.describePreview), svc.preview),
			Summary: "Count the customers of a segment that is not saved"},
		{Method: "GET", Path: "/api/{storeCode}/admin/customer/{customer}/segments", Access: view,
			Do:      api.Read(inPagesOfCustomer, svc.listOfCustomer),
			Summary: "List the segments of the store, and which the customer is in and why"},
		{Method: "GET", Path: one, Access: view, Do: api.Show(svc.show), Summary: "Show a segment"},
		{Method: "PUT", Path: one, Access: modify, Factor: api.Everyday, Do: api.Write(body, svc.replace),
			Summary: "Replace the data of a segment", Audit: api.Audited("UpdateSegment", "segment")},
		{Method: "DELETE", Path: one, Access: modify, Factor: api.Everyday, Do: api.Act(svc.remove),
			Summary: "Delete a segment", Audit: api.Audited("DeleteSegment", "segment")},
		{Method: "POST", Path: one + "/activate", Access: modify, Factor: api.Everyday, Do: api.Act(svc.activate),
			Summary: "Switch a segment on", Audit: api.Audited("ActivateSegment", "segment")},
		{Method: "POST", Path: one + "/deactivate", Access: modify, Factor: api.Everyday, Do: api.Act(svc.deactivate),
			Summary: "Switch a segment off", Audit: api.Audited("DeactivateSegment", "segment")},
		{Method: "GET", Path: one + "/customers", Access: view,
			Do:      api.Read(api.InFilteredPages(customer.Sortable().Columns, customer.DescribeMemberFilter), svc.listMembers),
			Summary: "List the customers of a segment"},
		{Method: "GET", Path: "/api/{storeCode}/csv/segment/{segment}",
			Access: access.AdministratorWith(access.SegmentExport, access.View), Handle: svc.export,
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

func (svc *Service) describe(g *form.Group) { svc.read(g.Group("segment"), store.Example) }

func (svc *Service) list(r *api.Reading, request api.ListRequest) (viewList, error) {
	found, total, err := svc.page(r.Tx, r.Store.Key, readFilter(request.Query), request.Page)
	if err != nil {
		return viewList{}, err
	}
	shown, err := views(r.Tx, r.Store, found)
	return viewList{shown, total}, err
}

func (svc *Service) show(r *api.Reading) (view, error) {
	s, err := svc.segmentOfPath(r.Call, r.Tx)
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
func (svc *Service) segmentOfPath(c *api.Call, tx *db.Tx) (*Segment, error) {
	id := c.PathID("segment")
	if !form.IsUUID(id) {
		return nil, fault.ErrNotFound
	}
	return svc.find(tx, c.Store.Key, id)
}

func (svc *Service) create(w *api.Writing, body *form.Node) (identity, error) {
	return svc.save(w, "", body)
}

func (svc *Service) replace(w *api.Writing, body *form.Node) (identity, error) {
	s, err := svc.segmentOfPath(w.Call, w.Tx)
	if err != nil {
		return identity{}, err
	}
	return svc.save(w, s.ID, body)
}

// save writes the draft in the body to the segment with the id, or to a new one if that is empty.
func (svc *Service) save(w *api.Writing, id string, body *form.Node) (identity, error) {
	group := form.Read(body, "segment")
	draft := svc.read(group, w.Store)
	id, err := svc.write(w, id, group, draft)
	if refused, ok := errors.AsType[*Refused](err); ok {
		refused.addErrors(group)
		err = nil
	}
	if err = cmp.Or(err, group.Err()); err != nil {
		return identity{}, err
	}
	w.Entry().SetEntity(id)
	w.Then(func() { svc.rebuildNow(w.Call, id) })
	return identity{id}, nil
}

// write only validates the draft of a form that has errors.
func (svc *Service) write(w *api.Writing, id string, group *form.Group, draft Draft) (string, error) {
	if group.Err() != nil {
		return id, validate(w.Tx, w.Store.Key, id, draft)
	}
	if id != "" {
		return id, svc.Update(w.Tx, w.Store, id, draft)
	}
	s, err := svc.Create(w.Tx, w.Store, draft)
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
func (svc *Service) rebuildNow(c *api.Call, id string) {
	ctx, stop := context.WithTimeout(c.Context(), rebuildTimeout)
	defer stop()
	if _, err := svc.Rebuild(ctx, c.DB(), c.Store.Key, id); err != nil {
		c.Log().Warn("could not rebuild a segment at once, the job will retry", "segment", id, "error", err)
	}
}

func (svc *Service) activate(w *api.Writing) (api.NoContent, error) { return svc.switchTo(w, true) }

func (svc *Service) deactivate(w *api.Writing) (api.NoContent, error) { return svc.switchTo(w, false) }

func (svc *Service) switchTo(w *api.Writing, active bool) (none api.NoContent, err error) {
	s, err := svc.segmentOfPath(w.Call, w.Tx)
	if err != nil {
		return none, err
	}
	if active {
		w.Then(func() { svc.rebuildNow(w.Call, s.ID) })
	}
	return none, svc.SetActive(w.Tx, w.Store, s.ID, active)
}

func (svc *Service) remove(w *api.Writing) (none api.NoContent, err error) {
	s, err := svc.segmentOfPath(w.Call, w.Tx)
	if err != nil {
		return none, err
	}
	return none, svc.Delete(w.Tx, w.Store, s.ID)
}
