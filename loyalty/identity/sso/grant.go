package sso

import (
	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Errors of the groups of a provider.
var (
	errRole       = form.Invalid("unknown_role")
	errStore      = form.Invalid("unknown_store")
	errPOS        = form.Invalid("unknown_point_of_sale")
	errTwice      = form.Invalid("group_twice")
	errManyGroups = form.Invalid("too_many_groups")
	errNoSellers  = fault.New(fault.Fields, "sellers_not_permitted",
		"Who may not register sellers cannot let them in: the right SELLER MODIFY is missing.")
)

func readGrants(g *form.Group) []Grant {
	return readList(g, "grants", func(entry *form.Group) (Grant, string) {
		one := Grant{Group: readGroup(entry), RoleID: readRole(entry)}
		return one, one.Group
	})
}

func readStoreGrants(g *form.Group) []StoreGrant {
	return readList(g, "storeGrants", func(entry *form.Group) (StoreGrant, string) {
		one := StoreGrant{
			Group: readGroup(entry), StoreID: entry.UUID("storeId", form.NotBlank), RoleID: readRole(entry),
		}
		return one, one.StoreID + " " + one.Group
	})
}

func readSellerGrants(g *form.Group) []SellerGrant {
	return readList(g, "sellerGrants", func(entry *form.Group) (SellerGrant, string) {
		one := SellerGrant{Group: readGroup(entry), POSID: entry.UUID("posId")}
		return one, one.Group
	})
}

func readGroup(entry *form.Group) string {
	return entry.Text("group", form.NotBlank, form.MaxLength(nameLimit))
}
func readRole(entry *form.Group) int64 {
	return entry.Integer("roleId", form.NotBlank, form.AtLeast(1))
}

// readList reads a list of at most GrantLimit entries. read returns an entry, and the text that no two of them share.
func readList[T any](g *form.Group, name string, read func(entry *form.Group) (T, string)) []T {
	entries, all, known := g.Groups(name), []T{}, map[string]bool{}
	if len(entries) > GrantLimit {
		g.AddError(name, errManyGroups)
		return all
	}
	for _, entry := range entries {
		one, key := read(entry)
		if known[key] {
			entry.AddError("group", errTwice)
		}
		known[key] = true
		all = append(all, one)
	}
	return all
}

// checkGrants adds an error for each role that does not exist, that has rights that the caller lacks, or that is the
// master role, which no group gives, and for unknown stores and points of sale. The caller holds lockAccounts.
func (d *draft) checkGrants(tx *db.Tx, g *form.Group, by *access.Caller) error {
	check := func(entry *form.Group, roleID int64) error {
		role, found, err := admin.FindRole(tx, roleID)
		if err == nil && (!found || role.Master || !role.Within(by)) {
			entry.AddError("roleId", errRole)
		}
		return err
	}
	for i, entry := range g.Groups("grants") {
		if err := check(entry, d.Grants[i].RoleID); err != nil {
			return err
		}
	}
	if d.StoreKey != 0 {
		return d.checkSellers(tx, g, by)
	}
	for i, entry := range g.Groups("storeGrants") {
		if err := check(entry, d.StoreGrants[i].RoleID); err != nil {
			return err
		}
		_, found, err := store.ByID(tx, d.StoreGrants[i].StoreID)
		if err != nil {
			return err
		}
		if !found {
			entry.AddError("storeId", errStore)
		}
	}
	return g.Err()
}

// checkSellers checks the groups of sellers. Who lets them in makes sellers, and needs the right to, and the rights of
// a new one.
func (d *draft) checkSellers(tx *db.Tx, g *form.Group, by *access.Caller) error {
	if len(d.SellerGrants) > 0 && !by.Allowed(access.Sellers, access.Modify) {
		g.AddError("sellerGrants", errNoSellers)
	} else if missing := seller.NewRights.Missing(by); len(d.SellerGrants) > 0 && missing != "" {
		g.AddError("sellerGrants", seller.ErrNotHeld.With(missing))
	}
	for i, entry := range g.Groups("sellerGrants") {
		if d.SellerGrants[i].POSID == "" {
			continue
		}
		_, found, err := pos.Find(tx, d.StoreKey, d.SellerGrants[i].POSID)
		if err != nil {
			return err
		}
		if !found {
			entry.AddError("posId", errPOS)
		}
	}
	return g.Err()
}

// rights hold the roles that groups give to an administrator, with the groups that give them.
type rights struct {
	everywhere admin.Role // of a provider of the installation; zero for none
	group      string
	inStores   []storeRight
}

type storeRight struct {
	store *store.Store // nil for that of the provider
	key   int64
	role  admin.Role
	group string
}

func (r *rights) none() bool { return r.everywhere.ID == 0 && len(r.inStores) == 0 }

func (r *rights) roles() (everywhere int64, inStores []admin.StoreRole) {
	for i := range r.inStores {
		inStores = append(inStores, admin.StoreRole{StoreKey: r.inStores[i].key, RoleID: r.inStores[i].role.ID})
	}
	return r.everywhere.ID, inStores
}

// rightsOf returns what groups give to an administrator. Groups never give the master role: a grant of a role that has
// become one gives nothing. A provider of a store gives rights there alone.
func (p *Provider) rightsOf(tx *db.Tx, groups []string) (given rights, err error) {
	in := setOf(groups)
	for _, grant := range p.Grants {
		role, found, err := grantable(tx, in, grant.Group, grant.RoleID)
		switch {
		case err != nil:
			return rights{}, err
		case found && p.StoreKey != 0:
			return rights{inStores: []storeRight{{key: p.StoreKey, role: role, group: grant.Group}}}, nil
		case found:
			return rights{everywhere: role, group: grant.Group}, nil
		}
	}
	known := map[string]bool{}
	for _, grant := range p.StoreGrants {
		if known[grant.StoreID] {
			continue
		}
		role, found, err := grantable(tx, in, grant.Group, grant.RoleID)
		if err != nil {
			return rights{}, err
		}
		if !found {
			continue
		}
		of, exists, err := store.ByID(tx, grant.StoreID)
		if err != nil {
			return rights{}, err
		}
		if exists {
			known[grant.StoreID] = true
			given.inStores = append(given.inStores, storeRight{of, of.Key, role, grant.Group})
		}
	}
	return given, nil
}

func setOf(groups []string) map[string]bool {
	in := make(map[string]bool, len(groups))
	for _, group := range groups {
		in[group] = true
	}
	return in
}

// grantable returns the role that one of some groups gives.
func grantable(tx *db.Tx, in map[string]bool, group string, roleID int64) (admin.Role, bool, error) {
	if !in[group] {
		return admin.Role{}, false, nil
	}
	role, found, err := admin.FindRole(tx, roleID)
	return role, found && !role.Master, err
}

// sellerGrantOf returns the entry by which groups make somebody a seller.
func (p *Provider) sellerGrantOf(groups []string) (SellerGrant, bool) {
	in := setOf(groups)
	for _, grant := range p.SellerGrants {
		if in[grant.Group] {
			return grant, true
		}
	}
	return SellerGrant{}, false
}
