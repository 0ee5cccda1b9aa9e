// Package picture checks uploaded pictures.
package picture

import (
	"bytes"
	"context"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"mime"
	"net/http"
	"slices"
	"strconv"

	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// The limits of a picture.
const (
	MaxBytes  = 2 << 20    // 2 MB of the file
	MaxPixels = 13_000_000 // of one frame, enough for a phone; at most 12 bytes of memory each while decoded

	maxAnimated = 64_000_000 // pixels of all frames of a GIF, a byte of memory each
)

// The errors of a file that is not accepted. Clients compare the messages.
var (
	errTooLarge = fault.New(fault.Fields, "file_too_large",
		"The file is too large (%s MB). Allowed maximum size is 2 MB.")
	errType = fault.New(fault.Fields, "file_type_not_allowed", `The mime type of the file is invalid (%q). `+
		`Allowed mime types are "image/png", "image/gif", "image/jpeg".`)
	errBroken = fault.New(fault.Fields, "not_an_image", "This file is not a valid image.")
)

// types are the accepted media types.
var types = []string{"image/png", "image/gif", "image/jpeg"}

// Picture is a file that was decoded successfully.
type Picture struct {
	Name     string // from the client, without folders
	MIMEType string // detected from the content
	Bytes    []byte // without metadata
}

// decoding is a lock: one picture at a time is decoded, because that needs much memory.
var decoding = make(chan struct{}, 1)

// Read reads a field with a picture, and adds an error to the field if it is not accepted.
func Read(ctx context.Context, g *form.Group, node *form.Node, field string) (*Picture, error) {
	g.Ignore(field)
	file := node.Child(field).File()
	if file == nil || len(file.Bytes) == 0 {
		g.AddError(field, form.Blank)
		return nil, nil
	}
	p, problem, err := Check(ctx, file)
	if problem != nil {
		g.AddError(field, problem)
	}
	return p, err
}

// Check decodes a file. It returns a problem for a file that is not accepted.
func Check(ctx context.Context, file *form.File) (p *Picture, problem *fault.Error, err error) {
	if size := len(file.Bytes); size > MaxBytes {
		return nil, errTooLarge.With(megabytes(size)), nil
	}
	kind, _, err := mime.ParseMediaType(http.DetectContentType(file.Bytes))
	if err != nil {
		return nil, nil, err
	}
	if !slices.Contains(types, kind) {
		return nil, errType.With(kind), nil
	}
	select {
	case decoding <- struct{}{}:
		defer func() { <-decoding }()
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	if !decodes(kind, file.Bytes) {
		return nil, errBroken, nil
	}
	return &Picture{file.Name, kind, withoutMetadata(kind, file.Bytes)}, nil, nil
}

// Decoded is a picture in memory; of an animated one, the first frame.
type Decoded = image.Image

// Decode decodes a picture again, for use during the call of use only.
func (p *Picture) Decode(ctx context.Context, use func(Decoded) error) error {
	select {
	case decoding <- struct{}{}:
		defer func() { <-decoding }()
	case <-ctx.Done():
		return ctx.Err()
	}
	decoded, _, err := image.Decode(bytes.NewReader(p.Bytes))
	if err != nil {
		return err
	}
	return use(decoded)
}

// megabytes formats a size with at most two digits, rounded up, so that a file that is too large never shows the limit
// itself.
func megabytes(size int) string {
	return strconv.FormatFloat(math.Ceil(float64(size)/(1<<20)*100)/100, 'f', -1, 64)
}

// decodes reports whether all pixels can be decoded. It checks their number first.
func decodes(kind string, file []byte) bool {
	config, format, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil || "image/"+format != kind || config.Width <= 0 || config.Height <= 0 ||
		config.Width > MaxPixels/config.Height {
		return false
	}
	switch kind {
	case "image/png":
		_, err = png.Decode(bytes.NewReader(file))
	case "image/jpeg":
		_, err = jpeg.Decode(bytes.NewReader(file))
	default:
		if pixels, whole := gifPixels(file); !whole || pixels > maxAnimated {
			return false
		}
		_, err = gif.DecodeAll(bytes.NewReader(file))
	}
	return err == nil
}
