package sso_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/auth/authtest"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/identity/sso"
	"punchcard/loyalty/identity/sso/ssotest"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/outbound"
)

// shop is a site with the stores DEFAULT and NORTH. The provider signs users of NORTH in; its editor has a role there
// alone.
type shop struct {
	*authtest.Site
	provider      *ssotest.Provider
	super, editor string // access tokens
	northID       string
	northKey      int64
	square, mall  string // points of sale of NORTH
	providerID    string
}

// The roles that open adds. Clerks have less rights than the editor.
const (
	editorRole int64 = 4
	clerkRole  int64 = 5
)

func eachShop(t *testing.T, run func(t *testing.T, s *shop)) {
	authtest.Each(t, func(a *auth.Auth) []api.Endpoint {
		all := sso.New(sso.Config{
			Auth: a, Base: func() string { return "https://shop.example" }, Timeout: patience,
			Client: outbound.NewClient(outbound.Config{Reach: outbound.Loopback, Agent: "test", Clock: time.Now}),
		}).Endpoints()
		all = append(all, admin.Endpoints()...)
		return append(all, seller.Endpoints()...)
	}, func(t *testing.T, site *authtest.Site) {
		s := &shop{Site: site, provider: ssotest.Start(t, site.Clock.Now), super: site.Administrator("super")}
		s.Write(s.open)
		s.Clock.Advance(time.Minute) // so that the stores are read again
		s.editor = s.Administrator("editor")
		s.providerID = s.save(s.editor, "POST", "", 200, s.fields()...).Member("providerId")
		run(t, s)
	})
}

// open adds the store NORTH with two points of sale, and the editor of its providers.
func (s *shop) open(tx *db.Tx) error {
	north, err := store.Create(tx, store.New{
		Code: "NORTH", Name: "North", Currency: "EUR", Settings: store.DefaultSettings(),
	})
	if err != nil {
		return err
	}
	s.northID, s.northKey = north.ID, north.Key
	for name, id := range map[string]*string{"Square": &s.square, "Mall": &s.mall} {
		at, err := pos.Create(tx, north.Key, pos.Details{Name: name, Identifier: name})
		if err != nil {
			return err
		}
		*id = at.ID
	}
	master := &access.Caller{Role: access.Administrator, Master: true}
	for _, role := range []admin.Role{
		{Name: "Editor", Permissions: map[string][]string{
			access.Security: {access.Modify}, access.Customers: {access.Modify}, access.Sellers: {access.Modify},
			access.Transactions: {access.Modify}, access.RewardCampaigns: {access.Modify},
			access.PointTransfers: {access.View},
		}},
		{Name: "Clerk", Permissions: map[string][]string{access.Customers: {access.View}}},
	} {
		if err := admin.AddRole(tx, master, role); err != nil {
			return err
		}
	}
	hash, err := authtest.Hash()
	if err != nil {
		return err
	}
	_, err = admin.Create(tx, admin.New{
		Username: "editor", PasswordHash: hash, Active: true,
		StoreRoles: []admin.StoreRole{{StoreKey: north.Key, RoleID: editorRole}},
	})
	return err
}

// fields are those of the provider: clerks get their role, and cashiers sell on the square.
func (s *shop) fields(more ...string) []string {
	return append([]string{
		"identityProvider[name]", "North", "identityProvider[issuer]", s.provider.URL,
		"identityProvider[clientId]", ssotest.ClientID, "identityProvider[clientSecret]", ssotest.Secret,
		"identityProvider[enabled]", "1", "identityProvider[grants][0][group]", "clerks",
		"identityProvider[grants][0][roleId]", fmt.Sprint(clerkRole),
		"identityProvider[sellerGrants][0][group]", "cashiers", "identityProvider[sellerGrants][0][posId]", s.square,
	}, more...)
}

