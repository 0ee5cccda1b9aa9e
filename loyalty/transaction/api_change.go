package transaction

import (
	"errors"
	"slices"

	"punchcard/core/api"
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

// readClaim reads the assignment of a transaction by its customer.
func readClaim(c *api.Call, g *form.Group) (assignment, error) {
	return assignment{number: readNumber(g), field: byID, value: c.Caller.ID, claim: true}, nil
}

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

// isWrongGuess reports whether an assignment names what does not exist.
func isWrongGuess(err error) bool {
	return fault.KindOf(err) == fault.Fields || errors.Is(err, fault.ErrNotFound)
}

// assign assigns a transaction.
func (h Hooks) assign(w *api.Writing, in api.Unchecked[assignment]) (identity, error) {
	made, err := in.In.carryOut(w.Tx, w.Store, in.Form, h)
	if err != nil {
		return identity{}, err
	}
	return identity{made.ID}, made.describeIn(w.Entry())
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
func replaceLabels(w *api.Writing, sent sentLabels) (identity, error) {
	t, err := lock(w.Tx, w.Store.Key, sent.id)
	if errors.Is(err, fault.ErrNotFound) {
		err = w.Refuse("transactionId", form.Invalid("unknown_transaction"))
	}
	if err != nil {
		return identity{}, err
	}
	return relabel(w, t, sent.labels)
}

func relabel(w *api.Writing, t *Transaction, labels []Label) (identity, error) {
	if err := setLabels(w.Tx, t, labels); err != nil {
		return identity{}, err
	}
	return identity{t.ID}, t.describeIn(w.Entry())
}

type ownLabels struct {
	number string
	labels []Label
}

func readOwnLabels(g *form.Group) ownLabels { return ownLabels{readNumber(g), readLabels(g, "labels")} }

// appendOwnLabels adds labels to a transaction of the caller. Labels that it has already are not added again.
func appendOwnLabels(w *api.Writing, sent ownLabels) (identity, error) {
	t, err := lockByDocument(w.Tx, w.Store.Key, sent.number)
	if errors.Is(err, fault.ErrNotFound) || err == nil && t.CustomerID != w.Caller.ID {
		err = w.Refuse("transactionDocumentNumber", errNoTransaction)
	}
	if err != nil {
		return identity{}, err
	}
	labels := slices.Clone(t.Labels)
	for _, label := range sent.labels {
		if !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	if len(labels) > LabelLimit {
		return identity{}, w.Refuse("labels", errManyLabels)
	}
	return relabel(w, t, labels)
}
