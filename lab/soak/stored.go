package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// facts are the stored ids by kind.
type facts map[string]map[string]bool

// add adds a fact; it returns false if the fact is known already.
func (f facts) add(kind, id string) bool {
	if f[kind] == nil {
		f[kind] = map[string]bool{}
	}
	known := f[kind][id]
	f[kind][id] = true
	return !known
}

func purchaseFact(customer, campaign string) string {
	return "purchase of " + campaign + " by " + customer
}

func useFact(customer string) string { return "coupon used by " + customer }

func movementFact(kind, customer string, value int64, comment string) string {
	return fmt.Sprintf("%s of %d points, %s, of %s", kind, value, comment, customer)
}

func transferFact(from, to string, value int64) string {
	return fmt.Sprintf("transfer of %d points from %s to %s", value, from, to)
}

func documentFact(number, kind string) string { return kind + " " + number }

// stored is the content of the lists and of the events of a round, which must agree.
type stored struct {
	facts
	sold  map[string]int  // coupons by campaign
	codes map[string]bool // of the campaign with codes

	coupons, transfers map[string]bool // ids in the lists
	events             struct{ coupons, transfers map[string]bool }
	findings           []string
}

func (s *stored) addFinding(format string, values ...any) {
	s.findings = append(s.findings, fmt.Sprintf(format, values...))
}

// read reads everything that the round may have stored.
func (r *round) read(ctx context.Context) (*stored, error) {
	s := &stored{facts: facts{}, sold: map[string]int{}, codes: map[string]bool{},
		coupons: map[string]bool{}, transfers: map[string]bool{}}
	s.events.coupons, s.events.transfers = map[string]bool{}, map[string]bool{}
	if err := r.readEvents(ctx, s); err != nil {
		return nil, err
	}
	documents, err := r.readDocuments(ctx, s)
	if err != nil {
		return nil, err
	}
	given, taken := map[[2]string]int64{}, map[[2]string]int64{} // points by sender and receiver
	for i := range r.customers {
		c := &r.customers[i]
		paid, err := r.readPurchases(ctx, s, c)
		if err != nil {
			return nil, err
		}
		expected := expectedMovements{paid: paid, documents: documents, given: given, taken: taken}
		if err := r.readMovements(ctx, s, c, expected); err != nil {
			return nil, err
		}
	}
	for pair, value := range given {
		if taken[pair] != value {
			s.addFinding("%s gave %s %d points, who got %d", pair[0], pair[1], value, taken[pair])
		}
		delete(taken, pair)
	}
	for pair, value := range taken {
		s.addFinding("%s got %d points that %s did not give", pair[1], value, pair[0])
	}
	return s, nil
}

// readPurchases reads the coupons of a customer and returns what they cost.
func (r *round) readPurchases(ctx context.Context, s *stored, c *customer) (paid int64, err error) {
	var list struct {
		Campaigns []struct {
			CostInPoints int64
			CampaignID   struct{ CampaignID string }
			Used         bool
			Coupon       struct{ ID, Code string }
		}
		Total int
	}
	if err := r.get(ctx, storePath+"admin/customer/"+c.id+"/campaign/bought?perPage=-1", &list); err != nil {
		return 0, err
	}
	if list.Total != len(list.Campaigns) {
		s.addFinding("the list of %s has %d coupons of %d", c.id, len(list.Campaigns), list.Total)
	}
	costs := r.costs()
	for _, bought := range list.Campaigns {
		campaign, coupon := bought.CampaignID.CampaignID, bought.Coupon
		s.facts.add(purchaseFact(c.id, campaign), coupon.ID+" "+coupon.Code)
		if bought.Used {
			s.facts.add(useFact(c.id), coupon.ID)
		}
		if s.coupons[coupon.ID] {
			s.addFinding("coupon %s is stored twice", coupon.ID)
		}
		s.coupons[coupon.ID] = true
		if campaign == r.campaigns.scarce {
			if s.codes[coupon.Code] {
				s.addFinding("code %s was sold twice", coupon.Code)
			}
			s.codes[coupon.Code] = true
		}
		if bought.CostInPoints != int64(costs[campaign]) {
			s.addFinding("coupon %s cost %d", coupon.ID, bought.CostInPoints)
		}
		s.sold[campaign]++
		paid += bought.CostInPoints
	}
	return paid, nil
}

// expectedMovements is compared with the movements of a customer.
type expectedMovements struct {
	paid         int64            // for coupons
	documents    map[string]int64 // values by id, negative for returns
	given, taken map[[2]string]int64
}

// movement is one change of the points of a customer.
type movement struct {
	ID            string `json:"pointsTransferId"`
	Value         int64
	State         string
	Type          string
	Comment       string
	Issuer        string
	TransactionID struct{ TransactionID string }
	SenderID      string
	ReceiverID    string
}

