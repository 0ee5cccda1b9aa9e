package purchase

import (
	"strings"

	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/form"
)

// The delivery statuses other than DeliveryOrdered. See docs/behaviour/purchase.md#delivery-status.
const (
	DeliveryCanceled  = "canceled"
	DeliveryShipped   = "shipped"
	DeliveryDelivered = "delivered"
)

var deliveryStatuses = []string{DeliveryOrdered, DeliveryCanceled, DeliveryShipped, DeliveryDelivered}

// changeDelivery changes the delivery status of a coupon. Any status may follow any other.
func changeDelivery(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body, "deliveryStatus")
	status := readDelivery(group)
	return c.Write(func(tx *db.Tx) error {
		who, err := customer.Of(c, tx)
		if err != nil {
			return err
		}
		p, err := Lock(tx, c.Store.Key, who.ID, strings.ToLower(c.PathValue("coupon")))
		if err != nil {
			return err
		}
		if err := group.Err(); err != nil { // an unknown coupon is reported before an invalid form
			return err
		}
		return p.deliver(tx, status)
	}, func() error { return c.OK(delivered{"Delivery status changed!"}) })
}

type delivered struct {
	Success string `json:"success"`
}

func readDelivery(g *form.Group) string { return g.Choice("status", deliveryStatuses, form.NotBlank) }

// deliver changes the delivery status of a locked coupon. Repeating it has no further effect.
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