func (s *shop) save(token, method, id string, want int, fields ...string) authtest.Answer {
	s.T.Helper()
	got := s.Send(token, method, "/api/NORTH/admin/identity-provider"+id, fields...)
	if got.Status != want {
		s.T.Fatalf("%s of a provider of NORTH: %d %s", method, got.Status, got.Body)
	}
	return got
}

// begin begins a sign-in to an app of NORTH, and returns with what the browser comes back.
func (s *shop) begin(b *browser, n *authtest.Node, app string) url.Values {
	s.T.Helper()
	got := b.post(n, "", "/api/NORTH/session/start", map[string]string{"provider": s.providerID, "app": app})
	if got.Status != 200 {
		s.T.Fatalf("the start: %d %s", got.Status, got.Body)
	}
	return s.provider.Visit(s.T, got.Member("url"))
}

func bodyOf(back url.Values) map[string]string {
	body := map[string]string{}
	for name := range back {
		body[name] = back.Get(name)
	}
	return body
}

// atCockpit and atTill sign the user of the provider in with a browser of its own.
func (s *shop) atCockpit() authtest.Answer {
	s.T.Helper()
	b := newBrowser(s.T)
	return b.post(s.Node, "", "/api/session/finish", bodyOf(s.begin(b, s.Node, "cockpit")))
}

func (s *shop) atTill() authtest.Answer {
	s.T.Helper()
	b := newBrowser(s.T)
	return b.post(s.Node, "", "/api/NORTH/session/finish", bodyOf(s.begin(b, s.Node, "till")))
}

func (s *shop) as(subject string, groups []string, more jwt.MapClaims) {
	claims := jwt.MapClaims{"groups": groups}
	for name, value := range more {
		claims[name] = value
	}
	s.provider.SignIn(subject, claims)
}

// idOf returns the id of the user of an access token.
func idOf(t *testing.T, token string) string {
	t.Helper()
	parsed, _, err := jwt.NewParser().ParseUnverified(token, jwt.MapClaims{})
	if err != nil {
		t.Fatal(err)
	}
	id, _ := parsed.Claims.(jwt.MapClaims)["id"].(string)
	return id
}

// Who edits the providers of a store has the right there, gives only rights that they have, and only in that store.
func TestStoreProviders(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		list := s.Send(s.editor, "GET", "/api/NORTH/admin/identity-provider")
		expect(t, "the list", list, 200, `"roles":[{"roleId":5,"name":"Clerk"},{"roleId":4,"name":"Editor"}]`)
		expect(t, "its address for log-outs", list, 200, `"https://shop.example/api/NORTH/session/logout/`+s.providerID)
		expect(t, "its groups of sellers", list, 200, `"sellerGrants":[{"group":"cashiers","posId":"`+s.square+`"}]`)
		for _, path := range []string{"/api/admin/identity-provider", "/api/DEFAULT/admin/identity-provider"} {
			expect(t, "elsewhere: "+path, s.Send(s.editor, "POST", path, s.fields()...), 403, "")
		}
		for _, path := range []string{"/api/admin/identity-provider/", "/api/DEFAULT/admin/identity-provider/"} {
			expect(t, "found elsewhere: "+path, s.Send(s.super, "GET", path+s.providerID), 404, "")
			expect(t, "removed elsewhere: "+path, s.Send(s.super, "DELETE", path+s.providerID), 404, "")
		}
		for _, bad := range []struct{ field, value, part string }{
			{"[grants][0][roleId]", fmt.Sprint(admin.FullAdmin), "roleId"},
			{"[grants][0][roleId]", fmt.Sprint(admin.SuperAdmin), "roleId"},
			{"[sellerGrants][0][posId]", s.northID, "posId"}, {"[sellerGrants][1][group]", "cashiers", "group"},
			{"[issuer]", "https://10.0.0.1", "not allowed"},
		} {
			got := s.save(s.editor, "PUT", "/"+s.providerID, 400, s.fields("identityProvider"+bad.field, bad.value)...)
			expect(t, bad.field+" "+bad.value, got, 400, bad.part)
		}
		// A role that an editor may not give stays out of their hands when others have given it.
		s.save(s.super, "PUT", "/"+s.providerID, 200,
			s.fields("identityProvider[grants][0][roleId]", fmt.Sprint(admin.FullAdmin))...)
		s.save(s.editor, "PUT", "/"+s.providerID, 400,
			s.fields("identityProvider[grants][0][roleId]", fmt.Sprint(admin.FullAdmin))...)
		s.Send(s.super, "PUT", "/api/admin/acl/role/"+fmt.Sprint(editorRole), "role[name]", "Editor",
			"role[permissions][0][resource]", access.Security, "role[permissions][0][access]", access.Modify,
			"role[permissions][1][resource]", access.Customers, "role[permissions][1][access]", access.View)
		got := s.save(s.editor, "PUT", "/"+s.providerID, 400, s.fields()...)
		expect(t, "sellers without the right to register them", got, 400, "SELLER MODIFY")
		preview := s.Send(s.super, "POST", "/api/NORTH/admin/identity-provider/preview", "provider", s.providerID,
			"groups[]", "cashiers", "groups[]", "clerks")
		expect(t, "the preview", preview, 200, `{"roleId":3,"role":"Full admin","group":"clerks","seller":{"group":`+
			`"cashiers","posId":"`+s.square+`","posName":"Square"}}`)
		expect(t, "removing", s.Send(s.editor, "DELETE", "/api/NORTH/admin/identity-provider/"+s.providerID), 204, "")
	})
}

