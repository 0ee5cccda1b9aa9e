package admin

import (
	"errors"
	"slices"
	"strconv"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

func roleEndpoints() []api.Endpoint {
	view := access.AdministratorWith(access.ACL, access.View)
	modify := access.AdministratorWith(access.ACL, access.Modify)
	return []api.Endpoint{
		{Method: "GET", Path: "/api/admin/acl/role", Access: view, Handle: listRoles,
			Summary: "List roles", Query: api.PageQuery(sortableRoles.Columns), Response: roleList{}},
		{Method: "POST", Path: "/api/admin/acl/role", Access: modify, Factor: api.Always, Handle: addRole,
			Summary: "Add a role", Response: api.NoContent{},
			Form: func(g *form.Group) { readRole(g.Group("role"), false) }, Audit: api.Audited("CreateRole", "role")},
		{Method: "GET", Path: "/api/admin/acl/role/{role}", Access: view, Handle: getRole,
			Summary: "Show a role", Response: roleView{}},
		{Method: "PUT", Path: "/api/admin/acl/role/{role}", Access: modify, Factor: api.Always, Handle: changeRole,
			Summary: "Replace a role; the master one keeps all rights", Response: api.NoContent{},
			Form: func(g *form.Group) { readRole(g.Group("role"), true) }, Audit: api.Audited("UpdateRole", "role")},
		{Method: "DELETE", Path: "/api/admin/acl/role/{role}", Access: modify, Factor: api.Always, Handle: removeRole,
			Summary: "Remove a role that nobody has", Response: api.NoContent{},
			Audit: api.Audited("DeleteRole", "role")},
		{Method: "GET", Path: "/api/admin/acl/resources", Access: view, Handle: listResources,
			Summary: "List what roles give permissions on", Response: resourceList{}},
		{Method: "GET", Path: "/api/admin/acl/accesses", Access: view, Handle: listAccesses,
			Summary: "List the permissions that roles give", Response: accessList{}},
	}
}

type roleList struct {
	Roles []roleView `json:"roles"`
	Total int        `json:"total"`
}

type resourceList struct {
	Resources []word `json:"resources"`
	Total     int    `json:"total"`
}

type accessList struct {
	Accesses []word `json:"accesses"`
	Total    int    `json:"total"`
}

type roleView struct {
	ID          int64        `json:"id"`
	Name        string       `json:"name"`
	Role        access.Role  `json:"role"`
	Master      bool         `json:"master"`
	Default     bool         `json:"default"`
	Permissions []permission `json:"permissions"`
}

type permission struct {
	ID       int64  `json:"id"` // position in the list of the role
	Resource string `json:"resource"`
	Access   string `json:"access"`
}

var accesses = []string{access.View, access.Modify}

func viewOfRole(r *Role) roleView {
	v := roleView{
		ID: r.ID, Name: r.Name, Role: access.Administrator, Master: r.Master, Default: r.Default,
		Permissions: []permission{},
	}
	for _, resource := range access.Resources {
		for _, granted := range accesses {
			if slices.Contains(r.Permissions[resource], granted) {
				v.Permissions = append(v.Permissions, permission{int64(len(v.Permissions) + 1), resource, granted})
			}
		}
	}
	return v
}

func listRoles(c *api.Call) error {
	page, err := c.Page()
	if err != nil {
		return err
	}
	response := roleList{Roles: []roleView{}}
	err = c.Read(func(tx *db.Tx) error {
		roles, err := allRoles(tx, page.OrderBy(sortableRoles))
		response.Total = len(roles)
		from := min(page.Offset, len(roles))
		for i := range roles[from:min(from+page.Limit, len(roles))] {
			response.Roles = append(response.Roles, viewOfRole(&roles[from+i]))
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func getRole(c *api.Call) error {
	r, err := namedRole(c)
	if err != nil {
		return err
	}
	return c.OK(viewOfRole(&r))
}

// namedRole reads the role of the path.
func namedRole(c *api.Call) (r Role, err error) {
	id, err := roleID(c)
	if err != nil {
		return r, err
	}
	err = c.Read(func(tx *db.Tx) error {
		var found bool
		if r, found, err = FindRole(tx, id); err == nil && !found {
			err = fault.ErrNotFound
		}
		return err
	})
	return r, err
}

func roleID(c *api.Call) (int64, error) {
	id, err := strconv.ParseInt(c.PathValue("role"), 10, 64)
	if err != nil {
		return 0, fault.ErrNotFound
	}
	return id, nil
}

func addRole(c *api.Call) error {
	return saveRole(c, Role{}, func(tx *db.Tx, r Role) error { return AddRole(tx, c.Caller, r) })
}

func changeRole(c *api.Call) error {
	former, err := namedRole(c)
	if err != nil {
		return err
	}
	return saveRole(c, former, func(tx *db.Tx, r Role) error {
		holding, err := ChangeRole(tx, c.Caller, r)
		if err != nil {
			return err
		}
		for _, id := range holding {
			if err := feature.React(tx, nil, access.RightsChanged{ID: id}); err != nil {
				return err
			}
		}
		return nil
	})
}

func saveRole(c *api.Call, former Role, run func(tx *db.Tx, r Role) error) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body, "role")
	r := readRole(group, former.Master)
	r.ID = former.ID
	if err := group.Err(); err != nil {
		return err
	}
	err = c.Write(func(tx *db.Tx) error { return run(tx, r) }, c.NoContent)
	switch {
	case errors.Is(err, ErrTaken):
		group.AddError("name", form.AlreadyUsed)
		return group.Err()
	case errors.Is(err, ErrMasterDefault):
		group.AddError("default", ErrMasterDefault)
		return group.Err()
	}
	return err
}

// readRole reads a role. The master role needs no permissions.
func readRole(g *form.Group, master bool) Role {
	r := Role{
		Name: g.Text("name", form.NotBlank, form.MaxLength(nameLimit)), Default: g.Checkbox("default"),
		Permissions: map[string][]string{},
	}
	entries := g.Groups("permissions")
	if len(entries) == 0 && !master && !g.Failed("permissions") {
		g.AddError("permissions", form.NoItems)
	}
	for _, entry := range entries {
		resource := entry.Choice("resource", access.Resources, form.NotBlank)
		granted := entry.Choice("access", accesses, form.NotBlank)
		if !slices.Contains(r.Permissions[resource], granted) {
			r.Permissions[resource] = append(r.Permissions[resource], granted)
		}
	}
	return r
}

func removeRole(c *api.Call) error {
	id, err := roleID(c)
	if err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error { return RemoveRole(tx, c.Caller, id) }, c.NoContent)
}

// word is a code with its display name.
type word struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

var resourceNames = map[string]string{
	access.ACL: "Roles", access.Admin: "Administrators", access.Analytics: "Analytics", access.Audit: "Audit",
	access.Customers: "Customers", access.EarningRules: "Earning rules", access.Events: "Events",
	access.Levels: "Levels", access.PointTransfers: "Point transfers", access.POS: "Points of sale",
	access.RewardCampaigns: "Reward campaigns", access.Security: "Security settings",
	access.Segments: "Segments", access.SegmentExport: "Segment export", access.Sellers: "Sellers",
	access.Settings: "Settings", access.Stores: "Stores", access.Transactions: "Transactions",
}

func listResources(c *api.Call) error {
	response := resourceList{Total: len(access.Resources)}
	for _, code := range access.Resources {
		response.Resources = append(response.Resources, word{code, resourceNames[code]})
	}
	return c.OK(response)
}

func listAccesses(c *api.Call) error {
	return c.OK(accessList{[]word{{access.View, "View"}, {access.Modify, "Modify"}}, len(accesses)})
}
