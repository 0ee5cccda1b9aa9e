package picture_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/picture"
)

// noise is a picture that no format makes small.
func noise(width, height int) *image.NRGBA {
	random := rand.New(rand.NewPCG(1, 2))
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range picture.Pix {
		picture.Pix[i] = byte(random.Uint32())
	}
	return picture
}

func pngOf(t testing.TB, width, height int) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, noise(width, height)); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func jpegOf(t testing.TB, width, height int) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := jpeg.Encode(&file, noise(width, height), nil); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// gifOf has frames of one color, which need few bytes.
func gifOf(t testing.TB, width, height, frames int) []byte {
	t.Helper()
	all := &gif.GIF{}
	for range frames {
		frame := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.Black, color.White})
		all.Image, all.Delay = append(all.Image, frame), append(all.Delay, 10)
	}
	var file bytes.Buffer
	if err := gif.EncodeAll(&file, all); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// claiming changes the size that a PNG claims to have.
func claiming(file []byte, width, height uint32) []byte {
	file = bytes.Clone(file)
	binary.BigEndian.PutUint32(file[16:], width)
	binary.BigEndian.PutUint32(file[20:], height)
	binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(file[12:29]))
	return file
}

func without(file []byte, last int) []byte { return file[:len(file)-last] }

const broken = "This file is not a valid image."

func wrong(kind string) string {
	return `The mime type of the file is invalid ("` + kind +
		`"). Allowed mime types are "image/png", "image/gif", "image/jpeg".`
}

func TestWhatIsAPicture(t *testing.T) {
	small, photo, animated := pngOf(t, 3, 2), jpegOf(t, 40, 30), gifOf(t, 20, 10, 3)
	script := []byte("<script>alert(1)</script>")
	for _, c := range []struct {
		name, fileName string
		file           []byte
		want           string // the type, or the problem
	}{
		{"PNG", "a.png", small, "image/png"},
		{"JPEG", "a.jpg", photo, "image/jpeg"},
		{"GIF", "a.gif", animated, "image/gif"},
		{"the name says nothing", "a.php", small, "image/png"},
		{"text", "a.png", []byte("hello"), wrong("text/plain")},
		{"HTML", "a.png", append([]byte("<html>"), script...), wrong("text/html")},
		{"SVG", "a.svg", []byte(`<?xml version="1.0"?><svg onload="alert(1)"/>`), wrong("text/xml")},
		{"PDF", "a.pdf", []byte("%PDF-1.4"), wrong("application/pdf")},
		{"WebP", "a.webp", []byte("RIFF\x00\x00\x00\x00WEBPVP"), wrong("image/webp")},
		{"bitmap", "a.bmp", []byte("BM123456"), wrong("image/bmp")},
		{"archive", "a.zip", []byte("PK\x03\x04"), wrong("application/zip")},
		{"as large as can be", "a.png", append(bytes.Clone(small), make([]byte, picture.MaxBytes-len(small))...),
			"image/png"},
		{"too large by a byte", "a.png", make([]byte, picture.MaxBytes+1),
			"The file is too large (2.01 MB). Allowed maximum size is 2 MB."},
		{"3 MB", "a.png", make([]byte, 3<<20), "The file is too large (3 MB). Allowed maximum size is 2 MB."},
		{"2.5 MB", "a.txt", make([]byte, 5<<19), "The file is too large (2.5 MB). Allowed maximum size is 2 MB."},
		{"PNG signature only", "a.png", small[:8], broken},
		{"PNG without its end", "a.png", without(small, 12), broken},
		{"PNG cut off", "a.png", without(small, 20), broken},
		{"JPEG cut off", "a.jpg", without(photo, len(photo)/2), broken},
		{"JPEG without its end", "a.jpg", without(photo, 2), broken},
		{"GIF without its end", "a.gif", without(animated, 1), broken},
		{"GIF without its last frame", "a.gif", without(animated, 20), broken},
		{"PNG with a broken pixel", "a.png", flipped(small, 45), broken},
		{"script that begins like a GIF", "a.gif", []byte("GIF89a=1;alert(1)//GIF89a GIF89a GIF89a;"), broken},
		{"HTML that begins like a GIF", "a.gif", append([]byte("GIF89a"), script...), broken},
		{"PNG with a script behind it", "a.png", append(bytes.Clone(small), script...), "image/png"},
		{"bomb: a PNG that claims to be huge", "a.png", claiming(small, 100_000, 100_000), broken},
		{"bomb: a size that overflows", "a.png", claiming(small, 0x7fffffff, 0x7fffffff), broken},
		{"no size", "a.png", claiming(small, 0, 5), broken},
		{"bomb: a GIF of many large frames", "a.gif", gifOf(t, 3000, 3000, 8), broken},
	} {
		got, problem, err := picture.Check(t.Context(), &form.File{Name: c.fileName, Bytes: c.file})
		shown := ""
		if problem != nil {
			shown = problem.Message
		}
		if got != nil {
			shown = got.MIMEType
			// What follows the end of a picture is left out.
			if got.Name != c.fileName || !bytes.HasPrefix(c.file, got.Bytes) || bytes.Contains(got.Bytes, script) {
				t.Errorf("%s: kept as %q, %d bytes", c.name, got.Name, len(got.Bytes))
			}
		}
		if err != nil || shown != c.want || (problem == nil) != (got != nil) {
			t.Errorf("%s: %q, %v, want %q", c.name, shown, err, c.want)
		}
	}
}

