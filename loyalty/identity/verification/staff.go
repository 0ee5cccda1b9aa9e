package verification

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// Errors of messages that staff send.
var (
	errNotNew      = fault.New(fault.Refused, "customer_not_waiting", "This customer does not wait for activation.")
	errNoPhone     = fault.New(fault.Refused, "customer_without_phone", "This customer has no phone number.")
	errOwnPassword = fault.New(fault.Refused, "customer_has_password", "This customer has chosen a password.")
	errInactive    = fault.New(fault.Refused, "customer_inactive", "This customer is not active.")
)

// sendCode sends the activation code by SMS.
func sendCode(c *api.Call) error {
	return send(c, activation, func(u *user) error {
		switch {
		case !u.isNew:
			return errNotNew
		case u.phone == "":
			return errNoPhone
		}
		return nil
	}, func(u *user) message.Message { return u.activation(c.Store, true) })
}

// sendActivationAgain sends the activation message on the channel that the store prefers.
func sendActivationAgain(c *api.Call) error {
	return send(c, activation, func(u *user) error {
		if !u.isNew {
			return errNotNew
		}
		return nil
	}, func(u *user) message.Message { return u.activation(c.Store, false) })
}

// sendPassword sends a new temporary password. The former one is valid until then.
func sendPassword(c *api.Call) error {
	return send(c, temporary, func(u *user) error {
		switch {
		case !u.isActive:
			return errInactive
		case u.passwordHash != "" && !u.hasTemporary:
			return errOwnPassword
		}
		return nil
	}, func(u *user) message.Message { return u.message(c.Store, template.TemporaryPassword) })
}

// send queues a message to the customer of the path, unless it is refused or there were too many.
func send(c *api.Call, purpose string, refuse func(*user) error, to func(*user) message.Message) error {
	return c.Write(func(tx *db.Tx) error {
		who, err := customer.Of(c, tx)
		if err != nil {
			return err
		}
		u := ofCustomer(who)
		if err := refuse(u); err != nil {
			return err
		}
		if err := countMessage(tx, u, "staff "+purpose); err != nil { // apart from what strangers ask for
			return err
		}
		return message.Queue(tx, c.Store, to(u))
	}, c.Done)
}

// passwords that an account view tells apart.
const (
	noPassword        = "none"
	temporaryPassword = "temporary"
	ownPassword       = "own"
)

// accountView shows the state of a customer's log-in.
type accountView struct {
	Status   string        `json:"status"`
	Password string        `json:"password"` // none, temporary, own
	Changes  []pendingView `json:"pendingChanges"`
	Message  *messageView  `json:"lastMessage,omitempty"` // the newest with a link, code or password
	Rest     *string       `json:"restsUntil,omitempty"`  // until then the customer gives no points away
	Deletion *string       `json:"deletionAt,omitempty"`  // of an account that the customer deleted
}

// pendingView is a new contact that waits for confirmation.
type pendingView struct {
	Field       string `json:"field"` // email, phone
	Value       string `json:"value"`
	RequestedAt string `json:"requestedAt"`
}

type messageView struct {
	Event     string  `json:"event"`
	Channel   string  `json:"channel"`
	State     string  `json:"state"` // waiting, sent, dead
	CreatedAt string  `json:"createdAt"`
	SentAt    *string `json:"finishedAt,omitempty"`
}

// messagesRead is how many of the newest messages to a customer are looked through.
const messagesRead = 20

// getAccount shows the state of the log-in of the customer of the path.
func getAccount(c *api.Call) error {
	view := accountView{Password: noPassword, Changes: []pendingView{}}
	err := c.Read(func(tx *db.Tx) error {
		who, err := customer.Of(c, tx)
		if err != nil {
			return err
		}
		view.Status = who.Status
		switch {
		case who.PasswordHash == "":
		case who.PasswordTemporary:
			view.Password = temporaryPassword
		default:
			view.Password = ownPassword
		}
		waiting, err := changesOf(tx, c.Store.Key, who.ID)
		for _, one := range waiting {
			view.Changes = append(view.Changes,
				pendingView{one.Field, one.Value, api.Timestamp(one.RequestedAt, c.Store.Zone)})
		}
		if err == nil {
			view.Message, err = lastMessage(tx, c.Store, who.ID)
		}
		if err != nil {
			return err
		}
		until, err := RestsUntil(tx, c.Store.Key, who.ID)
		if err != nil {
			return err
		}
		leaves, err := customer.LeavesAt(tx, c.Store.Key, who.ID)
		view.Rest = api.OptionalTimestamp(until, c.Store.Zone)
		view.Deletion = api.OptionalTimestamp(leaves, c.Store.Zone)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(view)
}

func lastMessage(tx *db.Tx, s *store.Store, customerID string) (*messageView, error) {
	newest, err := message.Of(tx, s.Key, customerID, "", messagesRead)
	for i := range newest {
		if m := &newest[i]; Secrets[m.Event] != nil && m.Queue != template.Push {
			return &messageView{
				m.Event, m.Queue, m.State, api.Timestamp(m.CreatedAt, s.Zone), api.OptionalTimestamp(m.FinishedAt, s.Zone),
			}, err
		}
	}
	return nil, err
}
