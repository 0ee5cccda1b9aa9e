package transfer

import (
	"errors"

	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
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

// giveFor transfers points of the customer whom the form names, for administrators.
func giveFor(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body, "transfer")
	return transferBetween(c, g, readSender(g), func(*db.Tx) error { return nil })
}

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

// giveOwn transfers points of the caller, whose account must not have been changed just now. guesses limits the
// receivers whom customers name and nobody is.
func giveOwn(guesses api.Guesses) func(c *api.Call) error {
	return func(c *api.Call) error {
		body, err := c.Body()
		if err != nil {
			return err
		}
		g := form.Read(body, "transfer")
		return c.Guess(guesses, func() (wrong bool, err error) {
			err = transferBetween(c, g, c.Caller.ID, func(tx *db.Tx) error { return refuseResting(c, tx, g) })
			return g.Failed("receiver"), err
		})
	}
}

// refuseResting adds an error to the form of a customer whose account was changed just now.
func refuseResting(c *api.Call, tx *db.Tx, g *form.Group) error {
	until, err := verification.RestsUntil(tx, c.Store.Key, c.Caller.ID)
	if err != nil || until.IsZero() {
		return err
	}
	g.AddFormError(errResting.With(api.Timestamp(until, c.Store.Zone)))
	return g.Err()
}

// transferBetween moves points from the sender to the receiver of the form, unless refuse returns an error. The sender
// is an id, e-mail address or phone, like the receiver.
func transferBetween(c *api.Call, g *form.Group, sender string, refuse func(tx *db.Tx) error) error {
	sent := readGift(g)
	gift := points.Gift{Value: sent.value}
	var err error
	if gift.Issuer, err = issuerOf(c); err != nil {
		return err
	}
	if err := g.Err(); err != nil {
		return err
	}
	var spend *points.Transfer
	err = c.Write(func(tx *db.Tx) error {
		from, to, err := sides(c, tx, g, sender, sent.receiver)
		if err != nil {
			return err
		}
		if err := refuse(tx); err != nil {
			return err
		}
		members, err := membership.Lock(tx, c.Store, from, to)
		if err != nil {
			return err
		}
		if members.Of(from) == nil || members.Of(to) == nil {
			return fault.ErrNotFound
		}
		if spend, err = members.Give(members.Of(from), members.Of(to), gift); err != nil {
			return err
		}
		audit.Of(tx).SetCustomer(from)
		audit.Of(tx).SetEntity(spend.ID)
		return members.Save()
	}, func() error { return c.OK(madeTransfer{spend.ID}) })
	if errors.Is(err, points.ErrNotEnough) {
		g.AddError("points", errNotEnough)
		return g.Err()
	}
	return err
}

// sides finds both customers. They must be active, and not the same.
func sides(c *api.Call, tx *db.Tx, g *form.Group, sender, receiver string) (from, to string, err error) {
	for _, side := range []struct {
		field, name string
		id          *string
	}{{"sender", sender, &from}, {"receiver", receiver, &to}} {
		who, found, err := customer.FindByContact(tx, c.Store.Key, side.name)
		if err != nil {
			return "", "", err
		}
		if who != nil && who.MergedInto != "" {
			return "", "", who.Gone()
		}
		if !found || !who.IsActive() {
			g.AddError(side.field, errUnknownCustomer)
			continue
		}
		*side.id = who.ID
	}
	if from != "" && from == to {
		g.AddError("receiver", errSameCustomer)
	}
	return from, to, g.Err()
}
