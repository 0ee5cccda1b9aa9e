package branding

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"sync"

	"golang.org/x/image/draw"
)

// The sizes of icons. A maskable icon fills its square, and shows the logo inside the circle that every mask leaves.
const (
	icon192  = "192x192"
	icon512  = "512x512"
	maskable = "maskable-512x512"
)

var iconSizes = []string{icon192, icon512, maskable}

// sideOf returns the length of an icon's sides in pixels.
func sideOf(size string) int {
	if size == icon192 {
		return 192
	}
	return 512
}

// safeZone is the diameter of the circle of a maskable icon that every mask leaves, as a share of its side.
const safeZone = 0.8

// iconsOf returns the icons of a logo as PNG files, by size.
func iconsOf(logo image.Image) (map[string][]byte, error) {
	icons := map[string][]byte{}
	for _, size := range iconSizes {
		var file bytes.Buffer
		if err := png.Encode(&file, iconOf(logo, size)); err != nil {
			return nil, err
		}
		icons[size] = file.Bytes()
	}
	return icons, nil
}

// iconOf puts a logo in the middle of a square, as large as it fits. A maskable icon is white around it.
func iconOf(logo image.Image, size string) image.Image {
	side := sideOf(size)
	icon := image.NewNRGBA(image.Rect(0, 0, side, side))
	w, h := float64(logo.Bounds().Dx()), float64(logo.Bounds().Dy())
	scale := float64(side) / max(w, h)
	if size == maskable {
		scale = safeZone * float64(side) / math.Hypot(w, h)
		draw.Draw(icon, icon.Bounds(), image.White, image.Point{}, draw.Src)
	}
	width, height := max(1, int(w*scale)), max(1, int(h*scale))
	at := image.Pt((side-width)/2, (side-height)/2)
	place := image.Rectangle{Min: at, Max: at.Add(image.Pt(width, height))}
	draw.CatmullRom.Scale(icon, place, logo, logo.Bounds(), draw.Over, nil)
	return icon
}

// shades is how many shades the edges of a drawn icon have.
const shades = 16

// drawnIcon returns the icon of a store without a logo: a card with holes on its accent color.
func drawnIcon(accent color.NRGBA, size string) ([]byte, error) {
	palette := make(color.Palette, 2*shades)
	for i := range shades {
		share := float64(i) / (shades - 1)
		palette[i] = mix(accent, textOn(accent), share)
		palette[shades+i] = color.NRGBA{R: accent.R, G: accent.G, B: accent.B, A: uint8(math.Round(255 * share))}
	}
	shape := drawings[size]()
	picture := &image.Paletted{Pix: shape.Pix, Stride: shape.Stride, Rect: shape.Rect, Palette: palette}
	var file bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed} // it is drawn for every request
	err := encoder.Encode(&file, picture)
	return file.Bytes(), err
}

// drawings hold the shape of the icon that is drawn, with indexes of the palette of drawnIcon as pixels.
var drawings = map[string]func() *image.Paletted{
	icon192:  sync.OnceValue(func() *image.Paletted { return drawing(192, 0.22, 1) }),
	icon512:  sync.OnceValue(func() *image.Paletted { return drawing(512, 0.22, 1) }),
	maskable: sync.OnceValue(func() *image.Paletted { return drawing(512, 0, safeZone) }),
}

// drawing draws a card with six holes on a square with round corners. corner is their radius as a share of the side,
// and scale makes the card smaller.
func drawing(side int, corner, scale float64) *image.Paletted {
	shape := image.NewPaletted(image.Rect(0, 0, side, side), nil)
	whole := float64(side)
	unit := whole * scale
	for y := range side {
		for x := range side {
			px, py := float64(x)+0.5-whole/2, float64(y)+0.5-whole/2
			square := covered(box(px, py, whole/2, whole/2, corner*whole))
			card := covered(box(px, py, 0.34*unit, 0.24*unit, 0.06*unit))
			for _, cy := range []float64{-0.1, 0.1} {
				for _, cx := range []float64{-0.2, 0, 0.2} {
					card = min(card, 1-covered(math.Hypot(px-cx*unit, py-cy*unit)-0.06*unit))
				}
			}
			index := int(math.Round(card * (shades - 1)))
			if square < 1 {
				index = shades + int(math.Round(square*(shades-1)))
			}
			shape.Pix[y*shape.Stride+x] = uint8(index)
		}
	}
	return shape
}

// box returns the distance of a point to a box around the origin with round corners, negative inside.
func box(x, y, halfWidth, halfHeight, radius float64) float64 {
	dx, dy := math.Abs(x)-halfWidth+radius, math.Abs(y)-halfHeight+radius
	return math.Hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - radius
}

// covered returns how much of a pixel at a distance to an edge is inside.
func covered(distance float64) float64 { return min(max(0.5-distance, 0), 1) }
