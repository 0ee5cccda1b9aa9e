package branding

import (
	"cmp"
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
		{Method: "GET", Path: settings + "css", Access: anyone,
			Do:      api.Tell(showStylesheet).DescribedAs(api.Media("text/css")),
			Summary: "Send the colors of a store as custom properties"},
		{Method: "GET", Path: settings + "manifest", Access: anyone,
			Do:      api.Tell(showManifest).DescribedAs(api.Media("application/manifest+json")),
			Summary: "Send the web app manifest of the customers' application"},
		{Method: "GET", Path: settings + "icon/{size}", Access: anyone,
			Do:      api.Show(showIcon).DescribedAs(api.Media("image/png")),
			Summary: "Send an icon of a store, made of its logo"},
		{Method: "GET", Path: path, Access: anyone,
			Do:      api.Show(showPhoto).DescribedAs(api.Media("image/*")),
			Summary: "Send a picture of a store"},
		{Method: "POST", Path: path, Access: modify, Factor: api.Everyday,
			Do: api.WriteTo(pictureName, madePicture, replacePicture), Summary: "Set a picture of a store",
			Audit: api.Audited("UpdateBrandingPicture", "settings"), NoDryRun: api.Uploads},
		{Method: "DELETE", Path: path, Access: modify, Factor: api.Everyday, Do: api.Act(removePicture),
			Summary: "Remove a picture of a store", Audit: api.Audited("DeleteBrandingPicture", "settings")},
		{Method: "DELETE", Path: settings + Logo, Access: modify, Factor: api.Everyday, Do: api.Act(removeLogo),
			Summary: "Remove the logo of a store", Audit: api.Audited("DeleteBrandingPicture", "settings")},
		{Method: "GET", Path: file, Access: anyone, Do: api.Show(showConditions).DescribedAs(api.Media("application/pdf")),
			Summary: "Send the terms and conditions of a store"},
		{Method: "POST", Path: file, Access: modify, Factor: api.Everyday, Do: api.Write(conditionsBody, replaceConditions),
			Summary: "Set the terms and conditions of a store",
			Audit:   api.Audited("UpdateConditionsFile", "settings"), NoDryRun: api.Uploads},
		{Method: "DELETE", Path: file, Access: modify, Factor: api.Everyday, Do: api.Act(removeConditions),
			Summary: "Remove the terms and conditions of a store",
			Audit:   api.Audited("DeleteConditionsFile", "settings")},
		{Method: "GET", Path: settings + "conditions-url", Access: anyone, Do: api.Show(showConditionsURL),
			Summary: "Tell where the terms and conditions of a store are"},
		{Method: "GET", Path: "/terms-conditions", Access: anyone,
			Do: api.Read(api.InCall(func(q *form.Group) { q.Text("store") }, storeOfQuery), conditionsOf).
				DescribedAs(api.Media("application/pdf")),
			Summary: "Send the terms and conditions of the first store, or of another one"},
	}
	for _, name := range []string{Logo, SmallLogo, HeroImage} {
		all = append(all, api.Endpoint{Method: "GET", Path: settings + name, Access: anyone,
			Do: api.Show(func(r *api.Reading) (api.File, error) { return fileOf(r, r.Store, name) }).
				DescribedAs(api.Media("image/*")),
			Summary: "Send a picture of a store"})
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

func showStylesheet(c *api.Call) (api.File, error) {
	return textFile("text/css; charset=utf-8", stylesheet(c.Store)), nil
}

func showManifest(c *api.Call) (none api.File, err error) {
	languages, err := c.Stores().Languages(c.Context())
	if err != nil {
		return none, err
	}
	text, err := json.Marshal(manifestOf(c.Store, languages.Default()))
	return textFile("application/manifest+json", text), err
}

// textFile returns a text, whose hash is its tag.
func textFile(mediaType string, text []byte) api.File {
	return api.File{MediaType: mediaType, Tag: tagOf(text), Caching: caching,
		Content: func() ([]byte, error) { return text, nil }}
}

func tagOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:16])
}

// showIcon returns an icon of the small logo, of the logo, or else a drawn one.
func showIcon(r *api.Reading) (none api.File, err error) {
	size := r.PathValue("size")
	if !slices.Contains(iconSizes, size) {
		return none, fault.ErrNotFound
	}
	files, err := filesOf(r.Tx, r.Store.Key)
	if err != nil {
		return none, err
	}
	if icon, found := iconSource(files, size); found {
		return stored(r.Call, &icon), nil
	}
	accent, _ := accentOf(r.Store)
	return api.File{MediaType: "image/png", Tag: "drawn-" + hexOf(accent)[1:] + "-" + size, Caching: caching,
		Content: func() ([]byte, error) { return drawnIcon(accent, size) }}, nil
}

func showPhoto(r *api.Reading) (none api.File, err error) {
	name := r.PathValue("name")
	if !slices.Contains(Pictures, name) {
		return none, fault.ErrNotFound
	}
	return fileOf(r, r.Store, name)
}

// fileOf returns a file of a store.
func fileOf(r *api.Reading, s *store.Store, name string) (none api.File, err error) {
	f, found, err := findFile(r.Tx, s.Key, name)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	if err != nil {
		return none, err
	}
	return stored(r.Call, &f), nil
}

func stored(c *api.Call, f *File) api.File {
	return api.File{MediaType: f.MIMEType, Tag: f.ID, Caching: caching,
		Content: c.Stored(func(tx *db.Tx) ([]byte, error) { return contentOf(tx, f) })}
}

// pdfPolicy lets browsers show a PDF in their viewer, which is a plugin with styles of its own.
const pdfPolicy = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; " +
	"frame-ancestors 'none'"

func showConditions(r *api.Reading) (api.File, error) { return conditionsOf(r, r.Store) }

// conditionsOf returns the terms and conditions of a store.
func conditionsOf(r *api.Reading, s *store.Store) (api.File, error) {
	f, err := fileOf(r, s, conditions)
	if err == nil {
		r.ResponseHeader().Set("Content-Security-Policy", pdfPolicy)
	}
	return f, err
}

// storeOfQuery returns the store that is named at the root, where older clients link to terms and conditions.
func storeOfQuery(c *api.Call) (*store.Store, error) {
	query, err := c.Query()
	if err != nil {
		return nil, err
	}
	s, found, err := c.Stores().ByCode(c.Context(), cmp.Or(query.Child("store").Text(), store.DefaultCode))
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return s, err
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
