package transaction

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/platform/fault"
)

const wholeTransaction = `<?xml version="1.0" encoding="UTF-8"?>
<!-- from the till -->
<transactions>
	text between records is ignored
	<transaction>
		<documentNumber> R-1 </documentNumber><documentType>return</documentType>
		<purchaseDate>2031-04-17T10:00:00+02:00</purchaseDate><purchasePlace>Oslo &amp; Bergen</purchasePlace>
		<revisedDocument>S-1</revisedDocument><posId>p</posId><posIdentifier>till 1</posIdentifier>
		<customer><name><![CDATA[Ida <Berg>]]></name><email>ida@example.org</email><phone>+47 1</phone>
			<loyaltyCardNumber>0042</loyaltyCardNumber><nip>7</nip>
			<address><street>s</street><address1>1</address1><address2>2</address2><postal>0150</postal>
				<city>Oslo</city><province>p</province><country>NO</country></address></customer>
		<items>
			<item><sku><code>a</code></sku><name>Ale</name><quantity>2</quantity><grossValue>10.50</grossValue>
				<category>c</category><maker>m</maker><labels><label><key>k</key><value>v</value></label></labels></item>
			<item/>
		</items>
		<labels><label><key>k1</key><value>v1</value></label><label><key>k2</key></label></labels>
		<unknown><deeper/></unknown>
	</transaction>
	<anything documentNumber="an attribute"/>
</transactions> what follows the root is ignored <`

func TestTransactionRecords(t *testing.T) {
	records, refused := decodeRecords[transactionRecord]([]byte(wholeTransaction), "transactions")
	item := itemRecord{Name: "Ale", Quantity: "2", GrossValue: "10.50", Category: "c", Maker: "m",
		Labels: []labelRecord{{"k", "v"}}}
	item.SKU.Code = "a"
	want := []transactionRecord{{
		DocumentNumber: " R-1 ", DocumentType: "return", PurchaseDate: "2031-04-17T10:00:00+02:00",
		PurchasePlace: "Oslo & Bergen", RevisedDocument: "S-1", POSID: "p", POSIdentifier: "till 1",
		Customer: customerRecord{
			Name: "Ida <Berg>", Email: "ida@example.org", Phone: "+47 1", LoyaltyCardNumber: "0042", NIP: "7",
			Address: addressRecord{"s", "1", "2", "0150", "Oslo", "p", "NO"},
		},
		Items: []itemRecord{item, {}}, Labels: []labelRecord{{"k1", "v1"}, {"k2", ""}},
	}, {}}
	if diff := cmp.Diff(want, records); refused != nil || diff != "" {
		t.Fatalf("%v: %s", refused, diff)
	}
	if records[0].identifier() != "R-1" {
		t.Errorf("the identifier is %q", records[0].identifier())
	}
	g, err := records[0].form()
	if err != nil {
		t.Fatal(err)
	}
	lines := g.Groups("items")
	if len(lines) != 2 || lines[0].Group("sku").Text("code") != "a" || lines[0].Integer("quantity") != 2 ||
		g.Group("transactionData").Text("documentNumber") != "R-1" ||
		g.Group("customerData").Group("address").Text("city") != "Oslo" || g.Text("posId") != "p" {
		t.Errorf("the form of a record differs from the record: %v", g.Err())
	}
}

func TestAssignmentRecords(t *testing.T) {
	records, refused := decodeRecords[assignmentRecord]([]byte(`<matchCustomers><match>
		<transactionDocumentNumber>S-1</transactionDocumentNumber><customerId>c</customerId>
		<customerEmail>ida@example.org</customerEmail><customerPhoneNumber>1</customerPhoneNumber>
		<customerLoyaltyCardNumber>0042</customerLoyaltyCardNumber>
	</match></matchCustomers>`), "matchCustomers")
	want := []assignmentRecord{{"S-1", "c", "ida@example.org", "1", "0042"}}
	if diff := cmp.Diff(want, records); refused != nil || diff != "" {
		t.Fatalf("%v: %s", refused, diff)
	}
}

// entityBomb would be gigabytes if its entities were replaced.
const entityBomb = `<!DOCTYPE transactions [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
	<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><transactions><t><documentNumber>&c;</documentNumber></t></transactions>`

func TestFilesThatAreNotImports(t *testing.T) {
	records := func(n int) string { return "<transactions>" + strings.Repeat("<t/>", n) + "</transactions>" }
	nested := func(n int) string {
		return "<transactions>" + strings.Repeat("<t>", n) + strings.Repeat("</t>", n) + "</transactions>"
	}
	for name, c := range map[string]struct {
		file    string
		records int
		refused *fault.Error
	}{
		"empty file":           {"", 0, errFile},
		"no records":           {"<transactions/>", 0, nil},
		"with a namespace":     {`<x:transactions xmlns:x="u"><x:t/></x:transactions>`, 1, nil},
		"other root":           {"<matchCustomers><t/></matchCustomers>", 0, errFile},
		"not XML":              {`{"transactions":[]}`, 0, errFile},
		"not closed":           {"<transactions><t/>", 0, errFile},
		"record is not closed": {"<transactions><t><documentNumber>1</t></transactions>", 0, errFile},
		"error after a good record": {
			"<transactions><t/><t><documentNumber>&amp</documentNumber></t></transactions>", 0, errFile,
		},
		"invalid UTF-8": {
			"<transactions><t><documentNumber>\xff</documentNumber></t></transactions>", 0, errFile,
		},
		"other encoding": {`<?xml version="1.0" encoding="UTF-16"?><transactions/>`, 0, errFile},
		"entity of the file": {
			`<!DOCTYPE t [<!ENTITY a "b">]><transactions><t><posId>&a;</posId></t></transactions>`, 0, errFile,
		},
		"entity bomb": {entityBomb, 0, errFile},
		"external entity": {
			`<!DOCTYPE t [<!ENTITY a SYSTEM "file:///etc/passwd">]><transactions>&a;</transactions>`, 0, errFile,
		},
		"as many as there may be":    {records(RecordLimit), RecordLimit, nil},
		"one more":                   {records(RecordLimit + 1), 0, errManyRecords},
		"elements in elements":       {nested(1_000_000), 1, nil},
		"not closed, a million deep": {"<transactions>" + strings.Repeat("<t>", 1_000_000), 0, errFile},
	} {
		t.Run(name, func(t *testing.T) {
			found, refused := decodeRecords[transactionRecord]([]byte(c.file), "transactions")
			if len(found) != c.records || refused != c.refused {
				t.Errorf("%d records, %v; want %d, %v", len(found), refused, c.records, c.refused)
			}
		})
	}
}

// FuzzImport checks that any file is refused as a whole, or becomes records whose forms can be read.
func FuzzImport(f *testing.F) {
	f.Add([]byte(wholeTransaction))
	f.Add([]byte(entityBomb))
	f.Add([]byte("<transactions><t><items><item><labels><label/></labels></item></items></t></transactions>"))
	f.Fuzz(func(t *testing.T, file []byte) {
		records, refused := decodeRecords[transactionRecord](file, "transactions")
		if refused != nil && records != nil || len(records) > RecordLimit {
			t.Fatalf("%d records, %v", len(records), refused)
		}
		for _, r := range records {
			g, err := r.form()
			if kind, is := errors.AsType[*fault.Error](err); err != nil && !is {
				t.Fatalf("%v is no answer to a client (%v)", err, kind)
			}
			if err == nil {
				readItems(g)
			}
		}
	})
}
