package app

import (
	"context"
	"errors"
	"fmt"
	"io"

	"punchcard/app/demo"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/identity/setup"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/password"
)

// DefaultStore is the code of the first store of an installation.
const DefaultStore = "DEFAULT"

// ErrHalfDemo means that loading the demonstration data was interrupted.
var ErrHalfDemo = errors.New("the demonstration data is incomplete: delete the database and start again")

// bootstrap adds the first store, languages and roles to an empty database, and the demonstration with its
// administrator with --demo. It does not change a database that has a store.
func bootstrap(ctx context.Context, d *db.DB, services services, config *Config, out io.Writer) error {
	empty, half, err := state(ctx, d)
	if err != nil {
		return err
	}
	if half {
		return ErrHalfDemo
	}
	if !empty {
		return nil
	}
	var s *store.Store
	err = d.Write(ctx, func(tx *db.Tx) (err error) {
		s, err = install(tx, config.Demo)
		return err
	})
	if err != nil || !config.Demo {
		return err
	}
	hash, err := addFirstAdministrator(ctx, d, "open")
	if err != nil {
		return err
	}
	return loadDemo(ctx, d, s, services, hash, out)
}

// ensureAdministrator adds the administrator admin with the chosen password if there is no administrator. Without a
// chosen password it prints a link to the set-up instead, which sets it. It is the last step of a start that can fail.
func ensureAdministrator(ctx context.Context, d *db.DB, chosen, base string, out io.Writer) error {
	if exists, err := hasAdministrator(ctx, d); err != nil || exists {
		return err
	}
	if chosen != "" {
		_, err := addFirstAdministrator(ctx, d, chosen)
		return err
	}
	return printSetupLink(ctx, d, base, out)
}

// printSetupLink adds a link to the set-up and prints it. The token is in the fragment, which browsers send to no
// server.
func printSetupLink(ctx context.Context, d *db.DB, base string, out io.Writer) error {
	var token string
	err := d.Write(ctx, func(tx *db.Tx) (err error) {
		token, err = setup.NewLink(tx)
		return err
	})
	if err == nil {
		_, err = fmt.Fprintf(out, "first start: set up the store at %s/setup#%s (for %d hours, shown only now)\n", base,
			token, int(setup.LinkLife.Hours()))
	}
	return err
}

// addFirstAdministrator adds the administrator admin, and returns the hash of the password.
func addFirstAdministrator(ctx context.Context, d *db.DB, plain string) (hash string, err error) {
	if hash, err = password.Hash(ctx, plain); err != nil {
		return "", err
	}
	return hash, d.Write(ctx, func(tx *db.Tx) error {
		_, err := admin.Create(tx, admin.New{
			Username: setup.Username, PasswordHash: hash, Active: true, RoleID: admin.SuperAdmin,
		})
		return err
	})
}

func state(ctx context.Context, d *db.DB) (empty, half bool, err error) {
	err = d.Read(ctx, func(tx *db.Tx) error {
		stores, err := store.All(tx)
		if err != nil {
			return err
		}
		empty = len(stores) == 0
		half, err = store.DemoUnfinished(tx)
		return err
	})
	return empty, half, err
}

func install(tx *db.Tx, withDemo bool) (*store.Store, error) {
	settings := store.DefaultSettings()
	if withDemo {
		settings.Timezone, settings.Country = demo.Zone, demo.Country
		settings.PointsDaysExpiryAfter = store.ExpiryNever
		if err := store.BeginDemo(tx); err != nil {
			return nil, err
		}
	}
	for _, language := range []store.Language{
		{Code: "en", Name: "English", Default: true, Position: 0},
		{Code: "pl", Name: "Polski", Position: 1},
	} {
		if err := store.AddLanguage(tx, language); err != nil {
			return nil, err
		}
	}
	if err := admin.CreateRoles(tx); err != nil {
		return nil, err
	}
	return store.Create(tx, store.New{Code: DefaultStore, Name: "Default store", Currency: "EUR", Settings: settings})
}

// loadDemo loads the demonstration program, and adds the seller and the customer who log in.
func loadDemo(
	ctx context.Context, d *db.DB, s *store.Store, services services, sellerHash string, out io.Writer,
) error {
	userHash, err := password.Hash(ctx, "loyalty")
	if err != nil {
		return err
	}
	feature.Connect(d, feature.On(purchase.Reduced), feature.On(services.desk.Returned),
		feature.On(services.segments.Counted))
	if err := demo.Load(ctx, d, s, services.desk, services.receiptHooks(), userHash, out); err != nil {
		return err
	}
	err = d.Write(ctx, func(tx *db.Tx) error {
		shop, _, err := pos.FindByIdentifier(tx, s.Key, demo.SellerShop)
		if err != nil {
			return err
		}
		if _, err := seller.Create(tx, s.Key, seller.New{
			Email: "seller@example.com", FirstName: "Sam", LastName: "Seller", PasswordHash: sellerHash, Active: true,
			AllowPointTransfer: true, POSID: shop.ID,
		}); err != nil {
			return err
		}
		return store.EndDemo(tx)
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, "demonstration log-ins: administrator admin / open, "+
		"seller seller@example.com / open, customer user@example.com / loyalty")
	return err
}
