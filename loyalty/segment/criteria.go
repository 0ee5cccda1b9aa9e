package segment

import (
	"time"

	"punchcard/core/config"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// kinds lists the types of criteria in the order in which forms list them. docs/extending.md shows
// how to add one.
func kinds() []Kind {
	return []Kind{
		anniversary,
		boughtInPOS,
		transactionCount,
		transactionAmount,
		averageAmount,
		lastPurchase,
		noPurchase,
		purchasePeriod,
		percentInPOS,
		boughtSKUs,
		boughtMakers,
		boughtLabels,
		hasLabels,
		hasLabelValues,
		inLanguage,
		consent,
		inLevel,
		activePoints,
		unusedCoupons,
		customerList,
	}
}

// CriterionType is one type of criterion. F is a struct with the fields of its criteria, whose JSON members are
// stored and shown.
type CriterionType[F any] struct {
	Name       string   // in forms, responses and the database
	Aliases    []string // further names in forms; responses and the database have the name that was sent
	FormFields []string // criteria of other types must not have them, unless they are fields of theirs
	Read       func(g *form.Group, s *store.Store) *F
	Matches    func(fields *F, c Candidate) bool // called for active customers only

	// Has returns what a customer has in the place of what the fields ask for, and Hint tells that it does not match. Both
	// are for explanations and may be missing.
	Has  func(fields *F, c Candidate) any
	Hint string

	// Needs names what of Facts the type compares besides Traits and sales, and what Follow must follow.
	Needs need

	// Counts returns a function that reports whether a sale counts in Candidate.Counted. It is nil for types
	// that do not depend on single sales. Sales that were returned completely never count.
	Counts func(fields *F, zone *time.Location) func(sale *transaction.Sale) bool
	Items  bool // Counts looks at the items of sales

	// Rows visits the rows that criteria of the type find for customers, each of which counts in
	// Candidate.Counted. The ids of the customers are distinct. It is nil for types without rows of their own.
	Rows func(tx *db.Tx, storeKey int64, customerIDs []string, visit func(customerID, criterionID string)) error
}

// need names data that criteria of a type compare and that changes in transactions without Recheck.
type need int

const (
	needsLevel need = 1 << iota
	needsPoints
	needsCoupons
)

// Candidate is a customer for whom a criterion is decided.
type Candidate struct {
	*Facts
	Today   string // YYYY-MM-DD in the zone of the store
	Counted int64  // number of sales or rows, by Counts or Rows
}

// Facts are the values of a customer that the criteria of a store compare.
type Facts struct {
	customer.Traits
	Zone        *time.Location // of the store
	MoneyDigits int            // after the point of amounts in the store's currency
	Sales       int64          // not returned completely; 0 if no type in use has Counts

	Points points.Amount    // that can be spent; 0 if no type in use needs points
	Unused map[string]int64 // coupons by campaign; nil if no type in use needs coupons

	counted map[string]int64 // by the id of the criterion
}

// Kind is a CriterionType, whatever its fields.
type Kind interface {
	name() string
	aliases() []string
	formFields() []string
	read(g *form.Group, s *store.Store) any
	empty() any
	matches(fields any, c Candidate) bool
	has(fields any, c Candidate) any
	hint() string
	counter(fields any, zone *time.Location) func(*transaction.Sale) bool // nil for none
	items() bool
	needs() need
	rows() func(tx *db.Tx, storeKey int64, customerIDs []string, visit func(customerID, criterionID string)) error
}

func (t CriterionType[F]) name() string         { return t.Name }
func (t CriterionType[F]) aliases() []string    { return t.Aliases }
func (t CriterionType[F]) formFields() []string { return t.FormFields }
func (t CriterionType[F]) read(g *form.Group, s *store.Store) any {
	read := t.Read
	return read(g, s)
}
func (t CriterionType[F]) empty() any  { return new(F) }
func (t CriterionType[F]) items() bool { return t.Items }
func (t CriterionType[F]) needs() need { return t.Needs }

func (t CriterionType[F]) matches(fields any, c Candidate) bool { return t.Matches(fields.(*F), c) }

func (t CriterionType[F]) has(fields any, c Candidate) any {
	if t.Has == nil {
		return nil
	}
	return t.Has(fields.(*F), c)
}

func (t CriterionType[F]) hint() string { return t.Hint }

func (t CriterionType[F]) counter(fields any, zone *time.Location) func(*transaction.Sale) bool {
	if t.Counts == nil {
		return nil
	}
	return t.Counts(fields.(*F), zone)
}

func (t CriterionType[F]) rows() func(*db.Tx, int64, []string, func(customerID, criterionID string)) error {
	return t.Rows
}

// Service holds the operations that depend on the types of criteria.
type Service struct {
	// Unused counts the coupons of customers that can be used now or later, by customer and campaign. Package app sets it.
	Unused func(tx *db.Tx, storeKey int64, customerIDs ...string) (map[string]map[string]int64, error)

	names   []string // of the types, in order
	aliases []string
	byName  map[string]Kind // aliases included
	stored  *config.Part[[]Segment]
}

// New returns the operations for the types of this program and the further ones.
func New(further ...Kind) *Service {
	svc := &Service{byName: map[string]Kind{}}
	svc.stored = config.NewPart(svc.readAll, table.Schema)
	for _, kind := range append(kinds(), further...) {
		svc.names = append(svc.names, kind.name())
		svc.aliases = append(svc.aliases, kind.aliases()...)
		for _, name := range append([]string{kind.name()}, kind.aliases()...) {
			svc.byName[name] = kind
		}
	}
	return svc
}
