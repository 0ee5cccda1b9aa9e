package apikey

import (
	"errors"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Endpoints manage keys: docs/behaviour/keys.md.
func Endpoints(uses *Uses) []api.Endpoint {
	view := access.AdministratorWith(access.APIKeys, access.View)
	modify := access.AdministratorWith(access.APIKeys, access.Modify)
	const all, one = "/api/admin/key", "/api/admin/key/{key}"
	return []api.Endpoint{
		{Method: "GET", Path: all, Access: view, Handle: uses.list, Summary: "List keys for programs",
			Query: api.PageQuery(sortable.Columns), Response: viewList{}},
		{Method: "POST", Path: all, Access: modify, Factor: api.Always,
			Handle: create, Unkeyed: true, // the response holds a secret
			Summary: "Make a key for a program", Form: describe, Response: withSecret{},
			Audit: api.Audited("CreateKey", "key"), Secrets: []string{"secret"}},
		{Method: "GET", Path: one, Access: view, Handle: uses.show, Summary: "Show a key", Response: keyView{}},
		{Method: "PUT", Path: one, Access: modify, Factor: api.Always,
			Handle: changeKey, Form: describe, Response: identity{},
			Summary: "Replace the settings of a key; its secret stays", Audit: api.Audited("UpdateKey", "key")},
		{Method: "POST", Path: one + "/rotate", Access: modify, Factor: api.Always, Handle: rotate, Unkeyed: true,
			Summary: "Give a key a new secret", Form: api.Reads(readOverlap), Response: withSecret{},
			Audit: api.Audited("RotateKey", "key"), Secrets: []string{"secret"}},
		{Method: "DELETE", Path: one, Access: modify, Factor: api.Restricts,
			Handle: revoke, Response: api.NoContent{}, Summary: "Revoke a key: its requests are refused from now on",
			Audit: api.Audited("DeleteKey", "key")},
	}
}

func describe(g *form.Group) { readSettings(g.Group("key")) }

func (u *Uses) list(c *api.Call) error {
	page, err := c.Page()
	if err != nil {
		return err
	}
	if err := u.Flush(c.Context()); err != nil {
		return err
	}
	maker := c.Caller.ID
	if c.Caller.Allowed(access.Admin, access.View) {
		maker = "" // keys of all
	}
	response := viewList{Keys: []keyView{}}
	err = c.Read(func(tx *db.Tx) error {
		found, total, err := readPage(tx, maker, page)
		if err != nil {
			return err
		}
		response.Total = total
		response.Keys, err = views(c, tx, found...)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func (u *Uses) show(c *api.Call) error {
	if err := u.Flush(c.Context()); err != nil {
		return err
	}
	var response keyView
	err := c.Read(func(tx *db.Tx) error {
		k, err := visible(c, tx)
		if err != nil {
			return err
		}
		all, err := views(c, tx, k)
		response = all[0]
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func pathID(c *api.Call) string { return strings.ToLower(c.PathValue("key")) }

// visible reads the key of the path, if the caller may see it.
func visible(c *api.Call, tx *db.Tx) (Key, error) {
	k, found, err := Find(tx, pathID(c))
	if err == nil && (!found || !mayView(c.Caller, &k)) {
		err = fault.ErrNotFound
	}
	return k, err
}

func create(c *api.Call) error {
	g, in, err := readBody(c, time.Time{})
	if err != nil {
		return err
	}
	var response withSecret
	err = c.Write(func(tx *db.Tx) error {
		k, secret, err := Create(tx, c.Caller, in)
		response = withSecret{k.ID, secret, nil}
		audit.Of(tx).SetEntity(k.ID)
		return err
	}, func() error { return c.OK(response) })
	return explain(g, err)
}

func changeKey(c *api.Call) error {
	var former time.Time
	err := c.Read(func(tx *db.Tx) error { // an unknown key is 404 even if the data has errors
		k, err := visible(c, tx)
		former = k.ExpiresAt
		return err
	})
	if err != nil {
		return err
	}
	g, in, err := readBody(c, former)
	if err != nil {
		return err
	}
	err = c.Write(func(tx *db.Tx) error {
		if err := Change(tx, c.Caller, pathID(c), in); err != nil {
			return err
		}
		return feature.React(tx, nil, access.RightsChanged{ID: pathID(c)})
	}, func() error { return c.OK(identity{pathID(c)}) })
	return explain(g, err)
}

// explain adds a refused permission to the form.
func explain(g *form.Group, err error) error {
	if !errors.Is(err, errNotHeld) {
		return err
	}
	g.AddError("permissions", errNotHeld)
	return g.Err()
}

func rotate(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body)
	overlap := readOverlap(g)
	if err := g.Err(); err != nil {
		return err
	}
	response := withSecret{KeyID: pathID(c)}
	return c.Write(func(tx *db.Tx) (err error) {
		if response.Secret, err = Rotate(tx, c.Caller, pathID(c), overlap); err != nil {
			return err
		}
		if overlap > 0 {
			response.OldSecretUntil = api.OptionalTimestamp(tx.ServerNow().Add(overlap), time.UTC)
		}
		return feature.React(tx, nil, access.RightsChanged{ID: pathID(c)})
	}, func() error { return c.OK(response) })
}

func revoke(c *api.Call) error {
	return c.Write(func(tx *db.Tx) error {
		if err := Revoke(tx, c.Caller, pathID(c)); err != nil {
			return err
		}
		return feature.React(tx, nil, access.RightsChanged{ID: pathID(c)})
	}, c.NoContent)
}
