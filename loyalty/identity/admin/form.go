package admin

import (
	"strconv"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/password"
)

// Maximum lengths of texts, in characters.
const (
	nameLimit  = 255
	phoneLimit = 64
)

func readPerson(g *form.Group) Data {
	return Data{
		Email:     g.Key("email", form.NotBlank, form.MaxLength(nameLimit), form.Email),
		FirstName: g.Text("firstName", form.MaxLength(nameLimit)),
		LastName:  g.Text("lastName", form.MaxLength(nameLimit)),
		Phone:     g.Key("phone", form.MaxLength(phoneLimit), form.Phone),
	}
}

// describeChange describes the form of a change, with all fields that a caller with all rights may change.
func describeChange(g *form.Group) {
	readChange(g, &Administrator{}, &access.Caller{Role: access.Administrator, Master: true})
	readKey(g) // of an integration
	readStoreRoles(g)
}

// describeNew describes the form of a new administrator.
func describeNew(g *form.Group) {
	readNew(g)
	readStoreRoles(g)
}

// describeOwnChange describes the form of a change of one's own names and contact.
func describeOwnChange(g *form.Group) {
	readChange(g, &Administrator{}, &access.Caller{Role: access.Administrator})
}

// readNew reads an integration with a key, or a person with a password.
func readNew(g *form.Group) (in Data, plain string) {
	in = readPerson(g)
	if g.Checkbox("external") {
		g.Ignore("plainPassword")
		in.APIKey = readKey(g)
	} else {
		plain = ReadPassword(g, form.NotBlank)
		g.Ignore("apiKey")
	}
	readRights(g, &in)
	return in, plain
}

func readAdded(_ *api.Call, g *form.Group) (in sent, err error) {
	in.Data, in.plain = readNew(g)
	return in, nil
}

// ReadInvited reads a person who will choose a password.
func ReadInvited(g *form.Group) Data {
	in := readPerson(g)
	readRoles(g, &in)
	return in
}

// DescribeInvited describes the fields of ReadInvited.
func DescribeInvited(g *form.Group) {
	ReadInvited(g)
	readStoreRoles(g)
}

// readChange reads the fields that the caller may change. Callers who change their own data stay active unless they
// send isActive.
func readChange(g *form.Group, of *Administrator, by *access.Caller) (in Data, plain string) {
	in = readPerson(g)
	g.Ignore("external") // fixed at creation
	if of.External {
		g.Ignore("plainPassword")
	} else {
		plain = ReadPassword(g)
	}
	if !by.Allowed(access.Admin, access.Modify) {
		g.Ignore("apiKey", "isActive", "roles", "notificationsEnabled")
		return in, plain
	}
	if of.External {
		in.APIKey = readKey(g)
	} else {
		g.Ignore("apiKey")
	}
	readRights(g, &in)
	if of.ID == by.ID && !g.Submitted("isActive") {
		in.Active = of.Active
	}
	return in, plain
}

// ReadPassword reads a password, and checks that it is strong enough.
func ReadPassword(g *form.Group, rules ...form.Rule) string {
	plain := g.Verbatim("plainPassword", rules...)
	if plain != "" {
		for _, problem := range password.Problems(plain, false) {
			g.AddError("plainPassword", problem)
		}
	}
	return plain
}

// readKey reads a key. Keys are sent in headers, so they have visible characters only.
func readKey(g *form.Group) string {
	key := g.Text("apiKey", form.MaxLength(nameLimit), form.Matches(form.Invalid("not_printable"), isVisible))
	if key != "" && len(key) < MinAPIKey {
		g.AddError("apiKey", ErrShortKey)
	}
	return key
}

func isVisible(text string) bool {
	for i := range len(text) {
		if text[i] <= ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

func readRights(g *form.Group, in *Data) {
	in.Active = g.Checkbox("isActive")
	readRoles(g, in)
}

// readRoles reads the roles and the other switch. There can be one role in all stores; none means the default role,
// unless there are roles in stores.
func readRoles(g *form.Group, in *Data) {
	roles := g.Texts("roles")
	if len(roles) > 0 {
		id, err := strconv.ParseInt(roles[0], 10, 64)
		if in.RoleID = id; err != nil || id < 1 || len(roles) > 1 {
			g.AddError("roles", errRole)
		}
	}
	in.NotificationsEnabled = g.Checkbox("notificationsEnabled")
	in.KeepStoreRoles = !g.Submitted("storeRoles") // older clients neither send them nor know errors of them
	if !in.KeepStoreRoles {
		in.StoreRoles = readStoreRoles(g)
		if len(in.StoreRoles) == 0 && in.RoleID == 0 { // nobody gets the default role in all stores by taking theirs away
			g.AddError("roles", form.Blank)
		}
	}
}

func readStoreRoles(g *form.Group) (all []RoleIn) {
	for _, entry := range g.Groups("storeRoles") {
		all = append(all, RoleIn{
			StoreID: entry.UUID("store", form.NotBlank), RoleID: entry.Integer("role", form.NotBlank),
		})
	}
	return all
}

var (
	errRole       = form.Invalid("unknown_role")
	errOwnAccount = fault.New(fault.Fields, "own_account", "Administrators cannot deactivate themselves.")
	errOwnRole    = fault.New(fault.Fields, "own_role", "Administrators cannot change their own role.")
)

// AddTo adds errors to the refused fields of a form.
func (r *Refused) AddTo(g *form.Group) {
	for _, problem := range []struct {
		is    bool
		field string
		err   *fault.Error
	}{
		{r.EmailTaken, "email", form.AlreadyUsed},
		{r.KeyTaken, "apiKey", form.AlreadyUsed},
		{r.RoleUnknown, "roles", errRole},
		{r.StoreRoles, "storeRoles", errStoreRoles},
		{r.BothRoles, "roles", errBothRoles},
		{r.Elsewhere, "storeRoles", errElsewhere},
		{r.OwnSwitch, "isActive", errOwnAccount},
		{r.OwnRole, "roles", errOwnRole},
	} {
		if problem.is {
			g.AddError(problem.field, problem.err)
		}
	}
}
