package transaction

import (
	"errors"
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// assignment is the form of an assignment. See docs/behaviour/transactions.md#assigning.
type assignment struct {
	number string
	field  string // the first field that identifies the customer; empty if none is set
	value  string
	claim  bool // claimed by the customer
}

// The fields that identify the customer of an assignment. Only imported files have the e-mail address.
const (
	byID          = "customerId"
	byEmail       = "customerEmail"
	byLoyaltyCard = "customerLoyaltyCardNumber"
	byPhone       = "customerPhoneNumber"
)

var identifying = map[string]string{
	byEmail: store.ByEmail, byLoyaltyCard: store.ByLoyaltyCard, byPhone: store.ByPhone,
}

func readAssignment(g *form.Group) assignment { return readAssignmentBy(g, nil) }

// readAssignmentBy reads an assignment that can identify the customer by further fields.
func readAssignmentBy(g *form.Group, further []string) assignment {
	a := assignment{number: readNumber(g)}
	choose := func(field, value string) {
		if a.field == "" && value != "" {
			a.field, a.value = field, value
		}
	}
	choose(byID, g.UUID(byID))
	for _, field := range append(further, byLoyaltyCard, byPhone) {
		choose(field, g.Text(field, form.MaxLength(textLimit)))
	}
	if a.field == "" && !g.Failed(byID) {
		g.AddFormError(errNothingFilledIn)
	}
	return a
}

func readNumber(g *form.Group) string {
	return g.Key("transactionDocumentNumber", form.NotBlank, form.MaxLength(textLimit))
}

func describeAssignment(g *form.Group)    { readAssignment(g.Group("assign")) }
func describeOwnAssignment(g *form.Group) { readNumber(g.Group("assign")) }

// customer returns the active customer that the form identifies, or nil.
func (a *assignment) customer(tx *db.Tx, s *store.Store) (who *customer.Customer, err error) {
	found := false
	if a.field == byID {
		who, err = customer.Find(tx, s.Key, a.value)
		found = err == nil && who.IsActive()
	} else {
		who, found, err = customer.Identify(tx, s, identifying[a.field], a.value)
	}
	if errors.Is(err, fault.ErrNotFound) {
		err = nil
	}
	if !found {
		who = nil
	}
	return who, err
}

// assign assigns a transaction. Customers assign to themselves.
func (h Hooks) assign(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body, "assign")
	var a assignment
	if c.Caller.Role == access.Customer {
		a = assignment{number: readNumber(g), field: byID, value: c.Caller.ID, claim: true}
	} else {
		a = readAssignment(g)
	}
	var made *Transaction
	return c.Guess(h.Guesses, func() (wrong bool, err error) {
		err = c.Write(func(tx *db.Tx) (err error) {
			if made, err = a.carryOut(tx, c.Store, g, h); err == nil {
				made.describeIn(audit.Of(tx))
			}
			return err
		}, func() error { return c.OK(identity{made.ID}) })
		return g.Err() != nil || errors.Is(err, fault.ErrNotFound), err
	})
}

// carryOut assigns the transaction, or returns all errors of the form.
func (a *assignment) carryOut(tx *db.Tx, s *store.Store, g *form.Group, h Hooks) (made *Transaction, err error) {
	who, err := a.customer(tx, s)
	if err != nil {
		return nil, err
	}
	if who == nil && a.field != "" {
		g.AddError(a.field, form.Invalid("unknown_customer"))
	}
	switch {
	case g.Err() != nil:
		_, err = lockUnassigned(tx, s.Key, a.number)
	case a.claim:
		made, err = Claim(tx, s, a.number, who, h)
	default:
		made, err = Assign(tx, s, a.number, who, h)
	}
	if refused, is := errors.AsType[*Refused](err); !is && err != nil {
		return nil, err
	} else if is && a.number != "" {
		g.AddError("transactionDocumentNumber", refused.Document)
	}
	return made, g.Err()
}

type sentLabels struct {
	id     string
	labels []Label
}

func readSentLabels(g *form.Group) sentLabels {
	return sentLabels{g.UUID("transactionId", form.NotBlank), readLabels(g, "labels")}
}

// replaceLabels replaces the labels of a transaction.
func replaceLabels(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body, "transaction_labels")
	sent := readSentLabels(g)
	if err := g.Err(); err != nil {
		return err
	}
	return changeLabels(c, g, "transactionId", form.Invalid("unknown_transaction"), func(tx *db.Tx) (*Transaction, error) {
		t, err := lock(tx, c.Store.Key, sent.id)
		if err != nil {
			return nil, err
		}
		return t, setLabels(tx, t, sent.labels)
	})
}

type ownLabels struct {
	number string
	labels []Label
}

func readOwnLabels(g *form.Group) ownLabels { return ownLabels{readNumber(g), readLabels(g, "labels")} }

// appendOwnLabels adds labels to a transaction of the caller. Labels that it has already are not added again.
func appendOwnLabels(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body, "append")
	sent := readOwnLabels(g)
	if err := g.Err(); err != nil {
		return err
	}
	return changeLabels(c, g, "transactionDocumentNumber", errNoTransaction, func(tx *db.Tx) (*Transaction, error) {
		t, err := lockByDocument(tx, c.Store.Key, sent.number)
		if err == nil && t.CustomerID != c.Caller.ID {
			err = fault.ErrNotFound
		}
		if err != nil {
			return nil, err
		}
		labels := slices.Clone(t.Labels)
		for _, label := range sent.labels {
			if !slices.Contains(labels, label) {
				labels = append(labels, label)
			}
		}
		if len(labels) > LabelLimit {
			return nil, errTooManyLabels
		}
		return t, setLabels(tx, t, labels)
	})
}

// errTooManyLabels is returned when a transaction would have more than LabelLimit labels.
var errTooManyLabels = fault.New(fault.Refused, "too_many_labels", "The transaction has too many labels")

// changeLabels runs a change and responds with the transaction. An unknown transaction is an error of the field.
func changeLabels(c *api.Call, g *form.Group, field string, unknown *fault.Error,
	change func(tx *db.Tx) (*Transaction, error)) error {
	var changed *Transaction
	err := c.Write(func(tx *db.Tx) (err error) {
		if changed, err = change(tx); err == nil {
			changed.describeIn(audit.Of(tx))
		}
		return err
	}, func() error { return c.OK(identity{changed.ID}) })
	switch {
	case errors.Is(err, fault.ErrNotFound):
		g.AddError(field, unknown)
		return g.Err()
	case errors.Is(err, errTooManyLabels):
		g.AddError("labels", errManyLabels)
		return g.Err()
	}
	return err
}
