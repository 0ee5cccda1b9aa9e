package transfer

import (
	"errors"

	"punchcard/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// The refusals of points from one customer to another; clients compare the texts.
const (
	noSuchCustomer = "such customer does not exist"
	toHimself      = "transferring points to yourself is forbidden"
)

// nameLimit is the length of what names a customer: an id, an e-mail address or a phone.
const nameLimit = 255

// giveFor implements C10.
func giveFor(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body.Child("transfer"))
	return transferBetween(c, g, readSender(g))
}

func readSender(g *form.Group) string {
	return g.Text("sender", form.NotBlank, form.MaxLength(nameLimit))
}

// gift is what goes to whom.
type gift struct {
	receiver string
	value    points.Amount
}

func readGift(g *form.Group) gift {
	return gift{g.Text("receiver", form.NotBlank, form.MaxLength(nameLimit)), readPoints(g)}
}

func describeGiftFor(g *form.Group) {
	readSender(g)
	readGift(g)
}

// give implements C11.
func give(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	return transferBetween(c, form.Read(body.Child("transfer")), c.Caller.ID)
}

// transferBetween moves points from the sender, who is named as a client names customers, to the receiver
// of the form.
func transferBetween(c *api.Call, g *form.Group, sender string) error {
	sent := readGift(g)
	gift := points.Gift{Value: sent.value}
	var err error
	if gift.Issuer, err = issuerOf(c); err != nil {
		return err
	}
	if err := g.Err(); err != nil {
		return err
	}
	var given points.Given
	err = c.Write(func(tx *db.Tx) (err error) {
		if gift.From, gift.To, err = sides(c, tx, g, sender, sent.receiver); err != nil {
			return err
		}
		if given, err = points.Give(tx, c.Store, gift); err != nil {
			return err
		}
		first, second := given.Sender, given.Receiver
		if first.CustomerID > second.CustomerID { // customers are locked in one order by everybody
			first, second = second, first
		}
		if err := customer.PointsChanged(tx, c.Store, first); err != nil {
			return err
		}
		return customer.PointsChanged(tx, c.Store, second)
	})
	if errors.Is(err, points.ErrNotEnough) {
		g.AddError("points", notEnough)
		return g.Err()
	}
	if err != nil {
		return err
	}
	return c.OK(madeTransfer{given.Spend.ID})
}

// sides finds both customers. Neither may be the other one, and both are active.
func sides(c *api.Call, tx *db.Tx, g *form.Group, sender, receiver string) (from, to string, err error) {
	for _, side := range []struct {
		field, name string
		id          *string
	}{{"sender", sender, &from}, {"receiver", receiver, &to}} {
		who, found, err := customer.FindByContact(tx, c.Store.Key, side.name)
		if err != nil {
			return "", "", err
		}
		if !found || !who.IsActive() {
			g.AddError(side.field, noSuchCustomer)
			continue
		}
		*side.id = who.ID
	}
	if from != "" && from == to {
		g.AddError("receiver", toHimself)
	}
	return from, to, g.Err()
}
