package customerapi

import (
	"slices"
	"strings"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/plaintext"
)

// protected lists the fields that customers may not set themselves, because rewards depend on them.
func protected(s *store.Store) []string {
	names := []string{"createdAt", "levelId", "posId", "sellerId"}
	if !s.Settings.CustomersMaySetLabels {
		names = append(names, "labels")
	}
	return names
}

// refuseProtected refuses every protected field that was sent with a value other than the customer's. Blank
// and unchanged values are ignored, because clients send back what they read.
func (r *reader) refuseProtected(s *store.Store, who *customer.Customer) {
	for _, name := range r.protected {
		sent := r.node.Child(name)
		if isBlank(sent) {
			continue
		}
		same := false
		switch name {
		case "createdAt":
			same = isMoment(sent.Text(), s.Zone, who.CreatedAt)
		case "labels":
			same = isLabels(sent, who.Labels)
		case "levelId":
			same = isID(r.node.ID(name), who.LevelID)
		case "posId":
			same = isID(r.node.ID(name), who.POSID)
		case "sellerId":
			same = isID(r.node.ID(name), who.SellerID)
		}
		if !same {
			r.AddError(name, errNoPermission)
		}
	}
}

// errAddress is the error of a name that customers may not give themselves, because messages to others show it.
var errAddress = fault.New(fault.Fields, "name_with_address",
	"A name cannot contain a web address or an e-mail address.")

// refuseAddresses refuses names with addresses, other than those that the customer has.
func (r *reader) refuseAddresses(sent *customer.Registration, who *customer.Customer) {
	for _, name := range []struct{ field, sent, present string }{
		{"firstName", sent.FirstName, who.FirstName}, {"lastName", sent.LastName, who.LastName},
	} {
		if name.sent != name.present && plaintext.HasAddress(name.sent) {
			r.AddError(name.field, errAddress)
		}
	}
}

// isBlank reports whether the node and its children hold only white space.
func isBlank(n *form.Node) bool {
	for _, child := range n.Children() {
		if !isBlank(child) {
			return false
		}
	}
	return n.File() == nil && strings.TrimSpace(n.Text()) == ""
}

// isMoment compares to the second, as times are shown, or to the minute, as they may be sent.
func isMoment(text string, zone *time.Location, moment time.Time) bool {
	sent, ok := form.ParseDateTime(strings.TrimSpace(text), zone)
	return ok && (sent.Equal(moment.Truncate(time.Second)) || sent.Equal(moment.Truncate(time.Minute)))
}

// isLabels compares labels that were sent as text or as a list of pairs.
func isLabels(sent *form.Node, labels []customer.Label) bool {
	if !sent.IsGroup() {
		return slices.Equal(customer.ParseLabels(sent.Text()), labels)
	}
	pairs, valid := readLabels(sent)
	return valid && slices.EqualFunc(pairs, labels, func(pair sentLabel, own customer.Label) bool {
		return pair.Label == own
	})
}

func isID(sent, id string) bool { return sent != "" && sent == id }
