package customer

import (
	"errors"
	"time"

	"punchcard/access"
	"punchcard/api"
	"punchcard/level"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/password"
	"punchcard/points"
	"punchcard/store"
)

// Endpoints are those of program-api group B that exist so far.
func Endpoints() []api.Endpoint {
	view := access.AdministratorWith(access.Customers, access.View)
	modify := access.AdministratorWith(access.Customers, access.Modify)
	self := access.Only(access.Customer)
	return []api.Endpoint{
		{Method: "POST", Path: "/api/{storeCode}/admin/customer/register", Access: modify, Handle: register},
		{Method: "POST", Path: "/api/{storeCode}/customer/register", Access: modify, Handle: register},
		{Method: "POST", Path: "/api/{storeCode}/customer/self_register", Access: access.Public(), Handle: selfRegister},
		{Method: "POST", Path: "/api/{storeCode}/admin/customer/{customer}/activate", Access: modify, Handle: activate},
		{Method: "POST", Path: "/api/{storeCode}/admin/customer/{customer}/deactivate", Access: modify, Handle: deactivate},
		{Method: "GET", Path: "/api/{storeCode}/admin/customer", Access: view, Handle: list},
		{Method: "GET", Path: "/api/{storeCode}/customer", Access: view.And(access.Seller), Handle: list},
		{Method: "GET", Path: "/api/{storeCode}/customer/{customer}", Access: view.And(access.Seller, access.Customer),
			Handle: get},
		{Method: "GET", Path: "/api/{storeCode}/admin/customer/{customer}/status", Access: view, Handle: getBalance},
		{Method: "GET", Path: "/api/{storeCode}/customer/customer/{customer}/status", Access: self, Handle: getBalance},
		{Method: "GET", Path: "/api/{storeCode}/customer/{customer}/status", Access: self, Handle: getBalance},
		{Method: "GET", Path: "/api/{storeCode}/seller/customer/{customer}/status", Access: access.Only(access.Seller),
			Handle: getBalance},
	}
}

// Of reads the customer that the path names. A customer reaches himself only.
func Of(c *api.Call, tx *db.Tx) (*Customer, error) {
	named := c.PathValue("customer")
	if c.Caller.Role == access.Customer && named != c.Caller.ID {
		return nil, fault.ErrForbidden
	}
	return FindByPath(tx, c.Store.Key, named, form.IsUUID(named))
}

func activate(c *api.Call) error   { return changeStatus(c, Activate) }
func deactivate(c *api.Call) error { return changeStatus(c, Deactivate) }

func changeStatus(c *api.Call, change func(tx *db.Tx, s *store.Store, id string) error) error {
	err := c.Write(func(tx *db.Tx) error {
		found, err := Of(c, tx)
		if err != nil {
			return err
		}
		return change(tx, c.Store, found.ID)
	})
	if err != nil {
		return err
	}
	return c.Done()
}

// register adds a customer by an administrator: active at once, with a password that the system sends.
func register(c *api.Call) error {
	group, in, err := readRegistration(c)
	if err != nil {
		return err
	}
	in.LevelID = group.UUID("levelId")
	in.Active, in.PasswordTemporary = true, true
	return finish(c, group, in)
}

// selfRegister adds a customer who chose his own password.
func selfRegister(c *api.Call) error {
	group, in, err := readRegistration(c)
	if err != nil {
		return err
	}
	plain := group.Verbatim("plainPassword", form.NotBlank, form.MaxLength(password.MaxBytes))
	if plain != "" {
		for _, problem := range password.Problems(plain, false) {
			group.AddError("plainPassword", problem)
		}
	}
	in.Active = !c.Store.Settings.AccountActivationNeeded
	if group.Err() == nil {
		if in.PasswordHash, err = password.Hash(c.Context(), plain); err != nil {
			return err
		}
	}
	return finish(c, group, in)
}

func finish(c *api.Call, group *form.Group, in Registration) error {
	if err := group.Err(); err != nil {
		return err
	}
	var added *Customer
	err := c.Write(func(tx *db.Tx) (err error) {
		added, err = Register(tx, c.Store, in)
		return err
	})
	var taken *Taken
	if errors.As(err, &taken) {
		return taken.fieldErrors(group)
	}
	if err != nil {
		return err
	}
	answer := struct {
		CustomerID string  `json:"customerId"`
		Email      *string `json:"email"`
	}{CustomerID: added.ID}
	if added.Email != "" {
		answer.Email = &added.Email
	}
	return c.OK(answer)
}

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
	} {
		if problem.is {
			group.AddError(problem.field, problem.message)
		}
	}
	return group.Err()
}

