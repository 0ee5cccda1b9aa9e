package purchase

import (
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
func changeDelivery(w *api.Writing, in api.Unchecked[string]) (delivered, error) {
	who, err := customer.Of(w.Call, w.Tx)
	if err != nil {
		return delivered{}, err
	}
	p, err := Lock(w.Tx, w.Store.Key, who.ID, w.PathID("coupon"))
	if err != nil {
		return delivered{}, err
	}
	if err := in.Form.Err(); err != nil { // an unknown coupon is reported before an invalid form
		return delivered{}, err
	}
	return delivered{"Delivery status changed!"}, p.deliver(w.Tx, in.In)
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
