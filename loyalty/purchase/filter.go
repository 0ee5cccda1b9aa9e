package purchase

import (
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/form"
)

// filter selects purchases of a list. The zero filter selects all. See docs/behaviour/purchase.md#bought-lists.
type filter struct {
	used           *bool
	deliveryStatus string
	spans          []span
	customerID     string
	campaignID     string
	code           string  // compared exactly
	places         []place // of the campaign or the code, unless there is a customer; set by locate
	others         bool    // the index of another filter reads less than the places; set by total

	unread []string // names of parameters with a value that is none: lists ignore them, exports refuse them
}

// span limits one time of a purchase. A zero bound is open.
type span struct {
	column   string
	from, to time.Time // both inclusive; to includes its whole second
}

// first returns the first microsecond of the span.
func (s *span) first() int64 {
	if s.from.IsZero() {
		return math.MinInt64
	}
	return s.from.UnixMicro()
}

// end returns the first microsecond after the span.
func (s *span) end() int64 {
	if s.to.IsZero() {
		return math.MaxInt64
	}
	return s.to.Add(time.Second).UnixMicro()
}

// spans are the date filters of the bought list of a store, with their columns.
var spans = []struct{ name, column string }{
	{"purchasedAt", "purchased_at"}, {"usageDate", "used_at"}, {"activeSince", "active_since"},
	{"activeTo", "active_to"},
}

// readFilter reads the filters of the bought list of a store. Invalid values filter nothing.
func readFilter(query *form.Node, zone *time.Location) filter {
	f := filter{
		deliveryStatus: readDeliveryStatus(query), customerID: parameter(query, "customerId"),
		campaignID: parameter(query, "campaignId"), code: query.Child("code").Key(),
	}
	switch parameter(query, "used") {
	case "true", "1":
		f.used = new(true)
	case "false", "0":
		f.used = new(false)
	case "":
	default:
		f.unread = append(f.unread, "used")
	}
	if f.deliveryStatus == "" && parameter(query, "deliveryStatus") != "" {
		f.unread = append(f.unread, "deliveryStatus")
	}
	for _, s := range spans {
		f.readSpan(query, s.name, s.column, zone)
	}
	return f
}

func readDeliveryStatus(query *form.Node) string {
	if status := parameter(query, "deliveryStatus"); slices.Contains(deliveryStatuses, status) {
		return status
	}
	return ""
}

// readSpan reads a pair of bounds. If one of them is invalid, both are ignored.
func (f *filter) readSpan(query *form.Node, name, column string, zone *time.Location) {
	from, fromRight := readBound(query, name+"From", zone, form.ParseDateTime)
	to, toRight := readBound(query, name+"To", zone, form.ParseEnd)
	if !fromRight {
		f.unread = append(f.unread, name+"From")
	}
	if !toRight {
		f.unread = append(f.unread, name+"To")
	}
	if fromRight && toRight && !(from.IsZero() && to.IsZero()) {
		f.spans = append(f.spans, span{column, from, to})
	}
}

// readBound reads a bound. A missing bound is the zero time.
func readBound(query *form.Node, name string, zone *time.Location,
	parse func(string, *time.Location) (time.Time, bool)) (bound time.Time, ok bool) {
	text := parameter(query, name)
	if text == "" {
		return bound, true
	}
	// The text as sent comes first: decoding it again would turn the plus of an offset into a space.
	for _, text := range []string{strings.TrimSpace(query.Child(name).Text()), text} {
		if bound, ok = parse(strings.ToUpper(text), zone); ok {
			return bound, true
		}
	}
	return time.Time{}, false
}

// parameter returns a parameter in the form in which filters compare it: URL-decoded once more, in lower case, and
// empty for null.
func parameter(query *form.Node, name string) string {
	text := query.Child(name).Text()
	if decoded, err := url.QueryUnescape(text); err == nil {
		text = decoded
	}
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "null" {
		return ""
	}
	return text
}

// chooses reports whether the filter excludes anything.
func (f *filter) chooses() bool {
	return f.used != nil || f.deliveryStatus != "" || len(f.spans) > 0 || f.customerID != "" || len(f.places) > 0
}

// onlyCampaign reports whether the filter chooses all purchases of a campaign.
func (f *filter) onlyCampaign() bool {
	rest := *f
	rest.campaignID, rest.places = "", nil
	return f.campaignID != "" && rest.code == "" && !rest.chooses()
}

// indexed reports whether an index other than the one of the list's order can answer the filter.
func (f *filter) indexed() bool {
	return f.used != nil && *f.used || f.deliveryStatus != "" || len(f.places) > 1 ||
		slices.ContainsFunc(f.spans, func(s span) bool { return s.column != "purchased_at" })
}

// from returns the part of a statement from FROM on. If gather is set, an index answers the conditions. Otherwise, and
// beside a customer, a plus sign before the columns keeps the planner from using their indexes.
func (f *filter) from(storeKey int64, gather bool) *db.SQL {
	from := db.NewSQL("FROM purchases WHERE store_id = ?", storeKey)
	switch {
	case f.customerID != "":
		from.And("customer_id = ?", f.customerID)
	case len(f.places) > 0 && !f.others:
		from = db.NewSQL("FROM campaign_purchases WHERE store_id = ?", storeKey)
	}
	f.locateIn(from)
	sign := "+"
	if gather && f.customerID == "" {
		sign = ""
	}
	switch {
	case f.used != nil && *f.used:
		from.And(sign + "used_at > 0") // SQLite uses the index for a range, but not for IS NOT NULL
	case f.used != nil:
		from.And("used_at IS NULL")
	}
	switch {
	case f.deliveryStatus != "" && sign == "":
		from.And("delivery_status <> '' AND delivery_status = ?", f.deliveryStatus)
	case f.deliveryStatus != "":
		from.And("delivery_status || '' = ?", f.deliveryStatus)
	}
	for _, span := range f.spans {
		column := sign + span.column
		switch {
		case span.column == "purchased_at":
			f.boughtIn(from, span)
			continue
		case sign == "":
			from.Add(columnsBefore[span.column])
		}
		from.And(column+" >= ? AND "+column+" < ?", span.first(), span.end())
	}
	return from
}

// boughtIn adds the condition for the time of buying. Ids begin with it, so that a range of the store's purchases is
// read unless those of a customer or a place are.
func (f *filter) boughtIn(from *db.SQL, s span) {
	if f.customerID != "" || len(f.places) > 0 && !f.others {
		from.And("purchased_at >= ? AND purchased_at < ?", s.first(), s.end())
		return
	}
	if !s.from.IsZero() {
		from.And("coupon_id >= ?", db.FirstIDAt(s.from))
	}
	if !s.to.IsZero() {
		from.And("coupon_id < ?", db.FirstIDAt(s.to.Add(time.Second)))
	}
}

// columnsBefore holds conditions on the columns that precede a date in its index.
var columnsBefore = map[string]string{
	"active_since": everyStatus,
	"active_to":    everyStatus + " AND used IN (FALSE, TRUE)",
}

const everyStatus = " AND status IN ('" + Inactive + "', '" + Active + "', '" + Expired + "', '" + Cancelled + "')"
