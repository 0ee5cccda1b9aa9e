package campaign

import (
	stdhtml "html"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	gohtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// html renders the inline Markdown of a description. The output is safe for any text: HTML in it is escaped, and links
// can only be http, https and mailto. A text beyond the limits of Markdown, stored before they existed, is escaped and
// not rendered.
func html(markdown string) string {
	out := stdhtml.EscapeString(markdown)
	if withinSteps(markdown) {
		source := []byte(markdown)
		if tree := parsing.Parse(text.NewReader(source)); levels(tree) <= MarkdownLevels {
			var made strings.Builder
			if err := rendering.Render(&made, source, tree); err == nil { // the writer does not fail
				out = made.String()
			}
		}
	}
	return asInContract.Replace(safe.Sanitize(out))
}

// parsing parses inline Markdown without raw HTML. The whole text is one block.
var parsing = parser.NewParser(
	parser.WithBlockParsers(util.Prioritized(wholeText{}, 1)),
	parser.WithInlineParsers(
		util.Prioritized(parser.NewCodeSpanParser(), 100), util.Prioritized(parser.NewLinkParser(), 200),
		util.Prioritized(parser.NewAutoLinkParser(), 300), util.Prioritized(parser.NewEmphasisParser(), 500),
		util.Prioritized(extension.NewStrikethroughParser(), 500),
		util.Prioritized(extension.NewLinkifyParser(
			extension.WithLinkifyAllowedProtocols([]string{"http:", "https:"})), 999),
	),
)

var rendering = renderer.NewRenderer(renderer.WithNodeRenderers(
	util.Prioritized(gohtml.NewRenderer(gohtml.WithXHTML()), 1000),
	util.Prioritized(extension.NewStrikethroughHTMLRenderer(gohtml.WithXHTML()), 500),
))

// safe allows the elements of inline Markdown, and nothing else.
var safe = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("em", "strong", "code", "del", "br")
	p.AllowAttrs("href", "title").OnElements("a")
	p.AllowAttrs("src", "alt", "title").OnElements("img")
	p.AllowURLSchemes("http", "https", "mailto")
	p.RequireParseableURLs(true)
	return p
}()

// asInContract replaces the sanitiser's spellings by those that clients expect. The sanitiser escapes < and > outside
// of tags, so that no text looks like one.
var asInContract = strings.NewReplacer("/>", " />", "&#39;", "'", "&#34;", "&quot;")

// wholeText parses all lines, including empty ones, as one block.
type wholeText struct{}

func (wholeText) Trigger() []byte { return nil }

func (w wholeText) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	block := ast.NewTextBlock()
	w.Continue(block, reader, pc)
	return block, parser.NoChildren
}

func (wholeText) Continue(block ast.Node, reader text.Reader, _ parser.Context) parser.State {
	_, line := reader.PeekLine()
	block.Lines().Append(line)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

func (wholeText) Close(ast.Node, text.Reader, parser.Context) {}

func (wholeText) CanInterruptParagraph() bool { return false }

func (wholeText) CanAcceptIndentedLine() bool { return true }
