package admin

import (
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/password"
)

// Endpoints manage administrators and roles: docs/behaviour/administrators.md.
func Endpoints() []api.Endpoint {
	view := access.AdministratorWith(access.Admin, access.View)
	modify := access.AdministratorWith(access.Admin, access.Modify)
	anyAdministrator := access.Only(access.Administrator) // callers need no permission for their own data
	return append(roleEndpoints(), []api.Endpoint{
		{Method: "GET", Path: "/api/admin", Access: view, Handle: listAdministrators,
			Summary: "List administrators", Query: api.PageQuery(sortable.Columns), Response: viewList{}},
		{Method: "GET", Path: "/api/admin/data/{admin}", Access: anyAdministrator, Handle: getAdministrator,
			Summary: "Show an administrator", Response: adminView{}},
		{Method: "GET", Path: "/api/admin/data", Access: anyAdministrator, Handle: getAdministrator,
			Summary: "Show the calling administrator", Response: adminView{}},
		{Method: "PUT", Path: "/api/admin/data", Access: anyAdministrator, Factor: api.Always, Handle: change,
			Summary: "Replace one's own names and contact", Form: describeOwnChange,
			Audit: api.Audited("UpdateAdmin", "admin")},
		{Method: "POST", Path: "/api/admin/data", Access: modify, Factor: api.Always, Handle: addAdministrator,
			Summary: "Add an administrator, or an integration with a permanent key", Response: added{},
			Form: describeNew, Unkeyed: true, Audit: api.Audited("CreateAdmin", "admin"), Secrets: []string{"apiKey"}},
		{Method: "PUT", Path: "/api/admin/data/{admin}", Access: anyAdministrator, Factor: api.Always,
			Handle:  change,
			Summary: "Replace the data of an administrator; a blank password or key keeps the present one",
			Form:    describeChange, Audit: api.Audited("UpdateAdmin", "admin")},
	}...)
}

type viewList struct {
	Users []adminView `json:"users"`
	Total int         `json:"total"`
}

// added contains the key of an integration if the server generated it. The key is never shown again.
type added struct {
	AdminID string `json:"adminId"`
	APIKey  string `json:"apiKey,omitempty"`
}

type adminView struct {
	ID                   string     `json:"id"`
	Username             string     `json:"username"`
	FirstName            string     `json:"firstName,omitempty"`
	LastName             string     `json:"lastName,omitempty"`
	Phone                string     `json:"phone,omitempty"`
	Email                string     `json:"email,omitempty"`
	IsActive             bool       `json:"isActive"`
	CreateAt             string     `json:"createAt"`
	External             bool       `json:"external"`
	APIKey               string     `json:"apiKey,omitempty"` // its end only, for callers who may change keys
	Roles                []roleName `json:"roles"`
	Type                 string     `json:"dtype"`
	NotificationsEnabled bool       `json:"notificationsEnabled"`

	StoreRoles []storeRoleView `json:"storeRoles,omitempty"` // in place of Roles
	Invitation *invitationView `json:"invitation,omitempty"` // that waits to be accepted
}

type storeRoleView struct {
	Store     string `json:"store"`
	StoreCode string `json:"storeCode"`
	StoreName string `json:"storeName"`
	Role      int64  `json:"role"`
	RoleName  string `json:"roleName"`
}

type invitationView struct {
	ExpiresAt string `json:"expiresAt"`
	Expired   bool   `json:"expired"`
}

type roleName struct {
	ID     int64       `json:"id"`
	Name   string      `json:"name"`
	Role   access.Role `json:"role"`
	Master bool        `json:"master"`
}

// hiddenKey replaces the part of a permanent key that is not stored.
const hiddenKey = "************"

