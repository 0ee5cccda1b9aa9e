package segment

import (
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// customerSegment is a segment of the store for one customer.
type customerSegment struct {
	SegmentID string `json:"segmentId"`
	Name      string `json:"name"`
	Active    bool   `json:"active"`
	Member    bool   `json:"member"` // as campaigns and rules see it now
	// Explanation holds the rules that decide, and Parts what each criterion asks for; nil unless the request asks for
	// them.
	Explanation []api.Finding   `json:"explanation,omitzero"`
	Parts       []explainedPart `json:"parts,omitzero"`
}

type customerSegments struct {
	Segments []customerSegment `json:"segments"`
	Total    int               `json:"total"`
}

type explainedPart struct {
	ID       string               `json:"segmentPartId"`
	Passed   bool                 `json:"passed"`
	Criteria []explainedCriterion `json:"criteria"`
}

// explainedCriterion explains a criterion: Rule holds its type, and Need its fields.
type explainedCriterion struct {
	ID string `json:"criterionId"`
	api.Finding
}

func describeOfCustomer(q *form.Group) {
	describeFilter(q)
	q.Checkbox("explain")
	api.AtQuery(q)
}

// inPagesOfCustomer reads the page and the filters, at the time that the query asks about.
var inPagesOfCustomer = api.InCall(api.PageQuery(sortable.Columns, describeOfCustomer),
	func(c *api.Call) (api.ListRequest, error) {
		request, err := c.ListRequest()
		if err != nil {
			return request, err
		}
		return request, c.MoveByQuery()
	})

// listOfCustomer lists the segments of the store for one customer. See
// docs/behaviour/segments.md#segments-of-a-customer.
func (svc *Service) listOfCustomer(r *api.Reading, request api.ListRequest) (customerSegments, error) {
	list := customerSegments{Segments: []customerSegment{}}
	who, err := customer.Of(r.Call, r.Tx)
	if err != nil {
		return list, err
	}
	if !r.Caller.Allowed(access.Customers, access.View) {
		return list, access.LacksPermission(access.Customers, access.View)
	}
	found, total, err := svc.page(r.Tx, r.Store.Key, readFilter(request.Query), request.Page)
	if list.Total = total; err != nil {
		return list, err
	}
	in, err := OfCustomers(r.Tx, r.Store.Key, who.ID)
	if err != nil {
		return list, err
	}
	for i := range found {
		isMember := slices.ContainsFunc(in[who.ID], func(of customer.Segment) bool { return of.ID == found[i].ID })
		list.Segments = append(list.Segments, customerSegment{
			SegmentID: found[i].ID, Name: found[i].Name, Active: found[i].Active, Member: isMember,
		})
	}
	if explained, _ := form.ParseBool(request.Query.Child("explain").Text()); !explained || len(found) == 0 {
		return list, nil
	}
	return list, svc.explain(r.Tx, r.Store, who.ID, found, list.Segments)
}

// explain adds to the views of segments why a customer belongs to them or not.
func (svc *Service) explain(tx *db.Tx, shop *store.Store, customerID string, found []Segment,
	views []customerSegment) error {
	who, err := customer.TraitsOf(tx, shop.Key, customerID)
	if err != nil {
		return err
	}
	active := slices.Clone(found)
	for i := range active {
		active[i].Active = true // to count for all of them
	}
	status := who[0].Status
	who[0].Status = customer.Active // to read the facts of everybody
	known, err := svc.facts(tx, shop, active, who)
	if err != nil {
		return err
	}
	f := known[customerID]
	f.Status = status
	for i := range found {
		svc.explainOne(&found[i], f, found[i].basis(shop, tx.Now()), &views[i])
	}
	return nil
}

// explainOne explains one segment. All findings pass exactly if the customer belongs to it.
func (svc *Service) explainOne(s *Segment, f *Facts, basis Basis, to *customerSegment) {
	passed := 0
	to.Parts = make([]explainedPart, len(s.Parts))
	for i := range s.Parts {
		part := &s.Parts[i]
		to.Parts[i] = explainedPart{ID: part.ID, Passed: svc.partMatches(part.Criteria, f, basis)}
		if to.Parts[i].Passed {
			passed++
		}
		for j := range part.Criteria {
			to.Parts[i].Criteria = append(to.Parts[i].Criteria, svc.explainCriterion(&part.Criteria[j], f, basis))
		}
	}
	need := len(s.Parts)
	if basis.Alternative {
		need = 1
	}
	to.Explanation = []api.Finding{
		{Rule: "active", Passed: s.Active, Hint: "The segment is switched off."},
		{Rule: "customer", Passed: f.IsActive(), Need: customer.Active, Have: f.Status, Hint: "The customer is not active."},
		{Rule: "parts", Passed: svc.partsMatch(s.Parts, f, basis), Need: need, Have: passed, Hint: "Not enough parts match."},
	}
	for i := range to.Explanation {
		to.Explanation[i] = to.Explanation[i].Hinted()
	}
}

func (svc *Service) explainCriterion(c *Criterion, f *Facts, basis Basis) explainedCriterion {
	kind := svc.byName[c.Type]
	made := explainedCriterion{c.ID, api.Finding{
		Rule: c.Type, Passed: svc.criterionMatches(c, f, basis), Need: c.Fields,
		Have: kind.has(c.Fields, f.candidate(c, basis)), Hint: kind.hint(),
	}.Hinted()}
	if _, is := c.Fields.(*CustomerList); is {
		made.Need = nil // the listed customers are not read
	}
	return made
}
