package message

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/message/template"
)

type deliveryList struct {
	Messages []deliveryView `json:"messages"`
	Total    int            `json:"total"` // up to delivery.CountLimit
}

// deliveryView is a message on one channel. Outside the demonstration the content is not stored, and secrets in the
// subject are masked.
type deliveryView struct {
	ID          string `json:"messageId"`
	Event       string `json:"event"`
	Channel     string `json:"channel" enum:"email,sms,push"`
	Marketing   bool   `json:"marketing"`
	Recipient   string `json:"recipient"`             // customer, seller or administrator
	RecipientID string `json:"recipientId,omitempty"` // empty for somebody without an account
	Address     string `json:"address"`
	Subject     string `json:"subject"`
	Content     string `json:"content,omitempty"`
	api.AttemptState
	FinishedAt *string `json:"finishedAt,omitempty"`
}

var recipients = map[access.Role]string{
	access.Customer: "customer", access.Seller: "seller", access.Administrator: "administrator",
}

func newView(s *store.Store, d *Delivery) deliveryView {
	v := deliveryView{
		ID: d.ID, Event: d.Event, Recipient: recipients[access.Role(d.Role)], RecipientID: d.RecipientID,
		Address: d.Address, Subject: d.Subject, Content: d.Content,
		AttemptState: api.AttemptStateOf(&d.Progress, s.Zone), FinishedAt: api.OptionalTimestamp(d.FinishedAt, s.Zone),
	}
	v.Channel, v.Marketing = d.channel()
	return v
}

// nobody is a caller without any permission.
var nobody = &access.Caller{}

// shownTo returns the view for a caller. What a demonstration keeps of a message with secrets is for those only who may
// see where such messages go: an administrator's link would make them that administrator.
func (v deliveryView) shownTo(by *access.Caller) deliveryView {
	if e := template.Find(v.Event); e != nil && len(e.Secret) > 0 && v.Content != "" &&
		!by.Allowed(access.Security, access.View) {
		v.Subject, v.Content = mask, mask
	}
	return v
}

// settingsView shows how the messages of a store are sent, without passwords. A secret is shown only in the response
// that generated it.
type settingsView struct {
	Email emailView   `json:"email"`
	SMS   gatewayView `json:"sms"`
	Push  gatewayView `json:"push"`
}

type emailView struct {
	Active     bool   `json:"active"`
	SenderName string `json:"senderName"`
	Sender     string `json:"senderAddress"`
	Host       string `json:"host"` // empty: the mail server of the operator
	Port       int    `json:"port,omitempty"`
	Security   string `json:"security,omitempty"`
	User       string `json:"user"`
	Password   bool   `json:"hasPassword"`
}

type gatewayView struct {
	Active bool   `json:"active"`
	URL    string `json:"url"`
	Secret string `json:"signingSecret,omitempty"`

	// Browsers reports whether push messages go to browsers, too.
	Browsers bool `json:"browsers,omitempty"`

	// Of a service that sends SMS: its name, the account, whom SMS come from, and whether there is a token.
	Service string `json:"service,omitempty"`
	Account string `json:"account,omitempty"`
	From    string `json:"from,omitempty"`
	Token   bool   `json:"hasToken,omitempty"`
}

func settingsViewOf(s *Settings) settingsView {
	server := &s.Email.Server
	return settingsView{
		Email: emailView{
			Active: !s.Email.Off, SenderName: s.Email.SenderName, Sender: s.Email.Sender, Host: server.Host,
			Port: server.Port, Security: server.Security, User: server.User, Password: server.Password != "",
		},
		SMS: gatewayView{
			Active: !s.SMS.Off, URL: s.SMS.URL, Service: s.SMS.Service, Account: s.SMS.Account, From: s.SMS.From,
			Token: s.SMS.Token != "",
		},
		Push: gatewayView{Active: !s.Push.Off, URL: s.Push.URL, Browsers: s.Push.Browsers},
	}
}

// statusView shows the channels that work, and what else keeps messages waiting.
type statusView struct {
	Channels  []channelView `json:"channels"`
	PublicURL string        `json:"publicUrl"` // of links; without it, messages with links wait
	Mailbox   bool          `json:"mailbox"`   // messages are kept with their content and not sent
	// Administrators is how e-mails to administrators are sent: by the flags of the server only.
	Administrators administratorsView `json:"administrators"`
	// WaitingForActivation is how many customers wait for their activation.
	WaitingForActivation int64 `json:"customersWaitingForActivation"`
}

type administratorsView struct {
	Working   bool   `json:"working"`
	Reason    string `json:"reason,omitempty"` // not_configured
	PublicURL string `json:"publicUrl"`        // of links; without it, messages with links wait
	Waiting   int    `json:"waiting"`          // messages, up to delivery.CountLimit
}

type channelView struct {
	Channel string `json:"channel" enum:"email,sms,push"`
	Working bool   `json:"working"`
	Reason  string `json:"reason,omitempty"` // not_configured or switched_off
	Waiting int    `json:"waiting"`          // messages, up to delivery.CountLimit
	// Browsers is how many browsers of customers get push messages, up to delivery.CountLimit. It is there if the store
	// sends to browsers.
	Browsers *int `json:"browsers,omitempty"`
}

// testView is the outcome of a test message.
type testView struct {
	MessageID string `json:"messageId"`
	Delivered bool   `json:"delivered"`
	Status    int    `json:"status"` // 0 without a response
	Error     string `json:"error,omitempty"`
}

type undeliverableList struct {
	Addresses []undeliverableView `json:"addresses"`
}

type undeliverableView struct {
	Channel string `json:"channel" enum:"email,sms,push"`
	Address string `json:"address"`
	Reason  string `json:"reason"`
	Since   string `json:"since"`
}

type undeliverablePage struct {
	Addresses []undeliverableView `json:"addresses"`
	Total     int                 `json:"total"` // up to delivery.CountLimit
}

// forgivenView tells how many addresses get messages again.
type forgivenView struct {
	Forgiven int64 `json:"forgiven"`
}

// subscriptionView shows the subscription that a link of a marketing message ends.
type subscriptionView struct {
	ProgramName string `json:"programName"`
	Subscribed  bool   `json:"subscribed"` // whether the customer gets marketing messages
}
