package earning

import (
	"punchcard/core/store"
	"punchcard/platform/form"
)

// geolocationRule pays for a visit to a place.
var geolocationRule = RuleType{
	Name:    Geolocation,
	Limited: true,
	Read: func(f *Form) {
		c := &f.Rule.Definition.Circle
		c.Place = place(f.Group)
		c.Radius = Amount(f.Decimal("radius", 2, form.NotBlank, form.AtLeast(100), form.LessThan(radiusLimit)))
		f.PointsAmount(form.AtLeast(100))
		f.Limit()
	},
	View: func(r *Rule, _ *store.Store, to *TypeView) {
		d := &r.Definition
		to.Limit, to.PointsAmount = &d.Limit, &d.Points
		to.Latitude, to.Longitude, to.Radius = &d.Circle.Latitude, &d.Circle.Longitude, &d.Circle.Radius
	},
}
