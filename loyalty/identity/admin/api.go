package admin

import (
	"cmp"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
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
	show := api.Show(getAdministrator)
	anyAdministrator := access.Only(access.Administrator) // callers need no permission for their own data
	return append(roleEndpoints(), []api.Endpoint{
		{Method: "GET", Path: "/api/admin", Access: view,
			Do: api.Read(api.InPages(sortable.Columns), listAdministrators), Summary: "List administrators"},
		{Method: "GET", Path: "/api/admin/data/{admin}", Access: anyAdministrator, Do: show,
			Summary: "Show an administrator"},
		{Method: "GET", Path: "/api/admin/data", Access: anyAdministrator, Do: show,
			Summary: "Show the calling administrator"},
		{Method: "PUT", Path: "/api/admin/data", Access: anyAdministrator, Factor: api.Always,
			Do:      api.WriteTo(toChange, changed(describeOwnChange), changeAdministrator),
			Summary: "Replace one's own names and contact", Audit: api.Audited("UpdateAdmin", "admin")},
		{Method: "POST", Path: "/api/admin/data", Access: modify, Factor: api.Always,
			Do:      api.Write(api.Prepared(api.BodyInCall("admin", readAdded, describeNew), withSecret), addAdministrator),
			Summary: "Add an administrator, or an integration with a permanent key", Unkeyed: true,
			Audit: api.Audited("CreateAdmin", "admin"), Secrets: []string{"apiKey"}},
		{Method: "PUT", Path: "/api/admin/data/{admin}", Access: anyAdministrator, Factor: api.Always,
			Do:      api.WriteTo(toChange, changed(describeChange), changeAdministrator),
			Summary: "Replace the data of an administrator; a blank password or key keeps the present one",
			Audit:   api.Audited("UpdateAdmin", "admin")},
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

func listAdministrators(r *api.Reading, page api.Page) (viewList, error) {
	response := viewList{Users: []adminView{}}
	roles, err := allRoles(r.Tx, "role_id")
	if err != nil {
		return response, err
	}
	found, total, err := readPage(r.Tx, page.OrderBy(sortable), page.Limit, page.Offset)
	for i := range found {
		view, err := newView(r.Call, &found[i], roles)
		if err != nil {
			return response, err
		}
		response.Users = append(response.Users, view)
	}
	response.Total = total
	return response, err
}

func getAdministrator(r *api.Reading) (adminView, error) {
	a, err := named(r.Call, r.Tx, access.View)
	if err != nil {
		return adminView{}, err
	}
	roles, err := allRoles(r.Tx, "role_id")
	if err != nil {
		return adminView{}, err
	}
	return newView(r.Call, &a, roles)
}

// named finds the administrator of the path, or the caller if the path names none. Others than the caller require the
// granted access.
func named(c *api.Call, tx *db.Tx, granted string) (Administrator, error) {
	id := cmp.Or(c.PathValue("admin"), c.Caller.ID)
	if id != c.Caller.ID && !c.Caller.Allowed(access.Admin, granted) {
		return Administrator{}, access.LacksPermission(access.Admin, granted)
	}
	a, found, err := FindByID(tx, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return a, err
}

func toChange(w *api.Writing) (Administrator, error) { return named(w.Call, w.Tx, access.Modify) }

// sent is a form with a secret: a password, or a key that the server has generated.
type sent struct {
	Data
	plain string
}

// withSecret hashes the password of a person, and generates a key for an integration without one.
func withSecret(c *api.Call, in sent) (sent, error) {
	if in.plain == "" && in.APIKey == "" {
		in.plain = password.Generate()
		in.APIKey = in.plain
		return in, nil
	}
	return hashed(c, in)
}

func hashed(c *api.Call, in sent) (_ sent, err error) {
	if in.plain != "" {
		in.PasswordHash, err = password.Hash(c.ClientContext(), in.plain)
		in.plain = ""
	}
	return in, err
}

// addAdministrator shows a generated key in this response only.
func addAdministrator(w *api.Writing, in sent) (added, error) {
	a, err := Add(w.Tx, w.Caller, in.Data)
	w.Entry().SetEntity(a.ID)
	return added{a.ID, in.plain}, err
}

// actor returns the caller, without permissions if the path names nobody: rights stay as they are.
func actor(c *api.Call) *access.Caller {
	if c.PathValue("admin") == "" {
		return &access.Caller{Role: c.Caller.Role, ID: c.Caller.ID}
	}
	return c.Caller
}

// changed reads a change, whose fields depend on who is changed.
func changed(describe func(g *form.Group)) api.Input[Data] {
	return api.Prepared(api.BodyInCall("admin", func(c *api.Call, g *form.Group) (in sent, err error) {
		var of Administrator
		err = c.Read(func(tx *db.Tx) (err error) {
			of, err = named(c, tx, access.Modify)
			return err
		})
		if err == nil {
			in.Data, in.plain = readChange(g, &of, actor(c))
		}
		return in, err
	}, describe), func(c *api.Call, in sent) (Data, error) {
		in, err := hashed(c, in)
		return in.Data, err
	})
}

func changeAdministrator(w *api.Writing, a Administrator, in Data) (none api.Nothing, err error) {
	ended, err := Change(w.Tx, actor(w.Call), a.ID, in)
	if err != nil {
		return none, err
	}
	if ended { // callers who change their own password keep their session
		e := access.SessionsEnded{UserID: a.ID, Keep: w.Caller.Session, Links: true}
		if err := feature.React(w.Tx, nil, e); err != nil {
			return none, err
		}
	}
	after, _, err := FindByID(w.Tx, a.ID)
	if err != nil {
		return none, err
	}
	if err := feature.React(w.Tx, nil, Changed{&a, &after}); err != nil {
		return none, err
	}
	return none, feature.React(w.Tx, nil, access.RightsChanged{ID: a.ID}) // the role may have changed
}
