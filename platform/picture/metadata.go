package picture

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/draw"
	"image/jpeg"
	"slices"
)

// The segments of a JPEG.
const (
	segmentStart   = 0xff
	firstRestart   = 0xd0
	lastRestart    = 0xd7
	endOfImage     = 0xd9
	startOfScan    = 0xda
	comment        = 0xfe
	firstOfApps    = 0xe0 // JFIF
	colorProfile   = 0xe2
	adobe          = 0xee // how colors are stored
	lastOfApps     = 0xef
	exifSegment    = 0xe1
	orientationTag = 0x0112
)

// qualities are those with which a turned picture is stored: the first that is not too large.
var qualities = []int{90, 75, 50}

// pngText are the chunks of a PNG with texts, times and EXIF. Pixels and colors do not depend on them.
var pngText = []string{"tEXt", "zTXt", "iTXt", "tIME", "eXIf"}

// withoutMetadata returns a picture without what tells where, when and by whom it was taken. The orientation of a JPEG,
// which is among it, is applied to the pixels. A GIF stays as it is: its comments are no data of a camera.
func withoutMetadata(kind string, file []byte) []byte {
	switch kind {
	case "image/jpeg":
		clean, orientation := cleanJPEG(file)
		if turned := turn(clean, orientation); turned != nil {
			return turned
		}
		return clean
	case "image/png":
		return cleanPNG(file)
	}
	return file
}

// cleanJPEG leaves out the segments with metadata, and what follows the picture, and returns the orientation that they
// name; 0 for none.
func cleanJPEG(file []byte) (clean []byte, orientation int) {
	clean, rest := append(clean, file[:2]...), file[2:]
	for len(rest) >= 4 && rest[0] == segmentStart {
		kind, size := rest[1], 2+int(binary.BigEndian.Uint16(rest[2:]))
		switch {
		case kind == segmentStart: // fill bytes
			rest = rest[1:]
			continue
		case kind == endOfImage:
			return append(clean, rest[:2]...), orientation
		case size < 4 || size > len(rest):
			return append(clean, rest...), orientation
		case kind == exifSegment && orientation == 0:
			orientation = orientationOf(rest[4:size])
		case kind == startOfScan:
			size += scanOf(rest[size:])
		}
		isApp := kind >= firstOfApps && kind <= lastOfApps
		if kind != comment && (!isApp || kind == firstOfApps || kind == colorProfile || kind == adobe) {
			clean = append(clean, rest[:size]...)
		}
		rest = rest[size:]
	}
	return append(clean, rest...), orientation
}

// scanOf returns how many bytes of pixels come before the next segment.
func scanOf(rest []byte) int {
	for i := 0; i+1 < len(rest); i++ {
		next := rest[i+1]
		if rest[i] == segmentStart && next != 0 && next != segmentStart && (next < firstRestart || next > lastRestart) {
			return i
		}
	}
	return len(rest)
}

// orientationOf reads the orientation from EXIF data, which has the form of a TIFF file; 0 if there is none.
func orientationOf(exif []byte) int {
	tiff, is := bytes.CutPrefix(exif, []byte("Exif\x00\x00"))
	if !is || len(tiff) < 8 {
		return 0
	}
	var order binary.ByteOrder = binary.BigEndian
	if tiff[0] == 'I' {
		order = binary.LittleEndian
	}
	at := int(order.Uint32(tiff[4:]))
	if at < 8 || at+2 > len(tiff) {
		return 0
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < 12 {
			return 0
		}
		if order.Uint16(entries) == orientationTag {
			return int(order.Uint16(entries[8:]))
		}
		entries = entries[12:]
	}
	return 0
}

// turn returns a JPEG as its orientation says that it is to be shown; nil if that is how it is, or if it would be too
// large.
func turn(file []byte, orientation int) []byte {
	if orientation < 2 || orientation > 8 {
		return nil
	}
	decoded, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		return nil
	}
	from := image.NewRGBA(decoded.Bounds().Sub(decoded.Bounds().Min))
	draw.Draw(from, from.Bounds(), decoded, decoded.Bounds().Min, draw.Src)
	w, h := from.Bounds().Dx(), from.Bounds().Dy()
	to := image.NewRGBA(image.Rect(0, 0, w, h))
	if orientation >= 5 {
		to = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			var at image.Point
			switch orientation {
			case 2:
				at = image.Pt(w-1-x, y)
			case 3:
				at = image.Pt(w-1-x, h-1-y)
			case 4:
				at = image.Pt(x, h-1-y)
			case 5:
				at = image.Pt(y, x)
			case 6:
				at = image.Pt(h-1-y, x)
			case 7:
				at = image.Pt(h-1-y, w-1-x)
			case 8:
				at = image.Pt(y, w-1-x)
			}
			to.SetRGBA(at.X, at.Y, from.RGBAAt(x, y))
		}
	}
	for _, quality := range qualities {
		var turned bytes.Buffer
		if jpeg.Encode(&turned, to, &jpeg.Options{Quality: quality}) == nil && turned.Len() <= MaxBytes {
			return turned.Bytes()
		}
	}
	return nil
}

const pngSignature = 8

// cleanPNG leaves out the chunks with metadata.
func cleanPNG(file []byte) []byte {
	clean, rest := append([]byte{}, file[:pngSignature]...), file[pngSignature:]
	for len(rest) >= 12 {
		size := 12 + int(binary.BigEndian.Uint32(rest))
		if size < 12 || size > len(rest) {
			break
		}
		if name := string(rest[4:8]); !slices.Contains(pngText, name) {
			clean = append(clean, rest[:size]...)
		}
		rest = rest[size:]
	}
	return clean // what follows the last chunk is no picture
}
