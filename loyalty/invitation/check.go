package invitation

import (
	"punchcard/loyalty/customer"
	"punchcard/platform/check"
	"punchcard/platform/counter"
)

// Invitations is the table that customers refer to.
var Invitations = check.Table{Name: "invitations", ID: "invitation_id"}

// Rules returns the invariants of invitations.
func Rules() []check.Rule {
	return []check.Rule{
		check.Refers("invitation.referrer", Invitations, "referrer_id", customer.Customers),
		check.Refers("invitation.recipient", Invitations, "recipient_id", customer.Customers),
		check.Refers("invitation.of_customer", customer.Customers, "invitation_id", Invitations),
		check.OneOf("invitation.status", Invitations, "status", Statuses...),
		check.Rows("invitation.life", `SELECT store_id, invitation_id, status, 'the one of its dates and its recipient'
			FROM invitations WHERE status <> CASE WHEN purchased_at IS NOT NULL THEN '`+MadePurchase+`'
				WHEN registered_at IS NOT NULL THEN '`+Registered+`' ELSE '`+Invited+`' END
			OR (recipient_id <> '') <> (registered_at IS NOT NULL)`),
		check.Equal("invitation.count", counter.Totals(
			counterName(Invited), counterName(Registered), counterName(MadePurchase)),
			`SELECT store_id, 'invitations ' || status AS id, COUNT(*) AS total FROM invitations GROUP BY store_id, status`),
	}
}
