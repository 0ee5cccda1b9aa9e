package segment

import (
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// Refused is the error of a draft. It says which fields are invalid.
type Refused struct {
	NameTaken bool // another segment of the store has the name

	lists []refusedList
}

// Error returns a fixed text; addErrors describes the fields.
func (r *Refused) Error() string { return "the segment is refused by a field" }

// Create adds a segment without members; Rebuild adds them. A *Refused error names the invalid fields.
func (svc *Service) Create(tx *db.Tx, shop *store.Store, draft Draft) (*Segment, error) {
	if _, err := store.Lock(tx, shop.Key); err != nil {
		return nil, err
	}
	s := &Segment{StoreKey: shop.Key, ID: tx.NewID(), CreatedAt: tx.Now()}
	if err := s.setData(tx, draft); err != nil {
		return nil, err
	}
	if err := insertLists(tx, s); err != nil {
		return nil, err
	}
	return s, insertSegment(tx, s)
}

// Update replaces the data of a segment. Its members stay until Rebuild.
func (svc *Service) Update(tx *db.Tx, shop *store.Store, id string, draft Draft) error {
	s, err := svc.locked(tx, shop, id)
	if err != nil {
		return err
	}
	if err := s.setData(tx, draft); err != nil {
		return err
	}
	if err := deleteLists(tx, s); err != nil {
		return err
	}
	if err := insertLists(tx, s); err != nil {
		return err
	}
	return updateSegment(tx, s)
}

// SetActive activates a segment, which makes a rebuild due, or deactivates it.
func (svc *Service) SetActive(tx *db.Tx, shop *store.Store, id string, active bool) error {
	s, err := svc.locked(tx, shop, id)
	if err != nil {
		return err
	}
	s.setActive(active)
	return updateSegment(tx, s)
}

// Delete hides a segment at once. The job deletes its memberships.
func (svc *Service) Delete(tx *db.Tx, shop *store.Store, id string) error {
	s, err := svc.locked(tx, shop, id)
	if err != nil {
		return err
	}
	if err := deleteLists(tx, s); err != nil {
		return err
	}
	if err := deleteTotals(tx, s); err != nil {
		return err
	}
	s.setActive(false)
	s.Deleted = true
	return updateSegment(tx, s)
}

// locked reads a segment for a change and locks its store, which excludes rebuilds.
func (svc *Service) locked(tx *db.Tx, shop *store.Store, id string) (*Segment, error) {
	if _, err := store.Lock(tx, shop.Key); err != nil {
		return nil, err
	}
	return svc.find(tx, shop.Key, id)
}

func (s *Segment) setActive(active bool) {
	s.Open = s.Open && active
	s.Active = active
	s.Version++
}

// setData replaces the data of the segment with those of a draft, with new ids for parts and criteria.
func (s *Segment) setData(tx *db.Tx, draft Draft) error {
	if err := validate(tx, s.StoreKey, s.ID, draft); err != nil {
		return err
	}
	s.Name, s.Description, s.Parts = draft.Name, draft.Description, draft.Parts
	for i := range s.Parts {
		s.Parts[i].ID = tx.NewID()
		for j := range s.Parts[i].Criteria {
			s.Parts[i].Criteria[j].ID = tx.NewID()
		}
	}
	s.setActive(draft.Active)
	return nil
}

// validate looks up the names in a draft, and returns a *Refused error if a segment with the id, empty for a
// new one, cannot be saved so.
func validate(tx *db.Tx, storeKey int64, id string, draft Draft) (err error) {
	var refused Refused
	if refused.NameTaken, err = isNameTaken(tx, storeKey, draft.Name, id); err != nil {
		return err
	}
	if refused.lists, err = lookUpLists(tx, storeKey, draft.Parts); err != nil {
		return err
	}
	if refused.NameTaken || len(refused.lists) > 0 {
		return &refused
	}
	return nil
}

// lookUpLists looks up the customers that criteria list, and returns the lists with names that are unclear.
func lookUpLists(tx *db.Tx, storeKey int64, parts []Part) (refused []refusedList, err error) {
	for _, list := range lists(parts) {
		unclear, err := list.lookUp(tx, storeKey)
		if err != nil {
			return nil, err
		}
		if len(unclear.not)+len(unclear.many) > 0 {
			refused = append(refused, unclear)
		}
	}
	return refused, nil
}

// addErrors adds an error to each invalid field of the form.
func (r *Refused) addErrors(group *form.Group) {
	if r.NameTaken {
		group.AddError("name", form.AlreadyUsed)
	}
	for _, list := range r.lists {
		for _, name := range list.not {
			list.group.AddError("customers", errUnknownCustomer.With(name))
		}
		for _, name := range list.many {
			list.group.AddError("customers", errAmbiguous.With(name))
		}
	}
}
