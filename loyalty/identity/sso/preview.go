package sso

import (
	"punchcard/core/api"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

type previewOf struct {
	providerID string
	groups     []string
}

func readPreview(g *form.Group) previewOf {
	return previewOf{g.Key("provider", form.NotBlank), g.Texts("groups", form.MaxLength(nameLimit))}
}

// previewResult shows rights with the groups that give them. Missing members are not given.
type previewResult struct {
	RoleID int64          `json:"roleId,omitempty"` // in all stores, or in the store of the provider
	Role   string         `json:"role,omitempty"`
	Group  string         `json:"group,omitempty"`
	Stores []storePreview `json:"stores,omitempty"` // roles in stores, by a provider of the installation
	Seller *sellerPreview `json:"seller,omitempty"` // by a provider of a store
}

type storePreview struct {
	StoreID string `json:"storeId"`
	Store   string `json:"store"`
	RoleID  int64  `json:"roleId"`
	Role    string `json:"role"`
	Group   string `json:"group"`
}

type sellerPreview struct {
	Group   string `json:"group"`
	POSID   string `json:"posId,omitempty"`
	POSName string `json:"posName,omitempty"`
}

// explain shows what groups give.
func (p *Provider) explain(tx *db.Tx, groups []string) (result previewResult, err error) {
	given, err := p.rightsOf(tx, groups)
	if err != nil {
		return result, err
	}
	result.RoleID, result.Role, result.Group = given.everywhere.ID, given.everywhere.Name, given.group
	for _, r := range given.inStores {
		if r.store == nil {
			result.RoleID, result.Role, result.Group = r.role.ID, r.role.Name, r.group
			continue
		}
		result.Stores = append(result.Stores, storePreview{r.store.ID, r.store.Name, r.role.ID, r.role.Name, r.group})
	}
	if grant, in := p.sellerGrantOf(groups); in {
		at, _, err := pos.Find(tx, p.StoreKey, grant.POSID)
		if err != nil {
			return result, err
		}
		result.Seller = &sellerPreview{grant.Group, grant.POSID, at.Name}
	}
	return result, nil
}

func preview(r *api.Reading, of previewOf) (previewResult, error) {
	p, err := findProvider(r.Tx, storeKey(r.Call), of.providerID)
	if err != nil {
		return previewResult{}, err
	}
	return p.explain(r.Tx, of.groups)
}
