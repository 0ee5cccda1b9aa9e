package branding

import (
	"fmt"
	"image/color"
	"math"
	"regexp"
	"strconv"

	"punchcard/core/store"
)

// DefaultAccent is the accent color of the icons and the manifest of a store without one.
const DefaultAccent = "#2f5bd0"

var hexColor = regexp.MustCompile(`^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)

// IsColor returns whether the text is a color such as #2f5bd0 or #25d.
func IsColor(text string) bool { return hexColor.MatchString(text) }

// accentOf returns the accent color of a store. Settings that are older than the rule for colors may hold any text.
func accentOf(s *store.Store) (c color.NRGBA, found bool) {
	if IsColor(s.Settings.AccentColor) {
		return parseColor(s.Settings.AccentColor), true
	}
	return parseColor(DefaultAccent), false
}

func parseColor(hex string) color.NRGBA {
	digits := hex[1:]
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	n, _ := strconv.ParseUint(digits, 16, 32) // hexColor matches
	return color.NRGBA{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 0xff}
}

func hexOf(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// The colors of text on accents, and of the pages that accents are put on.
var (
	white = color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
	black = color.NRGBA{A: 0xff}
	night = color.NRGBA{R: 0x20, G: 0x20, B: 0x20, A: 0xff}
)

// legible is the least contrast of text on a page, more than the 4.5 of level AA of the Web Content Accessibility
// Guidelines, because pages are not quite white or night.
const legible = 5

// Palette holds the accent color of a store, and what it takes to read text on it and in it.
type Palette struct{ Accent, OnAccent, AccentOnLight, AccentOnDark string }

// PaletteOf returns the colors of a store, or those of DefaultAccent.
func PaletteOf(s *store.Store) Palette {
	accent, _ := accentOf(s)
	return Palette{
		hexOf(accent), hexOf(textOn(accent)), hexOf(toward(accent, black, white)), hexOf(toward(accent, white, night)),
	}
}

// stylesheet returns the custom properties of a store's accent color. Without one it sets none, and applications keep
// their own.
func stylesheet(s *store.Store) []byte {
	if _, found := accentOf(s); !found {
		return []byte(":root {}\n")
	}
	p := PaletteOf(s)
	return fmt.Appendf(nil, ":root {\n  --store-accent: %s;\n  --store-on-accent: %s;\n"+
		"  --store-accent-on-light: %s;\n  --store-accent-on-dark: %s;\n}\n",
		p.Accent, p.OnAccent, p.AccentOnLight, p.AccentOnDark)
}

// textOn returns black or white, whichever is easier to read on the color.
func textOn(c color.NRGBA) color.NRGBA {
	if contrast(c, white) >= contrast(c, black) {
		return white
	}
	return black
}

// toward mixes the color with another one until it is legible on a page.
func toward(c, other, page color.NRGBA) color.NRGBA {
	const steps = 32
	for i := range steps {
		if mixed := mix(c, other, float64(i)/steps); contrast(mixed, page) >= legible {
			return mixed
		}
	}
	return other
}

func mix(a, b color.NRGBA, share float64) color.NRGBA {
	part := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + (float64(y)-float64(x))*share)) }
	return color.NRGBA{R: part(a.R, b.R), G: part(a.G, b.G), B: part(a.B, b.B), A: 0xff}
}

// contrast is the contrast ratio of the Web Content Accessibility Guidelines, from 1 to 21.
func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c color.NRGBA) float64 {
	linear := func(part uint8) float64 {
		v := float64(part) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}
