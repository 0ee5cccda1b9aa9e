package branding

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/photo"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/picture"
)

// caching makes clients revalidate each time, so that a new logo or color shows at once.
const caching = "public, no-cache"

// Endpoints returns the endpoints of docs/behaviour/branding.md.
func Endpoints() []api.Endpoint {
	const settings = "/api/{storeCode}/settings/"
	const path, file = settings + "photo/{name}", settings + conditions
	anyone, modify := access.Public(), access.AdministratorWith(access.Settings, access.Modify)
	all := []api.Endpoint{
		{Method: "GET", Path: settings + "program", Access: anyone, Do: api.Show(showProgram),
			Summary: "Show what applications need to know of a store before anybody signs in"},
		{Method: "GET", Path: settings + "css", Access: anyone, Handle: getStylesheet,
			Summary: "Send the colors of a store as custom properties", Response: api.Media("text/css")},
		{Method: "GET", Path: settings + "manifest", Access: anyone, Handle: getManifest,
			Summary:  "Send the web app manifest of the customers' application",
			Response: api.Media("application/manifest+json")},
		{Method: "GET", Path: settings + "icon/{size}", Access: anyone, Handle: getIcon,
			Summary: "Send an icon of a store, made of its logo", Response: api.Media("image/png")},
		{Method: "GET", Path: path, Access: anyone, Handle: getPhoto,
			Summary: "Send a picture of a store", Response: api.Media("image/*")},
		{Method: "POST", Path: path, Access: modify, Factor: api.Everyday,
			Do: api.WriteTo(pictureName, madePicture, replacePicture), Summary: "Set a picture of a store",
			Audit: api.Audited("UpdateBrandingPicture", "settings"), NoDryRun: api.Uploads},
		{Method: "DELETE", Path: path, Access: modify, Factor: api.Everyday, Do: api.Act(removePicture),
			Summary: "Remove a picture of a store", Audit: api.Audited("DeleteBrandingPicture", "settings")},
		{Method: "DELETE", Path: settings + Logo, Access: modify, Factor: api.Everyday, Do: api.Act(removeLogo),
			Summary: "Remove the logo of a store", Audit: api.Audited("DeleteBrandingPicture", "settings")},
		{Method: "GET", Path: file, Access: anyone, Handle: func(c *api.Call) error { return serveConditions(c, c.Store) },
			Summary: "Send the terms and conditions of a store", Response: api.Media("application/pdf")},
		{Method: "POST", Path: file, Access: modify, Factor: api.Everyday, Do: api.Write(conditionsBody, replaceConditions),
			Summary: "Set the terms and conditions of a store",
			Audit:   api.Audited("UpdateConditionsFile", "settings"), NoDryRun: api.Uploads},
		{Method: "DELETE", Path: file, Access: modify, Factor: api.Everyday, Do: api.Act(removeConditions),
			Summary: "Remove the terms and conditions of a store",
			Audit:   api.Audited("DeleteConditionsFile", "settings")},
		{Method: "GET", Path: settings + "conditions-url", Access: anyone, Do: api.Show(showConditionsURL),
			Summary: "Tell where the terms and conditions of a store are"},
		{Method: "GET", Path: "/terms-conditions", Access: anyone, Handle: getConditions,
			Summary: "Send the terms and conditions of the first store, or of another one",
			Query:   func(q *form.Group) { q.Text("store") }, Response: api.Media("application/pdf")},
	}
	for _, name := range []string{Logo, SmallLogo, HeroImage} {
		all = append(all, api.Endpoint{Method: "GET", Path: settings + name, Access: anyone,
			Handle:  func(c *api.Call) error { return servePicture(c, name) },
			Summary: "Send a picture of a store", Response: api.Media("image/*")})
	}
	return all
}

func showProgram(r *api.Reading) (programAnswer, error) {
	shown, err := Show(r.Tx, r.Store)
	return programAnswer{programOf(r.Store, &shown)}, err
}

type conditionsAnswer struct {
	URL string `json:"url"` // empty if there are none
}

func showConditionsURL(r *api.Reading) (conditionsAnswer, error) {
	shown, err := Show(r.Tx, r.Store)
	return conditionsAnswer{conditionsURL(r.Store, &shown)}, err
}

func getStylesheet(c *api.Call) error {
	return serveText(c, "text/css; charset=utf-8", stylesheet(c.Store))
}

func getManifest(c *api.Call) error {
	languages, err := c.Stores().Languages(c.Context())
	if err != nil {
		return err
	}
	text, err := json.Marshal(manifestOf(c.Store, languages.Default()))
	if err != nil {
		return err
	}
	return serveText(c, "application/manifest+json", text)
}

