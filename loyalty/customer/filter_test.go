package customer

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// crowd registers customers whose first names stand for them: Ida bought for 100 in 3 purchases, the last one two
// days ago; Ole for 50 in one, 40 days ago; Olga and gone nothing. Ole is in a level set by hand.
func (s *shop) crowd() {
	s.Helper()
	for _, who := range []struct {
		in        Registration
		purchases Purchases
	}{
		{Registration{FirstName: "Ida", LastName: "Łukasik", Email: "ida@example.com", Phone: "+48601234567",
			LoyaltyCard: "NO-77%", Address: Address{City: "Oslo", Postal: "0150"}},
			Purchases{Count: 3, Amount: decimal.Whole(100).Money(), LastAt: now.AddDate(0, 0, -2)}},
		{Registration{FirstName: "Ole", LastName: "Vik", Email: "ole_vik@example.com", Phone: "999", LevelID: s.gold,
			Address: Address{City: "Ålesund", Postal: "6002"}},
			Purchases{Count: 1, Amount: decimal.Whole(50).Money(), LastAt: now.AddDate(0, 0, -40)}},
		{Registration{FirstName: "Olga", LastName: "Vik", Email: "olga@example.com", LoyaltyCard: `B\1`}, Purchases{}},
		{Registration{FirstName: "gone", LastName: "Vik"}, Purchases{}},
	} {
		c := s.register(who.in)
		s.Write(func(tx *db.Tx) error {
			c.Purchases = who.purchases
			if err := SavePurchases(tx, c); err != nil {
				return err
			}
			if c.FirstName != "gone" {
				return nil
			}
			found, _, err := Lock(tx, s.Store, c.ID)
			if err != nil {
				return err
			}
			return Delete(tx, s.Store, found)
		})
	}
}

func (s *shop) filtered(f Filter, sort string) string {
	s.Helper()
	var names []string
	s.Write(func(tx *db.Tx) error {
		found, err := readPage(tx, s.Store.Key, f.fromClause(s.Store.Key), api.Page{Sort: sort, Limit: 10})
		if err != nil {
			return err
		}
		for i := range found {
			names = append(names, found[i].FirstName)
		}
		n, err := countSelected(tx, f.fromClause(s.Store.Key))
		if n != int64(len(found)) {
			s.Errorf("%+v counts %d and lists %d", f, n, len(found))
		}
		return err
	})
	return strings.Join(names, " ")
}

func parse(t testing.TB, query string) *form.Node {
	t.Helper()
	node, err := form.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	return node
}

func TestFiltersOfCustomers(t *testing.T) {
	dbtest.Both(t)
	const all = "Ida Ole Olga"
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		at := now
		d := dbtest.Open(t, dbtest.Config(t, engine), func() time.Time { return at })
		s := newShop(t, d, "SHOP")
		newShop(t, d, "OTHER").crowd()
		s.crowd()
		for query, want := range map[string]string{
			"": all, "firstName=": all, "firstName=ol": "Ole Olga", "firstName=OL&lastName=V": "Ole Olga", "firstName=x": "",
			"firstName=ol&strict=1": "", "firstName=OLE&strict=1": "Ole", "firstName=ole&strict=0": "Ole",
			"lastName=%C5%82": "Ida", "emailOrPhone=EXAMPLE": all, "emailOrPhone=9": "Ole", "emailOrPhone=60": "Ida",
			"emailOrPhone=_": "Ole", "emailOrPhone=9&lastName=V": "Ole", "emailOrPhone=+": all, "emailOrPhone=none": "",
			"emailOrPhone=%2B48601234567&strict=1": "Ida", "emailOrPhone=601234567&strict=1": "",
			"emailOrPhone=OLE_VIK@example.com&strict=1": "Ole", "emailOrPhone=ole_vik&strict=1": "",
			"emailOrPhone=999&strict=1&firstName=ida": "", "emailOrPhone=&strict=1": all,
			"lastName=%C5%81UKASIK&strict=1": "Ida", "email=_": "Ole", "email=%25": "", "email=ole.vik": "",
			"email=OLE_VIK@example.com&strict=true": "Ole", "phone=60": "Ida", "phone=%2B48601234567&strict=1": "Ida",
			"phone=601234567&strict=1": "", "loyaltyCardNumber=77%25": "Ida", "loyaltyCardNumber=b%5C": "Olga",
			"loyaltyCardNumber=no-77%25&strict=1": "Ida", "firstName[]=x": all, "gone=1": all, "lastName=vik": "Ole Olga",
			"transactionsAmountFrom=50": "Ida Ole", "transactionsAmountFrom=50.01": "Ida",
			"transactionsAmountTo=50":                            "Ole Olga",
			"transactionsAmountFrom=50&transactionsAmountTo=100": "Ida Ole", "transactionsAmount=100": "Ida",
			"transactionsAmount=99.99": "", "averageTransactionAmountFrom=33.33": "Ida Ole",
			"averageTransactionAmountFrom=33.34": "Ole",
			"averageTransactionAmountTo=33.33":   "Ida Olga", "averageTransactionAmount=33.33": "Ida",
			"averageTransactionAmount=0": "Olga", "averageTransactionAmountFrom=0": all, "transactionsCountFrom=1": "Ida Ole",
			"averageTransactionAmountFrom=-1": all,
			"transactionsCountTo=1":           "Ole Olga", "transactionsCount=3": "Ida", "transactionsCountFrom=many": all,
			"daysFromLastTransactionTo=1": "", "daysFromLastTransactionTo=2": "Ida", "daysFromLastTransaction=40": "Ida Ole",
			"daysFromLastTransactionTo=-1": all, "daysFromLastTransactionTo=1.5": all, "hoursFromLastUpdateTo=0": all,
			"hoursFromLastUpdate=1": all, "hoursFromLastUpdateTo=99999999999999": all, "manuallyAssignedLevel=1": "Ole",
			"manuallyAssignedLevel=0": all, "manuallyAssignedLevel=1&firstName=ida": "",
		} {
			if got := s.filtered(ReadFilter(parse(t, query), now, store.Example), "customerId"); got != want {
				t.Errorf("%s: %q, want %q", query, got, want)
			}
		}
		today, tomorrow := now.Format(time.DateOnly), now.AddDate(0, 0, 1).Format(time.DateOnly)
		for query, want := range map[string]string{
			"levelId=" + s.gold: "Ole", "levelId=gold": all, "levelId=" + s.gold + "&status=blocked": "",
			"status=new": all, "status=active": "", "status=deleted": all,
			"createdAtFrom=" + today: all, "createdAtTo=" + today: all, "createdAtFrom=" + tomorrow: "",
			"createdAtFrom=soon": all,
		} {
			if got := s.filtered(ReadFilter(parse(t, query), now, store.Example), "customerId"); got != want {
				t.Errorf("%s: %q, want %q", query, got, want)
			}
		}
		for query, want := range map[string]string{
			"": "none", "customerLastName=VI": "Ole Olga", "customerFirstName=o&customerPhone=99": "Ole",
			"lastName=vik": "none", "customerEmail=example": all, "customerLoyaltyCardNumber=77": "none",
		} {
			f, set := OfTransfers(parse(t, query), store.Example)
			got := "none"
			if set {
				got = s.filtered(f, "customerId")
			}
			if got != want {
				t.Errorf("transfers of %s: %q, want %q", query, got, want)
			}
		}
		at = now.Add(3 * time.Hour)
		if got := s.filtered(ReadFilter(parse(t, "hoursFromLastUpdateTo=2"), at, store.Example), "customerId"); got != "" {
			t.Errorf("changed in the last two hours: %s", got)
		}
		at = now
	})
}

