package earning

import (
	"punchcard/loyalty/customer"
	"punchcard/platform/check"
)

// Rules returns the invariants of earning rules.
func (svc *Service) Rules() []check.Rule {
	rules := check.Table{Name: "earning_rules", ID: "rule_id"}
	uses := check.Table{Name: "earning_uses", ID: "use_id"}
	return []check.Rule{
		svc.KnownTypes(),
		check.JSON[Definition]("earning.definition", rules, "definition"),
		check.Refers("earning.use", uses, "rule_id", rules),
		check.Refers("earning.used_by", uses, "customer_id", customer.Customers),
		check.Refers("earning.once", check.Table{Name: "earning_once", ID: "event_name"}, "customer_id", customer.Customers),
		photos.Kind.Rule("earning.photo", rules),
	}
}

// KnownTypes returns the invariant that all rules are of known types. The server does not start if it is violated.
func (svc *Service) KnownTypes() check.Rule {
	return check.OneOf("earning.type", check.Table{Name: "earning_rules", ID: "rule_id"}, "type", svc.names...)
}
