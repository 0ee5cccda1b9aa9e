package customerapi

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/dataimport"
)

// shopCustomer is a customer as a file says it, with the note about them.
type shopCustomer struct {
	customer.Registration
	note string
}

func person(first, last, gender, email, phone string, more func(r *customer.Registration)) customer.Registration {
	r := customer.Registration{
		FirstName: first, LastName: last, Gender: gender, Email: email, Phone: phone, Active: true, PasswordTemporary: true,
	}
	more(&r)
	return r
}

// filesOfShops are files as programs export them today, with all of their columns, and their first customer.
var filesOfShops = map[string]struct {
	file string
	want shopCustomer
}{
	"Shopify": {
		"Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address Address1," +
			"Default Address Address2,Default Address City,Default Address Province Code,Default Address Country Code," +
			"Default Address Zip,Default Address Phone,Phone,Accepts SMS Marketing,Total Spent,Total Orders,Note,Tax Exempt," +
			"Tags\n" +
			"'7012345678901,Ida,Berg,ida@example.org,yes,,Havnegata 4,,Oslo,,NO,'0150,'+4790000001,,no,1234.50,12," +
			"Prefers tea,no,\"vip, wholesale\"\n",
		shopCustomer{person("Ida", "Berg", "", "ida@example.org", "+4790000001", func(r *customer.Registration) {
			r.Agreements[1] = true
			r.Address = customer.Address{Street: "Havnegata 4", City: "Oslo", Country: "NO", Postal: "0150"}
			r.Labels = []customer.Label{
				{Key: "tag", Value: "vip"}, {Key: "tag", Value: "wholesale"}, {Key: "totalSpent", Value: "1234.50"},
				{Key: "totalOrders", Value: "12"}, {Key: "smsMarketing", Value: "no"},
			}
		}), "Prefers tea"},
	},
	"Shopify, by phone alone": {
		"First Name,Last Name,Email,Accepts Email Marketing,Phone,Accepts SMS Marketing,Total Spent,Total Orders\n" +
			"Ida,Berg,,no,'+4790000001,SUBSCRIBED,0.00,0\n",
		shopCustomer{person("Ida", "Berg", "", "", "+4790000001", func(r *customer.Registration) {
			r.Agreements[1] = true
			r.Labels = []customer.Label{{Key: "smsMarketing", Value: "yes"}}
		}), ""},
	},
	"Square": {
		"Reference ID,First Name,Last Name,Email Address,Phone Number,Nickname,Company Name,Street Address 1," +
			"Street Address 2,City,State,Postal Code,Birthday,Memo,Creation Source,First Visit,Last Visit," +
			"Transaction Count,Lifetime Spend,Email Subscription Status,Instant Profile,Blocked from online booking," +
			"Square Customer ID\n" +
			"K-1,Ida,Berg,ida@example.org,+4790000001,,,,,,,,05-14,Likes cake,Directory,2030-01-02,2031-04-30,3," +
			"\"$1,050.00\",unsubscribed,No,false,ABC\n",
		shopCustomer{person("Ida", "Berg", "", "ida@example.org", "+4790000001", func(r *customer.Registration) {
			r.BirthDate, r.LoyaltyCard = "1904-05-14", "K-1"
			r.Labels = []customer.Label{{Key: "totalSpent", Value: "1050.00"}, {Key: "totalOrders", Value: "3"}}
		}), "Likes cake"},
	},
	"WooCommerce": {
		"Name,Username,Last active,Date registered,Email,Orders,Total spend,AOV,Country / Region,City,Region,Postal code\n" +
			"Ida Berg,ida,2031-04-30 10:00:00,2030-01-02 09:05:00,ida@example.org,2,99.90,49.95,NO,Oslo,,0150\n",
		shopCustomer{person("Ida", "Berg", "", "ida@example.org", "", func(r *customer.Registration) {
			r.CreatedAt = time.Date(2030, 1, 2, 9, 5, 0, 0, time.UTC)
			r.Address = customer.Address{City: "Oslo", Country: "NO", Postal: "0150"}
			r.Labels = []customer.Label{{Key: "totalSpent", Value: "99.90"}, {Key: "totalOrders", Value: "2"}}
		}), ""},
	},
	"PrestaShop": {
		"ID;Social title;First name;Last name;Email address;Group;Sales;Enabled;Newsletter;Partner offers;Registration;" +
			"Last visit;Birthday\n" +
			"7;Mrs.;Ida;Berg;ida@example.org;Customer;\"1 234,50 €\";1;0;1;" +
			"2030-01-02 09:05:00;2031-04-30 10:00:00;0000-00-00\n",
		shopCustomer{person("Ida", "Berg", "female", "ida@example.org", "", func(r *customer.Registration) {
			r.CreatedAt = time.Date(2030, 1, 2, 9, 5, 0, 0, time.UTC)
			r.Agreements[2] = true
			r.Labels = []customer.Label{{Key: "totalSpent", Value: "1234.50"}}
		}), ""},
	},
	"a list for newsletters": {
		"First Name,Last Name,Email,Newsletter,Labels\nIda,Berg,ida@example.org,Subscribed,regular;size:L\n",
		shopCustomer{person("Ida", "Berg", "", "ida@example.org", "", func(r *customer.Registration) {
			r.Agreements[1] = true
			r.Labels = []customer.Label{{Key: "regular"}, {Key: "size", Value: "L"}}
		}), ""},
	},
}

