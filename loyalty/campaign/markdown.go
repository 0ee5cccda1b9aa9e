package campaign

import (
	"fmt"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"punchcard/platform/form"
)

// The limits of the Markdown of one text. Within them, the longest description is rendered in some hundredths of a
// second.
const (
	MarkdownSteps  = 1 << 24 // that the parser may take besides reading the text once, as markdownSteps counts them
	MarkdownLevels = 16      // of emphasis, links and pictures inside each other
)

// markdownRules hold a field of a form to the limits.
var markdownRules = []form.Rule{
	form.Matches("This text has too many Markdown signs.", withinSteps),
	form.Matches(fmt.Sprintf("This text nests Markdown too deep. It should have %d levels or less.", MarkdownLevels),
		func(markdown string) bool {
			return !withinSteps(markdown) ||
				levels(parsing.Parse(text.NewReader([]byte(markdown)))) <= MarkdownLevels
		}),
}

func withinSteps(markdown string) bool { return markdownSteps(markdown) <= MarkdownSteps }

// lineSteps is what a line costs in a search for the end of a code span.
const lineSteps = 32

// markdownSteps is an upper bound of the steps that the parser takes besides reading a text once. These make it read on
// again and again: a sign that looks for its partner among all signs before it, a run of tildes that is too long, a run
// of backticks that may have no partner (one or two that are not escaped lack one once at most), and the target of a
// link that does not end. Counting ends beyond the limit.
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

// targetLength is how far the target of a link goes at most: to white space or, after an angle bracket, to the end of
// the line.
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

// levels is how deep emphasis, links and pictures are nested below a node.
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

// renderings remembers rendered texts, so that each version of a description is rendered once, whoever asks for it.
type renderings struct {
	limit int // of bytes; past it all are forgotten, which costs one rendering each

	mutex  sync.Mutex
	byText map[string]func() string
	bytes  int // of the texts and what they became
}

// rendered are the descriptions of all stores.
var rendered = renderings{limit: 8 << 20}

// of is the HTML of a text. Those who ask for the same one at the same time wait for one rendering.
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
