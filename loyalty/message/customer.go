package message

import (
	"maps"

	"punchcard/core/access"
	"punchcard/loyalty/customer"
)

// To returns a message to a customer on all channels, with the values of placeholders besides the customer's own.
func To(c *customer.Customer, event string, values map[string]string) Message {
	all := c.MessageValues()
	maps.Copy(all, values)
	return Message{
		Event: event, Role: access.Customer, RecipientID: c.ID, Email: c.Email, Phone: c.Phone, Language: c.Locale,
		Agreed: c.AgreedToMarketing(), Values: all,
	}
}
