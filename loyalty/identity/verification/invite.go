package verification

import (
	"errors"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/store"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// InvitationLife is how long an invited administrator can choose a password.
const InvitationLife = 7 * 24 * time.Hour

// staffEndpoints are the links for administrators and sellers, and what they lose when they leave.
func (v *Verifier) staffEndpoints() []api.Endpoint {
	modify := access.AdministratorWith(access.Admin, access.Modify)
	const ofAdmin, ofSeller = "/api/admin/data/{admin}/", "/api/{storeCode}/seller/{seller}/"
	named := func(event string) api.Audit { return api.Audited(event, "admin") }
	return []api.Endpoint{
		{Method: "POST", Path: "/api/admin/invitation", Access: modify, Factor: api.Always,
			Handle: invite, Audit: named("InviteAdmin"),
			Summary: "Invite an administrator, by e-mail or by a link to hand over", Response: invited{},
			Form: describeInvitation, Unkeyed: true, Secrets: []string{"path"}}, // it may hold a secret
		{Method: "POST", Path: ofAdmin + "invitation", Access: modify, Factor: api.Always, Handle: inviteAgain,
			Audit:   named("InviteAdminAgain"),
			Summary: "Invite an administrator again; the former link ends", Response: invited{},
			Form: func(g *form.Group) { readByEmail(g.Group("admin")) }, Unkeyed: true, Secrets: []string{"path"}},
		{Method: "DELETE", Path: ofAdmin + "invitation", Access: modify, Factor: api.Restricts, Handle: withdraw,
			Audit:   named("WithdrawAdminInvitation"),
			Summary: "Remove an administrator who has not accepted the invitation", Response: api.NoContent{}},
		{Method: "GET", Path: ofAdmin + "access", Access: access.AdministratorWith(access.Admin, access.View),
			Handle: getAdministratorAccess, Summary: "Show what ends when an administrator is switched off",
			Response: accessOf{}},
		{Method: "GET", Path: ofSeller + "access", Access: access.AdministratorWith(access.Sellers, access.View),
			Handle: getSellerAccess, Summary: "Show what ends when a seller is switched off", Response: accessOf{}},
		{Method: "POST", Path: ofSeller + "link", Handle: makeSellerLink, Unkeyed: true, // it is a secret
			Access: access.AdministratorWith(access.Sellers, access.Modify).WithoutKeys(), Factor: api.Always,
			Summary: "Make a link by which a seller chooses a password", Response: linkView{},
			Audit: api.Audited("CreateSellerLink", "seller"), Secrets: []string{"path"}},
	}
}

// invited is an invitation. Path is missing if it was sent by e-mail.
type invited struct {
	AdminID   string `json:"adminId"`
	Path      string `json:"path,omitempty"` // on this server
	ExpiresAt string `json:"expiresAt"`
}

func readInvitation(g *form.Group) (in admin.Data, byEmail bool) {
	return admin.ReadInvited(g), readByEmail(g)
}

func describeInvitation(g *form.Group) {
	fields := g.Group("admin")
	admin.DescribeInvited(fields)
	readByEmail(fields)
}

// readByEmail reads whether the server sends the link. Otherwise the response has it.
func readByEmail(g *form.Group) bool { return g.Checkbox("byEmail") }

func invite(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body, "admin")
	in, byEmail := readInvitation(g)
	if err := g.Err(); err != nil {
		return err
	}
	err = sendInvitation(c, byEmail, func(tx *db.Tx, until time.Time) (admin.Administrator, error) {
		return admin.Invite(tx, c.Caller, in, until)
	})
	return admin.ExplainRefusal(g, err)
}

func inviteAgain(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body, "admin")
	byEmail := readByEmail(g)
	return sendInvitation(c, byEmail, func(tx *db.Tx, until time.Time) (admin.Administrator, error) {
		return admin.InviteAgain(tx, c.Caller, c.PathValue("admin"), until)
	})
}

// sendInvitation makes the link of an invitation, or queues the message that will have it. Former links end.
func sendInvitation(c *api.Call, byEmail bool,
	invite func(tx *db.Tx, until time.Time) (admin.Administrator, error)) error {
	var response invited
	return c.Write(func(tx *db.Tx) error {
		a, err := invite(tx, tx.ServerNow().Add(InvitationLife).Truncate(time.Second))
		if err != nil {
			return err
		}
		audit.Of(tx).SetEntity(a.ID)
		u := ofAdministrator(&a)
		response = invited{AdminID: a.ID, ExpiresAt: api.Timestamp(u.invitedUntil, time.UTC)}
		if !byEmail {
			plain, err := issueInvitation(tx, u)
			response.Path = u.page(nil, invitation, plain)
			return err
		}
		if err := countMessage(tx, u, invitation); err != nil {
			return err
		}
		if err := deleteTokens(tx, u.id, invitation, ""); err != nil {
			return err
		}
		return mailInvitation(tx, u)
	}, func() error { return c.OK(response) })
}

// mailInvitation queues the message with the link. Messages to administrators are those of the default store.
func mailInvitation(tx *db.Tx, u *user) error {
	s, found, err := store.ByCode(tx, store.DefaultCode)
	if err == nil && !found {
		err = errors.New("verification: the default store does not exist")
	}
	if err != nil {
		return err
	}
	m := u.message(s, template.AdminInvitation)
	m.Values["end_date"] = endOf(u)
	return message.Queue(tx, s, m)
}

// endOf formats the moment at which an invitation ends.
func endOf(u *user) string { return u.invitedUntil.UTC().Format("2006-01-02 15:04:05 MST") }

// issueInvitation stores a link in place of former ones.
func issueInvitation(tx *db.Tx, u *user) (plain string, err error) {
	if err := deleteTokens(tx, u.id, invitation, ""); err != nil {
		return "", err
	}
	return issueTokenFor(tx, u, invitation, u.email, u.invitedUntil.Sub(tx.ServerNow()))
}

// invitationSecrets makes the link of a message, unless the invitation was accepted, withdrawn or sent again meanwhile.
func invitationSecrets(tx *db.Tx, s *store.Store, m *message.Message) (values map[string]string, ok bool, err error) {
	u, found, err := recipient(tx, s, m)
	if err != nil || !found || u.invitedUntil.IsZero() || m.Values["end_date"] != endOf(u) {
		return nil, false, err
	}
	plain, err := issueInvitation(tx, u)
	return map[string]string{"token": plain, "link": u.page(s, invitation, plain)}, true, err
}

func withdraw(c *api.Call) error {
	return c.Write(func(tx *db.Tx) error {
		id := c.PathValue("admin")
		if err := admin.Withdraw(tx, c.Caller, id); err != nil {
			return err
		}
		return deleteAllTokens(tx, id)
	}, c.NoContent)
}
