package storeapi

import "punchcard/core/api"

// publicStore shows an active store to everybody.
type publicStore struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

type publicStores struct {
	Stores []publicStore `json:"stores"`
	Total  int           `json:"total"`
}

// listPublic lists the active stores in the order of their creation, for people who choose one before they log in.
func listPublic(c *api.Call, page api.Page) (publicStores, error) {
	active, err := c.Stores().Active(c.Context())
	list := publicStores{Stores: []publicStore{}, Total: len(active)}
	from := min(page.Offset, len(active))
	for _, s := range active[from:min(from+page.Limit, len(active))] {
		list.Stores = append(list.Stores, publicStore{s.Code, s.Name})
	}
	return list, err
}
