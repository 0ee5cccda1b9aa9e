// Package web serves the three web apps: the cockpit for administrators at /, the till for sellers at /till, and the
// customer's app at /me; and at /embed a page about the program for other sites. They are built from the folders beside
// this file into dist, and use the public API alone. docs/web.md describes them.
package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
	"io/fs"
	"mime"
	"path"
	"slices"
	"strings"

	"punchcard/platform/fault"
	"punchcard/platform/web"
)

//go:generate go run ./build

// dist has each file compressed with gzip.
//
//go:embed dist
var dist embed.FS

// policy lets the apps load and call this server only. Pictures that the user has chosen and not yet uploaded are
// blobs; bar codes are data.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; " +
	"connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; media-src 'self' blob:; " +
	"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors "

// Origins returns the origins of other sites that may frame the page /embed of a store, none for an unknown store.
type Origins func(ctx context.Context, storeCode string) ([]string, error)

// permissions returns the devices that a page may use: only the till reads codes with the camera.
func permissions(app string) string {
	camera := "()"
	if app == "till" {
		camera = "(self)"
	}
	return "camera=" + camera + ", microphone=(), geolocation=(), payment=(), usb=()"
}

// ReservedWords are the first segments of paths that mean something else than a store, so that no store may have one
// of them as its code.
var ReservedWords = []string{"docs", "metrics", "api", "till", "me", "embed", "assets", "terms-conditions"}

// PagesWithoutStore are the first segments of pages of the cockpit that links open before anybody signs in. No store
// may have one of them as its code, either.
var PagesWithoutStore = []string{"forgotten", "reset", "setup", "sso"}

// file is a file of dist, which never changes while the server runs.
type file struct {
	mediaType  string
	compressed []byte // with gzip
	tag        string
}

// Routes returns the routes of the apps. A page is served for every path that no other route has, because the apps
// show their screens at paths of their own; the API and the reserved words keep their own errors.
func Routes(origins Origins) ([]web.Route, error) {
	files, err := readDist()
	if err != nil {
		return nil, err
	}
	return []web.Route{
		{Method: "GET", Path: "/assets/{file}", Handle: func(r *web.Request) error {
			f := files["assets/"+r.PathValue("file")]
			if f == nil {
				return fault.ErrNotFound
			}
			r.ResponseHeader().Set("Cache-Control", "public, max-age=31536000, immutable")
			r.ResponseHeader().Set("Cross-Origin-Resource-Policy", "same-origin")
			return f.send(r)
		}},
		{Method: "GET", Path: "/embed/{store}", Handle: func(r *web.Request) error {
			allowed, err := origins(r.Context(), r.PathValue("store"))
			if err != nil {
				return err
			}
			return files["embed.html"].sendPage(r, "embed", allowed...)
		}},
		{Method: "GET", Path: "/{path...}", Handle: func(r *web.Request) error { return servePage(r, files) }},
	}, nil
}

func servePage(r *web.Request, files map[string]*file) error {
	app, rest, _ := strings.Cut(r.PathValue("path"), "/")
	header := r.ResponseHeader()
	if app != "till" && app != "me" {
		if slices.Contains(ReservedWords, app) {
			return fault.ErrNotFound
		}
		app, rest = "cockpit", r.PathValue("path")
	}
	f := files[app+".html"]
	switch {
	case rest == "worker.js" && files[app+"-worker.js"] != nil:
		f = files[app+"-worker.js"]
		header.Set("Service-Worker-Allowed", "/"+app) // beside the pages below it
	case rest != "" && !strings.Contains(r.Header.Get("Accept"), "text/html"):
		return fault.ErrNotFound
	}
	return f.sendPage(r, app)
}

// sendPage sends a page, which only pages of the given origins may frame.
func (f *file) sendPage(r *web.Request, app string, framedBy ...string) error {
	header := r.ResponseHeader()
	ancestors := "'none'"
	if len(framedBy) > 0 {
		ancestors = strings.Join(framedBy, " ")
	} else { // no other page gets a handle of it, or loads it
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
	}
	header.Set("Content-Security-Policy", policy+ancestors)
	header.Set("Permissions-Policy", permissions(app))
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Cache-Control", "no-cache") // cached, but revalidated: a new version names other assets
	return f.send(r)
}

// send responds with the file, or with 304 to a client that has it.
func (f *file) send(r *web.Request) error {
	header := r.ResponseHeader()
	header.Set("Etag", f.tag)
	if strings.Contains(r.Header.Get("If-None-Match"), strings.Trim(f.tag, `W/`)) {
		return r.Empty(304)
	}
	if web.AcceptsGzip(r.Header["Accept-Encoding"]) {
		header.Set("Content-Encoding", "gzip")
		return r.Bytes(200, f.mediaType, f.compressed)
	}
	content, err := f.content()
	if err != nil {
		return err
	}
	return r.Bytes(200, f.mediaType, content)
}

// content returns the file without compression, which nearly no client asks for.
func (f *file) content() ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(f.compressed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}

// readDist reads all files of dist, by name.
func readDist() (map[string]*file, error) {
	files := map[string]*file{}
	err := fs.WalkDir(dist, "dist", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		compressed, err := dist.ReadFile(name)
		if err != nil {
			return err
		}
		name = strings.TrimSuffix(strings.TrimPrefix(name, "dist/"), ".gz")
		files[name] = newFile(name, compressed)
		return nil
	})
	return files, err
}

func newFile(name string, compressed []byte) *file {
	mediaType := mime.TypeByExtension(path.Ext(name))
	if path.Ext(name) == ".js" {
		mediaType = "text/javascript; charset=utf-8" // what the system says differs
	}
	sum := sha256.Sum256(compressed)
	return &file{mediaType: mediaType, compressed: compressed, tag: `W/"` + hex.EncodeToString(sum[:16]) + `"`}
}
