package letter

import (
	"net/url"
	"regexp"
	"slices"
	"unicode/utf8"

	"punchcard/loyalty/branding"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// The limits of the blocks of an e-mail. With them its HTML stays below the size of about 100 kB after which some mail
// programs cut a message off.
const (
	BlockLimit = 40     // blocks
	TotalLimit = 20_000 // characters of all blocks
	TextLimit  = 5_000  // characters of a text

	lineLimit = 255   // characters of the texts and codes of other blocks
	linkLimit = 2_000 // characters of an address
)

var errTotal = fault.New(fault.Fields, "blocks_too_long", "The blocks have more than %d characters together.")

// pictures are the pictures of the store that blocks show.
var pictures = []string{branding.HeroImage, branding.Logo, branding.SmallLogo}

// photo matches the picture of a reward: the ids of its campaign and of the photo.
var photo = regexp.MustCompile(`^` + uuid + `/` + uuid + `$`)

const uuid = `[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`

// Read reads the blocks of an e-mail. known is the rule for the placeholders of its texts.
func Read(g *form.Group, known form.Rule) (blocks []Block) {
	total := 0
	for _, one := range g.Groups("blocks") {
		b := readBlock(one, known)
		total += utf8.RuneCountInString(b.Text) + utf8.RuneCountInString(b.Code)
		blocks = append(blocks, b)
	}
	switch {
	case len(blocks) > BlockLimit:
		g.AddError("blocks", form.TooMany.With(BlockLimit))
	case total > TotalLimit:
		g.AddError("blocks", errTotal.With(TotalLimit))
	}
	return blocks
}

func readBlock(g *form.Group, known form.Rule) Block {
	names := make([]string, len(kinds))
	for i := range kinds {
		names[i] = kinds[i].name
	}
	sent := Block{
		Kind: g.Choice("kind", names, form.NotBlank), Text: g.Text("text", form.MaxLength(TextLimit), known),
		Code: g.Text("code", form.MaxLength(lineLimit), known),
		Link: g.Text("link", form.MaxLength(linkLimit), form.Matches(form.NotValid, IsWebAddress)),
		Picture: g.Text("picture", form.Matches(form.NotValid, func(text string) bool {
			return text == "" || slices.Contains(pictures, text) || photo.MatchString(text)
		})),
		Campaign: g.UUID("campaignId"),
	}
	k := kindOf(sent.Kind)
	if k == nil {
		return sent
	}
	b := Block{Kind: sent.Kind}
	for _, f := range []struct {
		name   string
		of, to *string
	}{
		{"text", &sent.Text, &b.Text}, {"code", &sent.Code, &b.Code}, {"link", &sent.Link, &b.Link},
		{"picture", &sent.Picture, &b.Picture}, {"campaignId", &sent.Campaign, &b.Campaign},
	} {
		if slices.Contains(k.fields, f.name) {
			*f.to = *f.of
		}
		if slices.Contains(k.required, f.name) && *f.of == "" && !g.Failed(f.name) {
			g.AddError(f.name, form.Blank)
		}
	}
	if k.name != Text && utf8.RuneCountInString(b.Text) > lineLimit && !g.Failed("text") {
		g.AddError("text", form.TooLong.With(lineLimit))
	}
	return b
}

// IsWebAddress reports whether a text is an address that people can open, or empty.
func IsWebAddress(text string) bool {
	if text == "" {
		return true
	}
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil &&
		utf8.ValidString(text)
}
