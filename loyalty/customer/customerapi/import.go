package customerapi

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/note"
	"punchcard/loyalty/dataimport"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// importedAtOnce is how many customers share a transaction: enough to share its cost, few enough that others do not
// wait long.
const importedAtOnce = 25

// Import returns the import of customers.
func Import() *dataimport.Kind {
	return &dataimport.Kind{
		Name: "customers", Path: "admin/customer/import", Summary: "Import customers", Resource: access.Customers,
		Audit: api.Audited("ImportCustomers", "customer"), Root: "customers", Batch: importedAtOnce,
		New:     func() dataimport.Record { return new(customerRecord) },
		Example: func() dataimport.Record { return &exampleCustomer },
		Object:  func(id string) any { return id },
		Apply:   apply, Undo: undo, Newcomers: true, LeftOut: columnsOfShops,
		Keys: importKeys, Guarded: guarded,
	}
}

// customerRecord is a customer in an imported file. Its JSON is the form of a registration.
type customerRecord struct {
	Active     string        `xml:"active" json:"active"`
	Greet      string        `xml:"sendActivationMail" json:"sendActivationMail"`
	Name       string        `xml:"-" json:"-"` // both names, in one column of a CSV file
	FirstName  string        `xml:"firstName" json:"firstName"`
	LastName   string        `xml:"lastName" json:"lastName"`
	Gender     string        `xml:"gender" json:"gender"`
	BirthDate  string        `xml:"birthDate" json:"birthDate"`
	Email      string        `xml:"email" json:"email"`
	Phone      string        `xml:"phone" json:"phone"`
	Card       string        `xml:"loyaltyCardNumber" json:"loyaltyCardNumber"`
	Locale     string        `xml:"locale" json:"locale,omitempty"`
	CreatedAt  string        `xml:"createdAt" json:"createdAt"`
	Address    addressRecord `xml:"address" json:"address"`
	Company    companyRecord `xml:"company" json:"company"`
	Labels     []labelRecord `xml:"labels>label" json:"labels"`
	LabelText  string        `xml:"-" json:"-"` // labels of a CSV file, as key:value;key:value
	Agreement1 string        `xml:"agreement1" json:"agreement1"`
	Agreement2 string        `xml:"agreement2" json:"agreement2"`
	Agreement3 string        `xml:"agreement3" json:"agreement3"`
	Note       string        `xml:"-" json:"note,omitempty"`
	LevelID    string        `xml:"levelId" json:"levelId"`
	OldLevelID string        `xml:"levelID" json:"-"` // another spelling
	POSID      string        `xml:"posId" json:"posId"`
	SellerID   string        `xml:"sellerId" json:"sellerId"`

	// What columns of shop systems say, which is stored in other fields.
	Tags         string `xml:"-" json:"-"`
	TotalSpent   string `xml:"-" json:"-"`
	TotalOrders  string `xml:"-" json:"-"`
	AgreedToSMS  string `xml:"-" json:"-"`
	AddressPhone string `xml:"-" json:"-"`
}

type addressRecord struct {
	Street   string `xml:"street" json:"street"`
	Address1 string `xml:"address1" json:"address1"`
	Address2 string `xml:"address2" json:"address2"`
	Postal   string `xml:"postal" json:"postal"`
	City     string `xml:"city" json:"city"`
	Province string `xml:"province" json:"province"`
	Country  string `xml:"country" json:"country"`
}

type companyRecord struct {
	Name string `xml:"name" json:"name"`
	NIP  string `xml:"nip" json:"nip"`
}

type labelRecord struct {
	Key   string `xml:"key" json:"key"`
	Value string `xml:"value" json:"value"`
}

var exampleCustomer = customerRecord{
	Active: "true", Greet: "false", FirstName: "Ida", LastName: "Berg", Gender: "female", BirthDate: "1988-02-29",
	Email: "ida@example.org", Phone: "+4790000001", Locale: "en",
	Address:   addressRecord{Street: "Havnegata", Address1: "4", Postal: "0150", City: "Oslo", Country: "NO"},
	LabelText: "origin:shop", Agreement1: "true",
}

// Identifier returns the e-mail address, the phone or the loyalty card.
func (r *customerRecord) Identifier() string {
	for _, text := range []string{r.Email, r.Phone, r.AddressPhone, r.Card} {
		if text = strings.TrimSpace(text); text != "" {
			return text
		}
	}
	return ""
}

