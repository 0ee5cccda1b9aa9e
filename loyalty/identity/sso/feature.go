package sso

import (
	"context"
	"time"

	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/job"
)

// Feature returns single sign-on. See docs/behaviour/single-sign-on.md.
func (s *Service) Feature(d *db.DB) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Single sign-on",
			Description: "Sign administrators and sellers in by identity providers, and manage those."},
		Endpoints: s.Endpoints(),
		Jobs: []job.Job{{Name: "sign-in attempts", Every: time.Hour, Run: func(ctx context.Context) (int64, error) {
			return d.WriteSteps(ctx, deleteExpired)
		}}},
		Rules: Rules(),
		On:    []feature.Reaction{feature.On(mayUsePassword)},
		Objects: map[string]audit.Object{
			"identityProvider": func(tx *db.Tx, of *store.Store, id string) (any, error) {
				return findProvider(tx, keyOf(of), id)
			},
			"passwordLogin": func(tx *db.Tx, of *store.Store, _ string) (any, error) {
				allowed, err := readPasswordLogin(tx, keyOf(of))
				return passwordView{allowed}, err
			},
		},
		Limits: []feature.Limit{
			{Name: "identityProviders", Value: ProviderLimit, Unit: "providers"},
			{Name: "identityProviderGroups", Value: GrantLimit, Unit: "groups"},
			{Name: "identityProvidersOfStore", Value: ProviderLimit, Unit: "providers"},
			{Name: "identitiesOfAdministrator", Value: IdentityLimit, Unit: "identities"},
			feature.Seconds("signInAttempt", AttemptLife, ""),
			feature.Seconds("identityProviderCalls", TalkTimeout, ""),
			feature.Seconds("logoutTokenAge", LogoutAge, ""),
		},
	}
}

// keyOf returns the key of the store of an entry, or 0 for the installation.
func keyOf(of *store.Store) int64 {
	if of == nil {
		return 0
	}
	return of.Key
}

// Rules are the rules that punchcard check verifies for single sign-on.
func Rules() []check.Rule {
	providers := check.Table{
		Name: "(SELECT 0 AS store_id, provider_id, grants, store_grants, scopes FROM sso_providers) sso_providers",
		ID:   "provider_id",
	}
	ofStores := check.Table{Name: "sso_store_providers", ID: "provider_id"}
	return []check.Rule{
		check.JSON[[]Grant]("sso.grants", providers, "grants"),
		check.JSON[[]StoreGrant]("sso.store_grants", providers, "store_grants"),
		check.JSON[[]string]("sso.scopes", providers, "scopes"),
		check.JSON[[]Grant]("sso.store.grants", ofStores, "grants"),
		check.JSON[[]SellerGrant]("sso.store.seller_grants", ofStores, "seller_grants"),
		check.JSON[[]string]("sso.store.scopes", ofStores, "scopes"),
	}
}