// A provider of a store signs in accounts that it has made. Their rights end at the store, whatever master says.
func TestStoreAdministrators(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		s.as("anna", []string{"cashiers"}, nil)
		expect(t, "without a group of administrators", s.atCockpit(), 400, "None of your groups")
		s.as("anna", []string{"clerks"}, jwt.MapClaims{"email": "super@example.com", "given_name": "Anna"})
		first := s.atCockpit()
		expect(t, "the first sign-in, with the address of a master", first, 200, "token")
		token := first.Member("token")
		who := s.Send(token, "GET", "/api/me")
		if !strings.Contains(who.Body, `"firstName":"Anna"`) || strings.Contains(who.Body, "super@") ||
			strings.Contains(who.Body, `"master":true`) {
			t.Errorf("signed in as %s", who.Body)
		}
		if again := s.atCockpit(); idOf(t, again.Member("token")) != idOf(t, token) {
			t.Error("the second sign-in is of another account")
		}
		for path, want := range map[string]int{
			"/api/NORTH/seller": 403, "/api/DEFAULT/seller": 403, "/api/admin/acl/role": 403,
			"/api/admin/identity-provider": 403, "/api/me/identities": 200,
		} {
			expect(t, "with the role of a clerk: "+path, s.Send(token, "GET", path), want, "")
		}
		s.save(s.editor, "PUT", "/"+s.providerID, 200,
			s.fields("identityProvider[grants][0][roleId]", fmt.Sprint(editorRole))...)
		s.atCockpit()
		expect(t, "with another role", s.Send(token, "GET", "/api/NORTH/seller"), 200, "")
		expect(t, "in another store", s.Send(token, "GET", "/api/DEFAULT/seller"), 403, "")

		path := "/api/admin/data/" + idOf(t, token)
		for name, roles := range map[string][]string{
			"a role in all stores":    {"admin[roles][]", "1", "admin[storeRoles]", ""},
			"the default role":        {"admin[roles][]", "2"},
			"a role in another store": {"admin[storeRoles][0][store]", s.defaultID(), "admin[storeRoles][0][role]", "5"},
		} {
			got := s.Send(s.super, "PUT", path, append(roles, "admin[email]", "anna@example.org", "admin[isActive]", "1")...)
			expect(t, name, got, 400, "a role in that store alone")
		}
		b := newBrowser(t)
		office := s.office()
		back := s.provider.Visit(t, b.post(s.Node, token, "/api/me/identities/start",
			map[string]string{"provider": office}).Member("url"))
		expect(t, "a link with the provider of the installation",
			b.post(s.Node, token, "/api/me/identities", bodyOf(back)), 400, "made this account")
		s.as("anna", nil, nil)
		expect(t, "having left", s.atCockpit(), 400, "None of your groups")
	})
}

