package merge

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Endpoints returns the endpoints of docs/behaviour/merges.md.
func (svc *Service) Endpoints() []api.Endpoint {
	const all = "/api/{storeCode}/admin/customer/{customer}/merge"
	view := access.AdministratorWith(access.CustomerMerges, access.View)
	modify := access.AdministratorWith(access.CustomerMerges, access.Modify)
	return []api.Endpoint{
		{Method: "GET", Path: all, Access: view, Do: api.Show(listMerges),
			Summary: "List the merges of a customer, also of one who was merged"},
		{Method: "GET", Path: all + "/preview", Access: view,
			Do:      api.Read(api.LeaveErrors(api.Query(readOther)), svc.preview),
			Summary: "Show what a merge of another customer into this one would do"},
		{Method: "POST", Path: all, Access: modify, Factor: api.Always,
			Do:      api.WriteTo(customerOfPath, api.Body("merge", readOther), svc.merge),
			Summary: "Merge another customer into this one", Audit: api.Audited("MergeCustomers", "customer")},
		{Method: "POST", Path: all + "/{merge}/undo", Access: modify, Factor: api.TakesBack, Do: api.Act(svc.undo),
			Summary: "Undo a merge, unless one of the customers has moved since",
			Audit:   api.Audited("UndoCustomerMerge", "customer")},
		{Method: "DELETE", Path: all + "/{merge}/contacts", Access: modify, Factor: api.Always, Do: api.Act(freeContacts),
			Summary: "Free the e-mail address and the phone of a merged customer, which find the other one",
			Audit:   api.Audited("FreeMergedContacts", "customer")},
	}
}

func readOther(g *form.Group) string { return g.UUID("customerId", form.NotBlank) }

type identity struct {
	MergeID string `json:"mergeId"`
}

type mergeList struct {
	Merges []mergeView `json:"merges"`
	Total  int         `json:"total"`
}

// mergeView is the JSON of a merge.
type mergeView struct {
	MergeID          string        `json:"mergeId"`
	CustomerID       string        `json:"customerId"` // into whom the other one was merged
	MergedCustomerID string        `json:"mergedCustomerId"`
	FirstName        string        `json:"firstName"` // of the merged one
	LastName         string        `json:"lastName"`
	Points           points.Amount `json:"points"`
	Coupons          int64         `json:"coupons"`
	Receipts         int64         `json:"receipts"`
	MergedAt         string        `json:"mergedAt"`
	MergedBy         string        `json:"mergedBy"`
	UndoneAt         *string       `json:"undoneAt,omitempty"`
	UndoneBy         string        `json:"undoneBy,omitempty"`
	CanBeUndone      bool          `json:"canBeUndone"` // unless a customer has moved since
	Contacts         *contacts     `json:"contacts,omitempty"`
}

// contacts are the e-mail address and the phone of a merged customer that find the other one.
type contacts struct {
	Email string `json:"email,omitempty"`
	Phone string `json:"phone,omitempty"`
}

func listMerges(r *api.Reading) (list mergeList, err error) {
	who, err := customer.OfMerged(r.Call, r.Tx)
	if err != nil {
		return list, err
	}
	list.Merges, err = viewsOf(r.Tx, r.Store, who.ID)
	list.Total = len(list.Merges)
	return list, err
}

func customerOfPath(w *api.Writing) (*customer.Customer, error) { return customer.Of(w.Call, w.Tx) }

// merge merges the customer whom the form names into that of the path.
func (svc *Service) merge(w *api.Writing, who *customer.Customer, other string) (made identity, err error) {
	if _, err := findOther(w.Call, w.Tx, other); err != nil {
		return made, err
	}
	w.Entry().SetCustomer(who.ID)
	w.Entry().Hide() // of the other customer, who may be restored and erased
	m, err := svc.Merge(w.Tx, w.Store, who.ID, other, w.Caller.Username)
	if err != nil {
		return made, err
	}
	return identity{m.ID}, nil
}

// findOther finds the customer whom a form names.
func findOther(c *api.Call, tx *db.Tx, id string) (*customer.Customer, error) {
	found, err := customer.FindAll(tx, c.Store.Key, id)
	if err != nil {
		return nil, err
	}
	if other := found[id]; other != nil && (other.Status != customer.Deleted || other.MergedInto != "") {
		return other, nil
	}
	return nil, c.Refuse("customerId", form.Invalid("unknown_customer"))
}

// freeContacts ends the leads of a merged customer. Repeating it has no further effect.
func freeContacts(w *api.Writing) (none api.NoContent, err error) {
	id, err := w.PathUUID("merge")
	if err != nil {
		return none, err
	}
	who, err := customer.OfMerged(w.Call, w.Tx)
	if err != nil {
		return none, err
	}
	m, err := findMerge(w.Tx, w.Store.Key, id, "")
	if err == nil && m.TargetID != who.ID && m.MergedID != who.ID {
		err = fault.ErrNotFound
	}
	if err != nil {
		return none, err
	}
	w.Entry().SetCustomer(m.TargetID)
	return none, customer.FreeLeads(w.Tx, w.Store.Key, m.MergedID)
}

func (svc *Service) undo(w *api.Writing) (none api.NoContent, err error) {
	id, err := w.PathUUID("merge")
	if err != nil {
		return none, err
	}
	who, err := customer.OfMerged(w.Call, w.Tx)
	if err != nil {
		return none, err
	}
	m, err := svc.Undo(w.Tx, w.Store, who.ID, id, w.Caller.Username)
	if err != nil {
		return none, err
	}
	w.Entry().SetCustomer(m.TargetID)
	w.Entry().Hide()
	return none, nil
}
