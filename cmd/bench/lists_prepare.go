package main

import (
	"context"
	"fmt"
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
)

// listShop is a store whose lists have a number of rows: customers, their transfers and the codes of one
// campaign. Lists whose rows are slow to make have as many, but at most active ones.
type listShop struct {
	*shop
	rows   int
	active int // customers with a receipt and a purchase, the first ones
	server *server
}

// activeLimit is twice the result window: further rows are never reached.
const activeLimit = 2 * listWindow

func (s *listShop) codes() string { return ofStore + "campaign/" + s.hot + "/codes" }

// lastPage is the last page that the result window or the number of rows reaches.
func (s *listShop) lastPage() int { return min(listWindow, s.rows) / listedPerPage }

// prepareLists fills an empty database by the operations of the product.
func prepareLists(ctx context.Context, d *db.DB, rows int) (*listShop, error) {
	s := &listShop{shop: &shop{owners: 1 + activeLimit/spreadCampaigns}, rows: rows, active: min(rows, activeLimit)}
	began := time.Now()
	if err := s.open(ctx, d, rows); err != nil {
		return nil, err
	}
	s.customers = make([]string, rows)
	desk := purchase.NewDesk(d, campaign.RewardTypes)
	for _, part := range []struct {
		rows int
		add  func(tx *db.Tx, from, to int) error
	}{
		{rows, s.enroll},
		{s.active, func(tx *db.Tx, from, to int) error { return s.buyOne(tx, desk, from, to) }},
		{s.active, s.visit},
	} {
		if err := inParts(ctx, d, part.rows, part.add); err != nil {
			return nil, err
		}
	}
	s.customers = nil // they send no requests
	if err := s.issue(ctx, d); err != nil {
		return nil, err
	}
	progress("%s: %d rows for lists prepared in %.1f s", d.Engine(), rows, time.Since(began).Seconds())
	return s, nil
}

// inParts adds rows in transactions of some rows each.
func inParts(ctx context.Context, d *db.DB, rows int, add func(tx *db.Tx, from, to int) error) error {
	for from := 0; from < rows; from += atOnce {
		err := d.Write(ctx, func(tx *db.Tx) error { return add(tx, from, min(from+atOnce, rows)) })
		if err != nil {
			return err
		}
	}
	return nil
}

// enroll registers the customers from one position to another, and gives each of them points.
func (s *listShop) enroll(tx *db.Tx, from, to int) error {
	ids, owners := make([]string, to-from), make([]points.Owner, to-from)
	for i := range ids {
		p := newPerson(from+i, s.rows)
		c, err := customer.Register(tx, s.store, customer.Registration{
			Email: p.email, Phone: p.phone, LoyaltyCard: p.card, FirstName: p.firstName, LastName: p.lastName,
			Agreements: [3]bool{true}, Active: true,
		})
		if err != nil {
			return err
		}
		ids[i], owners[i] = c.ID, points.Owner{Store: s.store, CustomerID: c.ID}
	}
	tx.AfterCommit(func() { copy(s.customers[from:], ids) })
	return grant(tx, s.store.Key, owners)
}

// buyOne buys a coupon for each of the customers from one position to another.
func (s *listShop) buyOne(tx *db.Tx, desk *purchase.Desk, from, to int) error {
	buys := make([]purchase.Buy, 0, to-from)
	for i := from; i < to; i++ {
		buys = append(buys, purchase.Buy{
			Store: s.store, CustomerID: s.customers[i], CampaignID: s.spread[i%len(s.spread)], Quantity: 1, Locale: "en",
		})
	}
	sold, err := desk.BuyIn(tx, s.store, buys...)
	for i := 0; err == nil && i < len(sold); i++ {
		err = sold[i].Err
	}
	return err
}

// visit registers a receipt for each of the customers from one position to another.
func (s *listShop) visit(tx *db.Tx, from, to int) error {
	for i := from; i < to; i++ {
		p := newPerson(i, s.rows)
		if _, err := transaction.Register(tx, s.store, transaction.Transaction{
			DocumentNumber: fmt.Sprintf("R-%d", i), Type: transaction.Sell,
			CustomerData: transaction.CustomerData{Name: p.firstName + " " + p.lastName, LoyaltyCard: p.card},
			Items: []transaction.Item{
				{SKU: transaction.SKU{Code: "COFFEE"}, Name: "Coffee", Quantity: 1_000, GrossValue: 3_5000, Category: "Drinks"},
			},
		}, transaction.Hooks{}); err != nil {
			return err
		}
	}
	return nil
}

// person has the texts that a customer is searched by.
type person struct{ firstName, lastName, email, phone, card string }

// newPerson returns the customer with a number, of a store with a number of customers. Ten have the same
// last name, so that a search by it fills a page. Of ten, the last has a Chinese first name.
func newPerson(number, customers int) *person {
	families := max(1, customers/10)
	p := &person{firstName: word((31*number+number/families)%300, 2), lastName: word(number%families, 4)}
	p.email = fmt.Sprintf("%s.%s%d@example.com", p.firstName, p.lastName, number)
	if number%10 == 9 {
		p.firstName = string([]rune{rune(0x4e00 + number/10%89), rune(0x5e00 + number/10%997)})
	}
	p.phone = fmt.Sprintf("+48%09d", number*7_919+100_000_000)
	p.card = fmt.Sprintf("62%010d", number*104_729)
	return p
}

// word spells a number in syllables.
func word(number, syllables int) string {
	const consonants, vowels = "bcdfghjklmnprstwz", "aeiouy"
	var letters []byte
	for range syllables {
		letters = append(letters, consonants[number%len(consonants)], vowels[number/len(consonants)%len(vowels)])
		number /= len(consonants) * len(vowels)
	}
	return string(letters)
}
