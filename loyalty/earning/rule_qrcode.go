package earning

import (
	"punchcard/core/store"
	"punchcard/platform/form"
)

// qrCodeRule pays for a scanned code.
var qrCodeRule = RuleType{
	Name:    QRCode,
	Limited: true,
	Read: func(f *Form) {
		f.Rule.Definition.Code = f.Key("code", form.NotBlank, form.MaxLength(nameLimit))
		f.PointsAmount(form.GreaterThan(0))
		f.Limit()
	},
	View: func(r *Rule, _ *store.Store, to *TypeView) {
		to.Limit, to.PointsAmount, to.Code = &r.Definition.Limit, &r.Definition.Points, &r.Definition.Code
	},
}
