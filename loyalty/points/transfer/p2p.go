package transfer

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/verification"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// The errors of transfers from one customer to another. Clients compare the messages.
var (
	errUnknownCustomer = fault.New(fault.Fields, "unknown_customer", "such customer does not exist")
	errResting         = fault.New(fault.Fields, "transfers_rest",
		"The e-mail address, phone or password was changed just now. Points can be given away again at %s.")
	errSameCustomer = fault.New(fault.Fields, "same_customer", "transferring points to yourself is forbidden")
)

// nameLimit is the maximal length of the id, e-mail address or phone that identifies a customer.
const nameLimit = 255

func readSender(g *form.Group) string {
	return g.Key("sender", form.NotBlank, form.MaxLength(nameLimit))
}

// gift holds the fields of a transfer to another customer.
type gift struct {
	receiver string
	value    points.Amount
}

func readGift(g *form.Group) gift {
	return gift{g.Key("receiver", form.NotBlank, form.MaxLength(nameLimit)), ReadPoints(g)}
}

func describeGiftFor(g *form.Group) {
	readSender(g)
	readGift(g)
}

// giftFor reads a transfer of points of the customer whom the form names, for administrators.
var giftFor = api.BodyInCall("transfer", func(c *api.Call, g *form.Group) (move, error) {
	sender := readSender(g)
	return readMove(c, g, sender)
}, describeGiftFor)

func readMove(c *api.Call, g *form.Group, sender string) (move, error) {
	sent := readGift(g)
	issuer, err := issuerOf(c)
	return move{sender: sender, receiver: sent.receiver, gift: points.Gift{Value: sent.value, Issuer: issuer}}, err
}

// giftOfCaller reads a transfer of points of the caller, whose account must not have been changed just now.
var giftOfCaller = api.BodyInCall("transfer", func(c *api.Call, g *form.Group) (move, error) {
	m, err := readMove(c, g, c.Caller.ID)
	m.rests = true
	return m, err
}, api.Reads(readGift))

// isWrongReceiver reports whether a transfer names a receiver who nobody is, or who cannot get points.
func isWrongReceiver(err error) bool { return form.HasFailed(err, "receiver") }

// refuseResting returns an error of the form if the account of a sender was changed just now.
func refuseResting(tx *db.Tx, s *store.Store, senderID string) error {
	until, err := verification.RestsUntil(tx, s.Key, senderID)
	if err != nil || until.IsZero() {
		return err
	}
	return refusal(func(g *form.Group) { g.AddFormError(errResting.With(api.Timestamp(until, s.Zone))) })
}

// refusal is an error that adds errors to the form of a call.
type refusal func(g *form.Group)

func (r refusal) Error() string { return "the transfer is refused by its form" }

// AddTo adds the errors.
func (r refusal) AddTo(g *form.Group) { r(g) }

// findSides finds both customers of a gift, each named by id, e-mail address or phone. They must be active, and not the
// same.
func (m *movement) findSides(found map[string]*customer.Customer) error {
	unknown := map[string]bool{}
	for _, side := range []struct {
		field, name string
		id          *string
	}{{"sender", m.In.sender, &m.from}, {"receiver", m.In.receiver, &m.to}} {
		who := found[side.name]
		switch {
		case who != nil && who.MergedInto != "":
			return who.Gone()
		case who == nil || !who.IsActive():
			unknown[side.field] = true
		default:
			*side.id = who.ID
		}
	}
	isSame := m.from != "" && m.from == m.to
	if len(unknown) == 0 && !isSame {
		return nil
	}
	return refusal(func(g *form.Group) {
		for _, field := range []string{"sender", "receiver"} {
			if unknown[field] {
				g.AddError(field, errUnknownCustomer)
			}
		}
		if isSame {
			g.AddError("receiver", errSameCustomer)
		}
	})
}
