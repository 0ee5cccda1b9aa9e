package apikey

import (
	"cmp"
	"slices"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/identity/admin"
	"punchcard/platform/db"
)

type viewList struct {
	Keys  []keyView `json:"keys"`
	Total int       `json:"total"`
}

type identity struct {
	KeyID string `json:"keyId"`
}

// withSecret is the only response that contains the secret.
type withSecret struct {
	KeyID          string  `json:"keyId"`
	Secret         string  `json:"secret"`
	OldSecretUntil *string `json:"oldSecretUntil,omitempty"`
}

// keyView is the JSON of a key. See docs/behaviour/keys.md#view.
type keyView struct {
	KeyID             string       `json:"keyId"`
	Name              string       `json:"name"`
	State             string       `json:"state" enum:"active,expired,makerInactive"`
	Prefix            string       `json:"prefix"` // beginning of the secret
	MakerID           string       `json:"makerId"`
	MakerName         string       `json:"makerName"`
	Permissions       []permission `json:"permissions"`
	Stores            []string     `json:"stores"`    // codes; empty for all
	Addresses         []string     `json:"addresses"` // empty for all
	RequestsPerMinute int64        `json:"requestsPerMinute"`
	CreatedAt         string       `json:"createdAt"`
	ExpiresAt         *string      `json:"expiresAt,omitempty"`
	OldSecretUntil    *string      `json:"oldSecretUntil,omitempty"`
	LastUsedAt        *string      `json:"lastUsedAt,omitempty"`
	LastUsedFrom      string       `json:"lastUsedFrom,omitempty"`
}

type permission struct {
	Resource string `json:"resource"`
	Access   string `json:"access"`
	InForce  bool   `json:"inForce"` // whether the maker has it
}

// The states of keys. Only requests with an active key are accepted.
const (
	active        = "active"
	expired       = "expired"
	makerInactive = "makerInactive"
)

// views returns the views of keys, in their order.
func views(r *api.Reading, keys ...Key) ([]keyView, error) {
	all, makers := make([]keyView, len(keys)), map[string]maker{}
	for i := range keys {
		k := &keys[i]
		if _, known := makers[k.MakerID]; !known {
			found, err := makerOf(r.Tx, k.MakerID)
			if err != nil {
				return nil, err
			}
			makers[k.MakerID] = found
		}
		by := makers[k.MakerID]
		v := &all[i]
		*v = keyView{
			KeyID: k.ID, Name: k.Name, State: k.state(by.Active, r.Tx.ServerNow()), Prefix: k.Beginning,
			MakerID: k.MakerID, MakerName: by.Name(), Permissions: k.permissions(&by.caller),
			Stores: []string{}, Addresses: make([]string, len(k.Addresses)), RequestsPerMinute: k.PerMinute,
			CreatedAt: api.Timestamp(k.CreatedAt, time.UTC), ExpiresAt: api.OptionalTimestamp(k.ExpiresAt, time.UTC),
			LastUsedAt: api.OptionalTimestamp(k.LastUsedAt, time.UTC), LastUsedFrom: k.LastUsedFrom,
		}
		for i, network := range k.Addresses {
			v.Addresses[i] = network.String()
		}
		if k.FormerUntil.After(r.Tx.ServerNow()) {
			v.OldSecretUntil = api.OptionalTimestamp(k.FormerUntil, time.UTC)
		}
		for _, key := range k.Stores {
			s, _, err := r.Stores().ByKey(r.Context(), key)
			if err != nil {
				return nil, err
			}
			v.Stores = append(v.Stores, s.Code)
		}
	}
	return all, nil
}

// maker is the administrator who made a key, with their rights.
type maker struct {
	admin.Administrator
	caller access.Caller
}

func makerOf(tx *db.Tx, id string) (m maker, err error) {
	if m.Administrator, _, err = admin.FindByID(tx, id); err != nil {
		return m, err
	}
	m.caller, err = m.Administrator.Caller(tx)
	return m, err
}

func (k *Key) state(makerIsActive bool, now time.Time) string {
	switch {
	case !makerIsActive:
		return makerInactive
	case !k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt):
		return expired
	}
	return active
}

// permissions lists the permissions in the order of resources.
func (k *Key) permissions(maker *access.Caller) []permission {
	list := []permission{}
	for resource, granted := range k.Permissions {
		for _, a := range granted {
			list = append(list, permission{resource, a, maker.Allowed(resource, a)})
		}
	}
	slices.SortFunc(list, func(a, b permission) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), -cmp.Compare(a.Access, b.Access)) // VIEW before MODIFY
	})
	return list
}