// readMovements reads the movements of a customer's points, and compares their sum with the balance.
func (r *round) readMovements(ctx context.Context, s *stored, c *customer, b expectedMovements) error {
	var list struct {
		Transfers []movement
		Total     int
	}
	if err := r.get(ctx, storePath+"points/transfer?perPage=-1&customerId="+c.id, &list); err != nil {
		return err
	}
	if list.Total != len(list.Transfers) {
		s.addFinding("the list of %s has %d movements of %d", c.id, len(list.Transfers), list.Total)
	}
	var sum, paid int64
	for _, m := range list.Transfers {
		s.transfers[m.ID] = true
		sign := int64(1)
		if strings.HasSuffix(m.Type, "spending") {
			sign = -1
		}
		sum += sign * m.Value
		document := m.TransactionID.TransactionID
		switch {
		case m.State != "active":
			s.addFinding("movement %s is %s", m.ID, m.State)
		case m.Type == "p2p_spending":
			s.facts.add(transferFact(c.id, m.ReceiverID, m.Value), m.ID)
			b.given[[2]string{c.id, m.ReceiverID}] += m.Value
		case m.Type == "p2p_adding":
			b.taken[[2]string{m.SenderID, c.id}] += m.Value
		case document != "":
			if b.documents[document] != sign*m.Value {
				s.addFinding("document %s of %d moves %d points", document, b.documents[document], sign*m.Value)
			}
			b.documents[document] = 0 // each document moves points at most one time
		case m.Issuer == "system":
			paid += m.Value
		default:
			s.facts.add(movementFact(m.Type, c.id, m.Value, m.Comment), m.ID)
		}
	}
	if paid != b.paid {
		s.addFinding("%s paid %d points for coupons of %d", c.id, paid, b.paid)
	}
	var status struct{ Points int64 }
	if err := r.get(ctx, storePath+"admin/customer/"+c.id+"/status", &status); err != nil {
		return err
	}
	if status.Points != sum || sum < 0 {
		s.addFinding("%s has %d points, the movements come to %d", c.id, status.Points, sum)
	}
	return nil
}

// readDocuments reads the receipts of the round and returns their values.
func (r *round) readDocuments(ctx context.Context, s *stored) (values map[string]int64, err error) {
	var list struct {
		Transactions []struct {
			TransactionID, DocumentNumber, DocumentType string
			GrossValue                                  json.Number
		}
		Total int
	}
	query := url.Values{"perPage": {"-1"}, "documentNumber": {fmt.Sprintf("S%d-", r.number)}}
	if err := r.get(ctx, storePath+"transaction?"+query.Encode(), &list); err != nil {
		return nil, err
	}
	values = map[string]int64{}
	for _, d := range list.Transactions {
		value, err := d.GrossValue.Float64()
		if err != nil {
			return nil, err
		}
		if d.DocumentType == "return" && value > 0 {
			value = -value
		}
		values[d.TransactionID] = int64(value)
		s.facts.add(documentFact(d.DocumentNumber, d.DocumentType), d.TransactionID)
	}
	return values, nil
}

// event is the part of a stored event that rounds compare.
type event struct {
	ID      int64
	Type    string
	Payload struct {
		CustomerID     json.RawMessage
		CustomerData   struct{ Email string }
		Coupon         struct{ ID string }
		PointsTransfer struct {
			ID struct{ PointsTransferID string }
		}
	}
}

// readEvents reads the events since the round before, whose ids must have no gap.
func (r *round) readEvents(ctx context.Context, s *stored) error {
	for {
		var page struct{ Events []event }
		if err := r.get(ctx, fmt.Sprintf("/api/event?perPage=100&fromId=%d", r.lastEvent+1), &page); err != nil {
			return err
		}
		if len(page.Events) == 0 {
			return nil
		}
		for _, e := range page.Events {
			if e.ID != r.lastEvent+1 {
				s.addFinding("event %d follows %d", e.ID, r.lastEvent)
			}
			r.lastEvent = e.ID
			var first bool
			transfer := e.Payload.PointsTransfer.ID.PointsTransferID
			switch _, name, _ := strings.Cut(e.Type, ".Event."); name {
			case "CampaignWasBoughtByCustomer":
				first = !s.events.coupons[e.Payload.Coupon.ID]
				s.events.coupons[e.Payload.Coupon.ID] = true
			case "PointsWereAdded", "PointsWereSpent", "PointsWereTransferred":
				first = !s.events.transfers[transfer]
				s.events.transfers[transfer] = true
			case "CustomerWasRegistered":
				var id struct{ CustomerID string }
				if err := json.Unmarshal(e.Payload.CustomerID, &id); err != nil {
					return err
				}
				first = s.facts.add("registration of "+e.Payload.CustomerData.Email, id.CustomerID)
			default:
				first = true
			}
			if !first {
				s.addFinding("event %d repeats an earlier one", e.ID)
			}
		}
	}
}