func flipped(file []byte, at int) []byte {
	file = bytes.Clone(file)
	file[at] ^= 0xff
	return file
}

func TestReadBlamesTheField(t *testing.T) {
	const urlencoded, multipart = "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"
	part := func(content string) string {
		return "--b\r\nContent-Disposition: form-data; name=\"photo[file]\"; filename=\"C:\\a\\b.png\"\r\n\r\n" +
			content + "\r\n--b--\r\n"
	}
	for _, c := range []struct{ name, contentType, body, want string }{
		{"nothing", "", "", form.Blank.Message},
		{"a path", urlencoded, "photo[file]=/tmp/a.png", form.Blank.Message},
		{"a group", urlencoded, "photo[file][0]=a", form.Blank.Message},
		{"an empty file", multipart, part(""), form.Blank.Message},
		{"text", multipart, part("hello"), wrong("text/plain")},
		{"a picture", multipart, part(string(pngOf(t, 1, 1))), ""},
	} {
		body, err := form.Decode(c.contentType, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		group := form.Read(body, "photo")
		got, err := picture.Read(t.Context(), group, body.Child("photo"), "file")
		if err != nil {
			t.Fatal(err)
		}
		if problem := problemOf(t, group); problem != c.want || (got != nil) != (c.want == "") {
			t.Errorf("%s: %q, %v, want %q", c.name, problem, got, c.want)
		}
	}
}

// problemOf is the message of the field, empty when the form has none.
func problemOf(t *testing.T, group *form.Group) string {
	t.Helper()
	var refused *fault.Error
	if !errors.As(group.Err(), &refused) {
		return ""
	}
	text, err := json.Marshal(refused.Detail)
	if err != nil {
		t.Fatal(err)
	}
	var tree struct {
		Form struct {
			Children map[string]struct{ Errors []string }
		}
	}
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	return strings.Join(tree.Form.Children["file"].Errors, "; ")
}

func TestACallerWhoLeftWaitsForNoDecoder(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	leave()
	file := &form.File{Bytes: pngOf(t, 1, 1)}
	for range 100 { // a free decoder may be taken all the same
		if got, _, err := picture.Check(gone, file); err != nil && (got != nil || !errors.Is(err, context.Canceled)) {
			t.Fatalf("%v, %v", got, err)
		}
	}
	if got, problem, err := picture.Check(t.Context(), file); got == nil || problem != nil || err != nil {
		t.Errorf("the next one gets %v, %q, %v", got, problem, err)
	}
}
