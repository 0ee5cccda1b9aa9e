package apikey

import (
	"net/netip"
	"slices"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

var (
	errStore   = form.Invalid("unknown_store")
	errNetwork = fault.New(fault.Fields, "not_a_network",
		"This value is not an IP address or a network such as 192.0.2.0/24.")
	errPast = fault.New(fault.Fields, "not_in_future", "This value should be in the future.")
)

// resources are those that a key can have permissions on.
var resources = slices.DeleteFunc(slices.Clone(access.Resources), func(r string) bool { return Grantable(r) == nil })

// settingsForm is a form as it was sent, with codes of stores.
type settingsForm struct {
	Settings
	codes []string
}

func readSettings(g *form.Group) settingsForm {
	in := settingsForm{Settings: Settings{
		Name:        g.Text("name", form.NotBlank, form.MaxLength(nameLimit)),
		Permissions: readPermissions(g),
		Stores:      []int64{},
		Addresses:   readNetworks(g),
		PerMinute:   g.Integer("requestsPerMinute", form.AtLeast(0), form.LessThan(fastest+1)),
		ExpiresAt:   g.DateTime("expiresAt", time.UTC),
	}}
	if in.codes = g.Texts("stores"); len(in.codes) > storesLimit {
		g.AddError("stores", form.TooMany.With(storesLimit))
	}
	return in
}

// readPermissions reads the permissions as those of a role are sent.
func readPermissions(g *form.Group) map[string][]string {
	permissions := map[string][]string{}
	entries := g.Groups("permissions")
	if len(entries) == 0 && !g.Failed("permissions") {
		g.AddError("permissions", form.NoItems)
	}
	for _, entry := range entries {
		resource := entry.Choice("resource", resources, form.NotBlank)
		granted := entry.Choice("access", []string{access.View, access.Modify}, form.NotBlank)
		if resource != "" && granted != "" && !slices.Contains(Grantable(resource), granted) {
			entry.AddError("access", form.UnknownChoice)
		}
		if !slices.Contains(permissions[resource], granted) {
			permissions[resource] = append(permissions[resource], granted)
		}
	}
	return permissions
}

func readNetworks(g *form.Group) []netip.Prefix {
	found := []netip.Prefix{}
	for _, text := range g.Texts("addresses", form.Matches(errNetwork, isNetwork)) {
		network, _ := parseNetwork(text) // the rule has checked it
		if !slices.Contains(found, network) {
			found = append(found, network)
		}
	}
	if len(found) > networks {
		g.AddError("addresses", form.TooMany.With(networks))
	}
	return found
}

func isNetwork(text string) bool {
	_, ok := parseNetwork(text)
	return ok || text == ""
}

// parseNetwork parses a network, or an address as the network of that address alone.
func parseNetwork(text string) (netip.Prefix, bool) {
	if !strings.Contains(text, "/") {
		address, err := netip.ParseAddr(text)
		return netip.PrefixFrom(address, address.BitLen()), err == nil && address.Zone() == "" && !address.Is4In6()
	}
	network, err := netip.ParsePrefix(text)
	return network.Masked(), err == nil && !network.Addr().Is4In6()
}

var (
	newKey = api.BodyInCall("key", func(c *api.Call, g *form.Group) (Settings, error) {
		return readFor(c, g, time.Time{})
	}, api.Reads(readSettings))
	changedKey = api.BodyInCall("key", readChange, api.Reads(readSettings))
)

func readChange(c *api.Call, g *form.Group) (Settings, error) {
	var former Key
	err := c.Read(func(tx *db.Tx) (err error) {
		former, err = visible(c, tx)
		return err
	})
	if err != nil {
		return Settings{}, err
	}
	return readFor(c, g, former.ExpiresAt)
}

// readFor reads the settings of a key. A new time of expiry must be in the future.
func readFor(c *api.Call, g *form.Group, former time.Time) (Settings, error) {
	in := readSettings(g)
	if !in.ExpiresAt.IsZero() && !in.ExpiresAt.Equal(former) && !in.ExpiresAt.After(c.Now()) {
		g.AddError("expiresAt", errPast)
	}
	for _, code := range in.codes {
		s, _, err := c.Stores().ByCode(c.Context(), code)
		switch {
		case err != nil:
			return Settings{}, err
		case s == nil:
			g.AddError("stores", errStore)
		case !slices.Contains(in.Stores, s.Key):
			in.Stores = append(in.Stores, s.Key)
		}
	}
	return in.Settings, nil
}

// readOverlap reads for how many hours the former secret stays valid.
func readOverlap(g *form.Group) time.Duration {
	const most = int64(maxOverlap / time.Hour)
	return time.Duration(g.Integer("overlapHours", form.AtLeast(0), form.LessThan(most+1))) * time.Hour
}
