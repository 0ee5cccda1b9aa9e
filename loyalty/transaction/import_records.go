package transaction

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"

	"punchcard/api"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// importTransactions imports transactions.
func (h Hooks) importTransactions(c *api.Call) error {
	return importFile[transactionRecord](c, h, "transactions")
}

// importAssignments imports assignments.
func (h Hooks) importAssignments(c *api.Call) error {
	return importFile[assignmentRecord](c, h, "matchCustomers")
}

// decodeRecords decodes the elements in the root element of an XML file, whatever their name. It stops at the first
// beyond RecordLimit, because small elements take much more memory than the file. A file that defines entities and uses
// them is refused.
func decodeRecords[T any](file []byte, root string) ([]T, *fault.Error) {
	decoder := xml.NewDecoder(bytes.NewReader(file))
	records, inRoot := []T(nil), false
	for {
		token, err := decoder.Token()
		if err != nil {
			return nil, errFile
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch {
			case !inRoot && token.Name.Local != root:
				return nil, errFile
			case !inRoot:
				inRoot = true
				continue
			case len(records) == RecordLimit:
				return nil, errManyRecords
			}
			var r T
			if err := decoder.DecodeElement(&r, &token); err != nil {
				return nil, errFile
			}
			records = append(records, r)
		case xml.EndElement: // of the root; those of records are decoded with them
			return records, nil
		}
	}
}

// transactionRecord is a transaction in an imported file. Its JSON is the form of a new transaction.
type transactionRecord struct {
	DocumentNumber  string         `xml:"documentNumber" json:"documentNumber"`
	DocumentType    string         `xml:"documentType" json:"documentType"`
	PurchaseDate    string         `xml:"purchaseDate" json:"purchaseDate"`
	PurchasePlace   string         `xml:"purchasePlace" json:"purchasePlace"`
	RevisedDocument string         `xml:"revisedDocument" json:"-"`
	POSID           string         `xml:"posId" json:"-"`
	POSIdentifier   string         `xml:"posIdentifier" json:"-"`
	Customer        customerRecord `xml:"customer" json:"-"`
	Items           []itemRecord   `xml:"items>item" json:"-"`
	Labels          []labelRecord  `xml:"labels>label" json:"-"`
}

type customerRecord struct {
	Name              string        `xml:"name" json:"name"`
	Email             string        `xml:"email" json:"email"`
	Phone             string        `xml:"phone" json:"phone"`
	LoyaltyCardNumber string        `xml:"loyaltyCardNumber" json:"loyaltyCardNumber"`
	NIP               string        `xml:"nip" json:"nip"`
	Address           addressRecord `xml:"address" json:"address"`
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

type itemRecord struct {
	SKU struct {
		Code string `xml:"code" json:"code"`
	} `xml:"sku" json:"sku"`
	Name       string        `xml:"name" json:"name"`
	Quantity   string        `xml:"quantity" json:"quantity"`
	GrossValue string        `xml:"grossValue" json:"grossValue"`
	Category   string        `xml:"category" json:"category"`
	Maker      string        `xml:"maker" json:"maker"`
	Labels     []labelRecord `xml:"labels>label" json:"labels"`
}

type labelRecord struct {
	Key   string `xml:"key" json:"key"`
	Value string `xml:"value" json:"value"`
}

func (r transactionRecord) identifier() string { return strings.TrimSpace(r.DocumentNumber) }

// run registers the transaction by the same rules as the endpoint.
func (r transactionRecord) run(tx *db.Tx, s *store.Store, h Hooks) (*Transaction, error) {
	g, err := r.form()
	if err != nil {
		return nil, err
	}
	draft := read(g, s)
	if identifier := strings.TrimSpace(r.POSIdentifier); draft.POSID == "" && identifier != "" {
		p, found, err := pos.FindByIdentifier(tx, s.Key, identifier)
		if err != nil {
			return nil, err
		}
		if draft.POSID = p.ID; !found {
			g.AddError("posIdentifier", errUnknownPOS)
		}
	}
	if err := g.Err(); err != nil {
		return nil, err
	}
	return Register(tx, s, draft, h)
}

func (r transactionRecord) form() (*form.Group, error) {
	return asForm(map[string]any{
		"transactionData": r, "revisedDocument": r.RevisedDocument, "items": r.Items, "customerData": r.Customer,
		"posId": r.POSID, "labels": r.Labels,
	})
}

// asForm converts a record to the form that a client would have sent.
func asForm(fields any) (*form.Group, error) {
	text, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	node, err := form.Decode("application/json", bytes.NewReader(text))
	return form.Read(node), err
}

// assignmentRecord is an assignment in an imported file. Its JSON is the form of an assignment, with the customer's
// e-mail address as a further field.
type assignmentRecord struct {
	Number      string `xml:"transactionDocumentNumber" json:"transactionDocumentNumber"`
	CustomerID  string `xml:"customerId" json:"customerId"`
	Email       string `xml:"customerEmail" json:"customerEmail"`
	Phone       string `xml:"customerPhoneNumber" json:"customerPhoneNumber"`
	LoyaltyCard string `xml:"customerLoyaltyCardNumber" json:"customerLoyaltyCardNumber"`
}

func (r assignmentRecord) identifier() string { return strings.TrimSpace(r.Number) }

// run assigns the transaction by the same rules as the endpoint.
func (r assignmentRecord) run(tx *db.Tx, s *store.Store, h Hooks) (*Transaction, error) {
	g, err := asForm(r)
	if err != nil {
		return nil, err
	}
	a := readAssignmentBy(g, []string{byEmail})
	return a.carryOut(tx, s, g, h)
}
