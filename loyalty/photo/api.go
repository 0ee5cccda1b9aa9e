package photo

import (
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/picture"
)

// Owner finds the row that a path names.
type Owner struct {
	Kind Kind
	Find func(c *api.Call, tx *db.Tx) (id string, err error)
	Lock func(c *api.Call, tx *db.Tx) (id string, err error) // finds it for a change
}

// Get returns the operation that shows the photo of the row that the path names, which anybody may see.
func (o Owner) Get() api.Operation { return o.Kind.Get("public, no-cache", o.Find) }

// Upload returns the operation that sets the photo of the row that the path names.
func (o Owner) Upload() api.Operation {
	find := func(w *api.Writing) (string, error) { return o.Find(w.Call, w.Tx) }
	set := func(w *api.Writing, _ string, p *picture.Picture) (none api.Nothing, err error) {
		id, err := o.Lock(w.Call, w.Tx)
		if err != nil {
			return none, err
		}
		return none, o.Kind.Set(w.Tx, w.Store.Key, id, *p)
	}
	return api.WriteTo(find, In("photo"), set)
}

// In reads the picture of a form below a name.
func In(name string) api.Input[*picture.Picture] {
	return api.BodyInCall(name, func(c *api.Call, g *form.Group) (*picture.Picture, error) {
		return Read(c, g, name)
	}, DescribeFile)
}

// Read reads the picture of the group of a form with a name. It is nil if the group has errors.
func Read(c *api.Call, g *form.Group, name string) (*picture.Picture, error) {
	body, err := c.Body()
	if err != nil {
		return nil, err
	}
	return picture.Read(c.Context(), g, body.Child(name), "file")
}

// DescribeFile describes the group of a form with a file.
func DescribeFile(g *form.Group) { g.File("file", form.NotBlank) }

// Remove removes the photo of the row that the path names. Repeating it has no further effect.
func (o Owner) Remove(w *api.Writing) (none api.Nothing, err error) {
	id, err := o.Lock(w.Call, w.Tx)
	if err != nil {
		return none, err
	}
	_, err = o.Kind.Remove(w.Tx, w.Store.Key, id)
	return none, err
}

// Get returns the operation that shows the picture of the row that find returns. caching is the value of Cache-Control:
// as a picture can be replaced, clients must revalidate it.
func (k Kind) Get(caching string, find func(c *api.Call, tx *db.Tx) (id string, err error)) api.Operation {
	return api.Show(func(r *api.Reading) (none api.File, err error) {
		id, err := find(r.Call, r.Tx)
		if err != nil {
			return none, err
		}
		all, err := k.Of(r.Tx, r.Store.Key, id)
		if err != nil {
			return none, err
		}
		shown, found := all[id]
		if !found {
			return none, fault.ErrNotFound
		}
		return api.File{
			MediaType: shown.MIMEType, Tag: shown.ID, Caching: caching, Content: r.Stored(shown.content),
		}, nil
	}).DescribedAs(api.Media("image/*"))
}
