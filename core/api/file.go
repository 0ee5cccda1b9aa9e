package api

import (
	"net/http"

	"punchcard/platform/db"
	"punchcard/platform/web"
)

// File is the output of operations that send a picture or another file, whose content never changes under its tag. They
// are described as Media.
type File struct {
	MediaType string
	Tag       string
	Caching   string                 // value of Cache-Control
	Content   func() ([]byte, error) // called only if it is sent
}

// Stored returns the Content of a file that the database holds.
func (c *Call) Stored(read func(tx *db.Tx) ([]byte, error)) func() ([]byte, error) {
	return func() (content []byte, err error) {
		err = c.Read(func(tx *db.Tx) error {
			content, err = read(tx)
			return err
		})
		return content, err
	}
}

// send responds with the file. A client that has it gets 304.
func (f *File) send(r *web.Request) error {
	header := r.ResponseHeader()
	header.Set("Etag", `"`+f.Tag+`"`)
	header.Set("Cache-Control", f.Caching)
	if matches(r.Header["If-None-Match"], f.Tag) {
		return r.Empty(http.StatusNotModified)
	}
	content, err := f.Content()
	if err != nil {
		return err
	}
	header.Set("Content-Disposition", "inline")
	return r.Bytes(http.StatusOK, f.MediaType, content)
}
