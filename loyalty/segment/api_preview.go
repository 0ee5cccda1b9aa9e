package segment

import (
	"cmp"
	"errors"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
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

func (svc *Service) listCriteria(*api.Call) (criteriaList, error) {
	list := criteriaList{Criteria: []criterionType{}, Total: len(svc.names)}
	for _, name := range svc.names {
		kind := svc.byName[name]
		fields := api.FieldsOf(func(g *form.Group) { kind.read(g, store.Example) })
		for i := range fields {
			if len(fields[i].Fields) > 0 { // a list of groups, which must not be empty
				fields[i].Required = true
			}
		}
		list.Criteria = append(list.Criteria, criterionType{name, fields})
	}
	return list, nil
}

func (svc *Service) describePreview(g *form.Group) { svc.readParts(g.Group("segment"), store.Example) }

// preview counts the customers whom the criteria of a form select.
func (svc *Service) preview(r *api.Reading, body *form.Node) (customer.Reach, error) {
	group := form.Read(body, "segment")
	parts := svc.readParts(group, r.Store)
	if err := group.Err(); err != nil {
		return customer.Reach{}, err
	}
	reach, err := svc.Preview(r.Tx, r.Store, parts, customer.PreviewLimit)
	if refused, ok := errors.AsType[*Refused](err); ok {
		refused.addErrors(group)
		err = nil
	}
	if err = cmp.Or(err, group.Err()); err == nil && r.Caller.Allowed(access.Customers, access.View) {
		err = reach.NameExamples(r.Tx, r.Store.Key)
	}
	return reach, err
}
