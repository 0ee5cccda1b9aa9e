package seller

import (
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/password"
)

// Endpoints manage sellers: docs/behaviour/sellers.md.
func Endpoints() []api.Endpoint {
	view := access.AdministratorWith(access.Sellers, access.View)
	modify := access.AdministratorWith(access.Sellers, access.Modify)
	return []api.Endpoint{
		{Method: "GET", Path: "/api/{storeCode}/seller", Access: view, Summary: "List sellers",
			Do: api.Read(api.InList(sortable.Columns, api.Filters(readFilter)), listSellers)},
		{Method: "POST", Path: "/api/{storeCode}/seller/register", Access: modify.WithoutKeys(), Factor: api.Always,
			Do: api.Write(hashed(form.NotBlank), register), Summary: "Register a seller",
			Audit: api.Audited("RegisterSeller", "seller"), Secrets: []string{"password"}},
		{Method: "GET", Path: "/api/{storeCode}/seller/{seller}", Access: view.And(access.Seller), Do: api.Show(getSeller),
			Summary: "Show a seller"},
		{Method: "GET", Path: "/api/{storeCode}/seller/me", Access: access.Only(access.Seller).WithPIN(),
			Do: api.Show(getSelf), Summary: "Show the calling seller"},
		{Method: "PUT", Path: "/api/{storeCode}/seller/{seller}", Access: modify, Factor: api.Always,
			Do:      api.WriteTo(findSeller, api.Prepared(hashed(), checkKey), changeSeller),
			Summary: "Replace the data of a seller; a blank password keeps the present one",
			Audit:   api.Audited("UpdateSeller", "seller")},
		{Method: "POST", Path: "/api/{storeCode}/seller/{seller}/activate", Access: modify, Factor: api.Always,
			Do: api.Act(activate), Summary: "Let a seller log in", Audit: api.Audited("ActivateSeller", "seller")},
		{Method: "POST", Path: "/api/{storeCode}/seller/{seller}/deactivate", Access: modify, Factor: api.Restricts,
			Do: after(api.Nothing{}, deactivate), Summary: "Let a seller log in no more",
			Audit: api.Audited("DeactivateSeller", "seller")},
		{Method: "POST", Path: "/api/{storeCode}/seller/{seller}/delete", Access: modify, Factor: api.Restricts,
			Do: after(api.Nothing{}, Delete), Summary: "Delete a seller", Audit: api.Audited("DeleteSeller", "seller")},
		{Method: "DELETE", Path: "/api/{storeCode}/seller/{seller}", Access: modify, Factor: api.Restricts,
			Do: after(api.NoContent{}, Delete), Summary: "Delete a seller",
			Audit: api.Audited("DeleteSeller", "seller")},
	}
}

type viewList struct {
	Sellers []sellerView `json:"sellers"`
	Total   int          `json:"total"`
}

type identity struct {
	SellerID string `json:"sellerId"`
}

type registered struct {
	SellerID string `json:"sellerId"`
	Password string `json:"password"`
	Email    string `json:"email"`
}

type sellerView struct {
	SellerID           string `json:"sellerId"`
	Name               string `json:"name"`
	FirstName          string `json:"firstName"`
	LastName           string `json:"lastName"`
	Email              string `json:"email"`
	Phone              string `json:"phone,omitempty"`
	POSID              string `json:"posId,omitempty"`
	POSName            string `json:"posName,omitempty"`
	POSCity            string `json:"posCity,omitempty"`
	Active             bool   `json:"active"`
	Deleted            bool   `json:"deleted"`
	AllowPointTransfer bool   `json:"allowPointTransfer"`
	AllowCouponUse     bool   `json:"allowCouponUse"`
	AllowCouponLookup  bool   `json:"allowCouponLookup"`
	AllowTransactions  bool   `json:"allowTransactions"`
	AllowCouponCancel  bool   `json:"allowCouponCancel"`
}

