package invitation

import (
	"slices"
	"strings"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/form"
	"punchcard/platform/keytext"
)

type viewList struct {
	Invitations []view `json:"invitations"`
	Total       int64  `json:"total"`
}

// view is the JSON of an invitation for administrators.
type view struct {
	InvitationID    string        `json:"invitationId"`
	ReferrerID      string        `json:"referrerId"`
	ReferrerEmail   string        `json:"referrerEmail"`
	ReferrerName    string        `json:"referrerName"`
	RecipientID     string        `json:"recipientId"`
	RecipientEmail  string        `json:"recipientEmail"`
	RecipientPhone  string        `json:"recipientPhone"`
	RecipientName   string        `json:"recipientName"`
	Status          string        `json:"status" enum:"invited,registered,made_purchase"`
	Token           string        `json:"token"`
	ReferrerPoints  points.Amount `json:"referrerPoints"`
	RecipientPoints points.Amount `json:"recipientPoints"`
	CreatedAt       string        `json:"createdAt"`
	RegisteredAt    *string       `json:"registeredAt,omitempty"`
	PurchasedAt     *string       `json:"purchasedAt,omitempty"`
}

// readFilter reads the filters of the list. A status is written as stored, or as "Made purchase"; an unknown one, and
// "All", select all.
func readFilter(q *form.Group) Filter {
	lower := func(name string) string { return keytext.Fold(q.Text(name)) }
	f := Filter{
		ReferrerID: lower("referrerId"), RecipientID: lower("recipientId"),
		Email: lower("recipientEmail"), Phone: lower("recipientPhone"), Strict: q.Checkbox("strict"),
	}
	if status := strings.ReplaceAll(lower("status"), " ", "_"); slices.Contains(Statuses, status) {
		f.Status = status
	}
	f.Referrers = customer.NamedLike(q.Text("referrerName"), q.Text("referrerEmail"), f.Strict)
	f.Recipients = customer.NamedLike(q.Text("recipientName"), "", f.Strict)
	return f
}

func listInvitations(r *api.Reading, request api.ListRequest) (viewList, error) {
	f := readFilter(form.Read(request.Query))
	found, total, err := f.page(r.Tx, r.Store.Key, request.Page, sortable)
	if err != nil {
		return viewList{}, err
	}
	people, err := peopleOf(r.Tx, r.Store, found)
	list := viewList{make([]view, len(found)), total}
	for i := range found {
		list.Invitations[i] = newView(r.Store, &found[i], people)
	}
	return list, err
}

// peopleOf reads the customers of both sides who are not deleted.
func peopleOf(tx *db.Tx, s *store.Store, found []Invitation) (map[string]*customer.Customer, error) {
	var ids []string
	for i := range found {
		ids = append(ids, found[i].ReferrerID)
		if found[i].RecipientID != "" {
			ids = append(ids, found[i].RecipientID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	people, err := customer.FindAll(tx, s.Key, db.Distinct(ids)...)
	for id, who := range people {
		if who.Status == customer.Deleted {
			delete(people, id)
		}
	}
	return people, err
}

func newView(s *store.Store, i *Invitation, people map[string]*customer.Customer) view {
	v := view{
		InvitationID: i.ID, ReferrerID: i.ReferrerID, RecipientID: i.RecipientID, RecipientEmail: i.RecipientEmail,
		RecipientPhone: i.RecipientPhone, Status: i.Status, Token: i.Token, ReferrerPoints: i.ReferrerPoints,
		RecipientPoints: i.RecipientPoints, CreatedAt: api.Timestamp(i.CreatedAt, s.Zone),
		RegisteredAt: api.OptionalTimestamp(i.RegisteredAt, s.Zone),
		PurchasedAt:  api.OptionalTimestamp(i.PurchasedAt, s.Zone),
	}
	if referrer := people[i.ReferrerID]; referrer != nil {
		v.ReferrerEmail, v.ReferrerName = referrer.Email, referrer.FullName()
	}
	if recipient := people[i.RecipientID]; recipient != nil {
		v.RecipientName = recipient.FullName()
	}
	return v
}

type ownList struct {
	Invitations []ownView `json:"invitations"`
	Total       int64     `json:"total"`
}

// ownView is the JSON of an invitation for the customer who sent it.
type ownView struct {
	InvitationID   string        `json:"invitationId"`
	RecipientEmail string        `json:"recipientEmail"`
	RecipientPhone string        `json:"recipientPhone"`
	RecipientName  string        `json:"recipientName"` // the first name only
	Status         string        `json:"status" enum:"invited,registered,made_purchase"`
	Token          string        `json:"token,omitempty"` // while the invitation is open
	PointsEarned   points.Amount `json:"pointsEarned"`
	CreatedAt      string        `json:"createdAt"`
}

func listOwn(r *api.Reading, page api.Page) (ownList, error) {
	f := Filter{ReferrerID: r.Caller.ID}
	found, total, err := f.page(r.Tx, r.Store.Key, page, newestFirst)
	if err != nil {
		return ownList{}, err
	}
	people, err := peopleOf(r.Tx, r.Store, found)
	list := ownList{make([]ownView, len(found)), total}
	for i := range found {
		list.Invitations[i] = ownViewOf(r.Store, &found[i], people)
	}
	return list, err
}

func ownViewOf(s *store.Store, i *Invitation, people map[string]*customer.Customer) ownView {
	v := ownView{
		InvitationID: i.ID, RecipientEmail: i.RecipientEmail, RecipientPhone: i.RecipientPhone, Status: i.Status,
		PointsEarned: i.ReferrerPoints, CreatedAt: api.Timestamp(i.CreatedAt, s.Zone),
	}
	if i.Status == Invited {
		v.Token = i.Token
	}
	if recipient := people[i.RecipientID]; recipient != nil {
		v.RecipientName = recipient.FirstName
	}
	return v
}
