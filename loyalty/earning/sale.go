package earning

import (
	"slices"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
)

// Earned gives a customer the points and instant rewards of a sale, the points for the first sale, and those for an
// invitation. It is a hook of transactions. See docs/behaviour/earning-rules.md#points-of-a-purchase.
func (svc *Service) Earned(tx *db.Tx, s *store.Store, sale *transaction.Transaction, who *customer.Customer) error {
	rules, err := activeOf(tx, s.Key, svc.onSale...)
	if err != nil {
		return err
	}
	first, err := rulesFor(tx, s, firstTransaction)
	if err != nil {
		return err
	}
	by, err := referralOfSale(tx, s, who)
	if err != nil || len(rules)+len(first) == 0 && by == nil {
		return err
	}
	result, err := svc.evaluate(tx, s, rules, sale)
	if err != nil {
		return err
	}
	accounts := append([]string{sale.CustomerID}, by.referrer()...)
	if err := reward(tx, svc.desk, s, sale, result.Rewards, accounts); err != nil {
		return err
	}
	_, err = give(tx, s, accounts, func() ([]payment, error) {
		var payments []payment
		if result.Points > 0 {
			payments = append(payments, payment{customerID: sale.CustomerID, grant: points.Grant{
				Value: result.Points, Comment: result.Comment, Issuer: points.BySystem, TransactionID: sale.ID,
				CreatedAt: tx.Now(),
			}})
		}
		if len(first) == 0 && by == nil {
			return payments, nil
		}
		who, err := earnerOf(tx, s, sale.CustomerID) // the locked account excludes concurrent sales
		if err != nil {
			return nil, err
		}
		best, err := firstSale(tx, s, first, sale.CustomerID, who)
		if err != nil {
			return nil, err
		}
		if best != nil {
			payments = append(payments, svc.payment(tx, best, sale.CustomerID))
		}
		referred, err := svc.referred(tx, s, by, who)
		return append(payments, referred...), err
	})
	return err
}

// firstSale returns the rule that pays for the customer's first sale, or nil. A customer whose sales were all returned
// has none again, so it notes that the first one was there, whether or not a rule pays for it.
func firstSale(tx *db.Tx, s *store.Store, rules []Rule, customerID string, who Earner) (*Rule, error) {
	if len(rules) == 0 || who.Sales > 0 {
		return nil, nil
	}
	first, err := happenedFirst(tx, s.Key, customerID, firstTransaction)
	if err != nil || !first {
		return nil, err
	}
	return Best(usable(tx, rules, who)), nil
}

// Simulate returns the points that a sale would earn its customer, without giving them.
func (svc *Service) Simulate(tx *db.Tx, s *store.Store, sale *transaction.Transaction) (points.Amount, error) {
	rules, err := activeOf(tx, s.Key, svc.onSale...)
	if err != nil {
		return 0, err
	}
	result, err := svc.evaluate(tx, s, rules, sale)
	return result.Points, err
}

func (svc *Service) evaluate(tx *db.Tx, s *store.Store, rules []Rule, sale *transaction.Transaction) (Result, error) {
	who, err := earnerOf(tx, s, sale.CustomerID)
	if err != nil {
		return Result{}, err
	}
	rules = slices.DeleteFunc(rules, func(r Rule) bool { return !r.UsableBy(who, sale.PurchasedAt, sale.POSID) })
	return svc.Evaluate(&s.Settings, rules, sale), nil
}

// reward gives instant rewards at no cost. Rewards of campaigns that are sold out or whose limit is reached are
// skipped, so that they do not fail the sale. The accounts are those that the sale locks.
func reward(tx *db.Tx, desk *purchase.Desk, s *store.Store, sale *transaction.Transaction, rewards []Rule,
	accounts []string) error {
	if len(rewards) == 0 {
		return nil
	}
	languages, err := store.AllLanguages(tx)
	if err != nil {
		return err
	}
	campaigns := make([]string, len(rewards))
	for i := range rewards {
		campaigns[i] = rewards[i].Definition.RewardCampaignID
	}
	_, err = desk.Grant(tx, purchase.Gift{
		Store: s, CustomerID: sale.CustomerID, CampaignIDs: campaigns, TransactionID: sale.ID, Gross: sale.Amounts.Gross,
		Locale: languages.Default(), Accounts: accounts,
	})
	return err
}