// list implements B10. q searches names, e-mail addresses, phones and cards by the beginnings of words;
// the best match comes first.
func list(c *api.Call) error {
	asked, err := c.Asked()
	if err != nil {
		return err
	}
	answer := struct {
		Customers []detail `json:"customers"`
		Total     int64    `json:"total"`
	}{Customers: []detail{}}
	err = c.Read(func(tx *db.Tx) error {
		levels, err := level.All(tx, c.Store.Key)
		if err != nil {
			return err
		}
		var found []Customer
		if words := asked.Query.Child("q").Text(); words != "" {
			found, answer.Total, err = matching(tx, c.Store.Key, words, asked.Limit, asked.Offset)
		} else {
			for _, l := range levels { // every customer is in exactly one level
				answer.Total += l.Customers
			}
			found, err = page(tx, c.Store.Key, asked.OrderBy(sortable, "customer_id"), asked.Limit, asked.Offset)
		}
		for i := range found {
			answer.Customers = append(answer.Customers, detailOf(c.Store, levels, asked.Locale, &found[i]))
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(answer)
}

func get(c *api.Call) error {
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	var answer detail
	err = c.Read(func(tx *db.Tx) error {
		found, err := Of(c, tx)
		if err != nil {
			return err
		}
		levels, err := level.All(tx, c.Store.Key)
		answer = detailOf(c.Store, levels, locale, found)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(answer)
}

func getBalance(c *api.Call) error {
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	var answer balance
	err = c.Read(func(tx *db.Tx) error {
		found, err := Of(c, tx)
		if err != nil {
			return err
		}
		levels, err := level.All(tx, c.Store.Key)
		if err != nil {
			return err
		}
		account, err := points.Balance(tx, c.Store, found.ID)
		if err != nil {
			return err
		}
		expiring, err := points.WillExpire(tx, c.Store, found.ID)
		answer = balanceOf(c.Store, levels, locale, found, account, expiring)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(answer)
}

func readRegistration(c *api.Call) (*form.Group, Registration, error) {
	body, err := c.Body()
	if err != nil {
		return nil, Registration{}, err
	}
	g := form.Read(body.Child("customer"))
	zone := c.Store.Zone
	var in Registration
	in.FirstName = g.Text("firstName", form.NotBlank, form.MaxLength(255))
	in.LastName = g.Text("lastName", form.NotBlank, form.MaxLength(255))
	emailRules, phoneRules := []form.Rule{form.NotBlank}, []form.Rule{}
	if c.Store.Settings.CommunicationMethod == "sms" {
		emailRules, phoneRules = phoneRules, emailRules
	}
	in.Email = g.Text("email", append(emailRules, form.MaxLength(255), emailRule)...)
	in.Phone = g.Text("phone", append(phoneRules, form.MaxLength(64), phoneRule)...)
	in.Gender = g.Choice("gender", Genders)
	if born := g.Date("birthDate"); !born.IsZero() {
		in.BirthDate = born.Format(time.DateOnly)
	}
	in.CreatedAt = g.DateTime("createdAt", zone)
	in.LoyaltyCard = g.Text("loyaltyCardNumber", form.MaxLength(255))
	in.Address = readAddress(g.Group("address"))
	in.Company = readCompany(g)
	in.Labels = ParseLabels(g.Text("labels", form.MaxLength(65_535)))
	for i, name := range []string{"agreement1", "agreement2", "agreement3"} {
		in.Agreements[i] = g.Checkbox(name)
	}
	if !in.Agreements[0] {
		g.AddError("agreement1", form.Blank)
	}
	return g, in, nil
}

func readAddress(g *form.Group) Address {
	part := func(name string) string { return g.Text(name, form.MaxLength(255)) }
	return Address{
		Street: part("street"), Address1: part("address1"), Address2: part("address2"), Postal: part("postal"),
		City: part("city"), Province: part("province"), Country: part("country"),
	}
}

func readCompany(g *form.Group) Company {
	company := g.Group("company")
	c := Company{Name: company.Text("name", form.MaxLength(255)), NIP: company.Text("nip", form.MaxLength(255))}
	if c.Name == "" && c.NIP != "" {
		company.AddError("name", form.Blank)
	}
	if c.Name != "" && c.NIP == "" {
		company.AddError("nip", form.Blank)
	}
	return c
}
