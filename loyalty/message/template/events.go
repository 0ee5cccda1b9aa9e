package template

import "slices"

// Channels on which a message can go out. The texts of Inbox and Push are also those of notifications.
const (
	Email = "email"
	SMS   = "sms"
	Push  = "push"
	Inbox = "inbox"
)

// Whom an event's messages are for. Admin stands for administrators and sellers.
const (
	Customer = "customer"
	Admin    = "admin"
)

// Names of events.
const (
	CustomerActivation    = "oloy.customer.activation"
	TemporaryPassword     = "oloy.customer.temporary_password"
	CustomerPasswordReset = "oloy.customer.password_reset"
	SellerPasswordReset   = "oloy.seller.password_reset"
	AdminPasswordReset    = "oloy.admin.password_reset"
	PasswordChanged       = "oloy.customer.password_changed"
	ContactChanged        = "oloy.customer.contact_changed"
	AccountDeleted        = "oloy.customer.account_deleted"
	CustomersMerged       = "oloy.customer.merged"
	SellerAccessChanged   = "oloy.seller.access_changed"
	AdminAccessChanged    = "oloy.admin.access_changed"
	CustomerFactorsGone   = "oloy.customer.factors_removed"
	SellerFactorsGone     = "oloy.seller.factors_removed"
	AdminFactorsGone      = "oloy.admin.factors_removed"
	CustomerCodesLocked   = "oloy.customer.codes_locked"
	SellerCodesLocked     = "oloy.seller.codes_locked"
	AdminCodesLocked      = "oloy.admin.codes_locked"
	ContactChange         = "oloy.customer.contact_change"
	CustomerInvitation    = "oloy.customer.invitation"
	CustomerRegistered    = "oloy.customer.registered"
	LevelChanged          = "oloy.customer.level_changed_automatically"
	LevelEnding           = "oloy.customer.level_ending"
	PointsEnding          = "oloy.customer.points_ending"
	CouponEnding          = "oloy.customer.coupon_ending"
	CampaignAvailable     = "oloy.customer.campaign_available"
	Birthday              = "oloy.customer.birthday"
	WinBack               = "oloy.customer.win_back"
	Mailing               = "oloy.customer.mailing"
	AdminInvitation       = "oloy.admin.invitation"
	SecurityChanged       = "oloy.admin.security_changed"
)

// Event is something that messages report.
type Event struct {
	Name   string
	Label  string // what happened, in English
	Target string // Customer or Admin

	// Marketing messages go only to customers who agreed to them. All others always go out.
	Marketing bool

	Channels []string // that messages can use; each has a built-in text
	Off      []string // channels on which the built-in text is switched off

	// Administrators get the message from the server itself: with the built-in text, which no store changes or switches
	// off, without values of the store, and through the server's own mail settings.
	Administrators bool

	Placeholders []string // of the event, besides those that all events have
	Secret       []string // placeholders whose values exist only while a message is sent
}

var (
	addressed = []string{Email, SMS, Push}
	all       = []string{Email, SMS, Push, Inbox}
	mail      = []string{Email}
	mailOrSMS = []string{Email, SMS}
)

