package transfer

import (
	"cmp"
	"errors"
	"math"
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/arrival"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/dataimport"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// importedAtOnce is how many transfers share a transaction.
const importedAtOnce = 50

// Import returns the import of transfers.
func Import() *dataimport.Kind {
	return &dataimport.Kind{
		Name: "transfers", Path: "points/transfer/import", Summary: "Import transfers of points",
		Audit: api.Audited("ImportTransfers", "transfer"), Resource: access.PointTransfers,
		Root: "pointsTransfers", Batch: importedAtOnce,
		New:     func() dataimport.Record { return new(transferRecord) },
		Example: func() dataimport.Record { return &exampleTransfer },
		Apply:   applyTransfers, Undo: undoTransfer,
		Object: func(id string) any { return madeTransfer{id} },
		Points: pointsOfRecords,
	}
}

// pointsOfRecords returns how many points records add and take in all, in hundredths. Those without a valid number are
// refused later.
func pointsOfRecords(records []dataimport.Record) (hundredths int64) {
	for _, record := range records {
		g, err := dataimport.Form(record)
		if err != nil {
			continue
		}
		moved := ReadPoints(g)
		if g.Err() == nil && hundredths <= math.MaxInt64-int64(moved) {
			hundredths += int64(moved)
		}
	}
	return hundredths
}

// transferRecord is a transfer in an imported file. Its JSON is its form.
type transferRecord struct {
	CustomerID string `xml:"customerId" json:"customerId"`
	Email      string `xml:"customerEmail" json:"customerEmail"`
	Card       string `xml:"customerLoyaltyCardNumber" json:"customerLoyaltyCardNumber"`
	Phone      string `xml:"customerPhoneNumber" json:"customerPhoneNumber"`
	Points     string `xml:"points" json:"points"`
	Type       string `xml:"type" json:"type"`
	Comment    string `xml:"comment" json:"comment"`
	Days       string `xml:"validityDuration" json:"validityDuration"`
}

var exampleTransfer = transferRecord{Email: "ida@example.org", Points: "15", Type: points.Adding, Comment: "Welcome"}

// Identifier returns the customer with the type and the points.
func (r *transferRecord) Identifier() string {
	who := cmp.Or(strings.TrimSpace(r.CustomerID), strings.TrimSpace(r.Email), strings.TrimSpace(r.Card),
		strings.TrimSpace(r.Phone))
	return who + "/(" + strings.TrimSpace(r.Type) + " " + strings.TrimSpace(r.Points) + ")"
}

// Columns returns all fields.
func (r *transferRecord) Columns() []dataimport.Column {
	return []dataimport.Column{
		{Name: "customerId", Text: &r.CustomerID},
		{Name: "customerEmail", Text: &r.Email, Also: dataimport.EmailNames},
		{Name: "customerLoyaltyCardNumber", Text: &r.Card, Also: dataimport.CardNames},
		{Name: "customerPhoneNumber", Text: &r.Phone, Also: dataimport.PhoneNames},
		{Name: "points", Text: &r.Points, Type: dataimport.Number, Unit: dataimport.Points,
			Also: []string{"balance", "punkty", "punkte", "puntos", "saldo", "value", "amount"}},
		{Name: "type", Text: &r.Type},
		{Name: "comment", Text: &r.Comment, Also: []string{"reason", "note", "komentarz", "kommentar", "commentaire"}},
		{Name: "validityDuration", Text: &r.Days},
	}
}

// order is a transfer that a record asks for.
type order struct {
	form     *form.Group
	customer string
	kind     string
	points   points.Amount
	comment  string
	days     int
}

// read reads the record by the rules of transfers by hand, but refuses points with more digits. It finds the customer
// by the first field that is filled in.
func (r *transferRecord) read(tx *db.Tx, s *store.Store) (*order, error) {
	g, err := dataimport.Form(r)
	if err != nil {
		return nil, err
	}
	o := &order{
		form: g, kind: g.Choice("type", []string{points.Adding, points.Spending}, form.NotBlank),
		points:  ReadPoints(g, form.AtMostDigits(pointsDigits)),
		comment: ReadComment(g), days: readDays(g),
	}
	field, value := "", ""
	for _, name := range []string{"customerId", "customerEmail", "customerLoyaltyCardNumber", "customerPhoneNumber"} {
		if text := g.Key(name, form.MaxLength(nameLimit)); field == "" && text != "" {
			field, value = name, text
		}
	}
	if field == "" {
		g.AddError("customerId", form.Blank)
		return o, g.Err()
	}
	var who *customer.Customer
	found := false
	switch {
	case field == "customerLoyaltyCardNumber":
		who, err = customer.FindByPath(tx, s.Key, value, false)
		found = err == nil
	case field != "customerId":
		who, found, err = customer.FindByContact(tx, s.Key, value)
	case form.IsUUID(value):
		who, err = customer.Find(tx, s.Key, value)
		found = err == nil
	}
	merged, isFault := errors.AsType[*fault.Error](err)
	switch {
	case isFault && errors.Is(err, customer.ErrMerged):
		g.AddError(field, merged)
		return o, g.Err()
	case err != nil && !errors.Is(err, fault.ErrNotFound):
		return nil, err
	case !found:
		g.AddError(field, form.Invalid("unknown_customer"))
		return o, g.Err()
	}
	o.customer = who.ID
	return o, g.Err()
}

// applyTransfers makes transfers. All accounts are locked together, in the order of purchases.
func applyTransfers(tx *db.Tx, s *store.Store, of *dataimport.Import, records []dataimport.Record) (
	[]dataimport.Result, error) {
	if of.Options.WithoutMessages {
		arrival.Quietly(tx)
	}
	results, orders := make([]dataimport.Result, len(records)), make([]*order, len(records))
	var ids []string
	for i, record := range records {
		o, err := record.(*transferRecord).read(tx, s)
		if err == nil {
			orders[i], ids = o, append(ids, o.customer)
		} else if results[i], err = dataimport.Refuse(err); err != nil {
			return nil, err
		}
	}
	members, err := membership.Lock(tx, s, db.Distinct(ids)...)
	if err != nil {
		return nil, err
	}
	issuer := points.ByAdmin
	if of.CreatedBy.Permanent {
		issuer = points.ByAPI
	}
	for i, o := range orders {
		if o == nil {
			continue
		}
		who, err := members.Of(o.customer), error(nil)
		if who == nil || who.Gone() != nil { // the customer was deleted or merged meanwhile
			o.form.AddFormError(form.Invalid("unknown_customer"))
			err = o.form.Err()
		} else {
			err = members.Change(who, func(w *points.Wallet) (event.Entry, error) {
				made, entry, err := o.decide(tx, w, issuer)
				if err == nil {
					results[i].ID = made.ID
				}
				return entry, err
			})
		}
		if err == nil {
			continue
		}
		if results[i], err = dataimport.Refuse(err); err != nil {
			return nil, err
		}
	}
	if err := members.Save(); err != nil {
		return nil, err
	}
	return results, nil
}

// decide makes the transfer in a locked account, or returns the errors of the form.
func (o *order) decide(tx *db.Tx, w *points.Wallet, issuer string) (*points.Transfer, event.Entry, error) {
	if o.kind == points.Adding {
		made, entry := w.Add(points.Grant{
			Value: o.points, Comment: o.comment, Issuer: issuer, ValidDays: o.days, CreatedAt: tx.Now(),
		})
		return made, entry, nil
	}
	made, entry, err := w.Spend(o.points, o.comment, issuer)
	if errors.Is(err, points.ErrNotEnough) {
		o.form.AddError("points", errNotEnough)
		err = o.form.Err()
	}
	return made, entry, err
}

func undoTransfer(tx *db.Tx, s *store.Store, e dataimport.Effect) (outcome string, err error) {
	return Undo(tx, s, e.ObjectID)
}

// Undo cancels points that were added, as far as they were not spent, and gives back those that were taken. It returns
// one of dataimport.Outcomes.
func Undo(tx *db.Tx, s *store.Store, id string) (outcome string, err error) {
	who, err := points.OwnerOf(tx, s.Key, id)
	if errors.Is(err, fault.ErrNotFound) {
		return dataimport.OutcomeGone, nil
	}
	if err != nil {
		return "", err
	}
	outcome = dataimport.OutcomeUndone
	err = membership.Change(tx, s, who, func(w *points.Wallet) (event.Entry, error) {
		t, err := w.Transfer(id)
		if err != nil {
			return event.Entry{}, err
		}
		if !t.IsLot() {
			return w.Return(t)
		}
		if t.StateAt(tx.Now()) == points.Expired {
			return event.Entry{}, points.ErrNotCancelable
		}
		if t.Available < t.Value {
			outcome = dataimport.OutcomePartly
		}
		return w.Cancel(t)
	})
	switch {
	case errors.Is(err, points.ErrNotCancelable), errors.Is(err, customer.ErrMerged): // it has ended in another way
		return dataimport.OutcomeChanged, nil
	case errors.Is(err, fault.ErrNotFound):
		return dataimport.OutcomeGone, nil
	}
	return outcome, err
}
