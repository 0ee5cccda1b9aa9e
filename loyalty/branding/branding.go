// Package branding holds what a store looks like to its customers: its logos and pictures, its colors, its terms and
// conditions, and the web app manifest made of them: docs/behaviour/branding.md.
package branding

import (
	"bytes"
	"context"
	"slices"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/picture"
)

// The names of pictures. Icons are made of the first two.
const (
	SmallLogo = "small-logo"
	Logo      = "logo"
	HeroImage = "hero-image"
)

// Pictures lists the names of all pictures of a store.
var Pictures = []string{
	Logo, SmallLogo, HeroImage, "admin-cockpit-logo", "client-cockpit-logo-big", "client-cockpit-logo-small",
	"client-cockpit-hero-image",
}

const (
	// conditions is the name of the file with the terms and conditions.
	conditions = "conditions-file"
	// MaxConditions is the maximum size of that file in bytes.
	MaxConditions = 5 << 20
)

var (
	errConditionsSize = fault.New(fault.Fields, "conditions_file_too_large",
		"The file is too large. Allowed maximum size is 5 MB.")
	errConditionsType = fault.New(fault.Fields, "conditions_file_not_pdf", "This file is not a valid PDF.")
)

// File is a file of a store, or an icon made of it.
type File struct {
	StoreKey      int64
	Name          string // one of Pictures, or conditions
	Size          string // of an icon; empty for the file that was uploaded
	ID            string // changes with the content
	MIMEType      string
	Width, Height int // in pixels; 0 for a document

	content []byte // to write
}

// setPicture replaces a picture of a store and the icons made of it.
func setPicture(ctx context.Context, storeKey int64, name string, p *picture.Picture) (func(tx *db.Tx) error, error) {
	original := File{StoreKey: storeKey, Name: name, MIMEType: p.MIMEType}
	var made map[string][]byte
	err := p.Decode(ctx, func(decoded picture.Decoded) (err error) {
		original.Width, original.Height = decoded.Bounds().Dx(), decoded.Bounds().Dy()
		if name == Logo || name == SmallLogo {
			made, err = iconsOf(decoded)
		}
		return err
	})
	return func(tx *db.Tx) error {
		if err := discard(tx, storeKey, name); err != nil {
			return err
		}
		original.ID = tx.NewID()
		if err := insertFile(tx, &original, p.Bytes); err != nil {
			return err
		}
		for _, size := range iconSizes {
			if made[size] == nil {
				continue
			}
			icon := File{StoreKey: storeKey, Name: name, Size: size, ID: tx.NewID(), MIMEType: "image/png"}
			icon.Width, icon.Height = sideOf(size), sideOf(size)
			if err := insertFile(tx, &icon, made[size]); err != nil {
				return err
			}
		}
		return nil
	}, err
}

// setConditions replaces the terms and conditions of a store.
func setConditions(tx *db.Tx, storeKey int64, pdf []byte) error {
	if err := discard(tx, storeKey, conditions); err != nil {
		return err
	}
	return insertFile(tx, &File{StoreKey: storeKey, Name: conditions, ID: tx.NewID(), MIMEType: "application/pdf"}, pdf)
}

// discard removes a file with its icons. It locks the store, so that one of two uploads at once replaces the other.
func discard(tx *db.Tx, storeKey int64, name string) error {
	if _, err := store.Lock(tx, storeKey); err != nil {
		return err
	}
	return deleteFile(tx, storeKey, name)
}

// readConditions reads a field with a PDF file, and adds an error to the field if it is not accepted. A PDF begins
// with its version and ends with a mark; viewers skip up to 1,024 bytes around them.
func readConditions(g *form.Group, node *form.Node, field string) []byte {
	const around = 1024
	g.Ignore(field)
	file := node.Child(field).File()
	switch {
	case file == nil || len(file.Bytes) == 0:
		g.AddError(field, form.Blank)
	case len(file.Bytes) > MaxConditions:
		g.AddError(field, errConditionsSize)
	case !bytes.HasPrefix(file.Bytes, []byte("%PDF-")),
		!bytes.Contains(file.Bytes[max(0, len(file.Bytes)-around):], []byte("%%EOF")):
		g.AddError(field, errConditionsType)
	default:
		return file.Bytes
	}
	return nil
}

// iconSource returns the file that the icon of a size was made of: of the small logo, else of the logo.
func iconSource(files []File, size string) (File, bool) {
	for _, name := range []string{SmallLogo, Logo} {
		at := slices.IndexFunc(files, func(f File) bool { return f.Name == name && f.Size == size })
		if at >= 0 {
			return files[at], true
		}
	}
	return File{}, false
}
