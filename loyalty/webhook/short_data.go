package webhook

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/eventlog"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// shortMessage is the body of a call with a short name.
type shortMessage struct {
	Type      string         `json:"type"`
	CreatedAt string         `json:"createdAt"` // when the event was recorded, in the time zone of the store
	Data      map[string]any `json:"data"`
}

// dataFunc returns the data of an event under a short name, without the code of the store. What is not in the event is
// read as it is at the time of the call.
type dataFunc func(tx *db.Tx, s *store.Store, e *event.Event) (map[string]any, error)

// shortTest is the type of the message that a test sends to a subscription with short names.
const shortTest = "webhook.test"

func shortMessageOf(tx *db.Tx, s *store.Store, e *event.Event) (m shortMessage, err error) {
	m = shortMessage{Type: shortTest, CreatedAt: api.EventTimestamp(e.RecordedAt, s.Zone), Data: map[string]any{}}
	if name := shortNameOf(e); name != nil {
		m.Type = name.name
		if m.Data, err = name.data(tx, s, e); err != nil {
			return m, err
		}
	}
	m.Data["storeCode"] = s.Code
	return m, nil
}

func customerData(tx *db.Tx, s *store.Store, e *event.Event) (map[string]any, error) {
	data := map[string]any{}
	id := payloadOf(e).Customer.CustomerID
	switch c, err := customer.Find(tx, s.Key, id); {
	case errors.Is(err, fault.ErrNotFound), errors.Is(err, customer.ErrMerged):
	case err != nil:
		return nil, err
	default:
		data = membersOf(c.EventFields(s))
	}
	data["customerId"] = id
	return data, nil
}

// forgetCustomer removes the personal members of a customer, which are read at the time of the call.
func (m *shortMessage) forgetCustomer() {
	if !strings.HasPrefix(m.Type, "customer.") {
		return
	}
	for _, path := range eventlog.PersonalMembers()[userEvent+"CustomerWasRegistered"] {
		delete(m.Data, strings.TrimPrefix(path, "customerData."))
	}
}

// membersOf returns the JSON members of a struct.
func membersOf(value any) map[string]any {
	members := map[string]any{}
	if text, err := json.Marshal(value); err == nil {
		_ = json.Unmarshal(text, &members)
	}
	return members
}

func moveData(tx *db.Tx, s *store.Store, e *event.Event) (map[string]any, error) {
	data, _, err := levelDataOf(tx, s, e)
	return data, err
}

func automaticMoveData(tx *db.Tx, s *store.Store, e *event.Event) (map[string]any, error) {
	data, levels, err := levelDataOf(tx, s, e)
	p := payloadOf(e)
	data["levelAchievementDate"], data["levelMove"] = p.UpdateAt, "up"
	to, from := level.Find(levels, p.Level.LevelID), level.Find(levels, p.OldLevel.LevelID)
	if to != nil && from != nil && to.ConditionValue < from.ConditionValue {
		data["levelMove"] = "down"
	}
	return data, err
}

func levelDataOf(tx *db.Tx, s *store.Store, e *event.Event) (data map[string]any, levels []level.Level, err error) {
	p := payloadOf(e)
	data = map[string]any{"customerId": p.Customer.CustomerID, "levelId": p.Level.LevelID, "levelName": ""}
	if levels, err = level.All(tx, s.Key); err != nil {
		return data, nil, err
	}
	languages, err := store.AllLanguages(tx)
	if to := level.Find(levels, p.Level.LevelID); to != nil && err == nil {
		data["levelName"] = to.Name(api.Locale{Default: languages.Default()})
	}
	return data, levels, err
}

