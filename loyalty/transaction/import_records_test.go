package transaction

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/store"
	"punchcard/loyalty/dataimport"
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

// decodeAs reads the records of a file of the kind at an index of Imports.
func decodeAs[T any](kind int, file string) ([]T, error) {
	found, err := Imports(Hooks{})[kind].Read([]byte(file))
	var records []T
	for _, r := range found {
		records = append(records, *r.(any).(*T))
	}
	return records, err
}

func TestTransactionRecords(t *testing.T) {
	records, refused := decodeAs[transactionRecord](0, wholeTransaction)
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
	if records[0].Identifier() != "R-1" {
		t.Errorf("the identifier is %q", records[0].Identifier())
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
	records, refused := decodeAs[assignmentRecord](1, `<matchCustomers><match>
		<transactionDocumentNumber>S-1</transactionDocumentNumber><customerId>c</customerId>
		<customerEmail>ida@example.org</customerEmail><customerPhoneNumber>1</customerPhoneNumber>
		<customerLoyaltyCardNumber>0042</customerLoyaltyCardNumber>
	</match></matchCustomers>`)
	want := []assignmentRecord{{"S-1", "c", "ida@example.org", "1", "0042"}}
	if diff := cmp.Diff(want, records); refused != nil || diff != "" {
		t.Fatalf("%v: %s", refused, diff)
	}
}

// entityBomb would be gigabytes if its entities were replaced.
const entityBomb = `<!DOCTYPE transactions [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
	<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><transactions><t><documentNumber>&c;</documentNumber></t></transactions>`

const notAFile = "not_an_import_file"

// codeOf returns the code of an error, empty for none.
func codeOf(err error) string {
	if refused, is := errors.AsType[*fault.Error](err); is {
		return refused.Code
	}
	return ""
}

func TestFilesThatAreNotImports(t *testing.T) {
	records := func(n int) string { return "<transactions>" + strings.Repeat("<t/>", n) + "</transactions>" }
	nested := func(n int) string {
		return "<transactions>" + strings.Repeat("<t>", n) + strings.Repeat("</t>", n) + "</transactions>"
	}
	for name, c := range map[string]struct {
		file    string
		records int
		refused string // its code
	}{
		"empty file":           {"", 0, notAFile},
		"no records":           {"<transactions/>", 0, ""},
		"with a namespace":     {`<x:transactions xmlns:x="u"><x:t/></x:transactions>`, 1, ""},
		"other root":           {"<matchCustomers><t/></matchCustomers>", 0, notAFile},
		"not XML":              {`{"transactions":[]}`, 0, notAFile},
		"not closed":           {"<transactions><t/>", 0, notAFile},
		"record is not closed": {"<transactions><t><documentNumber>1</t></transactions>", 0, notAFile},
		"error after a good record": {
			"<transactions><t/><t><documentNumber>&amp</documentNumber></t></transactions>", 0, notAFile,
		},
		"invalid UTF-8": {
			"<transactions><t><documentNumber>\xff</documentNumber></t></transactions>", 0, notAFile,
		},
		"other encoding": {`<?xml version="1.0" encoding="UTF-16"?><transactions/>`, 0, notAFile},
		"entity of the file": {
			`<!DOCTYPE t [<!ENTITY a "b">]><transactions><t><posId>&a;</posId></t></transactions>`, 0, notAFile,
		},
		"entity bomb": {entityBomb, 0, notAFile},
		"external entity": {
			`<!DOCTYPE t [<!ENTITY a SYSTEM "file:///etc/passwd">]><transactions>&a;</transactions>`, 0, notAFile,
		},
		"as many as there may be":      {records(dataimport.RecordLimit), dataimport.RecordLimit, ""},
		"one more, for the background": {records(dataimport.RecordLimit + 1), dataimport.RecordLimit + 1, ""},
		"elements in elements":         {nested(1_000_000), 1, ""},
		"not closed, a million deep":   {"<transactions>" + strings.Repeat("<t>", 1_000_000), 0, notAFile},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := decodeAs[transactionRecord](0, c.file)
			if len(found) != c.records || codeOf(err) != c.refused {
				t.Errorf("%d records, %v; want %d, %v", len(found), err, c.records, c.refused)
			}
		})
	}
}

