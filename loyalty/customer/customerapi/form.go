package customerapi

import (
	"slices"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/calendar"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// labelsLimit is the maximum length of all labels as one text, in characters.
const labelsLimit = 65_535

// errNoPermission is the error of fields that the caller may not change.
var errNoPermission = fault.New(fault.Fields, "not_permitted", "You don't have permission to edit this data.")

// errFuture refuses a birth or a registration after today, by the calendar of the store.
var errFuture = fault.New(fault.Fields, "in_the_future", "This date should be in the past.")

// reader reads the fields of registrations and changes. In a change, fields that were not sent keep their
// values.
type reader struct {
	*form.Group
	node      *form.Node // the input of the group
	now       time.Time  // no birth or registration is on a later day; zero in descriptions
	forChange bool
	protected []string // fields that customers may not set themselves
	sent      map[string]bool
	imported  bool // either name and either contact are enough, and no agreement is required
}

// takes reports whether the field is to be read. Other fields are only recorded as known.
func (r *reader) takes(name string) bool {
	if slices.Contains(r.protected, name) || r.forChange && !r.Submitted(name) {
		r.Ignore(name)
		return false
	}
	r.sent[name] = true
	return true
}

// text reads a text if the field is to be read.
func (r *reader) text(name string, to *string, rules ...form.Rule) {
	if r.takes(name) {
		*to = r.Text(name, append(rules, form.MaxLength(customer.TextLimit))...)
	}
}

// readProfile reads the fields that registrations and changes have in common. bySelf is true if the caller is
// the customer.
func readProfile(c *api.Call, g *form.Group, forChange, bySelf bool) (*reader, customer.Change) {
	r := &reader{Group: g, node: g.Node(), now: c.Now(), forChange: forChange, sent: map[string]bool{}}
	if bySelf {
		r.protected = protected(c.Store)
	}
	in := r.readFields(c.Store)
	in.Unverified = bySelf
	return r, in
}

func (r *reader) readFields(s *store.Store) customer.Change {
	in := customer.Change{Sent: r.sent}
	nameRules := []form.Rule{form.NotBlank}
	if r.imported {
		nameRules = nil
	}
	r.text("firstName", &in.FirstName, nameRules...)
	r.text("lastName", &in.LastName, nameRules...)
	r.readContact(&in.Registration, s.Settings.CommunicationMethod == "sms")
	if r.takes("gender") {
		in.Gender = r.Choice("gender", customer.Genders)
	}
	if r.takes("birthDate") {
		if born := r.Date("birthDate"); !born.IsZero() {
			in.BirthDate = born.Format(time.DateOnly)
			r.refuseFuture("birthDate", calendar.DayOf(born, time.UTC), s.Zone)
		}
	}
	if r.takes("createdAt") {
		in.CreatedAt = r.DateTime("createdAt", s.Zone)
		r.refuseFuture("createdAt", calendar.DayOf(in.CreatedAt, s.Zone), s.Zone)
	}
	r.text("loyaltyCardNumber", &in.LoyaltyCard)
	if r.Submitted("locale") { // other forms do not name the field in their errors
		r.text("locale", &in.Locale)
	}
	if r.takes("address") {
		in.Address = readAddress(r.Group.Group("address"))
	}
	if r.takes("company") {
		in.Company = readCompany(r.Group.Group("company"))
	}
	if r.takes("labels") {
		if in.Labels = r.readLabels(); len(in.Labels) > customer.LabelLimit {
			r.AddError("labels", errLabels)
		}
	}
	for i, name := range customer.Agreements {
		if r.takes(name) {
			in.Agreements[i] = r.agreement(name)
		}
	}
	if r.sent[customer.Agreements[0]] && !in.Agreements[0] && !r.imported {
		r.AddError(customer.Agreements[0], form.Blank)
	}
	r.Ignore("referral_customer_email")
	return in
}

// refuseFuture refuses a day after today. A later time of today is accepted, because clocks of clients differ.
func (r *reader) refuseFuture(name string, day calendar.Day, zone *time.Location) {
	if !r.now.IsZero() && day > calendar.DayOf(r.now, zone) {
		r.AddError(name, errFuture)
	}
}

// agreement reads a consent. In a file it is only given by a word for yes.
func (r *reader) agreement(name string) bool {
	if r.imported {
		given, _ := r.YesNo(name)
		return given
	}
	return r.Checkbox(name)
}

// readLabels reads labels as text, or as a list of pairs like those in responses.
func (r *reader) readLabels() []customer.Label {
	if !r.node.Child("labels").IsGroup() {
		return customer.ParseLabels(r.Text("labels", form.MaxLength(labelsLimit)))
	}
	var labels []customer.Label
	for _, entry := range r.Groups("labels") {
		labels = append(labels, customer.Label{
			Key:   entry.Key("key", form.NotBlank, form.MaxLength(customer.TextLimit)),
			Value: entry.Key("value", form.MaxLength(customer.TextLimit)),
		})
	}
	return labels
}

func describing(g *form.Group, forChange bool) *reader {
	return &reader{Group: g.Group("customer"), forChange: forChange, sent: map[string]bool{}}
}

func describeRegistration(g *form.Group) {
	r := describing(g, false)
	in := r.readFields(store.Example)
	r.readAssignments(&in.Registration)
	readCard(g)
}

// describeSelfRegistration includes labels, because some stores let customers choose them.
func describeSelfRegistration(g *form.Group) {
	r := describing(g, false)
	r.protected = []string{"createdAt"}
	r.readFields(store.Example)
	readSelfRegistration(r.Group)
	readCard(g)
}

func describeChange(g *form.Group) {
	r := describing(g, true)
	in := r.readFields(store.Example)
	r.readAssignments(&in.Registration)
}

// readContact reads the e-mail address and the phone. The communication method of the store decides which one
// is required.
func (r *reader) readContact(in *customer.Registration, bySMS bool) {
	emailRules, phoneRules := []form.Rule{form.NotBlank}, []form.Rule{}
	if bySMS {
		emailRules, phoneRules = phoneRules, emailRules
	}
	if r.imported {
		emailRules, phoneRules = nil, nil
	}
	if r.takes("email") {
		in.Email = r.Key("email", append(emailRules, form.MaxLength(customer.TextLimit), form.Email)...)
	}
	if r.takes("phone") {
		in.Phone = r.Key("phone", append(phoneRules, form.MaxLength(customer.PhoneLimit), form.Phone)...)
	}
}

// readAssignments reads what only administrators and sellers may set: the level, the point of sale and the
// seller.
func (r *reader) readAssignments(in *customer.Registration) {
	for _, place := range []struct {
		name string
		to   *string
	}{{"levelId", &in.LevelID}, {"posId", &in.POSID}, {"sellerId", &in.SellerID}} {
		if r.takes(place.name) {
			*place.to = r.UUID(place.name)
		}
	}
}

func readAddress(g *form.Group) customer.Address {
	part := func(name string) string { return g.Text(name, form.MaxLength(customer.TextLimit)) }
	return customer.Address{
		Street: part("street"), Address1: part("address1"), Address2: part("address2"), Postal: part("postal"),
		City: part("city"), Province: part("province"), Country: part("country"),
	}
}

func readCompany(company *form.Group) customer.Company {
	c := customer.Company{
		Name: company.Text("name", form.MaxLength(customer.TextLimit)),
		NIP:  company.Text("nip", form.MaxLength(customer.TextLimit)),
	}
	if c.Name == "" && c.NIP != "" {
		company.AddError("name", form.Blank)
	}
	if c.Name != "" && c.NIP == "" {
		company.AddError("nip", form.Blank)
	}
	return c
}

var (
	errTaken        = fault.New(fault.Fields, "already_used", "Customer with such %s already exists.")
	errNoStartLevel = fault.New(fault.Fields, "no_start_level", "The program has no level to start in.")
)

// FieldErrors adds an error to each field that conflicts.
func FieldErrors(t *customer.Taken, group *form.Group) error {
	for _, problem := range []struct {
		is    bool
		field string
		err   *fault.Error
	}{
		{t.Email, "email", errTaken.With("email")},
		{t.Phone, "phone", errTaken.With("phone")},
		{t.LoyaltyCard, "loyaltyCardNumber", errTaken.With("loyalty card number")},
		{t.LevelUnknown, "levelId", form.Invalid("unknown_level")},
		{t.NoStartLevel, "levelId", errNoStartLevel},
		{t.POSUnknown, "posId", form.Invalid("unknown_point_of_sale")},
		{t.SellerUnknown, "sellerId", form.Invalid("unknown_seller")},
		{t.LocaleUnknown, "locale", form.Invalid("not_a_language")},
	} {
		if problem.is {
			group.AddError(problem.field, problem.err)
		}
	}
	return group.Err()
}
