package invitation

import (
	"errors"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/keytext"
	"punchcard/platform/limit"
)

// Limits are the rates of invitations. A nil limiter limits nothing.
type Limits struct {
	Invitations *limit.Limiter // by customer; refused invitations count, because they show who is a customer
	Lookups     *limit.Limiter // of tokens, by client network
}

// Endpoints returns the endpoints of docs/behaviour/invitations.md.
func Endpoints(limits Limits) []api.Endpoint {
	const ofStore = "/api/{storeCode}/"
	self := access.Only(access.Customer)
	toInvite := api.BodyInCall("invitation", limits.readInvitation, api.Reads(readContact))
	invite := func(path string) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: path, Access: self, Factor: api.Own, Do: api.Write(toInvite, invite),
			Summary: "Invite somebody", Audit: api.Audited("Invite", "invitation")}
	}
	return []api.Endpoint{
		{Method: "GET", Path: ofStore + "invitations", Access: access.AdministratorWith(access.Customers, access.View),
			Do:      api.Read(api.InFilteredPages(sortable.Columns, api.Reads(readFilter)), listInvitations),
			Summary: "List invitations"},
		invite(ofStore + "invitations/invite"),
		invite(ofStore + "invitation/invite"),
		invite("/api/invitation/invite"),
		{Method: "GET", Path: ofStore + "customer/invitation", Access: self,
			Do: api.Read(api.InPages(newestFirst.Columns), listOwn), Summary: "List one's own invitations"},
		{Method: "POST", Path: ofStore + "customer/invitation/link", Access: self, Factor: api.Own, Do: api.Act(makeLink),
			Summary: "Get the token of one's personal invitation link",
			Audit:   api.Audited("CreateInvitationLink", "invitation"), Secrets: []string{"token"}},
		{Method: "GET", Path: ofStore + "invitation/{token}", Access: access.Public(),
			Do: api.Read(api.InCall(nil, limits.countLookup), showInvitation), Summary: "Show an invitation to its recipient"},
	}
}

// contact is the address of an invitation: an e-mail address or a phone.
type contact struct{ Email, Phone string }

func readContact(g *form.Group) (to contact) {
	const byEmail, byPhone = "email", "mobile"
	emailRules := []form.Rule{form.MaxLength(customer.TextLimit), form.Email}
	phoneRules := []form.Rule{form.MaxLength(customer.PhoneLimit), form.Phone}
	kind := g.Choice("type", []string{byEmail, byPhone})
	if kind == byPhone {
		phoneRules = append(phoneRules, form.NotBlank)
	} else if !g.Failed("type") {
		emailRules = append(emailRules, form.NotBlank)
	}
	email, phone := g.Key("recipientEmail", emailRules...), g.Key("recipientPhone", phoneRules...)
	if kind == byPhone {
		return contact{Phone: phone}
	}
	return contact{Email: keytext.Fold(email)}
}

// field is the form field of the contact.
func (to contact) field() string {
	if to.Phone != "" {
		return "recipientPhone"
	}
	return "recipientEmail"
}

// readInvitation reads whom to invite. The path may leave out the store, which is the caller's.
func (l Limits) readInvitation(c *api.Call, g *form.Group) (to contact, err error) {
	if to = readContact(g); g.Err() != nil {
		return to, nil
	}
	if c.Store == nil {
		own, found, err := c.Stores().ByKey(c.Context(), c.Caller.StoreKey)
		if err == nil && !found {
			err = fault.ErrNotFound
		}
		if err != nil {
			return to, err
		}
		c.Store = own
	}
	return to, c.Take(l.Invitations, c.Caller.ID)
}

// invite invites somebody in the name of the caller.
func invite(w *api.Writing, to contact) (done api.Nothing, err error) {
	err = send(w.Tx, w.Store, w.Caller.ID, to)
	if errors.Is(err, ErrExists) {
		err = w.Refuse(to.field(), ErrExists)
	}
	return done, err
}

// send stores the invitation and queues its message.
func send(tx *db.Tx, s *store.Store, referrerID string, to contact) error {
	referrer, err := customer.Find(tx, s.Key, referrerID)
	if err != nil {
		return err
	}
	if _, err := Invite(tx, s, referrerID, to.Email, to.Phone); err != nil {
		return err
	}
	return message.Queue(tx, s, message.Message{
		Event: template.CustomerInvitation, Role: access.Customer, Email: to.Email, Phone: to.Phone,
		Language: referrer.Locale, // the likeliest one of the recipient
		Values:   map[string]string{"referrer_name": referrer.FullName()},
	})
}

// Secrets make the secrets of messages when they are sent, by event.
var Secrets = map[string]message.Secrets{template.CustomerInvitation: openSecrets}

// openSecrets returns the token and the link of an invitation, unless it is not open any more.
func openSecrets(tx *db.Tx, s *store.Store, m *message.Message) (values map[string]string, ok bool, err error) {
	i, found, err := byContact(tx, s.Key, m.Email, keytext.Fold(m.Phone))
	if err != nil || !found || i.Status != Invited || i.Token == "" {
		return nil, false, err
	}
	return map[string]string{
		"token": i.Token, "link": "/me/" + s.Code + "/register?invitation=" + i.Token,
	}, true, nil
}

type linkView struct {
	Token string `json:"token"`
}

func makeLink(w *api.Writing) (linkView, error) {
	token, err := LinkToken(w.Tx, w.Store, w.Caller.ID)
	return linkView{token}, err
}

// openView shows an invitation to its recipient. It has the contact that the invitation was sent to, so that they need
// not enter it.
type openView struct {
	ReferrerName   string `json:"referrerName"` // the first name only
	RecipientEmail string `json:"recipientEmail"`
	RecipientPhone string `json:"recipientPhone"`
}

func (l Limits) countLookup(c *api.Call) (none struct{}, err error) {
	return none, c.Take(l.Lookups, c.ClientNetwork())
}

func showInvitation(r *api.Reading, _ struct{}) (openView, error) {
	i, err := byToken(r.Tx, r.Store.Key, r.PathValue("token"))
	if err == nil && (i == nil || i.Status != Invited) {
		err = fault.ErrNotFound
	}
	if err != nil {
		return openView{}, err
	}
	v := openView{RecipientEmail: i.RecipientEmail, RecipientPhone: i.RecipientPhone}
	referrers, err := customer.FindAll(r.Tx, r.Store.Key, i.ReferrerID)
	if referrer := referrers[i.ReferrerID]; referrer != nil {
		v.ReferrerName = referrer.FirstName
	}
	return v, err
}
