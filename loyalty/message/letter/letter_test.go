package letter_test

import (
	"strings"
	"testing"

	"punchcard/loyalty/branding"
	"punchcard/loyalty/message/letter"
	"punchcard/platform/form"
)

var look = &letter.Look{
	Language: "en", Program: "Leaf & club",
	Palette: branding.Palette{Accent: "#00aa77", OnAccent: "#000000", AccentOnLight: "#007a56", AccentOnDark: "#00aa77"},
}

var parts = []letter.Part{
	{Kind: letter.Heading, Text: "Spring"},
	{Kind: letter.Text, Text: "Hello <b>Ida</b>,\n\nlook: https://shop.example/?a=1&b=2.\nYours"},
	{Kind: letter.Button, Text: "Order", Link: "https://shop.example/order"},
	{Kind: letter.Picture, Text: `A "leaf"`, Image: "https://api.example/leaf.png", Link: "https://shop.example/leaf"},
	{Kind: letter.Reward, Title: "Free tea", Text: "One cup", Note: "30 points", Link: "https://api.example/tea"},
	{Kind: letter.Coupon, Text: "Your code", Code: "A1B2"},
	{Kind: letter.Divider}, {Kind: letter.Space},
	letter.Footer("Enough? ", "https://api.example/stop"),
}

func TestPlain(t *testing.T) {
	want := strings.Join([]string{
		"Spring", "Hello <b>Ida</b>,\n\nlook: https://shop.example/?a=1&b=2.\nYours",
		"Order: https://shop.example/order", "A \"leaf\"\nhttps://shop.example/leaf",
		"Free tea\nOne cup\n30 points\nhttps://api.example/tea", "Your code: A1B2", "----------",
	}, "\n\n")
	if got := letter.Plain(parts); got != want {
		t.Errorf("%s\n\nwant\n\n%s", got, want)
	}
}

// Everything is in the HTML, escaped, without a script or a style sheet of another address.
func TestHTML(t *testing.T) {
	html, err := letter.HTML(look, "Spring <3", parts)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<html lang="en">`, `<meta name="color-scheme" content="light dark">`, "max-width:600px",
		"prefers-color-scheme: dark", "Spring &lt;3", "Leaf &amp; club", "Hello &lt;b&gt;Ida&lt;/b&gt;,",
		`<a href="https://shop.example/?a=1&amp;b=2" class="accent" style="color:#007a56">`, "</a>.<br>\nYours",
		`<a href="https://shop.example/order" style="display:inline-block`, "background:#00aa77", "color:#000000",
		`alt="A &#34;leaf&#34;"`, `<img src="https://api.example/leaf.png"`, ">Free tea</a>", "30 points", "A1B2",
		`<a href="https://api.example/stop"`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in\n%s", want, html)
		}
	}
	for _, wrong := range []string{"<script", "<link", "@import", "ZgotmplZ", "<b>"} {
		if strings.Contains(html, wrong) {
			t.Errorf("%s in\n%s", wrong, html)
		}
	}
}

// The largest e-mail stays below the size after which mail programs cut messages off.
func TestLargestHTML(t *testing.T) {
	var large []letter.Part
	for range letter.BlockLimit {
		large = append(large, letter.Part{Kind: letter.Button, Link: "https://api.example/api/DEFAULT/mailing/" +
			strings.Repeat("x", 60), Text: strings.Repeat("Ł", letter.TotalLimit/letter.BlockLimit)})
	}
	html, err := letter.HTML(look, "", large)
	if err != nil || len(html) > 100_000 {
		t.Errorf("%d bytes, %v", len(html), err)
	}
}

func TestRead(t *testing.T) {
	known := form.Matches(form.NotValid, func(text string) bool { return !strings.Contains(text, "{{") })
	read := func(body string) ([]letter.Block, error) {
		node, err := form.Decode("application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		g := form.Read(node)
		return letter.Read(g, known), g.Err()
	}
	blocks, err := read(`{"blocks":[{"kind":"button","text":"Go","link":"https://a.example","code":"left out"},
		{"kind":"picture","picture":"hero-image"},{"kind":"divider","text":"left out"},
		{"kind":"picture","picture":"0190b8e0-0000-7000-8000-000000000001/0190b8e0-0000-7000-8000-000000000002"}]}`)
	button := letter.Block{Kind: "button", Text: "Go", Link: "https://a.example"}
	if err != nil || len(blocks) != 4 || blocks[0] != button || blocks[2] != (letter.Block{Kind: "divider"}) {
		t.Errorf("%+v, %v", blocks, err)
	}
	many := strings.Repeat(`{"kind":"space"},`, letter.BlockLimit) + `{"kind":"space"}`
	long := strings.Repeat(`{"kind":"text","text":"`+strings.Repeat("x", 4_001)+`"},`, 4) +
		`{"kind":"text","text":"` + strings.Repeat("x", 4_000) + `"}`
	for _, one := range []string{
		`{"kind":"script"}`, `{"text":"a"}`, `{"kind":"button","text":"Go"}`, `{"kind":"heading"}`, `{"kind":"coupon"}`,
		`{"kind":"button","text":"Go","link":"javascript:alert(1)"}`, `{"kind":"text","text":"{{ other }}"}`,
		`{"kind":"picture","picture":"../secret"}`, `{"kind":"picture","picture":"https://other.example/a.png"}`,
		`{"kind":"reward","campaignId":"x"}`, `{"kind":"heading","text":"` + strings.Repeat("x", 256) + `"}`, many, long,
	} {
		if _, err := read(`{"blocks":[` + one + `]}`); err == nil {
			t.Errorf("%.60s was accepted", one)
		}
	}
}
