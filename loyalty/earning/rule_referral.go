package earning

import (
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/invitation"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// The events of referral rules, and whom they pay.
const (
	registration  = "register"
	firstPurchase = "first_purchase"
	everyPurchase = "every_purchase" // after the first

	forRecipient = "referred"
	forReferrer  = "referrer"
	forBoth      = "both"
)

// ReferralEvents and ReferralRewards are the choices of a referral rule.
var (
	ReferralEvents  = []string{registration, firstPurchase, everyPurchase}
	ReferralRewards = []string{forRecipient, forReferrer, forBoth}
)

// referralRule pays for invitations: docs/behaviour/invitations.md#what-invitations-earn.
var referralRule = RuleType{
	Name: Referral,
	ReadEventName: func(f *Form) {
		f.Rule.EventName = f.Text("eventName", form.NotBlank, form.Matches(form.UnknownChoice, func(text string) bool {
			return slices.Contains(ReferralEvents, text)
		}))
	},
	Read: func(f *Form) {
		f.Rule.Definition.RewardType = f.Choice("rewardType", ReferralRewards, form.NotBlank)
		f.PointsAmount(form.GreaterThan(0))
	},
	View: func(r *Rule, _ *store.Store, to *TypeView) {
		to.EventName, to.RewardType, to.PointsAmount = &r.EventName, &r.Definition.RewardType, &r.Definition.Points
	},
}

// referral is an invitation whose rules may pay, because something happened to its recipient.
type referral struct {
	invitation *invitation.Invitation
	rules      []Rule // active ones of all events
}

// referrer returns the customer who invited, or nothing without an invitation.
func (r *referral) referrer() []string {
	if r == nil {
		return nil
	}
	return []string{r.invitation.ReferrerID}
}

// referralOf returns the referral by which a customer registered.
func referralOf(tx *db.Tx, s *store.Store, c *customer.Customer) (*referral, error) {
	invited, err := invitation.Find(tx, s.Key, c.InvitationID)
	if err != nil {
		return nil, err
	}
	rules, err := activeOf(tx, s.Key, Referral)
	return &referral{invited, rules}, err
}

// referralOfSale returns the referral that a sale to the customer concerns, or nil. A customer who was not invited
// costs no statement. rules are the active ones of referrals.
func referralOfSale(tx *db.Tx, s *store.Store, c *customer.Customer, rules []Rule) (*referral, error) {
	if c.InvitationID == "" {
		return nil, nil
	}
	invited, err := invitation.Find(tx, s.Key, c.InvitationID)
	if err != nil || len(rules) == 0 && invited.Status == invitation.MadePurchase {
		return nil, err
	}
	return &referral{invited, rules}, nil
}

// joined gives both sides the points for the registration of an invited customer, once the customer is active.
func (svc *Service) joined(tx *db.Tx, s *store.Store, c *customer.Customer) error {
	if c.InvitationID == "" || !c.IsActive() {
		return nil
	}
	by, err := referralOf(tx, s, c)
	if err != nil || by.invitation.Rewarded {
		return err
	}
	_, err = give(tx, s, append(by.referrer(), c.ID), func() ([]payment, error) {
		i, err := invitation.Lock(tx, s.Key, c.InvitationID)
		if err != nil || i.Rewarded {
			return nil, err
		}
		who, err := readEarner(tx, s, c.ID)
		if err != nil {
			return nil, err
		}
		i.Rewarded = true
		return svc.refer(tx, s, by.rules, i, registration, who)
	})
	return err
}

// referred returns the payments for a sale to an invited customer, and notes the first one. The accounts of both sides
// are locked.
func (svc *Service) referred(tx *db.Tx, s *store.Store, by *referral, who Earner) ([]payment, error) {
	if by == nil {
		return nil, nil
	}
	i, err := invitation.Lock(tx, s.Key, by.invitation.ID)
	if err != nil {
		return nil, err
	}
	eventName := everyPurchase
	if i.Status == invitation.Registered {
		eventName = firstPurchase
		i.Purchased(tx)
	}
	return svc.refer(tx, s, by.rules, i, eventName, who)
}

// refer returns the payments of the rules of an event to both sides, and saves the invitation with them. For each
// kind of reward, the best rule that the recipient meets pays. A referrer who is not active gets nothing.
func (svc *Service) refer(tx *db.Tx, s *store.Store, rules []Rule, i *invitation.Invitation, eventName string,
	recipient Earner) ([]payment, error) {
	rules = usable(tx, rules, recipient)
	var payments []payment
	pay := func(best *Rule, customerID string, sum *Amount) {
		payments = append(payments, svc.payment(tx, best, customerID))
		*sum += s.Settings.RuleGives(best.Definition.Points)
	}
	referrer, err := customer.FindAll(tx, s.Key, i.ReferrerID)
	if err != nil {
		return nil, err
	}
	referrerEarns := referrer[i.ReferrerID] != nil && referrer[i.ReferrerID].IsActive()
	for _, reward := range ReferralRewards {
		best := Best(slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool {
			return r.EventName != eventName || r.Definition.RewardType != reward
		}))
		if best == nil {
			continue
		}
		if reward != forReferrer {
			pay(best, i.RecipientID, &i.RecipientPoints)
		}
		if reward != forRecipient && referrerEarns {
			pay(best, i.ReferrerID, &i.ReferrerPoints)
		}
	}
	return payments, invitation.Save(tx, i)
}
