package campaign

import (
	"maps"
	"strings"

	"punchcard/core/api"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// RewardType defines the campaigns of one type: which fields they have, who is offered them and how they are
// bought. Each type is one value in a file of its own, and is never changed. The zero values of the fields below Name
// are a type that is offered to everybody, has no fields and cannot be bought.
type RewardType struct {
	Name   string // on the wire and in the database: lower case letters and underscores
	Fields Fields // of the fields that several types share
	// Form reads the fields of this type alone. Nil means that there are none. Definition.Details stores fields that
	// nothing filters or sorts by; sellers and administrators see them as details.
	Form func(g *form.Group, d *Definition)
	// View adds further members to the views of sellers and administrators. Nil adds nothing.
	View func(d *Definition, v *Seller)
	// Sortable maps sort fields of this type to columns of campaigns c. They are NULL for other types.
	Sortable map[string]api.Column

	Buyable   bool      // can be bought, and given by earning rules
	Uncounted bool      // limits are never checked, and usageLeft is 0
	OfferedTo OfferedTo // who finds it in the lists of available campaigns
	// Exchanged means that endpoints of another feature give the reward for points. Campaigns are left out of the
	// sellers' list, and purchases out of the list of the customer who made them.
	Exchanged bool
	// TakesOff is how a coupon lowers the price of a basket.
	TakesOff TakesOff
	// Worth is the value of a voucher for a sale, in whole units of the currency. A type that has it is bought with a
	// transaction, one coupon at a time, and the value is the code.
	Worth func(d *Definition, gross decimal.Money) int64
}

// Fields are groups of fields that several reward types share. A group that a type lacks is accepted and ignored.
type Fields struct {
	Price      bool // costInPoints; without it nothing is charged
	Limits     bool // unlimited, limit and limitPerUser; without them the campaign is unlimited
	Codes      bool // singleCoupon and coupons
	Validity   bool // daysInactive and daysValid
	Visibility bool // campaignVisibility; without it customers never see the campaign
}

// CouponFields are those of the reward types that are coupons.
var CouponFields = Fields{Price: true, Limits: true, Codes: true, Validity: true, Visibility: true}

// OfferedTo is the audience whose lists of available campaigns a type is in.
type OfferedTo int

// The values of OfferedTo. Staff are sellers and administrators, who see the list of a customer.
const (
	OfferedToAll OfferedTo = iota
	OfferedToStaff
	OfferedToNobody
)

// Types is a table of reward types.
type Types []*RewardType

// find returns a reward type by its name, or nil.
func (t Types) find(name string) *RewardType {
	for _, known := range t {
		if known.Name == name {
			return known
		}
	}
	return nil
}

// Names returns the names in the order of the table.
func (t Types) Names() []string {
	names := make([]string, len(t))
	for i, known := range t {
		names[i] = known.Name
	}
	return names
}

// Except returns a condition in SQL, which begins with AND, that the column holds none of the types that excluded
// selects.
func (t Types) Except(column string, excluded func(*RewardType) bool) string {
	if list := t.list(excluded); list != "" {
		return " AND " + column + " NOT IN (" + list + ")"
	}
	return ""
}

// Only returns a condition in SQL that the column holds one of the types that included selects.
func (t Types) Only(column string, included func(*RewardType) bool) string {
	if list := t.list(included); list != "" {
		return column + " IN (" + list + ")"
	}
	return "FALSE"
}

// list returns names as literals in SQL.
func (t Types) list(selected func(*RewardType) bool) string {
	var names []string
	for _, known := range t {
		if selected(known) {
			names = append(names, "'"+known.Name+"'")
		}
	}
	return strings.Join(names, ", ")
}

// Sortable maps the sort fields of campaigns to columns of campaigns c.
func (t Types) Sortable() map[string]api.Column {
	all := maps.Clone(sortable)
	for _, known := range t {
		for field, column := range known.Sortable {
			all[field] = "CASE WHEN c.reward = '" + api.Column(known.Name) + "' THEN " + column + " END"
		}
	}
	return all
}