// FuzzImport checks that any file is refused as a whole, or becomes records whose forms can be read.
func FuzzImport(f *testing.F) {
	f.Add([]byte(wholeTransaction))
	f.Add([]byte(entityBomb))
	f.Add([]byte("<transactions><t><items><item><labels><label/></labels></item></items></t></transactions>"))
	f.Add([]byte("\xef\xbb\xbfdocumentNumber;item.name;labels\r\nS-1;\"a;b\";k:v\r\nS-1;c\r\n\r\nS-2;d\r\n"))
	f.Add([]byte("documentNumber,item.sku.code\n\"S-1,open quote"))
	f.Fuzz(func(t *testing.T, file []byte) {
		records, err := decodeAs[transactionRecord](0, string(file))
		if err != nil && (codeOf(err) == "" || records != nil) || len(records) > dataimport.RecordLimit+1 {
			t.Fatalf("%d records, %v", len(records), err)
		}
		for _, r := range records {
			g, err := r.form()
			if kind, is := errors.AsType[*fault.Error](err); err != nil && !is {
				t.Fatalf("%v is no answer to a client (%v)", err, kind)
			}
			if err == nil {
				readItems(g, store.Example)
			}
		}
	})
}

// A sale has a line for each item; the first one has the rest.
func TestLinesOfTransactions(t *testing.T) {
	item := func(code, name string) itemRecord { return itemRecord{SKU: skuRecord{code}, Name: name} }
	ale := item("a", "Ale")
	ale.LabelText = "k:v"
	want := []transactionRecord{
		{DocumentNumber: "S-1", Customer: customerRecord{Email: "ida@example.org"},
			Items: []itemRecord{ale, item("b", "Bread; dark")}},
		{DocumentNumber: "S-2", Customer: customerRecord{Email: "bo@example.org"}, Items: []itemRecord{item("a", "Ale")}},
		{Items: []itemRecord{item("c", "Cheese")}},
	}
	want[1].Items[0].LabelText = ""
	const header = "\xef\xbb\xbfDocumentNumber;\"customer.email\";item.sku.code;item.name;item.labels;\n"
	records, err := decodeAs[transactionRecord](0, header+
		"S-1;ida@example.org;a;Ale;k:v\nS-1;;b;\"Bread; dark\"\n\nS-2;bo@example.org;a;Ale\n;;c;Cheese\n")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, records); diff != "" {
		t.Error(diff)
	}
	records, err = decodeAs[transactionRecord](0, "documentNumber;documentType;purchasePlace;customer.email;item.name\n"+
		"S-1;sell;;ida@example.org;Ale\nS-1;return;Oslo; ida@example.org ;Ale\nS-1;return;Bergen;;Bread\n")
	if err != nil || len(records) != 1 || records[0].PurchasePlace != "Oslo" || len(records[0].Items) != 3 ||
		!slices.Equal(records[0].Contradicted, []string{"documentType", "purchasePlace"}) {
		t.Errorf("%v: %+v", err, records)
	}
	for file, code := range map[string]string{
		header + "S-1;;;;;;more cells than the header": "invalid_line",
		header + "S-1\nS-2;\"open":                     "invalid_line",
		header + "S-1;\xff":                            "line_not_utf",
		"documentNumber,shoe size\nS-1,a":              "unknown_column",
		"documentNumber":                               "",
		"documentNumber\n" + strings.Repeat("x", 2*dataimport.RecordBytes): "record_too_large",
	} {
		if _, err := decodeAs[transactionRecord](0, file); codeOf(err) != code {
			t.Errorf("%.60q: %v, want %s", file, err, code)
		}
	}
}