// entry is a record that was read.
type entry struct {
	form  *form.Group // collects the errors
	in    customer.Registration
	greet bool // the customer is sent what they need to log in
	note  string
}

// read reads the record by the rules of a registration by an administrator. Otherwise than there, one name and one
// contact are enough, and no agreement is required.
func (r *customerRecord) read(s *store.Store, now time.Time) (*entry, error) {
	sent := *r
	sent.prepare()
	g, err := dataimport.Form(&sent)
	if err != nil {
		return nil, err
	}
	fields := &reader{Group: g, node: g.Node(), now: now, sent: map[string]bool{}, imported: true}
	in := fields.readFields(s)
	fields.readAssignments(&in.Registration)
	if in.FirstName == "" && in.LastName == "" && !g.Failed("firstName") && !g.Failed("lastName") {
		g.AddError("firstName", form.Blank)
	}
	if in.Email == "" && in.Phone == "" && !g.Failed("email") && !g.Failed("phone") {
		g.AddError("email", form.Blank)
	}
	active, answered := g.YesNo("active")
	greet, _ := g.YesNo("sendActivationMail")
	in.Active, in.PasswordTemporary = active || !answered, true
	return &entry{g, in.Registration, greet, readNote(g)}, g.Err()
}

func readNote(g *form.Group) string { return g.Text("note", form.MaxLength(note.TextLimit)) }

// prepare brings the record into the form of a registration.
func (r *customerRecord) prepare() {
	r.LevelID = cmp.Or(r.LevelID, r.OldLevelID)
	r.settle()
	for _, label := range customer.LabelsOfFile(r.LabelText) {
		r.Labels = append(slices.Clip(r.Labels), labelRecord(label))
	}
}

// complete adds the note of a new customer, and sends what they need to log in, if the file asks for it.
func (e *entry) complete(tx *db.Tx, s *store.Store, of *dataimport.Import, c *customer.Customer) error {
	if e.note != "" {
		if err := note.AddOnce(tx, s.Key, c.ID, e.note, of.CreatedBy.Name); err != nil {
			return err
		}
	}
	if !e.greet {
		return nil
	}
	return feature.React(tx, s, customer.Greeting{Customer: c})
}

// apply registers customers together. In an import that changes existing ones it changes these one by one.
func apply(tx *db.Tx, s *store.Store, of *dataimport.Import, records []dataimport.Record) (
	[]dataimport.Result, error) {
	results := make([]dataimport.Result, len(records))
	newcomers := make([]int, len(records))
	for i := range records {
		newcomers[i] = i
	}
	if of.Options.Existing == dataimport.Update {
		var err error
		if newcomers, err = changeExisting(tx, s, of, records, results); err != nil {
			return nil, err
		}
	}
	var valid []customer.Registration
	var entries []*entry // the valid ones
	var places []int     // of the valid ones in records
	for _, i := range newcomers {
		e, err := records[i].(*customerRecord).read(s, tx.Now())
		if err == nil {
			valid, entries, places = append(valid, e.in), append(entries, e), append(places, i)
		} else if results[i], err = dataimport.Refuse(err); err != nil {
			return nil, err
		}
	}
	added, refused, err := customer.RegisterAll(tx, s, valid)
	if err != nil {
		return nil, err
	}
	var entered []*customer.Customer
	for n, c := range added {
		i := places[n]
		if c != nil {
			entered, results[i].ID = append(entered, c), c.ID
		} else if results[i], err = dataimport.Refuse(FieldErrors(refused[n], entries[n].form)); err != nil {
			return nil, err
		}
	}
	if len(entered) == 0 {
		return results, nil
	}
	err = feature.React(tx, s, customer.Imported{
		Customers: entered, WithoutPoints: of.Options.WithoutPoints, WithoutWelcome: of.Options.WithoutWelcome,
	})
	if err != nil {
		return nil, err
	}
	for n, c := range added {
		if c == nil {
			continue
		}
		if err := entries[n].complete(tx, s, of, c); err != nil {
			return nil, err
		}
	}
	after, err := customer.FindAll(tx, s.Key, customer.IDs(entered)...) // points may have moved them to another level
	if err != nil {
		return nil, err
	}
	for n, c := range added {
		if c != nil {
			results[places[n]].Version = after[c.ID].Version
		}
	}
	return results, nil
}