// receiptData returns what was sent with a receipt, and its customer if they are known by now.
func receiptData(tx *db.Tx, s *store.Store, e *event.Event) (map[string]any, error) {
	var sent map[string]any
	if err := json.Unmarshal(e.Payload, &sent); err != nil {
		return nil, err
	}
	data := map[string]any{}
	if document, ok := sent["transactionData"].(map[string]any); ok {
		maps.Copy(data, document)
	}
	for _, name := range []string{"customerData", "items", "labels", "revisedDocument"} {
		if value, ok := sent[name]; ok {
			data[name] = value
		}
	}
	if pos, ok := sent["posId"].(map[string]any); ok {
		data["posId"] = pos["posId"]
	}
	id := payloadOf(e).Transaction.TransactionID
	data["transactionId"] = id
	receipt, err := transaction.Find(tx, s.Key, id)
	if errors.Is(err, fault.ErrNotFound) {
		return data, nil
	}
	if err != nil {
		return nil, err
	}
	data["grossValue"] = receipt.Amounts.Gross
	if receipt.CustomerID != "" {
		data["customerId"] = receipt.CustomerID
	}
	return data, nil
}

func assignmentData(_ *db.Tx, _ *store.Store, e *event.Event) (map[string]any, error) {
	p := payloadOf(e)
	return map[string]any{
		"customerId": p.Customer.CustomerID, "transactionId": p.Transaction.TransactionID, "documentNumber": p.Document,
	}, nil
}

func purchaseData(_ *db.Tx, _ *store.Store, e *event.Event) (map[string]any, error) {
	p := payloadOf(e)
	return map[string]any{
		"customerId": p.Customer.CustomerID, "campaignId": p.Campaign.CampaignID, "costInPoints": p.Cost,
		"couponCode": p.Coupon.Code,
	}, nil
}

func endingPointsData(_ *db.Tx, _ *store.Store, e *event.Event) (map[string]any, error) {
	p := payloadOf(e)
	return map[string]any{"customerId": p.Customer.CustomerID, "points": p.Ending, "expiresAt": p.ExpiresAt}, nil
}

func endingLevelData(tx *db.Tx, s *store.Store, e *event.Event) (map[string]any, error) {
	data, _, err := levelDataOf(tx, s, e)
	data["expiresAt"] = payloadOf(e).ExpiresAt
	return data, err
}

func endingCouponData(_ *db.Tx, _ *store.Store, e *event.Event) (map[string]any, error) {
	p := payloadOf(e)
	return map[string]any{
		"customerId": p.Customer.CustomerID, "campaignId": p.Campaign.CampaignID, "campaignName": p.Name,
		"couponId": p.Coupon.ID, "couponCode": p.Coupon.Code, "expiresAt": p.ActiveTo,
	}, nil
}

// balanceData returns the balance at the time of the call, and what the event changed.
func balanceData(tx *db.Tx, s *store.Store, e *event.Event) (map[string]any, error) {
	p := payloadOf(e)
	id := p.Points.ID.PointsTransferID + p.Transfer.PointsTransferID // an event has one of them
	t, _, err := points.Find(tx, s, id)
	if errors.Is(err, fault.ErrNotFound) {
		return map[string]any{}, nil
	}
	if err != nil {
		return nil, err
	}
	account, err := points.Balance(tx, s, t.CustomerID)
	kind, amount := balanceChange(&t, e)
	return map[string]any{
		"customerId": t.CustomerID, "amount": account.Points, "amount_change": amount, "amount_change_type": kind,
	}, err
}

// balanceChange returns the type and the amount of what an event changed in the balance of a transfer's account.
func balanceChange(t *points.Transfer, e *event.Event) (kind string, amount points.Amount) {
	switch strings.TrimPrefix(e.Type, accountEvent) {
	case "PointsWereTransferred":
		return "p2p_subtract", t.Value
	case "PointsWereSpent", "PointsWereBlocked", "PointsWereMoved":
		return "subtract", t.Value
	case "PointsTransferHasBeenExpired":
		return "subtract", t.Lapsed
	case "PointsTransferHasBeenCanceled":
		switch {
		case t.Type == points.Blocked:
			return "add", t.Value
		case e.RecordedAt.Before(t.LockedUntil): // pending points are not in the balance
			return "subtract", 0
		}
		return "subtract", t.Lapsed
	}
	if t.Type == points.P2PAdding {
		return "p2p_add", t.Value
	}
	return "add", t.Value
}
