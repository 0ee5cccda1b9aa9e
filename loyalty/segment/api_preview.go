package segment

import (
	"cmp"
	"errors"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

type criteriaList struct {
	Criteria []criterionType `json:"criteria"`
	Total    int             `json:"total"`
}

// criterionType describes a type of criteria to clients that build its form.
type criterionType struct {
	Type   string      `json:"type"`
	Fields []api.Field `json:"fields"`
}

func (e endpoints) listCriteria(c *api.Call) error {
	response := criteriaList{Criteria: []criterionType{}, Total: len(e.names)}
	for _, name := range e.names {
		kind := e.byName[name]
		fields := api.FieldsOf(func(g *form.Group) { kind.read(g, store.Example) })
		for i := range fields {
			if len(fields[i].Fields) > 0 { // a list of groups, which must not be empty
				fields[i].Required = true
			}
		}
		response.Criteria = append(response.Criteria, criterionType{name, fields})
	}
	return c.OK(response)
}

func (e endpoints) describePreview(g *form.Group) { e.readParts(g.Group("segment"), store.Example) }

// preview serves the number of customers whom the criteria of a form select.
func (e endpoints) preview(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body, "segment")
	parts := e.readParts(group, c.Store)
	if err := group.Err(); err != nil {
		return err
	}
	var reach customer.Reach
	err = c.Read(func(tx *db.Tx) error {
		reach, err = e.Preview(tx, c.Store, parts, customer.PreviewLimit)
		if refused, ok := errors.AsType[*Refused](err); ok {
			refused.addErrors(group)
			err = nil
		}
		if err = cmp.Or(err, group.Err()); err == nil && c.Caller.Allowed(access.Customers, access.View) {
			err = reach.NameExamples(tx, c.Store.Key)
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(reach)
}
