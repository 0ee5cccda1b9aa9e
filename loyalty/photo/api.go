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

// Get responds with the photo of the row that the path names, which anybody may see.
func (o Owner) Get(c *api.Call) error { return o.Kind.Serve(c, "public, no-cache", o.Find) }

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

// Serve responds with the picture of the row that find returns. caching is the value of Cache-Control: as a picture can
// be replaced, clients must revalidate it.
func (k Kind) Serve(c *api.Call, caching string, find func(c *api.Call, tx *db.Tx) (id string, err error)) error {
	var shown Photo
	err := c.Read(func(tx *db.Tx) error {
		id, err := find(c, tx)
		if err != nil {
			return err
		}
		all, err := k.Of(tx, c.Store.Key, id)
		shown = all[id]
		return err
	})
	if err != nil {
		return err
	}
	if shown.ID == "" {
		return fault.ErrNotFound
	}
	return picture.Serve(c.Request, shown.MIMEType, shown.ID, caching, func() (content []byte, err error) {
		err = c.Read(func(tx *db.Tx) error {
			content, err = shown.content(tx)
			return err
		})
		return content, err
	})
}

// Upload reads the picture of a form, passes it to set in a transaction, and responds. A row that find does not know is
// reported before an invalid file.
func Upload(c *api.Call, field string, find func(c *api.Call, tx *db.Tx) (id string, err error),
	set func(tx *db.Tx, p picture.Picture) error, respond func() error) error {
	err := c.Read(func(tx *db.Tx) error {
		_, err := find(c, tx)
		return err
	})
	if err != nil {
		return err
	}
	body, err := c.Body()
	if err != nil {
		return err
	}
	node := body.Child(field)
	g := form.Read(node)
	sent, err := picture.Read(c.Context(), g, node, "file")
	if err == nil {
		err = g.Err()
	}
	if err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error { return set(tx, *sent) }, respond)
}

// Describe describes the form that Upload reads.
func Describe(field string) func(g *form.Group) {
	return func(g *form.Group) { DescribeFile(g.Group(field)) }
}
