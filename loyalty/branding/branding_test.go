package branding

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"regexp"
	"strings"
	"sync"
	"testing"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/form"
	"punchcard/platform/picture"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// TestStylesheetIsLegible checks the contrast of every property, for colors all over the cube.
func TestStylesheetIsLegible(t *testing.T) {
	hex := regexp.MustCompile(`#[0-9a-f]{6}`)
	for r := 0; r < 256; r += 51 {
		for g := 0; g < 256; g += 51 {
			for b := 0; b < 256; b += 51 {
				accent := color.NRGBA{R: uint8(r), G: uint8(g), B: uint8(b), A: 0xff}
				s := &store.Store{Settings: store.Settings{AccentColor: hexOf(accent)}}
				found := hex.FindAllString(string(stylesheet(s)), -1)
				if len(found) != 4 || found[0] != hexOf(accent) {
					t.Fatalf("%v: %q", accent, found)
				}
				on, light, dark := parseColor(found[1]), parseColor(found[2]), parseColor(found[3])
				if contrast(on, accent) < 4.5 || contrast(light, white) < 4.5 || contrast(dark, night) < 4.5 {
					t.Errorf("%s is not legible", stylesheet(s))
				}
			}
		}
	}
}

func TestWhatIsAColor(t *testing.T) {
	for text, want := range map[string]string{
		"#0a7": "#00aa77", "#2F5bD0": "#2f5bd0", "": "", "red": "", "#12345": "", "#12345678": "", "0a7": "",
		"#0a7;} body{display:none": "", "#0a7\n": "",
	} {
		s := &store.Store{Settings: store.Settings{AccentColor: text}}
		got := string(stylesheet(s))
		if IsColor(text) != (want != "") || want == "" && got != ":root {}\n" ||
			want != "" && !strings.Contains(got, "--store-accent: "+want+";\n") {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// logoOf is a logo of one color.
func logoOf(t *testing.T, width, height int, c color.Color) []byte {
	t.Helper()
	logo := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		logo.Set(i%width, i/width, c)
	}
	var file bytes.Buffer
	if err := png.Encode(&file, logo); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// TestIconsHoldTheWholeLogo compares the middle, the edges and the corners of icons.
func TestIconsHoldTheWholeLogo(t *testing.T) {
	red := color.NRGBA{R: 0xff, A: 0xff}
	for _, c := range []struct {
		name                 string
		width, height        int
		size                 string
		middle, left, corner color.NRGBA
	}{
		{"square", 50, 50, icon192, red, red, red},
		{"wide", 300, 100, icon512, red, red, color.NRGBA{}},
		{"tall", 90, 900, icon512, red, color.NRGBA{}, color.NRGBA{}},
		{"maskable", 64, 64, maskable, red, white, white},
		{"wide and maskable", 400, 10, maskable, red, white, white},
	} {
		logo, err := png.Decode(bytes.NewReader(logoOf(t, c.width, c.height, red)))
		if err != nil {
			t.Fatal(err)
		}
		icon, side := iconOf(logo, c.size), sideOf(c.size)
		at := func(x, y int) color.NRGBA { return color.NRGBAModel.Convert(icon.At(x, y)).(color.NRGBA) }
		if icon.Bounds() != image.Rect(0, 0, side, side) || at(side/2, side/2) != c.middle || at(0, side/2) != c.left ||
			at(0, 0) != c.corner {
			t.Errorf("%s: %v, %v %v %v", c.name, icon.Bounds(), at(side/2, side/2), at(0, side/2), at(0, 0))
		}
		if c.size == maskable { // the corners of the logo are inside the circle that every mask leaves
			for x := range side {
				for y := range side {
					dx, dy := x-side/2, y-side/2
					if at(x, y) != white && dx*dx+dy*dy > (side*41/100)*(side*41/100) {
						t.Fatalf("%s: the mask may cut %d, %d", c.name, x, y)
					}
				}
			}
		}
	}
}

func TestDrawnIcons(t *testing.T) {
	accent := color.NRGBA{G: 0x55, B: 0x33, A: 0xff}
	for _, size := range iconSizes {
		file, err := drawnIcon(accent, size)
		if err != nil {
			t.Fatal(err)
		}
		icon, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		at := func(x, y int) color.NRGBA { return color.NRGBAModel.Convert(icon.At(x, y)).(color.NRGBA) }
		side, corner := sideOf(size), color.NRGBA{}
		if size == maskable {
			corner = accent
		}
		if icon.Bounds().Dx() != side || at(side/2, side/2) != white || at(side/2, 2) != accent || at(0, 0).A != corner.A ||
			len(file) > 32<<10 {
			t.Errorf("%s: %v, %d bytes", size, icon.Bounds(), len(file))
		}
	}
}

func TestConditionsArePDF(t *testing.T) {
	large := append([]byte("%PDF-1.7"), bytes.Repeat([]byte("x"), MaxConditions)...)
	for _, c := range []struct{ file, want string }{
		{"%PDF-1.4\n%%EOF\n", ""}, {"", "This value should not be blank."},
		{"<html>%PDF-1.4 %%EOF", "This file is not a valid PDF."},
		{"%PDF-1.4", "This file is not a valid PDF."},
		{"%PDF-1.4\n%%EOF" + strings.Repeat(" ", 2000), "This file is not a valid PDF."},
		{string(large), "The file is too large. Allowed maximum size is 5 MB."},
	} {
		body, err := form.Decode("multipart/form-data; boundary=b", strings.NewReader("--b\r\nContent-Disposition: "+
			"form-data; name=\"conditions[file]\"; filename=\"a.pdf\"\r\n\r\n"+c.file+"\r\n--b--\r\n"))
		if err != nil {
			t.Fatal(err)
		}
		group := form.Read(body, "conditions")
		got := readConditions(group, body.Child("conditions"), "file")
		if accepted := c.want == ""; (group.Err() == nil) != accepted || (got != nil) != accepted {
			t.Errorf("%.20q: %v, want %s", c.file, group.Err(), c.want)
		}
	}
}

// TestUploadsAtOnce uploads one picture concurrently: one of them is left, with its own icons.
func TestUploadsAtOnce(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var shop, other *store.Store
		write := func(run func(tx *db.Tx) error) {
			t.Helper()
			if err := d.Write(t.Context(), run); err != nil {
				t.Fatal(err)
			}
		}
		write(func(tx *db.Tx) (err error) {
			shop, err = store.Create(tx, store.New{Code: "SHOP", Settings: store.DefaultSettings()})
			if err == nil {
				other, err = store.Create(tx, store.New{Code: "OTHER", Settings: store.DefaultSettings()})
			}
			return err
		})
		var all sync.WaitGroup
		for i := range 6 {
			p := picture.Picture{MIMEType: "image/png", Bytes: logoOf(t, 10+i, 20, color.White)}
			all.Go(func() {
				set, err := setPicture(t.Context(), shop.Key, SmallLogo, &p)
				if err == nil {
					err = d.Write(t.Context(), set)
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		write(func(tx *db.Tx) error {
			files, err := filesOf(tx, shop.Key)
			if err != nil || len(files) != 1+len(iconSizes) {
				t.Errorf("%+v, %v", files, err)
			}
			for i := range files {
				content, err := contentOf(tx, &files[i])
				if err != nil || len(content) == 0 {
					t.Errorf("%+v: %d bytes, %v", files[i], len(content), err)
				}
			}
			if icon, found := iconSource(files, icon512); !found || icon.Name != SmallLogo {
				t.Errorf("the icon is %+v", icon)
			}
			strangers, err := filesOf(tx, other.Key)
			if len(strangers) != 0 {
				t.Errorf("another store has %+v", strangers)
			}
			return err
		})
		write(func(tx *db.Tx) error { return discard(tx, shop.Key, SmallLogo) })
		write(func(tx *db.Tx) error {
			left, err := filesOf(tx, shop.Key)
			if len(left) != 0 {
				t.Errorf("left are %+v", left)
			}
			return err
		})
	})
}
