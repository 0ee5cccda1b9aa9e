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
		{Method: "GET", Path: "/api/admin/acl/role", Access: view,
			Do: api.Read(api.InPages(sortableRoles.Columns), listRoles), Summary: "List roles"},
		{Method: "POST", Path: "/api/admin/acl/role", Access: modify, Factor: api.Always,
			Do:      api.Write(api.Body("role", func(g *form.Group) Role { return readRole(g, false) }), addRole),
			Summary: "Add a role", Audit: api.Audited("CreateRole", "role")},
		{Method: "GET", Path: "/api/admin/acl/role/{role}", Access: view, Do: api.Show(getRole),
			Summary: "Show a role"},
		{Method: "PUT", Path: "/api/admin/acl/role/{role}", Access: modify, Factor: api.Always,
			Do:      api.WriteTo(roleToChange, changedRole, changeRole),
			Summary: "Replace a role; the master one keeps all rights", Audit: api.Audited("UpdateRole", "role")},
		{Method: "DELETE", Path: "/api/admin/acl/role/{role}", Access: modify, Factor: api.Always, Do: api.Act(removeRole),
			Summary: "Remove a role that nobody has",
			Audit:   api.Audited("DeleteRole", "role")},
		{Method: "GET", Path: "/api/admin/acl/resources", Access: view, Do: api.Tell(listResources),
			Summary: "List what roles give permissions on"},
		{Method: "GET", Path: "/api/admin/acl/accesses", Access: view, Do: api.Tell(listAccesses),
			Summary: "List the permissions that roles give"},
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

func listRoles(r *api.Reading, page api.Page) (roleList, error) {
	roles, err := allRoles(r.Tx, page.OrderBy(sortableRoles))
	response := roleList{Roles: []roleView{}, Total: len(roles)}
	from := min(page.Offset, len(roles))
	for i := range roles[from:min(from+page.Limit, len(roles))] {
		response.Roles = append(response.Roles, viewOfRole(&roles[from+i]))
	}
	return response, err
}

func getRole(r *api.Reading) (roleView, error) {
	role, err := namedRole(r.Call, r.Tx)
	return viewOfRole(&role), err
}

// namedRole reads the role of the path.
func namedRole(c *api.Call, tx *db.Tx) (Role, error) {
	id, err := roleID(c)
	if err != nil {
		return Role{}, err
	}
	r, found, err := FindRole(tx, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return r, err
}

func roleID(c *api.Call) (int64, error) {
	id, err := strconv.ParseInt(c.PathValue("role"), 10, 64)
	if err != nil {
		return 0, fault.ErrNotFound
	}
	return id, nil
}

func addRole(w *api.Writing, r Role) (api.NoContent, error) {
	return api.NoContent{}, refusedRole(w, AddRole(w.Tx, w.Caller, r))
}

func roleToChange(w *api.Writing) (Role, error) { return namedRole(w.Call, w.Tx) }

// changedRole reads a change of a role, which depends on whether it is the master one.
var changedRole = api.BodyInCall("role", func(c *api.Call, g *form.Group) (r Role, err error) {
	var former Role
	err = c.Read(func(tx *db.Tx) (err error) {
		former, err = namedRole(c, tx)
		return err
	})
	if err == nil {
		r = readRole(g, former.Master)
	}
	return r, err
}, func(g *form.Group) { readRole(g, true) })

func changeRole(w *api.Writing, former, r Role) (api.NoContent, error) {
	r.ID = former.ID
	holding, err := ChangeRole(w.Tx, w.Caller, r)
	for i := 0; i < len(holding) && err == nil; i++ {
		err = feature.React(w.Tx, nil, access.RightsChanged{ID: holding[i]})
	}
	return api.NoContent{}, refusedRole(w, err)
}

func refusedRole(w *api.Writing, err error) error {
	switch {
	case errors.Is(err, ErrTaken):
		return w.Refuse("name", form.AlreadyUsed)
	case errors.Is(err, ErrMasterDefault):
		return w.Refuse("default", ErrMasterDefault)
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

func removeRole(w *api.Writing) (api.NoContent, error) {
	id, err := roleID(w.Call)
	if err == nil {
		err = RemoveRole(w.Tx, w.Caller, id)
	}
	return api.NoContent{}, err
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

func listResources(*api.Call) (resourceList, error) {
	response := resourceList{Total: len(access.Resources)}
	for _, code := range access.Resources {
		response.Resources = append(response.Resources, word{code, resourceNames[code]})
	}
	return response, nil
}

func listAccesses(*api.Call) (accessList, error) {
	return accessList{[]word{{access.View, "View"}, {access.Modify, "Modify"}}, len(accesses)}, nil
}
