package segment

import (
	"fmt"
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
)

// Preview counts the customers whom the parts of a segment that is not saved select. It looks at limit customers at
// most, and estimates if there are more. A *Refused error names the lists that are invalid.
func (svc *Service) Preview(tx *db.Tx, shop *store.Store, parts []Part, limit int) (customer.Reach, error) {
	refused, err := lookUpLists(tx, shop.Key, parts)
	if err != nil {
		return customer.Reach{}, err
	}
	if len(refused) > 0 {
		return customer.Reach{}, &Refused{lists: refused}
	}
	for i := range parts { // what criteria count is kept by their ids
		for j := range parts[i].Criteria {
			parts[i].Criteria[j].ID = fmt.Sprint(i, ".", j)
		}
	}
	s := Segment{StoreKey: shop.Key, Active: true, Parts: parts}
	basis := s.basis(shop, tx.Now())
	matching := func(tx *db.Tx, some []customer.Traits) (ids []string, err error) {
		known, err := svc.facts(tx, shop, []Segment{s}, some)
		for i := range some {
			if err == nil && svc.matches(parts, known[some[i].ID], basis) {
				ids = append(ids, some[i].ID)
			}
		}
		return ids, err
	}
	reach, err := customer.CountBySample(tx, shop.Key, limit, matching)
	if err != nil || !reach.Estimate {
		return reach, err
	}
	listed, all := candidates(parts, basis.Alternative)
	if all {
		return reach, nil
	}
	return reach, reach.Among(tx, shop.Key, listed, matching)
}

// candidates returns the customers who can match, if listed customers are all that can. Otherwise all can.
func candidates(parts []Part, alternative bool) (listed []string, all bool) {
	for _, part := range parts {
		var ofPart []string
		lists := 0
		for _, c := range part.Criteria {
			if list, is := c.Fields.(*CustomerList); is {
				ofPart = append(ofPart, list.Customers...)
				lists++
			}
		}
		switch {
		case alternative && lists == 0: // any customer may match the other criteria of this part
			return nil, true
		case alternative:
			listed = append(listed, ofPart...)
		case lists == len(part.Criteria): // every part must match
			return db.Distinct(ofPart), false
		}
	}
	return slices.Clip(db.Distinct(listed)), !alternative
}
