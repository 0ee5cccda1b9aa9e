package segment

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/level"
	"punchcard/platform/db"
)

func (svc *Service) listMembers(r *api.Reading, request api.ListRequest) (memberList, error) {
	list := memberList{Customers: []member{}}
	s, err := svc.segmentOfPath(r.Call, r.Tx)
	if err != nil {
		return list, err
	}
	found, total, err := membersOf(r.Tx, r.Store, s, request)
	if list.Total = total; err != nil || len(found) == 0 {
		return list, err
	}
	ids := make([]string, len(found))
	for i := range found {
		ids[i] = found[i].ID
	}
	levels, err := level.All(r.Tx, r.Store.Key)
	if err != nil {
		return list, err
	}
	bought, err := customerapi.Coupons(r.Tx, r.Store, ids...)
	for i := range found {
		who := &found[i]
		list.Customers = append(list.Customers, member{
			customerapi.SummaryOf(r.Store, levels, who, bought[who.ID]), s.ID, s.Name, customerapi.StatusOf(who),
		})
	}
	return list, err
}

// membersOf returns the requested page of members and the total. Without filters and in the order of creation
// it reads the page by membership; otherwise it scans all members.
func membersOf(tx *db.Tx, of *store.Store, s *Segment, request api.ListRequest) (
	found []customer.Customer, total int64, err error) {
	f, filtered := customer.ReadMemberFilter(request.Query, of)
	column := customer.Sortable().Columns[request.Sort]
	if filtered || column != "" && column != "customer_id" {
		return customer.PageOf(tx, s.StoreKey, f, MemberIDs(s.StoreKey, s.ID), request.Page)
	}
	sums, err := totalsOf(tx, s.StoreKey, s.ID)
	if err != nil {
		return nil, 0, err
	}
	ids, err := memberPage(tx, s.StoreKey, s.ID, request.Page)
	if err != nil || len(ids) == 0 {
		return nil, sums[s.ID].Members, err
	}
	byID, err := customer.FindAll(tx, s.StoreKey, ids...)
	for _, id := range ids {
		if who := byID[id]; who != nil {
			found = append(found, *who)
		}
	}
	return found, sums[s.ID].Members, err
}

func (svc *Service) export(c *api.Call) error {
	var s *Segment
	err := c.Read(func(tx *db.Tx) (err error) {
		s, err = svc.segmentOfPath(c, tx)
		return err
	})
	if err != nil {
		return err
	}
	return customer.Export(c, "segment", func(tx *db.Tx, after string, limit int) ([]string, error) {
		return membersAfter(tx, s.StoreKey, s.ID, after, limit, "")
	})
}
