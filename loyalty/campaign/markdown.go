package campaign

import (
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// The limits of the Markdown of one text. Within them, rendering the longest description takes some hundredths of a
// second.
const (
	MarkdownSteps  = 1 << 24 // of the parser besides reading the text once, as counted by markdownSteps
	MarkdownLevels = 16      // of emphasis, links and pictures inside each other
)

var (
	errManySigns = fault.New(fault.Fields, "too_much_markdown", "This text has too many Markdown signs.")
	errDeep      = fault.New(fault.Fields, "markdown_too_deep",
		"This text nests Markdown too deep. It should have %d levels or less.")
)

// markdownRules enforce the limits on a field of a form.
var markdownRules = []form.Rule{
	form.Matches(errManySigns, withinSteps),
	form.Matches(errDeep.With(MarkdownLevels),
		func(markdown string) bool {
			return !withinSteps(markdown) ||
				levels(parsing.Parse(text.NewReader([]byte(markdown)))) <= MarkdownLevels
		}),
}

func withinSteps(markdown string) bool { return markdownSteps(markdown) <= MarkdownSteps }

// lineSteps is the cost of a line in a search for the end of a code span.
const lineSteps = 32

// markdownSteps returns an upper bound of the steps that the parser takes besides reading a text once. These make it
// read text repeatedly: a delimiter that searches its partner among all delimiters before it, a run of tildes that is
// too long, a run of backticks without a partner (an unescaped run of one or two lacks it at most once), and the target
// of a link that does not end. Counting stops above the limit.
func markdownSteps(markdown string) (steps int) {
	signs, lines := 0, strings.Count(markdown, "\n")
	for i := 0; i < len(markdown) && steps <= MarkdownSteps; {
		c, run := markdown[i], 1
		switch c {
		case '*', '_', '~', '`':
			for i+run < len(markdown) && markdown[i+run] == c {
				run++
			}
			switch escaped := i > 0 && markdown[i-1] == '\\'; {
			case c == '~' && run > 2:
				steps += run * run / 2
			case c == '`' && (run > 2 || escaped):
				steps += len(markdown) - i + lines*lineSteps
			}
		case '[', ']':
			if strings.HasPrefix(markdown[i:], "](") {
				steps += targetLength(markdown[i+2:])
			}
		default:
			i++
			continue
		}
		signs++
		steps += signs
		i += run
	}
	return steps
}

// targetLength returns the maximal length of the target of a link: up to white space or, after an angle bracket, up to
// the end of the line.
func targetLength(rest string) int {
	target, ends := strings.TrimLeft(rest, " \t\r\n"), " \t\r\n"
	if strings.HasPrefix(target, "<") {
		ends = "\n"
	}
	if end := strings.IndexAny(target, ends); end >= 0 {
		return end
	}
	return len(target)
}

// levels returns the depth of nested emphasis, links and pictures below a node.
func levels(of ast.Node) int {
	deepest := 0
	for child := of.FirstChild(); child != nil; child = child.NextSibling() {
		below := levels(child)
		if child.Type() == ast.TypeInline && child.HasChildren() {
			below++
		}
		deepest = max(deepest, below)
	}
	return deepest
}

// renderings caches rendered texts, so that each version of a description is rendered once.
type renderings struct {
	limit int // in bytes; a full cache is cleared, and each text is rendered again

	mutex  sync.Mutex
	byText map[string]func() string
	bytes  int // of the texts and their HTML
}

// rendered caches the descriptions of all stores.
var rendered = renderings{limit: 8 << 20}

// of returns the HTML of a text. Concurrent requests for the same text wait for one rendering.
func (r *renderings) of(markdown string) string {
	if markdown == "" {
		return ""
	}
	r.mutex.Lock()
	render := r.byText[markdown]
	if render == nil {
		if r.byText == nil || r.bytes > r.limit {
			r.byText, r.bytes = map[string]func() string{}, 0
		}
		render = sync.OnceValue(func() string {
			made := html(markdown)
			r.mutex.Lock()
			defer r.mutex.Unlock()
			r.bytes += len(made)
			return made
		})
		r.byText[markdown] = render
		r.bytes += len(markdown)
	}
	r.mutex.Unlock()
	return render()
}
