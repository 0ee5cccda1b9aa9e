package picture

// gifPixels returns the number of pixels of all frames of a GIF without decoding them, because a small file can contain
// any number of large frames. whole is false if a block or the end of the file is missing.
func gifPixels(file []byte) (pixels int, whole bool) {
	g := gifReader{rest: file}
	g.skip(10) // signature, width and height
	packed := g.byte()
	g.skip(2) // background and aspect ratio
	g.colors(packed)
	for !g.failed {
		switch g.byte() {
		case 0x21: // an extension
			g.skip(1)
			g.blocks()
		case 0x2C: // a frame
			g.skip(4)
			pixels += g.number() * g.number()
			g.colors(g.byte())
			g.skip(1) // size of the smallest code
			g.blocks()
		case 0x3B:
			return pixels, !g.failed
		default:
			return 0, false
		}
	}
	return 0, false
}

// gifReader reads the blocks of a GIF. failed is set if one is missing.
type gifReader struct {
	rest   []byte
	failed bool
}

func (g *gifReader) skip(n int) {
	if len(g.rest) < n {
		g.failed, g.rest = true, nil
		return
	}
	g.rest = g.rest[n:]
}

func (g *gifReader) byte() int {
	if len(g.rest) == 0 {
		g.failed = true
		return 0
	}
	b := g.rest[0]
	g.rest = g.rest[1:]
	return int(b)
}

func (g *gifReader) number() int { return g.byte() | g.byte()<<8 }

// colors skips a color table. packed says whether there is one, and its size.
func (g *gifReader) colors(packed int) {
	if packed&0x80 != 0 {
		g.skip(3 << (packed&7 + 1))
	}
}

// blocks skips the data blocks up to the empty one that ends them.
func (g *gifReader) blocks() {
	for n := g.byte(); n > 0; n = g.byte() {
		g.skip(n)
	}
}