// serveText responds with a text, whose hash is its tag.
func serveText(c *api.Call, mimeType string, text []byte) error {
	return picture.Serve(c.Request, mimeType, tagOf(text), caching, func() ([]byte, error) { return text, nil })
}

func tagOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:16])
}

// getIcon serves an icon of the small logo, of the logo, or else a drawn one.
func getIcon(c *api.Call) error {
	size := c.PathValue("size")
	if !slices.Contains(iconSizes, size) {
		return fault.ErrNotFound
	}
	var files []File
	err := c.Read(func(tx *db.Tx) (err error) {
		files, err = filesOf(tx, c.Store.Key)
		return err
	})
	if err != nil {
		return err
	}
	if icon, found := iconSource(files, size); found {
		return serve(c, &icon)
	}
	accent, _ := accentOf(c.Store)
	return picture.Serve(c.Request, "image/png", "drawn-"+hexOf(accent)[1:]+"-"+size, caching, func() ([]byte, error) {
		return drawnIcon(accent, size)
	})
}

func getPhoto(c *api.Call) error { return servePicture(c, c.PathValue("name")) }

func servePicture(c *api.Call, name string) error {
	if !slices.Contains(Pictures, name) {
		return fault.ErrNotFound
	}
	f, err := fileOfPath(c, c.Store, name)
	if err != nil {
		return err
	}
	return serve(c, &f)
}

// fileOfPath reads the row of a file, without its content.
func fileOfPath(c *api.Call, of *store.Store, name string) (f File, err error) {
	err = c.Read(func(tx *db.Tx) error {
		found := false
		if f, found, err = findFile(tx, of.Key, name); err == nil && !found {
			err = fault.ErrNotFound
		}
		return err
	})
	return f, err
}

func serve(c *api.Call, f *File) error {
	return picture.Serve(c.Request, f.MIMEType, f.ID, caching, func() (content []byte, err error) {
		err = c.Read(func(tx *db.Tx) error {
			content, err = contentOf(tx, f)
			return err
		})
		return content, err
	})
}

// pdfPolicy lets browsers show a PDF in their viewer, which is a plugin with styles of its own.
const pdfPolicy = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; " +
	"frame-ancestors 'none'"

func serveConditions(c *api.Call, of *store.Store) error {
	f, err := fileOfPath(c, of, conditions)
	if err != nil {
		return err
	}
	c.ResponseHeader().Set("Content-Security-Policy", pdfPolicy)
	return serve(c, &f)
}

// getConditions serves the terms and conditions at the root, where older clients link to them.
func getConditions(c *api.Call) error {
	query, err := c.Query()
	if err != nil {
		return err
	}
	code := query.Child("store").Text()
	if code == "" {
		code = store.DefaultCode
	}
	of, found, err := c.Stores().ByCode(c.Context(), code)
	if err != nil {
		return err
	}
	if !found {
		return fault.ErrNotFound
	}
	return serveConditions(c, of)
}

// pictureName returns the name of a picture in the path.
func pictureName(w *api.Writing) (string, error) {
	name := w.PathValue("name")
	if !slices.Contains(Pictures, name) {
		return "", fault.ErrNotFound
	}
	return name, nil
}

// madePicture reads a picture, and makes its icons before the store is locked.
var madePicture = api.BodyInCall("photo", func(c *api.Call, g *form.Group) (func(tx *db.Tx) error, error) {
	p, err := photo.Read(c, g, "photo")
	if err != nil || p == nil {
		return nil, err
	}
	return setPicture(c.Context(), c.Store.Key, c.PathValue("name"), p)
}, photo.DescribeFile)

func replacePicture(w *api.Writing, _ string, set func(tx *db.Tx) error) (api.Nothing, error) {
	return api.Nothing{}, set(w.Tx)
}

var conditionsBody = api.BodyInCall("conditions", func(c *api.Call, g *form.Group) ([]byte, error) {
	body, err := c.Body()
	if err != nil {
		return nil, err
	}
	return readConditions(g, body.Child("conditions"), "file"), nil
}, photo.DescribeFile)

func replaceConditions(w *api.Writing, pdf []byte) (api.Nothing, error) {
	return api.Nothing{}, setConditions(w.Tx, w.Store.Key, pdf)
}

func removePicture(w *api.Writing) (api.Nothing, error) {
	name, err := pictureName(w)
	if err != nil {
		return api.Nothing{}, err
	}
	return removeFile(w, name)
}

func removeLogo(w *api.Writing) (api.Nothing, error)       { return removeFile(w, Logo) }
func removeConditions(w *api.Writing) (api.Nothing, error) { return removeFile(w, conditions) }

// removeFile removes a file. Repeating it has no further effect.
func removeFile(w *api.Writing, name string) (api.Nothing, error) {
	return api.Nothing{}, discard(w.Tx, w.Store.Key, name)
}