func (s *shop) defaultID() (id string) {
	s.Write(func(tx *db.Tx) error {
		of, _, err := store.ByCode(tx, store.DefaultCode)
		id = of.ID
		return err
	})
	return id
}

// office adds the same provider to the installation, where clerks get all rights but security, and returns its id.
func (s *shop) office() string {
	s.T.Helper()
	got := s.Send(s.super, "POST", "/api/admin/identity-provider", s.fields(
		"identityProvider[grants][0][roleId]", fmt.Sprint(admin.FullAdmin))...)
	if got.Status != 200 {
		s.T.Fatalf("a provider of the installation: %d %s", got.Status, got.Body)
	}
	return got.Member("providerId")
}

// The provider of a store never speaks for what the installation, another store or another app knows of a user.
func TestStoreProvidersStayApart(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		const refused = "expired, was already used, or began in another browser"
		s.as("boss", []string{"clerks", "cashiers"}, jwt.MapClaims{"email": "boss@example.org"})
		office := s.office()
		b := newBrowser(t)
		back := s.provider.Visit(t, b.post(s.Node, s.super, "/api/me/identities/start",
			map[string]string{"provider": office}).Member("url"))
		expect(t, "the master's link", b.post(s.Node, s.super, "/api/me/identities", bodyOf(back)), 204, "")
		got := s.atCockpit()
		expect(t, "the master's subject at the provider of the store", got, 200, "token")
		if id := idOf(t, got.Member("token")); id == idOf(t, s.super) {
			t.Error("a provider of a store has signed the master in")
		}
		expect(t, "outside of the store", s.Send(got.Member("token"), "GET", "/api/admin/acl/role"), 403, "")
		seller := s.atTill()
		expect(t, "the same subject at the till", seller, 200, "token")
		expect(t, "a seller in the cockpit", s.Send(seller.Member("token"), "GET", "/api/admin/acl/role"), 403, "")

		start := map[string]string{"provider": s.providerID, "app": "till"}
		expect(t, "at another store", b.post(s.Node, "", "/api/DEFAULT/session/start", start), 404, "")
		expect(t, "at the installation", b.post(s.Node, "", "/api/session/start", start), 404, "")
		start["provider"] = office
		expect(t, "that of the installation at the store", b.post(s.Node, "", "/api/NORTH/session/start", start), 404, "")
		back = s.begin(b, s.Node, "till")
		expect(t, "ended at another store", b.post(s.Node, "", "/api/DEFAULT/session/finish", bodyOf(back)), 400, refused)
		expect(t, "ended in the cockpit", b.post(s.Node, "", "/api/session/finish", bodyOf(back)), 400, refused)
		expect(t, "ended at its till", b.post(s.Node, "", "/api/NORTH/session/finish", bodyOf(back)), 200, "token")
		back = s.begin(b, s.Node, "cockpit")
		expect(t, "of the cockpit, ended at the till", b.post(s.Node, "", "/api/NORTH/session/finish", bodyOf(back)), 400,
			refused)
		logout := s.provider.LogoutToken(t, jwt.MapClaims{"sub": "boss"})
		expect(t, "a log-out at another store", s.Send("", "POST", "/api/DEFAULT/session/logout/"+s.providerID,
			"logout_token", logout), 404, "")
		expect(t, "a log-out", s.Send("", "POST", "/api/NORTH/session/logout/"+s.providerID, "logout_token", logout),
			200, "")
		expect(t, "the master goes on", s.Send(s.super, "GET", "/api/me"), 200, "")
		expect(t, "the clerk does not", s.Send(got.Member("token"), "GET", "/api/me"), 401, "")
		expect(t, "nor the seller", s.Send(seller.Member("token"), "GET", "/api/NORTH/seller/me"), 401, "")
	})
}

