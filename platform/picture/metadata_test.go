package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"

	"punchcard/platform/form"
)

// corner returns a picture of 32 by 16 pixels with a white corner at the left of its top.
func corner() image.Image {
	picture := image.NewGray(image.Rect(0, 0, 32, 16))
	for y := range 8 {
		for x := range 8 {
			picture.SetGray(x, y, color.Gray{255})
		}
	}
	return picture
}

// withEXIF puts segments with an orientation, a place and a comment into a JPEG, and another picture after its end.
func withEXIF(file []byte, orientation uint16) []byte {
	tiff := []byte("MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01")
	tiff = binary.BigEndian.AppendUint16(tiff, orientation)
	tiff = append(tiff, "\x00\x00\x00\x00\x00\x00Oslo"...)
	segment := func(kind byte, content []byte) []byte {
		return append(binary.BigEndian.AppendUint16([]byte{0xff, kind}, uint16(len(content)+2)), content...)
	}
	more := append(segment(0xe1, append([]byte("Exif\x00\x00"), tiff...)), segment(0xfe, []byte("by Ida, Oslo"))...)
	whole := append(append(append([]byte{}, file[:2]...), more...), file[2:]...)
	return append(whole, "Oslo"...)
}

func check(t *testing.T, file []byte) image.Image {
	t.Helper()
	p, problem, err := Check(t.Context(), &form.File{Name: "a", Bytes: file})
	if problem != nil || err != nil {
		t.Fatal(problem, err)
	}
	if bytes.Contains(p.Bytes, []byte("Oslo")) || bytes.Contains(p.Bytes, []byte("Exif")) {
		t.Errorf("metadata is left in %q", p.MIMEType)
	}
	decoded, _, err := image.Decode(bytes.NewReader(p.Bytes))
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

// Pictures lose their metadata, and are turned as it says.
func TestMetadataIsRemoved(t *testing.T) {
	var plain bytes.Buffer
	if err := jpeg.Encode(&plain, corner(), nil); err != nil {
		t.Fatal(err)
	}
	for orientation, at := range map[uint16]image.Point{ // of the white corner
		0: {4, 4}, 1: {4, 4}, 2: {28, 4}, 3: {28, 12}, 4: {4, 12}, 5: {4, 4}, 6: {12, 4}, 7: {12, 28}, 8: {4, 28}, 9: {4, 4},
	} {
		got := check(t, withEXIF(plain.Bytes(), orientation))
		size := image.Pt(32, 16)
		if orientation >= 5 && orientation <= 8 {
			size = image.Pt(16, 32)
		}
		if got.Bounds().Size() != size {
			t.Errorf("orientation %d: %v", orientation, got.Bounds())
		}
		for _, point := range []image.Point{{4, 4}, {size.X - 4, 4}, {4, size.Y - 4}, {size.X - 4, size.Y - 4}} {
			gray := color.GrayModel.Convert(got.At(point.X, point.Y)).(color.Gray).Y
			if (gray > 128) != (point == at) {
				t.Errorf("orientation %d: %d at %v", orientation, gray, point)
			}
		}
	}
	same, _, err := Check(t.Context(), &form.File{Name: "a", Bytes: plain.Bytes()})
	if err != nil || !bytes.Equal(same.Bytes, plain.Bytes()) {
		t.Errorf("a picture without metadata is changed: %v", err)
	}
}

// Texts of a PNG go, and its pixels stay as they are.
func TestTextsOfPNGsAreRemoved(t *testing.T) {
	var plain bytes.Buffer
	if err := png.Encode(&plain, corner()); err != nil {
		t.Fatal(err)
	}
	text := []byte("tEXtAuthor\x00Ida in Oslo")
	chunk := append(binary.BigEndian.AppendUint32(nil, uint32(len(text)-4)), text...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(text))
	const header = 8 + 25
	whole := append(append(append([]byte{}, plain.Bytes()[:header]...), chunk...), plain.Bytes()[header:]...)
	check(t, append(whole, "Oslo"...))
	p, _, err := Check(t.Context(), &form.File{Name: "a", Bytes: whole})
	if err != nil || !bytes.Equal(p.Bytes, plain.Bytes()) {
		t.Errorf("the pixels changed: %v", err)
	}
}
