package storeapi

import "punchcard/api"

// publicStore is what everybody sees of an active store.
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
	asked, err := c.Page()
	if err != nil {
		return err
	}
	active, err := c.Stores().Active(c.Context())
	if err != nil {
		return err
	}
	from := min(asked.Offset, len(active))
	answer := publicStores{Stores: []publicStore{}, Total: len(active)}
	for _, s := range active[from:min(from+asked.Limit, len(active))] {
		answer.Stores = append(answer.Stores, publicStore{s.Code, s.Name})
	}
	return c.OK(answer)
}
