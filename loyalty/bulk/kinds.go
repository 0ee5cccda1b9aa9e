package bulk

import (
	"errors"
	"slices"

	"punchcard/core/access"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/dataimport"
	"punchcard/loyalty/points"
	"punchcard/loyalty/points/transfer"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// The results of an action for a customer. All but done mean that nothing was done.
const (
	done          = "done"
	unchanged     = "unchanged"     // it was so already
	gone          = "gone"          // the customer was deleted
	anonymous     = "anonymous"     // the customer was anonymized
	notEnough     = "notEnough"     // the customer has fewer points
	tooManyLabels = "tooManyLabels" // customer.LabelLimit
)

// effect is a row of bulk_effects: the result of an action for a customer, and the outcome of undoing it.
type effect struct {
	customerID, result, transferID, outcome string

	storeKey int64
	actionID string
}

var effectTable = db.NewTable("bulk_effects", "store_id, action_id, customer_id", func(e *effect) db.Row {
	return db.Row{
		"store_id", &e.storeKey, "action_id", &e.actionID, "customer_id", &e.customerID, "result", &e.result, "transfer_id",
		&e.transferID, "outcome", &e.outcome,
	}
})

// kind is a kind of action. To add one, add a row to kinds.
type kind struct {
	name      string
	resources []string // that the caller needs MODIFY on
	read      func(g *form.Group, d *Details)
	// apply does it to distinct customers, in the order of their ids, and returns an effect for each.
	apply func(svc *Service, tx *db.Tx, s *store.Store, a *Action, ids []string) ([]effect, error)
	// undo takes it back from one customer, and returns an outcome as undoing an import does.
	undo func(svc *Service, tx *db.Tx, s *store.Store, a *Action, e effect) (outcome string, err error)
}

var kinds = []kind{
	{"addLabel", []string{access.Customers}, readLabel, applyLabel(withLabel), undoLabel(withoutLabel)},
	{"removeLabel", []string{access.Customers}, readLabel, applyLabel(withoutLabel), undoLabel(withLabel)},
	{"givePoints", []string{access.PointTransfers}, readPoints, applyPoints(give), undoPoints},
	{"takePoints", []string{access.PointTransfers}, readPoints, applyPoints(take), undoPoints},
	{"addToSegment", []string{access.Customers, access.Segments}, readSegment, addToSegment, removeFromSegment},
}

func kindNames() []string {
	names := make([]string, len(kinds))
	for i := range kinds {
		names[i] = kinds[i].name
	}
	return names
}

func findKind(name string) *kind {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
	if i < 0 {
		return nil
	}
	return &kinds[i]
}

func readLabel(g *form.Group, d *Details) {
	label := g.Group("label")
	d.Label = &customer.Label{
		Key:   label.Key("key", form.NotBlank, form.MaxLength(customer.TextLimit)),
		Value: label.Text("value", form.MaxLength(customer.TextLimit)),
	}
}

func withLabel(labels []customer.Label, l customer.Label) []customer.Label {
	if slices.Contains(labels, l) {
		return labels
	}
	return append(slices.Clone(labels), l)
}

func withoutLabel(labels []customer.Label, l customer.Label) []customer.Label {
	return slices.DeleteFunc(slices.Clone(labels), func(one customer.Label) bool { return one == l })
}

type changeLabels func(labels []customer.Label, l customer.Label) []customer.Label

// labelResult changes the labels of a locked customer.
func labelResult(
	tx *db.Tx, s *store.Store, who *customer.Customer, l customer.Label, change changeLabels,
) (string, error) {
	labels := change(who.Labels, l)
	switch {
	case who.Status == customer.Deleted:
		return gone, nil
	case !who.AnonymizedAt.IsZero():
		return anonymous, nil
	case slices.Equal(labels, who.Labels):
		return unchanged, nil
	case len(labels) > customer.LabelLimit && len(labels) > len(who.Labels):
		return tooManyLabels, nil
	}
	before := *who
	if err := customer.SetLabels(tx, s, who, labels); err != nil {
		return "", err
	}
	return done, feature.React(tx, s, customer.Changed{Before: &before, After: who})
}

func applyLabel(change changeLabels) func(*Service, *db.Tx, *store.Store, *Action, []string) ([]effect, error) {
	return func(svc *Service, tx *db.Tx, s *store.Store, a *Action, ids []string) ([]effect, error) {
		members, err := membership.Lock(tx, s, ids...)
		if err != nil {
			return nil, err
		}
		effects := make([]effect, len(ids))
		for i, id := range ids {
			effects[i] = effect{customerID: id, result: gone}
			if who := members.Of(id); who != nil {
				if effects[i].result, err = labelResult(tx, s, who.Customer, *a.Details.Label, change); err != nil {
					return nil, err
				}
			}
		}
		return effects, nil
	}
}

// undoLabel changes a label back. A label that was changed back meanwhile stays as it is.
func undoLabel(change changeLabels) func(*Service, *db.Tx, *store.Store, *Action, effect) (string, error) {
	return func(svc *Service, tx *db.Tx, s *store.Store, a *Action, e effect) (string, error) {
		who, _, err := customer.Lock(tx, s, e.customerID)
		if errors.Is(err, fault.ErrNotFound) {
			return dataimport.OutcomeGone, nil
		}
		if err != nil {
			return "", err
		}
		result, err := labelResult(tx, s, who, *a.Details.Label, change)
		switch result {
		case done:
			return dataimport.OutcomeUndone, err
		case gone, anonymous:
			return dataimport.OutcomeGone, err
		}
		return dataimport.OutcomeChanged, err
	}
}

func readPoints(g *form.Group, d *Details) {
	d.Points = transfer.ReadPoints(g)
	d.Comment = transfer.ReadComment(g)
}

type changePoints func(tx *db.Tx, w *points.Wallet, d *Details, issuer string) (*points.Transfer, event.Entry, error)

func give(tx *db.Tx, w *points.Wallet, d *Details, issuer string) (*points.Transfer, event.Entry, error) {
	t, entry := w.Add(points.Grant{Value: d.Points, Comment: d.Comment, Issuer: issuer, CreatedAt: tx.Now()})
	return t, entry, nil
}

func take(_ *db.Tx, w *points.Wallet, d *Details, issuer string) (*points.Transfer, event.Entry, error) {
	return w.Spend(d.Points, d.Comment, issuer)
}

func applyPoints(change changePoints) func(*Service, *db.Tx, *store.Store, *Action, []string) ([]effect, error) {
	return func(_ *Service, tx *db.Tx, s *store.Store, a *Action, ids []string) ([]effect, error) {
		members, err := membership.Lock(tx, s, ids...)
		if err != nil {
			return nil, err
		}
		issuer := points.ByAdmin
		if a.CreatedBy.Permanent {
			issuer = points.ByAPI
		}
		effects := make([]effect, len(ids))
		for i, id := range ids {
			e := &effects[i]
			e.customerID, e.result = id, gone
			who := members.Of(id)
			if who == nil || who.Status == customer.Deleted {
				continue
			}
			if !who.AnonymizedAt.IsZero() {
				e.result = anonymous
				continue
			}
			err := members.Change(who, func(w *points.Wallet) (event.Entry, error) {
				t, entry, err := change(tx, w, &a.Details, issuer)
				if err == nil {
					e.result, e.transferID = done, t.ID
				}
				return entry, err
			})
			if errors.Is(err, points.ErrNotEnough) {
				e.result, err = notEnough, nil
			}
			if err != nil {
				return nil, err
			}
		}
		return effects, members.Save()
	}
}

// undoPoints cancels points that were given, as far as they were not spent, and gives back those that were taken.
func undoPoints(_ *Service, tx *db.Tx, s *store.Store, _ *Action, e effect) (string, error) {
	return transfer.Undo(tx, s, e.transferID)
}

func readSegment(g *form.Group, d *Details) { d.SegmentID = g.UUID("segmentId", form.NotBlank) }

func addToSegment(svc *Service, tx *db.Tx, s *store.Store, a *Action, ids []string) ([]effect, error) {
	added, err := svc.segments.AddToList(tx, s, a.Details.SegmentID, ids...)
	if err != nil {
		return nil, err
	}
	effects := make([]effect, len(ids))
	for i, id := range ids {
		effects[i] = effect{customerID: id, result: unchanged}
		if slices.Contains(added, id) {
			effects[i].result = done
		}
	}
	return effects, nil
}

func removeFromSegment(svc *Service, tx *db.Tx, s *store.Store, a *Action, e effect) (string, error) {
	removed, err := svc.segments.RemoveFromList(tx, s, a.Details.SegmentID, e.customerID)
	switch {
	case errors.Is(err, fault.ErrNotFound), errors.Is(err, segment.ErrNoList):
		return dataimport.OutcomeGone, nil
	case err != nil:
		return "", err
	case !removed:
		return dataimport.OutcomeChanged, nil
	}
	return dataimport.OutcomeUndone, nil
}
