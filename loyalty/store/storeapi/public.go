package storeapi

import "punchcard/api"

// publicStore shows an active store to everybody.
type publicStore struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

type publicStores struct {
	Stores []publicStore `json:"stores"`
	Total  int           `json:"total"`
}

// listPublic serves the active stores in the order of their creation, for people who choose one before they log in.
func listPublic(c *api.Call) error {
	page, err := c.Page()
	if err != nil {
		return err
	}
	active, err := c.Stores().Active(c.Context())
	if err != nil {
		return err
	}
	from := min(page.Offset, len(active))
	response := publicStores{Stores: []publicStore{}, Total: len(active)}
	for _, s := range active[from:min(from+page.Limit, len(active))] {
		response.Stores = append(response.Stores, publicStore{s.Code, s.Name})
	}
	return c.OK(response)
}
