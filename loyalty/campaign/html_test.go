package campaign

import (
	"regexp"
	"strings"
	"testing"
)

func TestInlineMarkdown(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"Plain text", "Plain text"},
		{"Some _Brand_ description", "Some <em>Brand</em> description"},
		{"*a* and **b** and __c__", "<em>a</em> and <strong>b</strong> and <strong>c</strong>"},
		{"***both***", "<em><strong>both</strong></em>"},
		{"snake_case_name", "snake_case_name"},
		{"~~a~~", "<del>a</del>"},
		{"`a_b_ <c>`", "<code>a_b_ &lt;c&gt;</code>"},
		{"[t](https://shop.example/a?b=1&c=2)", `<a href="https://shop.example/a?b=1&amp;c=2">t</a>`},
		{`[t](http://shop.example "Say 'hi'")`, `<a href="http://shop.example" title="Say 'hi'">t</a>`},
		{"[mail](mailto:ida@example.com)", `<a href="mailto:ida@example.com">mail</a>`},
		{"<https://shop.example/>", `<a href="https://shop.example/">https://shop.example/</a>`},
		{"see https://shop.example/a_b_c now", `see <a href="https://shop.example/a_b_c">https://shop.example/a_b_c</a> now`},
		{"![alt](https://shop.example/a.png)", `<img src="https://shop.example/a.png" alt="alt" />`},
		{"one  \ntwo", "one<br />\ntwo"},
		{"one\ntwo", "one\ntwo"},
		{"one\n\ntwo _three_\n\n\nfour", "one\n\ntwo <em>three</em>\n\n\nfour"},
		{"# No heading", "# No heading"},
		{"- no\n- list", "- no\n- list"},
		{"1. no list", "1. no list"},
		{"> no quotation", "&gt; no quotation"},
		{"    no code", "    no code"},
		{"```\nno _block_\n```", "<code>no _block_</code>"},
		{"---", "---"},
		{"title\n=====", "title\n====="},
		{"a | b\n--|--\n1 | 2", "a | b\n--|--\n1 | 2"},
		{`It's "10 %" & more`, `It's &quot;10 %&quot; &amp; more`},
		{"1 < 2 > 0", "1 &lt; 2 &gt; 0"},
		{`\*not\*`, "*not*"},
		{"Zażółć _gęślą_ 🎁", "Zażółć <em>gęślą</em> 🎁"},
		{"&copy; &#169;", "© ©"},
	} {
		if got := html(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// attacks try to get a browser to run something.
var attacks = []string{
	"<script>alert(1)</script>",
	"<SCRIPT SRC=https://evil.example/x.js></SCRIPT>",
	"<b onclick=alert(1)>x</b>",
	"<img src=x onerror=alert(1)>",
	"<svg/onload=alert(1)>",
	"<a href=\"javascript:alert(1)\">x</a>",
	"<iframe src=https://evil.example></iframe>",
	"<style>*{display:none}</style>",
	"<!-- --><script>alert(1)</script>",
	"[x](javascript:alert(1))",
	"[x](JaVaScRiPt:alert(1))",
	"[x](java\tscript:alert(1))",
	"[x](&#106;avascript:alert(1))",
	"[x](javascript&colon;alert(1))",
	"[x](data:text/html;base64,PHNjcmlwdD4=)",
	"[x](vbscript:msgbox(1))",
	"[x](file:///etc/passwd)",
	"[x](/relative)",
	"[x](//evil.example)",
	"![x](javascript:alert(1))",
	"![x](data:image/svg+xml;base64,PHN2Zz4=)",
	`![x](https://shop.example/a.png" onerror="alert(1))`,
	`[x](https://shop.example/" onclick="alert(1))`,
	`[x](https://shop.example 'a" onclick="alert(1)')`,
	"[x]: javascript:alert(1)\n\n[x]",
	"<javascript:alert(1)>",
	"`</code><script>alert(1)</script>`",
	"**<script>**alert(1)**</script>**",
	"<scr<script>ipt>alert(1)</scr</script>ipt>",
	"[<img src=x onerror=alert(1)>](https://shop.example)",
	"http://shop.example/<script>alert(1)</script>",
	"\x00<script>", "&lt;script&gt;alert(1)&lt;/script&gt;", "\u2028<script>",
}

// aTag is all that may be between < and >.
var aTag = regexp.MustCompile(`^(/?(em|strong|code|del)|br /|/?a|a( (href|title)="[^"<>]*")+|` +
	`img( (src|alt|title)="[^"<>]*")* /)$`)

// aTarget is where a link or picture may lead.
var aTarget = regexp.MustCompile(`(?i) (href|src)="(https?|mailto):`)

// harmless returns the fault of rendered text; empty if there is none.
func harmless(rendered string) string {
	for i, part := range strings.Split(rendered, "<") {
		tag, rest, closed := strings.Cut(part, ">")
		switch {
		case i == 0 && !closed:
		case i == 0 || !closed || strings.Contains(rest, ">") || !aTag.MatchString(tag):
			return "<" + part
		case strings.Count(tag, "href=")+strings.Count(tag, "src=") > 0 && !aTarget.MatchString(tag):
			return "<" + part
		}
	}
	return ""
}

func TestHTMLIsSafe(t *testing.T) {
	for _, attack := range attacks {
		for _, text := range []string{attack, "_" + attack + "_", "a\n" + attack + "\nb", attack + attack} {
			if problem := harmless(html(text)); problem != "" {
				t.Errorf("%q renders as %q: %s", text, html(text), problem)
			}
		}
	}
	for text, want := range map[string]string{
		"<script>alert(1)</script>": "&lt;script&gt;alert(1)&lt;/script&gt;",
		"[x](javascript:alert(1))":  "x",
		"<b>bold</b>":               "&lt;b&gt;bold&lt;/b&gt;",
	} {
		if got := html(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, unsafe := range []string{"<script>", "<b onclick=\"\">", "<a href=\"javascript:x\">", "<img src=\"/x\" />",
		"a > b", "a < b", "<em", "<br/>"} {
		if harmless(unsafe) == "" {
			t.Errorf("the test takes %q for safe", unsafe)
		}
	}
}

func FuzzHTML(f *testing.F) {
	for _, attack := range attacks {
		f.Add(attack)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		if problem := harmless(html(text)); problem != "" {
			t.Errorf("%q renders as %q: %s", text, html(text), problem)
		}
	})
}

// What the parser must look at again and again is rendered too.
func TestRepeatedSigns(t *testing.T) {
	for _, part := range []string{
		"[", "![", "*a **b ", "_a_", "`", "~~", "<", "[a](", "\\", "&", "a\n", "http://a.b/", "((", "[a]", "*_",
	} {
		text := strings.Repeat(part, 10_000/len(part))
		if problem := harmless(html(text)); problem != "" {
			t.Errorf("many %q: %s", part, problem)
		}
	}
}
