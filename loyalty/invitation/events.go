package invitation

import (
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/event"
)

const prefix = "Platform.Domain.User.Event."

// ref is an invitation's id as event payloads nest it.
type ref struct {
	InvitationID string `json:"invitationId"`
}

type invitationWasCreated struct {
	Invitation     ref          `json:"invitationId"`
	Referrer       customer.Ref `json:"referrerId"`
	RecipientEmail string       `json:"recipientEmail"`
	RecipientPhone string       `json:"recipientPhone"`
	Status         string       `json:"status"`
	Token          string       `json:"token"`
}

type customerWasAttachedToInvitation struct {
	Invitation ref          `json:"invitationId"`
	Customer   customer.Ref `json:"customerId"`
}

type customerInvitationTokenWasCreated struct {
	Customer customer.Ref `json:"customerId"`
	Token    string       `json:"token"`
}

func (invitationWasCreated) EventType() string { return prefix + "InvitationWasCreated" }

func (customerWasAttachedToInvitation) EventType() string {
	return prefix + "CustomerWasAttachedToInvitation"
}

func (customerInvitationTokenWasCreated) EventType() string {
	return prefix + "CustomerInvitationTokenWasCreated"
}

func (i *Invitation) created() event.Entry {
	return event.Entry{AggregateID: i.ID, Fact: invitationWasCreated{
		ref{i.ID}, customer.Ref{CustomerID: i.ReferrerID}, i.RecipientEmail, i.RecipientPhone, i.Status, i.Token,
	}}
}

// Emissions lists which endpoints append which events. A registration by an invitation also earns points.
func Emissions() []event.Emission {
	const post = "POST /api/"
	registration := append([]event.Fact{invitationWasCreated{}}, customer.RegistrationFacts()...)
	registration = append(registration, customerWasAttachedToInvitation{}, points.Facts.Added, customer.Facts.Moved)
	return []event.Emission{
		{By: []string{post + "{storeCode}/invitations/invite", post + "{storeCode}/invitation/invite",
			post + "invitation/invite"}, Facts: []event.Fact{invitationWasCreated{}}},
		{By: []string{post + "{storeCode}/customer/invitation/link"},
			Facts: []event.Fact{customerInvitationTokenWasCreated{}}},
		{By: []string{post + "{storeCode}/customer/self_register"}, Facts: registration, Again: true},
	}
}

// PersonalEvents are the events that hold a contact or a token, with the edit that clears it.
var PersonalEvents = map[string]event.Edit{
	invitationWasCreated{}.EventType(): event.Editing(func(e *invitationWasCreated) {
		e.RecipientEmail, e.RecipientPhone, e.Token = "", "", ""
	}),
	customerInvitationTokenWasCreated{}.EventType(): event.Editing(func(e *customerInvitationTokenWasCreated) {
		e.Token = ""
	}),
}