func TestFilesOfShops(t *testing.T) {
	now := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
	for name, c := range filesOfShops {
		t.Run(name, func(t *testing.T) {
			records, err := Import().Read([]byte(c.file))
			if err != nil {
				t.Fatal(err)
			}
			e, err := records[0].(*customerRecord).read(store.Example, now)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, shopCustomer{e.in, e.note}, cmp.AllowUnexported(shopCustomer{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Titles in several languages say what the gender is.
func TestGenders(t *testing.T) {
	for text, want := range map[string]string{
		"M.": "male", "Mr.": "male", "Sr.": "male", "Herr": "male", "Hr.": "male", "Sra.": "female", "Srta.": "female",
		"Mme": "female", "Mlle.": "female", "Fr.": "female", " Ms. ": "female", "Mx.": "not_disclosed", "Dr.": "Dr.",
	} {
		if got := genderOf(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// A column Name is what the other column does not say. A full name beside both names is left out, and beside one of
// them nobody knows what it says.
func TestColumnsOfNames(t *testing.T) {
	for header, want := range map[string][3]string{ // the record's full, first and last name
		"Name,E-Mail":                    {"Karla Vogel"},
		"Vorname;Name;E-Mail":            {"", "Anna", "Karla Vogel"},
		"Surname,Name,Mail":              {"", "Karla Vogel", "Anna"},
		"Vorname;Nachname;Name;E-Mail":   {"", "Anna", "Bo"},
		"First name,Full name,E-mail":    {},
		"Customer name,Last name,E-mail": {},
	} {
		separator := ","
		if header[7] == ';' {
			separator = ";"
		}
		cells := map[string]string{
			"Name": "Karla Vogel", "Full name": "Karla Vogel", "Customer name": "Karla Vogel", "Vorname": "Anna",
			"First name": "Anna", "Nachname": "Bo", "Last name": "Bo", "Surname": "Anna",
		}
		line := ""
		for i, column := range strings.Split(header, separator) {
			if i > 0 {
				line += separator
			}
			line += cells[column]
		}
		records, err := Import().Read([]byte(header + "\n" + line + "\n"))
		if want == [3]string{} {
			if err == nil {
				t.Errorf("%s is read", header)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", header, err)
			continue
		}
		r := records[0].(*customerRecord)
		if got := [3]string{r.Name, r.FirstName, r.LastName}; got != want {
			t.Errorf("%s is read as %q, want %q", header, got, want)
		}
	}
}

var _ dataimport.Settled = (*customerRecord)(nil)
