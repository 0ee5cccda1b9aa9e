package earning

import (
	"net/url"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// customEventRule pays for an event that clients report by its name, which is unique in the store.
var customEventRule = RuleType{
	Name:    CustomEvent,
	Limited: true,
	ReadEventName: func(f *Form) {
		f.Rule.EventName = f.Key("eventName", form.NotBlank, form.MaxLength(nameLimit))
	},
	Read: func(f *Form) {
		f.PointsAmount(form.GreaterThan(0))
		f.Rule.Definition.NotByCustomers = !f.Checkbox("customerMayTrigger") && f.Submitted("customerMayTrigger")
		f.Limit()
	},
	Examine: func(tx *db.Tx, s *store.Store, f *Form) error {
		if f.Rule.EventName == "" {
			return nil
		}
		if _, err := store.Lock(tx, s.Key); err != nil {
			return err
		}
		owner, err := ownerOf(tx, s.Key, f.Rule.EventName)
		if err == nil && owner != "" && owner != f.Rule.ID {
			f.AddError("eventName", form.AlreadyUsed)
		}
		return err
	},
	View: func(r *Rule, s *store.Store, to *TypeView) {
		mayTrigger := !r.Definition.NotByCustomers
		to.Limit, to.PointsAmount = &r.Definition.Limit, &r.Definition.Points
		to.EventName, to.CustomerMayTrigger = &r.EventName, &mayTrigger
		to.UsageURL = "/api/" + s.Code + "/v1/earnRule/" + url.PathEscape(r.EventName) + "/customer/:customerId"
	},
}