func TestFiltersBySQLInjectionFindNothing(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		s.crowd()
		for _, text := range []string{"' OR 1=1 --", `"; DROP TABLE customers; --`, "%' OR '1'='1", "$1", `\`} {
			for _, name := range []string{"firstName", "email", "phone"} {
				query := name + "=" + url.QueryEscape(text)
				if got := s.filtered(ReadFilter(parse(t, query), now, store.Example), "customerId"); got != "" {
					t.Errorf("%s finds %s", query, got)
				}
			}
		}
	})
}

func TestSearchAtTheTill(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		newShop(t, d, "OTHER").crowd()
		s.crowd()
		found := func(fields map[string]string) string {
			var f Filter
			for _, field := range searchFields {
				f.AddText(field.column, fields[field.name])
			}
			return s.filtered(f, "customerId")
		}
		for _, c := range []struct {
			fields map[string]string
			want   string
		}{
			{map[string]string{"city": "oslo"}, "Ida"}, {map[string]string{"city": "Å"}, "Ole"},
			{map[string]string{"city": "å"}, "Ole"},
			{map[string]string{"postcode": "600"}, "Ole"}, {map[string]string{"postcode": "0"}, "Ida Ole"},
			{map[string]string{"city": "oslo", "postcode": "6002"}, ""},
			{map[string]string{"lastName": "vik", "phone": "9"}, "Ole"},
			{map[string]string{"loyaltyCardNumber": "no"}, "Ida"}, {map[string]string{"email": "@example"}, "Ida Ole Olga"},
		} {
			if got := found(c.fields); got != c.want {
				t.Errorf("%v: %q, want %q", c.fields, got, c.want)
			}
		}
	})
}

// Lists are in the order in which people look for names, whatever case and accents they have, on both databases.
func TestOrderOfNames(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		for _, name := range []string{"Zielinski", "Åberg", "Çelik", "Łukasik", "adams", "Lukas", "Maas", "Ødegård", "Öz",
			"de Vries", "Dvořák", "ÉMILE"} {
			s.register(Registration{FirstName: name, LastName: name})
		}
		const want = "Åberg adams Çelik de Vries Dvořák ÉMILE Lukas Łukasik Maas Ødegård"
		for _, sort := range []string{"lastName", "firstName"} {
			if got := s.firstTen(sort); got != want {
				t.Errorf("by %s: %s, want %s", sort, got, want)
			}
		}
		for query, want := range map[string]string{"strict=1&lastName=łukasik": "Łukasik", "strict=1&lastName=lukasik": ""} {
			if got := s.filtered(ReadFilter(parse(t, query), now, s.Store), "lastName"); got != want {
				t.Errorf("%s: %q, want %q", query, got, want)
			}
		}
	})
}

func (s *shop) firstTen(sort string) string {
	s.Helper()
	var names []string
	s.Write(func(tx *db.Tx) error {
		found, err := readPage(tx, s.Store.Key, new(Filter).fromClause(s.Store.Key), api.Page{Sort: sort, Limit: 10})
		for i := range found {
			names = append(names, found[i].FirstName)
		}
		return err
	})
	return strings.Join(names, " ")
}
