package purchase

import (
	"strings"

	"punchcard/api"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/form"
)

// The delivery statuses that follow DeliveryOrdered (reference-behaviour 3.8).
const (
	DeliveryCanceled  = "canceled"
	DeliveryShipped   = "shipped"
	DeliveryDelivered = "delivered"
)

var deliveryStatuses = []string{DeliveryOrdered, DeliveryCanceled, DeliveryShipped, DeliveryDelivered}

// changeDelivery implements program-api N1: any status may follow any other.
func changeDelivery(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body.Child("deliveryStatus"))
	status := readDelivery(group)
	err = c.Write(func(tx *db.Tx) error {
		who, err := customer.Of(c, tx)
		if err != nil {
			return err
		}
		p, err := Lock(tx, c.Store.Key, who.ID, strings.ToLower(c.PathValue("coupon")))
		if err != nil {
			return err
		}
		if err := group.Err(); err != nil { // only now: what does not exist comes before what is wrong
			return err
		}
		return p.deliver(tx, status)
	})
	if err != nil {
		return err
	}
	return c.OK(delivered{"Delivery status changed!"})
}

type delivered struct {
	Success string `json:"success"`
}

func readDelivery(g *form.Group) string { return g.Choice("status", deliveryStatuses, form.NotBlank) }

// deliver notes how far the delivery of a locked coupon is. Repeating it changes nothing.
func (p *Purchase) deliver(tx *db.Tx, status string) error {
	if p.DeliveryStatus == status {
		return nil
	}
	p.DeliveryStatus = status
	if err := saveUse(tx, []*Purchase{p}); err != nil {
		return err
	}
	return event.Append(tx, p.StoreKey, deliveryChanged(p))
}