// views returns sellers of one store with their points of sale.
func views(tx *db.Tx, storeKey int64, sellers ...Seller) ([]sellerView, error) {
	var tills []string
	for _, s := range sellers {
		if s.POSID != "" {
			tills = append(tills, s.POSID)
		}
	}
	places, err := pos.FindAll(tx, storeKey, tills...)
	all := make([]sellerView, len(sellers))
	for i, s := range sellers {
		all[i] = sellerView{
			SellerID: s.ID, Name: strings.TrimSpace(s.FirstName + " " + s.LastName), FirstName: s.FirstName,
			LastName: s.LastName, Email: s.Email, Phone: s.Phone, POSID: s.POSID,
			Active: s.Active, Deleted: s.Deleted, AllowPointTransfer: s.AllowPointTransfer,
			AllowCouponUse: s.AllowCouponUse, AllowCouponLookup: s.AllowCouponLookup, AllowTransactions: s.AllowTransactions,
			AllowCouponCancel: s.AllowCouponCancel,
		}
		if p := places[s.POSID]; p != nil {
			all[i].POSName, all[i].POSCity = p.Name, p.Location.City
		}
	}
	return all, err
}

func listSellers(r *api.Reading, request api.ListRequest) (response viewList, err error) {
	wanted := readFilter(request.Query)
	var page []Seller
	err = eachOf(r.Tx, r.Store.Key, request.OrderBy(sortable), func(s Seller) {
		if !wanted.matches(&s) {
			return
		}
		if response.Total >= request.Offset && len(page) < request.Limit {
			page = append(page, s)
		}
		response.Total++
	})
	if err != nil {
		return response, err
	}
	response.Sellers, err = views(r.Tx, r.Store.Key, page...)
	return response, err
}

// filter selects sellers of the list. Its texts are folded; an empty text matches every seller.
type filter struct {
	firstName, lastName, phone, email string
	strict                            bool // compare whole values instead of substrings
}

func readFilter(query *form.Node) filter {
	text := func(name string) string { return fold(query.Child(name).Text()) }
	strict, _ := form.ParseBool(query.Child("strict").Text())
	return filter{text("firstName"), text("lastName"), text("phone"), text("email"), strict}
}

func (f *filter) matches(s *Seller) bool {
	for _, pair := range [...][2]string{
		{s.FirstName, f.firstName}, {s.LastName, f.lastName}, {s.Phone, f.phone}, {s.Email, f.email},
	} {
		value, wanted := fold(pair[0]), pair[1]
		if !strings.Contains(value, wanted) || f.strict && wanted != "" && value != wanted {
			return false
		}
	}
	return true
}

func getSeller(r *api.Reading) (sellerView, error) {
	id := r.PathID("seller")
	if r.Caller.Role == access.Seller && id != r.Caller.ID {
		return sellerView{}, fault.ErrForbidden
	}
	return showSeller(r, id)
}

func getSelf(r *api.Reading) (sellerView, error) { return showSeller(r, r.Caller.ID) }

func showSeller(r *api.Reading, id string) (sellerView, error) {
	s, err := findOne(r.Tx, r.Store.Key, id)
	if err != nil {
		return sellerView{}, err
	}
	all, err := views(r.Tx, r.Store.Key, s)
	return all[0], err
}

