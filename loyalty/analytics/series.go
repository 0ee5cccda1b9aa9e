package analytics

import (
	"cmp"

	"punchcard/core/api"
	"punchcard/loyalty/rollup"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// seriesView is the JSON of a series. See docs/behaviour/analytics.md#series.
type seriesView struct {
	Metric   string `json:"metric"`
	Unit     string `json:"unit"`
	Currency string `json:"currency,omitempty"` // of money
	frame
	Interval string       `json:"interval"`
	Total    figureView   `json:"total"`
	Previous figureView   `json:"previous"`
	Points   []figureView `json:"points"`
}

// frame is the moment at which an answer was computed, and its time zone.
type frame struct {
	AsOf     string `json:"asOf"`
	TimeZone string `json:"timezone"`
}

// figureView is the value of a period, both days included.
type figureView struct {
	From  string        `json:"from"`
	To    string        `json:"to"`
	Value decimal.Money `json:"value"`
}

func frameOf(c *api.Call) frame {
	return frame{AsOf: api.Timestamp(c.Now(), c.Store.Zone), TimeZone: c.Store.Settings.Timezone}
}

// seriesRequest is a read query.
type seriesRequest struct {
	metric   *metric
	interval string
	spans    [2]period // the period, and the one to compare it with
}

func readSeries(q *form.Group, today calendar.Day) seriesRequest {
	return seriesRequest{
		metric:   findMetric(q.Choice("metric", metricNames(), form.NotBlank)),
		interval: readInterval(q),
		spans:    readComparison(q, today),
	}
}

func readInterval(q *form.Group) string {
	return cmp.Or(q.Choice("interval", intervalNames()), "day")
}

func showSeries(r *api.Reading, in seriesRequest) (seriesView, error) {
	v := seriesView{Metric: in.metric.name, Unit: in.metric.unit, frame: frameOf(r.Call), Interval: in.interval}
	if v.Unit == money {
		v.Currency = r.Store.Currency
	}
	parts := in.spans[0].split(in.interval)
	values, err := in.metric.values(r.Tx, r.Store.Key, append(parts, in.spans[:]...))
	if err != nil {
		return v, err
	}
	figure := func(p period, n int) figureView {
		return figureView{p.from.String(), p.to.String(), in.metric.value(values[n])}
	}
	v.Points = make([]figureView, len(parts))
	for n, part := range parts {
		v.Points[n] = figure(part, n)
	}
	v.Total = figure(in.spans[0], len(parts))
	v.Previous = figure(in.spans[1], len(parts)+1)
	return v, nil
}

// values returns the sums of periods. They are read with one statement, or two.
func (m *metric) values(tx *db.Tx, storeKey int64, periods []period) ([]int64, error) {
	if m.distinct != nil {
		return m.distinct(tx, storeKey, periods)
	}
	whole := periods[0]
	for _, p := range periods {
		whole.from, whole.to = min(whole.from, p.from), max(whole.to, p.to)
	}
	days, err := rollup.Days(tx, storeKey, whole.from, whole.to)
	if err != nil {
		return nil, err
	}
	var before int64 // of the days until the first period
	if m.total {
		sums, err := rollup.Total(tx, storeKey, whole.from-1)
		if err != nil {
			return nil, err
		}
		before = m.sum(&sums)
	}
	until := make([]int64, whole.days()+1) // the sum of the days before each day
	for i := range whole.days() {
		sums := days[whole.from+i]
		until[i+1] = until[i] + m.sum(&sums)
	}
	values := make([]int64, len(periods))
	for i, p := range periods {
		values[i] = until[p.to-whole.from+1]
		if m.total {
			values[i] += before
		} else {
			values[i] -= until[p.from-whole.from]
		}
	}
	return values, nil
}

// activeIn returns a function that counts the customers of periods as rollup counts those of spans of days.
func activeIn(
	count func(*db.Tx, int64, [][2]calendar.Day) ([]int64, error),
) func(*db.Tx, int64, []period) ([]int64, error) {
	return func(tx *db.Tx, storeKey int64, periods []period) ([]int64, error) {
		spans := make([][2]calendar.Day, len(periods))
		for i, p := range periods {
			spans[i] = [2]calendar.Day{p.from, p.to}
		}
		return count(tx, storeKey, spans)
	}
}
