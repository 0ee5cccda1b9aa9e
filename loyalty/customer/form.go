package customer

import (
	"slices"
	"time"

	"punchcard/api"
	"punchcard/loyalty/store"
	"punchcard/platform/form"
)

// The lengths of a customer's texts, in characters.
const (
	textLimit   = 255
	phoneLimit  = 64
	labelsLimit = 65_535 // of the text form of all labels
)

// noPermission is what a customer is told who edits what he may not.
const noPermission = "You don't have permission to edit this data."

// reader reads the fields of program-api group B. For a change, a field that was not sent stays as it is.
type reader struct {
	*form.Group
	node      *form.Node // what the group was read from
	forChange bool
	protected []string // fields that are not read, because customers do not choose them
	sent      map[string]bool
}

// takes tells whether the field has to be read; one that has not is only listed among the fields.
func (r *reader) takes(name string) bool {
	if slices.Contains(r.protected, name) || r.forChange && !r.Submitted(name) {
		r.Ignore(name)
		return false
	}
	r.sent[name] = true
	return true
}

// text reads a text when it has to be.
func (r *reader) text(name string, to *string, rules ...form.Rule) {
	if r.takes(name) {
		*to = r.Text(name, append(rules, form.MaxLength(textLimit))...)
	}
}

// readProfile reads what B1, B2, B3 and B12 have in common; bySelf says that customers write of themselves.
func readProfile(c *api.Call, forChange, bySelf bool) (*reader, Change, error) {
	body, err := c.Body()
	if err != nil {
		return nil, Change{}, err
	}
	node := body.Child("customer")
	r := &reader{Group: form.Read(node), node: node, forChange: forChange, sent: map[string]bool{}}
	if bySelf {
		r.protected = protected(c.Store)
	}
	in := r.readFields(c.Store)
	in.Unverified = bySelf
	return r, in, nil
}

func (r *reader) readFields(s *store.Store) Change {
	in := Change{Sent: r.sent}
	r.text("firstName", &in.FirstName, form.NotBlank)
	r.text("lastName", &in.LastName, form.NotBlank)
	r.readContact(&in.Registration, s.Settings.CommunicationMethod == "sms")
	if r.takes("gender") {
		in.Gender = r.Choice("gender", Genders)
	}
	if r.takes("birthDate") {
		if born := r.Date("birthDate"); !born.IsZero() {
			in.BirthDate = born.Format(time.DateOnly)
		}
	}
	if r.takes("createdAt") {
		in.CreatedAt = r.DateTime("createdAt", s.Zone)
	}
	r.text("loyaltyCardNumber", &in.LoyaltyCard)
	if r.takes("address") {
		in.Address = readAddress(r.Group.Group("address"))
	}
	if r.takes("company") {
		in.Company = readCompany(r.Group.Group("company"))
	}
	if r.takes("labels") {
		in.Labels = r.readLabels()
	}
	for i, name := range agreements {
		if r.takes(name) {
			in.Agreements[i] = r.Checkbox(name)
		}
	}
	if r.sent[agreements[0]] && !in.Agreements[0] {
		r.AddError(agreements[0], form.Blank)
	}
	r.Ignore("referral_customer_email")
	return in
}

// readLabels reads the text form of labels, or a list of pairs as answers have it.
func (r *reader) readLabels() []Label {
	if !r.node.Child("labels").IsGroup() {
		return ParseLabels(r.Text("labels", form.MaxLength(labelsLimit)))
	}
	var labels []Label
	for _, entry := range r.Groups("labels") {
		labels = append(labels, Label{
			Key:   entry.Text("key", form.NotBlank, form.MaxLength(textLimit)),
			Value: entry.Text("value", form.MaxLength(textLimit)),
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
}

// describeSelfRegistration describes labels as well, for the stores that let customers choose them.
func describeSelfRegistration(g *form.Group) {
	r := describing(g, false)
	r.protected = []string{"createdAt"}
	r.readFields(store.Example)
	readSelfRegistration(r.Group)
}

func describeChange(g *form.Group) {
	r := describing(g, true)
	in := r.readFields(store.Example)
	r.readAssignments(&in.Registration)
}

// readContact reads e-mail address and phone, of which the way of communication needs one.
func (r *reader) readContact(in *Registration, bySMS bool) {
	emailRules, phoneRules := []form.Rule{form.NotBlank}, []form.Rule{}
	if bySMS {
		emailRules, phoneRules = phoneRules, emailRules
	}
	if r.takes("email") {
		in.Email = r.Text("email", append(emailRules, form.MaxLength(textLimit), emailRule)...)
	}
	if r.takes("phone") {
		in.Phone = r.Text("phone", append(phoneRules, form.MaxLength(phoneLimit), phoneRule)...)
	}
}

// readAssignments reads what only the store's people may say: the level by hand, the till and the seller.
func (r *reader) readAssignments(in *Registration) {
	for _, place := range []struct {
		name string
		to   *string
	}{{"levelId", &in.LevelID}, {"posId", &in.POSID}, {"sellerId", &in.SellerID}} {
		if r.takes(place.name) {
			*place.to = r.UUID(place.name)
		}
	}
}

func readAddress(g *form.Group) Address {
	part := func(name string) string { return g.Text(name, form.MaxLength(textLimit)) }
	return Address{
		Street: part("street"), Address1: part("address1"), Address2: part("address2"), Postal: part("postal"),
		City: part("city"), Province: part("province"), Country: part("country"),
	}
}

func readCompany(company *form.Group) Company {
	c := Company{
		Name: company.Text("name", form.MaxLength(textLimit)), NIP: company.Text("nip", form.MaxLength(textLimit)),
	}
	if c.Name == "" && c.NIP != "" {
		company.AddError("name", form.Blank)
	}
	if c.Name != "" && c.NIP == "" {
		company.AddError("nip", form.Blank)
	}
	return c
}

// fieldErrors tells the fields that are in the way.
func (t *Taken) fieldErrors(group *form.Group) error {
	for _, problem := range []struct {
		is             bool
		field, message string
	}{
		{t.Email, "email", "Customer with such email already exists."},
		{t.Phone, "phone", "Customer with such phone already exists."},
		{t.LoyaltyCard, "loyaltyCardNumber", "Customer with such loyalty card number already exists."},
		{t.LevelUnknown, "levelId", form.NotValid},
		{t.NoStartLevel, "levelId", "The program has no level to start in."},
		{t.POSUnknown, "posId", form.NotValid},
		{t.SellerUnknown, "sellerId", form.NotValid},
	} {
		if problem.is {
			group.AddError(problem.field, problem.message)
		}
	}
	return group.Err()
}
