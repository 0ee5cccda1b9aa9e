package verification

import (
	"errors"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
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
			Do:      api.Write(api.BodyInCall("admin", readInvitation, describeInvitation), invite),
			Audit:   named("InviteAdmin"),
			Summary: "Invite an administrator, by e-mail or by a link to hand over",
			Unkeyed: true, Secrets: []string{"path"}}, // the response may hold a secret
		{Method: "POST", Path: ofAdmin + "invitation", Access: modify, Factor: api.Always,
			Do:      api.Write(api.LenientBody("admin", readByEmail), inviteAgain),
			Audit:   named("InviteAdminAgain"),
			Summary: "Invite an administrator again; the former link ends", Unkeyed: true, Secrets: []string{"path"}},
		{Method: "DELETE", Path: ofAdmin + "invitation", Access: modify, Factor: api.Restricts, Do: api.Act(withdraw),
			Audit:   named("WithdrawAdminInvitation"),
			Summary: "Remove an administrator who has not accepted the invitation"},
		{Method: "GET", Path: ofAdmin + "access", Access: access.AdministratorWith(access.Admin, access.View),
			Do: api.Show(showAdministratorAccess), Summary: "Show what ends when an administrator is switched off"},
		{Method: "GET", Path: ofSeller + "access", Access: access.AdministratorWith(access.Sellers, access.View),
			Do: api.Show(showSellerAccess), Summary: "Show what ends when a seller is switched off"},
		{Method: "POST", Path: ofSeller + "link", Do: api.Act(makeSellerLink), Unkeyed: true, // it is a secret
			Access: access.AdministratorWith(access.Sellers, access.Modify).WithoutKeys(), Factor: api.Always,
			Summary: "Make a link by which a seller chooses a password",
			Audit:   api.Audited("CreateSellerLink", "seller"), Secrets: []string{"path"}},
	}
}

// invited is an invitation. Path is missing if it was sent by e-mail.
type invited struct {
	AdminID   string `json:"adminId"`
	Path      string `json:"path,omitempty"` // on this server
	ExpiresAt string `json:"expiresAt"`
}

type invitationForm struct {
	admin.Data
	byEmail bool
}

func readInvitation(_ *api.Call, g *form.Group) (invitationForm, error) {
	return invitationForm{admin.ReadInvited(g), readByEmail(g)}, nil
}

func describeInvitation(g *form.Group) {
	admin.DescribeInvited(g)
	readByEmail(g)
}

// readByEmail reads whether the server sends the link. Otherwise the response has it.
func readByEmail(g *form.Group) bool { return g.Checkbox("byEmail") }

func invite(w *api.Writing, in invitationForm) (invited, error) {
	a, err := admin.Invite(w.Tx, w.Caller, in.Data, invitedUntil(w))
	if err != nil {
		return invited{}, err
	}
	return sendInvitation(w, &a, in.byEmail)
}

func inviteAgain(w *api.Writing, byEmail bool) (invited, error) {
	a, err := admin.InviteAgain(w.Tx, w.Caller, w.PathValue("admin"), invitedUntil(w))
	if err != nil {
		return invited{}, err
	}
	return sendInvitation(w, &a, byEmail)
}

func invitedUntil(w *api.Writing) time.Time {
	return w.Tx.ServerNow().Add(InvitationLife).Truncate(time.Second)
}

// sendInvitation makes the link of an invitation, or queues the message that will have it. Former links end.
func sendInvitation(w *api.Writing, a *admin.Administrator, byEmail bool) (response invited, err error) {
	w.Entry().SetEntity(a.ID)
	u := ofAdministrator(a)
	response = invited{AdminID: a.ID, ExpiresAt: api.Timestamp(u.invitedUntil, time.UTC)}
	if !byEmail {
		plain, err := issueInvitation(w.Tx, u)
		response.Path = u.page(nil, invitation, plain)
		return response, err
	}
	if err := countMessage(w.Tx, u, invitation); err != nil {
		return response, err
	}
	if err := deleteTokens(w.Tx, u.id, invitation, ""); err != nil {
		return response, err
	}
	return response, mailInvitation(w.Tx, u)
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

func withdraw(w *api.Writing) (api.NoContent, error) {
	id := w.PathValue("admin")
	if err := admin.Withdraw(w.Tx, w.Caller, id); err != nil {
		return api.NoContent{}, err
	}
	return api.NoContent{}, deleteAllTokens(w.Tx, id)
}
