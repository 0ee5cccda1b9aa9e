package invitation

import (
	"time"

	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/keytext"
)

var table = db.NewTable("invitations", "store_id, invitation_id", func(i *Invitation) db.Row {
	return db.Row{
		"store_id", &i.StoreKey, "invitation_id", &i.ID, "referrer_id", &i.ReferrerID, "recipient_id", &i.RecipientID,
		"recipient_email", &i.RecipientEmail, "recipient_phone", &i.RecipientPhone,
		"recipient_phone_key", db.Derived(&i.RecipientPhone, keytext.Fold), "joined_email", &i.JoinedEmail,
		"joined_phone_key", &i.JoinedPhoneKey, "token", &i.Token, "status", &i.Status, "rewarded", &i.Rewarded,
		"referrer_points", &i.ReferrerPoints, "recipient_points", &i.RecipientPoints,
		"created_at", db.Time(&i.CreatedAt), "registered_at", db.Time(&i.RegisteredAt),
		"purchased_at", db.Time(&i.PurchasedAt),
	}
})

// link is the personal link of a customer.
type link struct {
	storeKey          int64
	customerID, token string
	createdAt         time.Time
}

var linkTable = db.NewTable("invitation_links", "store_id, customer_id", func(l *link) db.Row {
	return db.Row{
		"store_id", &l.storeKey, "customer_id", &l.customerID, "token", &l.token, "created_at", db.Time(&l.createdAt),
	}
})

// Find reads an invitation.
func Find(tx *db.Tx, storeKey int64, id string) (*Invitation, error) {
	return findInvitation(tx, storeKey, id, "")
}

// Lock locks an invitation. Accounts are locked before.
func Lock(tx *db.Tx, storeKey int64, id string) (*Invitation, error) {
	return findInvitation(tx, storeKey, id, " FOR UPDATE")
}

func findInvitation(tx *db.Tx, storeKey int64, id, lock string) (*Invitation, error) {
	i, found, err := table.One(tx,
		`SELECT * FROM invitations WHERE store_id = ? AND invitation_id = ?`+lock, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return &i, err
}

// Save writes what changes in the life of a locked invitation.
func Save(tx *db.Tx, i *Invitation) error {
	return table.Update(tx, "recipient_id, status, rewarded, referrer_points, recipient_points, registered_at, "+
		"purchased_at, joined_email, joined_phone_key", i)
}

// byJoined returns the latest invitation by which somebody registered with the value of a column.
func byJoined(tx *db.Tx, storeKey int64, column, value string) (i Invitation, found bool, err error) {
	if value == "" {
		return i, false, nil
	}
	return table.One(tx, `SELECT * FROM invitations WHERE store_id = ?
		AND `+column+` = ? AND `+column+` <> '' ORDER BY invitation_id DESC LIMIT 1`, storeKey, value)
}

// byToken returns the invitation of a token. For that of a personal link it returns one without an id, and for an
// unknown token nil.
func byToken(tx *db.Tx, storeKey int64, token string) (*Invitation, error) {
	if token == "" {
		return nil, nil
	}
	i, found, err := table.One(tx,
		`SELECT * FROM invitations WHERE store_id = ? AND token = ? AND token <> ''`, storeKey, token)
	if err != nil || found {
		return &i, err
	}
	referrer, err := db.Value[string](tx,
		`SELECT customer_id FROM invitation_links WHERE store_id = ? AND token = ?`, storeKey, token)
	if err != nil || referrer == "" {
		return nil, err
	}
	return &Invitation{StoreKey: storeKey, ReferrerID: referrer, Status: Invited}, nil
}

// byContact returns the invitation to an e-mail address or a phone, exactly as the invitation has it.
func byContact(tx *db.Tx, storeKey int64, email, phone string) (Invitation, bool, error) {
	if email != "" {
		return table.One(tx, `SELECT * FROM invitations
			WHERE store_id = ? AND recipient_email = ? AND recipient_email <> ''`, storeKey, email)
	}
	return table.One(tx, `SELECT * FROM invitations
		WHERE store_id = ? AND recipient_phone_key = ? AND recipient_phone_key <> ''`, storeKey, phone)
}

func linkToken(tx *db.Tx, storeKey int64, customerID string) (string, error) {
	return db.Value[string](tx, `SELECT token FROM invitation_links WHERE store_id = ? AND customer_id = ?`,
		storeKey, customerID)
}

// Filter selects invitations of a list. Empty fields select all.
type Filter struct {
	ReferrerID, RecipientID, Status string
	Email, Phone                    string // of the recipient, or a part of it
	Strict                          bool   // Email and Phone are whole
	Referrers, Recipients           *customer.Filter
}

// selectsAll reports whether the filter selects every invitation, but for its status.
func (f *Filter) selectsAll() bool {
	return f.ReferrerID == "" && f.RecipientID == "" && f.Email == "" && f.Phone == "" && f.Referrers == nil &&
		f.Recipients == nil
}

// from returns the part of a query from FROM on.
func (f *Filter) from(storeKey int64) *db.SQL {
	from := db.NewSQL(`FROM invitations WHERE store_id = ?`, storeKey)
	for _, exact := range []struct{ condition, value string }{
		{`referrer_id = ?`, f.ReferrerID}, {`recipient_id = ? AND recipient_id <> ''`, f.RecipientID},
		{`status = ?`, f.Status},
	} {
		if exact.value != "" {
			from.And(exact.condition, exact.value)
		}
	}
	for _, text := range []struct{ column, value string }{
		{"recipient_email", f.Email}, {"recipient_phone_key", f.Phone},
	} {
		switch {
		case text.value == "":
		case f.Strict:
			from.And(text.column+` = ? AND `+text.column+` <> ''`, text.value)
		default:
			from.And(text.column+` LIKE ? ESCAPE '\'`, db.Containing(text.value))
		}
	}
	if f.Referrers != nil {
		from.And(`referrer_id IN (?)`, f.Referrers.IDs(storeKey))
	}
	if f.Recipients != nil {
		from.And(`recipient_id <> '' AND recipient_id IN (?)`, f.Recipients.IDs(storeKey))
	}
	return from
}

var sortable = api.Order{Tie: "invitation_id", Columns: map[string]api.Column{
	"invitationId": "invitation_id", "createdAt": "invitation_id", "status": "status", "referrerId": "referrer_id",
	"recipientEmail": "recipient_email", "recipientPhone": "recipient_phone_key",
}}

// newestFirst is the order of the list that a customer sees.
var newestFirst = api.Order{Tie: "invitation_id", NewestFirst: true}

// page returns a page of the invitations that the filter selects, and their total.
func (f *Filter) page(tx *db.Tx, storeKey int64, request api.Page, order api.Order) (
	found []Invitation, total int64, err error) {
	from := f.from(storeKey)
	switch {
	case !f.selectsAll():
		counted := from.Select("COUNT(*)")
		total, err = db.Value[int64](tx, counted.Text(), counted.Args()...)
	case f.Status != "":
		total, err = Total(tx, storeKey, f.Status)
	default:
		total, err = Total(tx, storeKey, Statuses...)
	}
	if err != nil || total == 0 {
		return nil, total, err
	}
	q := request.AddTo(from.Select("*"), order)
	found, err = table.All(tx, "?", q)
	return found, total, err
}