// Groups give roles in stores by a provider of the installation, unless one gives a role in all stores.
func TestStoreGrants(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		fields := []string{
			"identityProvider[grants][0][group]", "managers", "identityProvider[grants][0][roleId]", "3",
			"identityProvider[storeGrants][0][group]", "north", "identityProvider[storeGrants][0][storeId]", s.northID,
			"identityProvider[storeGrants][0][roleId]", "4",
			"identityProvider[storeGrants][1][group]", "everyone", "identityProvider[storeGrants][1][storeId]", s.northID,
			"identityProvider[storeGrants][1][roleId]", "5",
			"identityProvider[storeGrants][2][group]", "everyone",
			"identityProvider[storeGrants][2][storeId]", s.defaultID(), "identityProvider[storeGrants][2][roleId]", "5",
		}
		office := s.Send(s.super, "POST", "/api/admin/identity-provider", s.fields(fields...)...)
		expect(t, "the provider", office, 200, `"storeGrants":[{"group":"north","storeId":"`+s.northID+`","roleId":4}`)
		for _, bad := range [][2]string{
			{"[storeGrants][0][roleId]", "1"}, {"[storeGrants][0][storeId]", s.square}, {"[storeGrants][1][group]", "north"},
		} {
			expect(t, bad[0]+" "+bad[1], s.Send(s.super, "POST", "/api/admin/identity-provider",
				s.fields(append(fields, "identityProvider"+bad[0], bad[1])...)...), 400, "not valid")
		}
		id := office.Member("providerId")
		preview := s.Send(s.super, "POST", "/api/admin/identity-provider/preview", "provider", id, "groups[]", "north",
			"groups[]", "everyone")
		expect(t, "the preview", preview, 200, `{"stores":[{"storeId":"`+s.northID+`","store":"North","roleId":4,`+
			`"role":"Editor","group":"north"},{"storeId":"`+s.defaultID()+`","store":"Default store","roleId":5,`+
			`"role":"Clerk","group":"everyone"}]}`)
		reaches := func(groups ...string) (north, south, all int) {
			t.Helper()
			s.as("eva", groups, nil)
			token := s.inOffice(id)
			return s.Send(token, "GET", "/api/NORTH/seller").Status, s.Send(token, "GET", "/api/DEFAULT/seller").Status,
				s.Send(token, "GET", "/api/admin/acl/role").Status
		}
		for _, c := range []struct {
			groups            []string
			north, south, all int
		}{
			{[]string{"north"}, 200, 403, 403}, {[]string{"everyone"}, 403, 403, 403},
			{[]string{"managers", "north"}, 200, 200, 200}, {[]string{"everyone", "north"}, 200, 403, 403},
		} {
			if north, south, all := reaches(c.groups...); north != c.north || south != c.south || all != c.all {
				t.Errorf("with %v: %d %d %d, want %d %d %d", c.groups, north, south, all, c.north, c.south, c.all)
			}
		}
	})
}

// inOffice signs the user in at a provider of the installation, and returns the access token.
func (s *shop) inOffice(providerID string) string {
	s.T.Helper()
	b := newBrowser(s.T)
	begun := b.post(s.Node, "", "/api/session/start", map[string]string{"provider": providerID})
	got := b.post(s.Node, "", "/api/session/finish", bodyOf(s.provider.Visit(s.T, begun.Member("url"))))
	expect(s.T, "a sign-in at the installation", got, 200, "token")
	return got.Member("token")
}
