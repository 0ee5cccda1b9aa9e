package picture_test

import (
	"bytes"
	"image"
	"testing"

	"punchcard/platform/form"
	"punchcard/platform/picture"
)

// FuzzCheck uploads any file: what is accepted is a picture within the limits that decodes.
func FuzzCheck(f *testing.F) {
	f.Add(pngOf(f, 3, 2))
	f.Add(jpegOf(f, 3, 2))
	f.Add([]byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff" +
		"!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"))
	f.Add([]byte("\x89PNG\r\n\x1a\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		p, problem, err := picture.Check(t.Context(), &form.File{Name: "p", Bytes: file})
		if err != nil {
			t.Fatal(err)
		}
		if (p == nil) != (problem != nil) {
			t.Fatalf("a picture %v with the problem %q", p != nil, problem)
		}
		if p == nil {
			return
		}
		config, _, err := image.DecodeConfig(bytes.NewReader(file))
		if err != nil || config.Width*config.Height > picture.MaxPixels || len(file) > picture.MaxBytes {
			t.Fatalf("accepted: %d x %d, %d bytes, %v", config.Width, config.Height, len(file), err)
		}
	})
}