func newView(c *api.Call, a *Administrator, roles []Role) (adminView, error) {
	by := c.Caller
	v := adminView{
		ID: a.ID, Username: a.Username, FirstName: a.FirstName, LastName: a.LastName, Phone: a.Phone, Email: a.Email,
		IsActive: a.Active, External: a.External, Roles: []roleName{}, Type: "admin",
		CreateAt:             api.Timestamp(a.CreatedAt, time.UTC), // administrators belong to no store with a time zone
		NotificationsEnabled: a.NotificationsEnabled,
	}
	if a.External && by.Allowed(access.Admin, access.Modify) {
		v.APIKey = hiddenKey + a.apiKeyEnd
	}
	if role, err := pick(roles, a.RoleID); err == nil {
		v.Roles = append(v.Roles, roleName{role.ID, role.Name, access.Administrator, role.Master})
	}
	if a.IsInvited() {
		v.Invitation = &invitationView{api.Timestamp(a.InvitedUntil, time.UTC), !c.DB().Now().Before(a.InvitedUntil)}
	}
	for _, in := range a.StoreRoles {
		s, found, err := c.Stores().ByKey(c.Context(), in.StoreKey)
		if err != nil {
			return v, err
		}
		role, err := pick(roles, in.RoleID)
		if err != nil || !found { // added at another node just now
			continue
		}
		v.StoreRoles = append(v.StoreRoles, storeRoleView{s.ID, s.Code, s.Name, role.ID, role.Name})
	}
	return v, nil
}

func listAdministrators(c *api.Call) error {
	request, err := c.Page()
	if err != nil {
		return err
	}
	response := viewList{Users: []adminView{}}
	err = c.Read(func(tx *db.Tx) error {
		roles, err := allRoles(tx, "role_id")
		if err != nil {
			return err
		}
		found, total, err := readPage(tx, request.OrderBy(sortable), request.Limit, request.Offset)
		for i := range found {
			view, err := newView(c, &found[i], roles)
			if err != nil {
				return err
			}
			response.Users = append(response.Users, view)
		}
		response.Total = total
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func getAdministrator(c *api.Call) error {
	a, roles, err := administratorOfPath(c, access.View)
	if err != nil {
		return err
	}
	view, err := newView(c, &a, roles)
	if err != nil {
		return err
	}
	return c.OK(view)
}

// administratorOfPath reads the administrator of the path, or the caller if the path names none. Others than the caller
// require the granted access.
func administratorOfPath(c *api.Call, granted string) (a Administrator, roles []Role, err error) {
	id := c.PathValue("admin")
	if id == "" {
		id = c.Caller.ID
	}
	if id != c.Caller.ID && !c.Caller.Allowed(access.Admin, granted) {
		return a, nil, fault.ErrForbidden
	}
	err = c.Read(func(tx *db.Tx) error {
		var found bool
		if a, found, err = FindByID(tx, id); err == nil && !found {
			err = fault.ErrNotFound
		}
		if err == nil {
			roles, err = allRoles(tx, "role_id")
		}
		return err
	})
	return a, roles, err
}

// addAdministrator generates a key for an integration without one, and shows it in this response only.
func addAdministrator(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body, "admin")
	in, plain := readNew(group)
	if err := group.Err(); err != nil {
		return err
	}
	var response added
	switch {
	case plain != "":
		if in.PasswordHash, err = password.Hash(c.ClientContext(), plain); err != nil {
			return err
		}
	case in.APIKey == "":
		response.APIKey = password.Generate()
		in.APIKey = response.APIKey
	}
	err = c.Write(func(tx *db.Tx) error {
		a, err := Add(tx, c.Caller, in)
		response.AdminID = a.ID
		audit.Of(tx).SetEntity(a.ID)
		return err
	}, func() error { return c.OK(response) })
	return ExplainRefusal(group, err)
}

func change(c *api.Call) error {
	a, _, err := administratorOfPath(c, access.Modify)
	if err != nil {
		return err
	}
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body, "admin")
	by := c.Caller
	if c.PathValue("admin") == "" {
		by = &access.Caller{Role: by.Role, ID: by.ID} // without permissions: rights stay as they are
	}
	in, plain := readChange(group, &a, by)
	if err := group.Err(); err != nil {
		return err
	}
	if plain != "" {
		if in.PasswordHash, err = password.Hash(c.ClientContext(), plain); err != nil {
			return err
		}
	}
	err = c.Write(func(tx *db.Tx) error {
		ended, err := Change(tx, by, a.ID, in)
		if err != nil {
			return err
		}
		if ended { // callers who change their own password keep their session
			err := feature.React(tx, nil, access.SessionsEnded{UserID: a.ID, Keep: c.Caller.Session, Links: true})
			if err != nil {
				return err
			}
		}
		after, _, err := FindByID(tx, a.ID)
		if err != nil {
			return err
		}
		if err := feature.React(tx, nil, Changed{&a, &after}); err != nil {
			return err
		}
		return feature.React(tx, nil, access.RightsChanged{ID: a.ID}) // the role may have changed
	}, c.Done)
	return ExplainRefusal(group, err)
}
