package apikey

import (
	"errors"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// Endpoints manage keys: docs/behaviour/keys.md.
func Endpoints(uses *Uses) []api.Endpoint {
	view := access.AdministratorWith(access.APIKeys, access.View)
	modify := access.AdministratorWith(access.APIKeys, access.Modify)
	flush := func(c *api.Call) error { return uses.Flush(c.Context()) }
	const all, one = "/api/admin/key", "/api/admin/key/{key}"
	return []api.Endpoint{
		{Method: "GET", Path: all, Access: view, Summary: "List keys for programs",
			Do: api.Read(api.InPages(sortable.Columns), listKeys).First(flush)},
		{Method: "POST", Path: all, Access: modify, Factor: api.Always,
			Do: api.Write(newKey, create), Unkeyed: true, // the response holds a secret
			Summary: "Make a key for a program",
			Audit:   api.Audited("CreateKey", "key"), Secrets: []string{"secret"}},
		{Method: "GET", Path: one, Access: view, Do: api.Show(showKey).First(flush), Summary: "Show a key"},
		{Method: "PUT", Path: one, Access: modify, Factor: api.Always,
			Do:      api.WriteTo(toChange, changedKey, changeKey),
			Summary: "Replace the settings of a key; its secret stays", Audit: api.Audited("UpdateKey", "key")},
		{Method: "POST", Path: one + "/rotate", Access: modify, Factor: api.Always, Unkeyed: true,
			Do: api.Write(api.Body("", readOverlap), rotate), Summary: "Give a key a new secret",
			Audit: api.Audited("RotateKey", "key"), Secrets: []string{"secret"}},
		{Method: "DELETE", Path: one, Access: modify, Factor: api.Restricts,
			Do: api.Act(revoke), Summary: "Revoke a key: its requests are refused from now on",
			Audit: api.Audited("DeleteKey", "key")},
	}
}

func listKeys(r *api.Reading, page api.Page) (list viewList, err error) {
	maker := r.Caller.ID
	if r.Caller.Allowed(access.Admin, access.View) {
		maker = "" // keys of all
	}
	found, total, err := readPage(r.Tx, maker, page)
	if err != nil {
		return list, err
	}
	all, err := views(r, found...)
	return viewList{all, total}, err
}

func showKey(r *api.Reading) (keyView, error) {
	k, err := visible(r.Call, r.Tx)
	if err != nil {
		return keyView{}, err
	}
	all, err := views(r, k)
	if err != nil {
		return keyView{}, err
	}
	return all[0], nil
}

// visible reads the key of the path, if the caller may see it.
func visible(c *api.Call, tx *db.Tx) (Key, error) {
	k, found, err := Find(tx, c.PathID("key"))
	if err == nil && (!found || !mayView(c.Caller, &k)) {
		err = fault.ErrNotFound
	}
	return k, err
}

func create(w *api.Writing, in Settings) (withSecret, error) {
	k, secret, err := Create(w.Tx, w.Caller, in)
	w.Entry().SetEntity(k.ID)
	return withSecret{k.ID, secret, nil}, refused(w, err)
}

func toChange(w *api.Writing) (Key, error) { return visible(w.Call, w.Tx) }

func changeKey(w *api.Writing, k Key, in Settings) (identity, error) {
	if err := Change(w.Tx, w.Caller, k.ID, in); err != nil {
		return identity{}, refused(w, err)
	}
	return identity{k.ID}, rightsChanged(w, k.ID)
}

func rightsChanged(w *api.Writing, id string) error {
	return feature.React(w.Tx, nil, access.RightsChanged{ID: id})
}

func refused(w *api.Writing, err error) error {
	if errors.Is(err, errNotHeld) {
		return w.Refuse("permissions", errNotHeld)
	}
	return err
}

func rotate(w *api.Writing, overlap time.Duration) (response withSecret, err error) {
	response.KeyID = w.PathID("key")
	if response.Secret, err = Rotate(w.Tx, w.Caller, response.KeyID, overlap); err != nil {
		return response, err
	}
	if overlap > 0 {
		response.OldSecretUntil = api.OptionalTimestamp(w.Tx.ServerNow().Add(overlap), time.UTC)
	}
	return response, rightsChanged(w, response.KeyID)
}

func revoke(w *api.Writing) (api.NoContent, error) {
	if err := Revoke(w.Tx, w.Caller, w.PathID("key")); err != nil {
		return api.NoContent{}, err
	}
	return api.NoContent{}, rightsChanged(w, w.PathID("key"))
}
