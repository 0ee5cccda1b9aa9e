package merge

import (
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
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
		{Method: "GET", Path: all, Access: view, Handle: listMerges,
			Summary: "List the merges of a customer, also of one who was merged", Response: mergeList{}},
		{Method: "GET", Path: all + "/preview", Access: view, Handle: svc.preview,
			Summary: "Show what a merge of another customer into this one would do",
			Query:   func(q *form.Group) { readOther(q) }, Response: preview{}},
		{Method: "POST", Path: all, Access: modify, Factor: api.Always, Handle: svc.merge,
			Summary: "Merge another customer into this one", Form: func(g *form.Group) { readOther(g.Group("merge")) },
			Response: identity{}, Audit: api.Audited("MergeCustomers", "customer")},
		{Method: "POST", Path: all + "/{merge}/undo", Access: modify, Factor: api.TakesBack, Handle: svc.undo,
			Summary: "Undo a merge, unless one of the customers has moved since", Response: api.NoContent{},
			Audit: api.Audited("UndoCustomerMerge", "customer")},
		{Method: "DELETE", Path: all + "/{merge}/contacts", Access: modify, Factor: api.Always, Handle: freeContacts,
			Summary:  "Free the e-mail address and the phone of a merged customer, which find the other one",
			Response: api.NoContent{}, Audit: api.Audited("FreeMergedContacts", "customer")},
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

func listMerges(c *api.Call) error {
	response := mergeList{Merges: []mergeView{}}
	err := c.Read(func(tx *db.Tx) error {
		who, err := customer.OfMerged(c, tx)
		if err != nil {
			return err
		}
		response.Merges, err = viewsOf(tx, c.Store, who.ID)
		return err
	})
	if err != nil {
		return err
	}
	response.Total = len(response.Merges)
	return c.OK(response)
}

// merge merges the customer whom the form names into that of the path.
func (svc *Service) merge(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body, "merge")
	other := readOther(g)
	var made *Merge
	return c.Write(func(tx *db.Tx) error {
		who, err := sides(c, tx, g, other)
		if err != nil {
			return err
		}
		audit.Of(tx).SetCustomer(who.ID)
		audit.Of(tx).Hide() // of the other customer, who may be restored and erased
		made, err = svc.Merge(tx, c.Store, who.ID, other, c.Caller.Username)
		return err
	}, func() error { return c.OK(identity{made.ID}) })
}

// sides returns the customer of the path, and an error of the form if the store has no such other customer.
func sides(c *api.Call, tx *db.Tx, g *form.Group, other string) (*customer.Customer, error) {
	who, err := customer.Of(c, tx)
	if err == nil {
		err = g.Err()
	}
	if err != nil {
		return nil, err
	}
	found, err := customer.FindAll(tx, c.Store.Key, other)
	if err != nil {
		return nil, err
	}
	if of := found[other]; of == nil || of.Status == customer.Deleted && of.MergedInto == "" {
		g.AddError("customerId", form.Invalid("unknown_customer"))
	}
	return who, g.Err()
}

// freeContacts ends the leads of a merged customer. Repeating it has no further effect.
func freeContacts(c *api.Call) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error {
		who, err := customer.OfMerged(c, tx)
		if err != nil {
			return err
		}
		m, err := findMerge(tx, c.Store.Key, id, "")
		if err == nil && m.TargetID != who.ID && m.MergedID != who.ID {
			err = fault.ErrNotFound
		}
		if err != nil {
			return err
		}
		audit.Of(tx).SetCustomer(m.TargetID)
		return customer.FreeLeads(tx, c.Store.Key, m.MergedID)
	}, c.NoContent)
}

func pathID(c *api.Call) (string, error) {
	id := strings.ToLower(c.PathValue("merge"))
	if !form.IsUUID(id) {
		return "", fault.ErrNotFound
	}
	return id, nil
}

func (svc *Service) undo(c *api.Call) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error {
		who, err := customer.OfMerged(c, tx)
		if err != nil {
			return err
		}
		m, err := svc.Undo(tx, c.Store, who.ID, id, c.Caller.Username)
		if err == nil {
			audit.Of(tx).SetCustomer(m.TargetID)
			audit.Of(tx).Hide()
		}
		return err
	}, c.NoContent)
}