// Events lists what messages can report, in the order of lists.
var Events = []*Event{
	{Name: CustomerActivation, Label: "A customer has to activate the account", Target: Customer,
		Channels: mailOrSMS, Secret: []string{"link", "token", "code"}},
	{Name: TemporaryPassword, Label: "A customer gets a temporary password", Target: Customer,
		Channels: mailOrSMS, Secret: []string{"password"}},
	{Name: CustomerPasswordReset, Label: "A customer forgot the password", Target: Customer,
		Channels: mailOrSMS, Secret: []string{"link", "token"}},
	{Name: SellerPasswordReset, Label: "A seller forgot the password", Target: Admin,
		Channels: mail, Secret: []string{"link", "token"}},
	{Name: AdminPasswordReset, Label: "An administrator forgot the password", Target: Admin, Administrators: true,
		Channels: mail, Secret: []string{"link", "token"}},
	{Name: AdminInvitation, Label: "An administrator is invited", Target: Admin, Administrators: true,
		Channels: mail, Placeholders: []string{"end_date"}, Secret: []string{"link", "token"}},
	{Name: SecurityChanged, Label: "Somebody changed security settings", Target: Admin, Administrators: true,
		Channels: mail, Placeholders: []string{"store_code", "changed", "changed_by"}},
	{Name: PasswordChanged, Label: "The password of a customer was changed", Target: Customer,
		Channels: mailOrSMS},
	{Name: ContactChanged, Label: "The e-mail address or phone of a customer was replaced", Target: Customer,
		Channels: mailOrSMS},
	{Name: AccountDeleted, Label: "A customer deleted the account", Target: Customer,
		Channels: mailOrSMS, Placeholders: []string{"end_date"}},
	{Name: CustomersMerged, Label: "Two accounts of a customer were merged", Target: Customer, Channels: mailOrSMS},
	{Name: SellerAccessChanged, Label: "Somebody changed the e-mail address or password of a seller", Target: Admin,
		Channels: mail},
	{Name: AdminAccessChanged, Label: "Somebody changed the e-mail address or password of an administrator",
		Target: Admin, Administrators: true, Channels: mail},
	{Name: CustomerFactorsGone, Label: "Staff removed the second factors of a customer", Target: Customer,
		Channels: mailOrSMS},
	{Name: SellerFactorsGone, Label: "Somebody removed the second factors of a seller", Target: Admin, Channels: mail},
	{Name: AdminFactorsGone, Label: "Somebody removed the second factors of an administrator", Target: Admin,
		Administrators: true, Channels: mail},
	{Name: CustomerCodesLocked, Label: "Wrong codes locked the authenticator app of a customer", Target: Customer,
		Channels: mailOrSMS},
	{Name: SellerCodesLocked, Label: "Wrong codes locked the authenticator app of a seller", Target: Admin,
		Channels: mail},
	{Name: AdminCodesLocked, Label: "Wrong codes locked the authenticator app of an administrator", Target: Admin,
		Administrators: true, Channels: mail},
	{Name: ContactChange, Label: "A customer has to confirm a new e-mail address or phone", Target: Customer,
		Channels: mailOrSMS, Placeholders: []string{"new_contact"}, Secret: []string{"link", "token", "code"}},
	{Name: CustomerInvitation, Label: "A customer invites somebody", Target: Customer,
		Channels: mailOrSMS, Placeholders: []string{"referrer_name"}, Secret: []string{"link", "token"}},
	{Name: CustomerRegistered, Label: "A customer registered", Target: Customer,
		Channels: all, Off: addressed},
	{Name: LevelChanged, Label: "A customer reached or lost a level", Target: Customer,
		Channels: addressed, Off: addressed, Placeholders: []string{"level_name", "previous_level_name"}},
	{Name: LevelEnding, Label: "A level ends soon", Target: Customer,
		Channels: all, Off: mailOrSMS, Placeholders: []string{"level_name", "end_date"}},
	{Name: PointsEnding, Label: "Points end soon", Target: Customer,
		Channels: all, Off: mailOrSMS, Placeholders: []string{"points", "end_date"}},
	{Name: CouponEnding, Label: "A coupon ends soon", Target: Customer,
		Channels: all, Off: mailOrSMS, Placeholders: []string{"campaign_name", "coupon_code", "end_date"}},
	{Name: CampaignAvailable, Label: "A campaign became available", Target: Customer, Marketing: true,
		Channels: all, Off: mailOrSMS, Placeholders: []string{"campaign_name", "campaign_text"}},
	{Name: Birthday, Label: "A customer has a birthday", Target: Customer, Marketing: true,
		Channels: addressed, Off: addressed},
	{Name: WinBack, Label: "A customer has not bought anything for a while", Target: Customer, Marketing: true,
		Channels: addressed, Off: addressed, Placeholders: []string{"days"}},
	{Name: Mailing, Label: "The store writes to its customers", Target: Customer, Marketing: true,
		Channels: all, Placeholders: []string{"mailing_subject", "mailing_text", "mailing_short"}},
}

// Find returns the event with the name, nil if there is none.
func Find(name string) *Event {
	at := slices.IndexFunc(Events, func(e *Event) bool { return e.Name == name })
	if at < 0 {
		return nil
	}
	return Events[at]
}

// names returns the names of all placeholders of the event: its own, its secrets, and the common ones.
func (e *Event) names() []string {
	if e.Administrators {
		return slices.Concat(e.Placeholders, e.Secret)
	}
	return slices.Concat(e.Placeholders, e.Secret, common)
}

// enabled reports whether the built-in text of a channel is switched on.
func (e *Event) enabled(channel string) bool { return !slices.Contains(e.Off, channel) }