func findOne(tx *db.Tx, storeKey int64, id string) (Seller, error) {
	s, found, err := FindByID(tx, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return s, err
}

// register responds without the password, whose member is always empty.
func register(w *api.Writing, in New) (registered, error) {
	added, err := Create(w.Tx, w.Store.Key, in)
	w.Entry().SetEntity(added.ID)
	if err == nil {
		err = w.RefuseFields(func(g *form.Group) { permitRights(w.Caller, g, &Rights{}, &added.Rights) })
	}
	if err == nil {
		err = added.CheckOpens(w.Caller)
	}
	return registered{SellerID: added.ID, Email: added.Email}, err
}

func findSeller(w *api.Writing) (Seller, error) {
	return findOne(w.Tx, w.Store.Key, w.PathValue("seller"))
}

func changeSeller(w *api.Writing, of Seller, in New) (identity, error) {
	before, after, err := replace(w, of.ID, in)
	if err == nil && before.Email != after.Email && w.Caller.Key != nil {
		err = fault.ErrForbidden
	}
	if err == nil {
		err = w.RefuseFields(func(g *form.Group) {
			if permitRights(w.Caller, g, &before.Rights, &after.Rights); g.Err() == nil {
				permitLogIn(w.Caller, g, &before, &after)
			}
		})
	}
	if err == nil {
		err = feature.React(w.Tx, w.Store, Changed{&before, &after})
	}
	return identity{w.PathValue("seller")}, err
}

// replace changes a seller, and ends the sessions that must end.
func replace(w *api.Writing, id string, in New) (before, after Seller, err error) {
	if _, err = store.Lock(w.Tx, w.Store.Key); err != nil {
		return before, after, err
	}
	if before, _, err = FindByID(w.Tx, w.Store.Key, id); err != nil {
		return before, after, err
	}
	ended, err := Change(w.Tx, w.Store.Key, id, in)
	if err == nil && ended {
		err = endSessions(w, id)
	}
	if err == nil {
		after, _, err = FindByID(w.Tx, w.Store.Key, id)
	}
	return before, after, err
}

func endSessions(w *api.Writing, id string) error {
	return feature.React(w.Tx, w.Store, access.SessionsEnded{UserID: id, Links: true})
}

func activate(w *api.Writing) (api.Nothing, error) {
	s, err := FindToOpen(w.Tx, w.Caller, w.Store.Key, w.PathValue("seller"))
	if err != nil {
		return api.Nothing{}, err
	}
	return api.Nothing{}, Activate(w.Tx, w.Store.Key, s.ID, true)
}

func deactivate(tx *db.Tx, storeKey int64, id string) error { return Activate(tx, storeKey, id, false) }

// after runs a function, ends the sessions of the seller of the path, and responds.
func after[Out any](out Out, run func(tx *db.Tx, storeKey int64, id string) error) api.Operation {
	return api.Act(func(w *api.Writing) (Out, error) {
		id := w.PathValue("seller")
		if err := run(w.Tx, w.Store.Key, id); err != nil {
			return out, err
		}
		return out, endSessions(w, id)
	})
}

const nameLimit = 255 // characters

// sent is a form with a new password.
type sent struct {
	New
	plain string
}

// hashed reads a form and hashes the password, which takes too long for a transaction.
func hashed(passwordRules ...form.Rule) api.Input[New] {
	return api.Prepared(api.Body("seller", func(g *form.Group) (in sent) {
		in.New, in.plain = readForm(g, passwordRules...)
		return in
	}), func(c *api.Call, in sent) (_ New, err error) {
		if in.plain != "" {
			in.PasswordHash, err = password.Hash(c.ClientContext(), in.plain)
		}
		return in.New, err
	})
}

// checkKey refuses a new password by an API key, which changes no log-ins.
func checkKey(c *api.Call, in New) (New, error) {
	if in.PasswordHash != "" && c.Caller.Key != nil {
		return in, fault.ErrForbidden
	}
	return in, nil
}

func readForm(g *form.Group, passwordRules ...form.Rule) (in New, plain string) {
	in.FirstName = g.Text("firstName", form.NotBlank, form.MaxLength(nameLimit))
	in.LastName = g.Text("lastName", form.NotBlank, form.MaxLength(nameLimit))
	in.Email = g.Key("email", form.NotBlank, form.MaxLength(nameLimit), form.Email)
	if plain = g.Verbatim("plainPassword", passwordRules...); plain != "" {
		for _, problem := range password.Problems(plain, false) {
			g.AddError("plainPassword", problem)
		}
	}
	in.POSID = g.UUID("posId", form.NotBlank)
	in.Phone = g.Key("phone", form.MaxLength(64), form.Phone)
	in.Active, in.AllowPointTransfer = g.Checkbox("active"), g.Checkbox("allowPointTransfer")
	in.AllowCouponUse, in.AllowCouponLookup = sentSwitch(g, "allowCouponUse"), sentSwitch(g, "allowCouponLookup")
	in.AllowTransactions = sentSwitch(g, "allowTransactions")
	in.AllowCouponCancel = sentSwitch(g, "allowCouponCancel")
	return in, plain
}

// sentSwitch reads a switch that older clients do not send; nil if it was not sent.
func sentSwitch(g *form.Group, name string) *bool {
	if on := g.Checkbox(name); g.Submitted(name) {
		return &on
	}
	return nil
}

// AddTo adds errors to the refused fields of a form.
func (r *Refused) AddTo(g *form.Group) {
	if r.EmailTaken {
		g.AddError("email", form.AlreadyUsed)
	}
	if r.POSUnknown {
		g.AddError("posId", form.Invalid("unknown_point_of_sale"))
	}
}
