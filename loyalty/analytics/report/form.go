package report

import (
	"punchcard/loyalty/analytics"
	"punchcard/platform/calendar"
	"punchcard/platform/form"
)

func readForm(g *form.Group, today calendar.Day) Report {
	r := Report{Kind: g.Choice("kind", kindNames(), form.NotBlank)}
	r.From, r.To = analytics.ReadPeriod(g, today)
	return r
}
