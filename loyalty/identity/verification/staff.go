package verification

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/erasure"
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
var sendCode = send(activation, func(u *user) error {
	switch {
	case !u.isNew:
		return errNotNew
	case u.phone == "":
		return errNoPhone
	}
	return nil
}, func(u *user, s *store.Store) message.Message { return u.activation(s, true) })

// sendActivationAgain sends the activation message on the channel that the store prefers.
var sendActivationAgain = send(activation, func(u *user) error {
	if !u.isNew {
		return errNotNew
	}
	return nil
}, func(u *user, s *store.Store) message.Message { return u.activation(s, false) })

// sendPassword sends a new temporary password. The former one is valid until then.
var sendPassword = send(temporary, func(u *user) error {
	switch {
	case !u.isActive:
		return errInactive
	case u.passwordHash != "" && !u.hasTemporary:
		return errOwnPassword
	}
	return nil
}, func(u *user, s *store.Store) message.Message { return u.message(s, template.TemporaryPassword) })

// send queues a message to the customer of the path, unless it is refused or there were too many.
func send(purpose string, refuse func(*user) error, to func(*user, *store.Store) message.Message) api.Operation {
	return api.Act(func(w *api.Writing) (api.Nothing, error) {
		who, err := customer.Of(w.Call, w.Tx)
		if err != nil {
			return api.Nothing{}, err
		}
		u := ofCustomer(who)
		if err := refuse(u); err != nil {
			return api.Nothing{}, err
		}
		if err := countMessage(w.Tx, u, "staff "+purpose); err != nil { // apart from what strangers ask for
			return api.Nothing{}, err
		}
		return api.Nothing{}, message.Queue(w.Tx, w.Store, to(u, w.Store))
	})
}

// passwords that an account view tells apart.
const (
	noPassword        = "none"
	temporaryPassword = "temporary"
	ownPassword       = "own"
)

// accountView shows the state of a customer's log-in.
type accountView struct {
	Status   string        `json:"status" enum:"new,active,blocked,deleted"`
	Password string        `json:"password" enum:"none,temporary,own"`
	Changes  []pendingView `json:"pendingChanges"`
	Message  *messageView  `json:"lastMessage,omitempty"` // the newest with a link, code or password
	Rest     *string       `json:"restsUntil,omitempty"`  // until then the customer gives no points away
	Deletion *string       `json:"deletionAt,omitempty"`  // of an account that the customer deleted
}

// pendingView is a new contact that waits for confirmation.
type pendingView struct {
	Field       string `json:"field" enum:"email,phone"`
	Value       string `json:"value"`
	RequestedAt string `json:"requestedAt"`
}

type messageView struct {
	Event     string  `json:"event"`
	Channel   string  `json:"channel"`
	State     string  `json:"state" enum:"waiting,sent,dropped,dead"`
	CreatedAt string  `json:"createdAt"`
	SentAt    *string `json:"finishedAt,omitempty"`
}

// messagesRead is how many of the newest messages to a customer are looked through.
const messagesRead = 20

// showAccount shows the state of the log-in of the customer of the path.
func showAccount(r *api.Reading) (accountView, error) {
	who, err := customer.Of(r.Call, r.Tx)
	if err != nil {
		return accountView{}, err
	}
	view := accountView{Status: who.Status, Password: passwordOf(who), Changes: []pendingView{}}
	waiting, err := changesOf(r.Tx, r.Store.Key, who.ID)
	for _, one := range waiting {
		view.Changes = append(view.Changes,
			pendingView{one.Field, one.Value, api.Timestamp(one.RequestedAt, r.Store.Zone)})
	}
	if err == nil {
		view.Message, err = lastMessage(r.Tx, r.Store, who.ID)
	}
	if err != nil {
		return view, err
	}
	until, err := RestsUntil(r.Tx, r.Store.Key, who.ID)
	if err != nil {
		return view, err
	}
	leaves, err := erasure.At(r.Tx, r.Store.Key, who.ID)
	view.Rest = api.OptionalTimestamp(until, r.Store.Zone)
	view.Deletion = api.OptionalTimestamp(leaves, r.Store.Zone)
	return view, err
}

func passwordOf(who *customer.Customer) string {
	switch {
	case who.PasswordHash == "":
		return noPassword
	case who.PasswordTemporary:
		return temporaryPassword
	}
	return ownPassword
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
