package demo

import (
	"context"
	"embed"
	"fmt"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/form"
	"punchcard/platform/picture"
)

// drawings holds the pictures of campaigns as PNG. They are rendered from the SVG files beside them, as
// drawings/README.md describes.
//
//go:embed drawings/*.png
var drawings embed.FS

// drawn maps the last part of a campaign's link to its drawing.
var drawn = map[string]string{
	"free-delivery": "van", "voucher-50": "voucher", "ten-percent": "percent", "birthday": "cake", "tote-bag": "bag",
	"tasting": "cups", "barista-workshop": "machine", "early-bird": "sunrise", "preview": "star", "cashback": "coins",
	"fifteen-back": "percent", "market": "market", "delivery-week": "van", "season-sale": "percent",
	"voucher-100": "voucher",
}

// illustrate adds a picture to each campaign.
func (l *loader) illustrate(ctx context.Context, tx *db.Tx, s *store.Store) error {
	checked := map[string]*picture.Picture{}
	for i, id := range l.campaigns {
		name := drawn[offers[i].link]
		if checked[name] == nil {
			content, err := drawings.ReadFile("drawings/" + name + ".png")
			if err != nil {
				return err
			}
			p, problem, err := picture.Check(ctx, &form.File{Name: name + ".png", Bytes: content})
			if err != nil {
				return err
			}
			if problem != nil {
				return fmt.Errorf("drawing %s: %w", name, problem)
			}
			checked[name] = p
		}
		if err := l.desk.Catalogue.AddPhoto(tx, s, id, *checked[name]); err != nil {
			return err
		}
	}
	return nil
}
