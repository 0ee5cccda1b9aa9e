package webtest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed" // for axe-core
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/chromedp/chromedp"
)

//go:embed axe-core/axe.min.js.gz
var compressedAxe []byte

// axeSum is the SHA-256 of axe.min.js.
const axeSum = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"

var axe = sync.OnceValues(func() (string, error) {
	reader, err := gzip.NewReader(bytes.NewReader(compressedAxe))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		return "", err
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != axeSum {
		return "", errors.New("axe-core is not the vendored version")
	}
	return string(text), nil
})

// violation is a rule of axe-core that the page breaks.
type violation struct {
	ID      string `json:"id"`
	Help    string `json:"help"`
	HelpURL string `json:"helpUrl"`
	Nodes   []struct {
		Target         []any  `json:"target"`
		HTML           string `json:"html"`
		FailureSummary string `json:"failureSummary"`
	} `json:"nodes"`
}

// Axe checks the page as it is against WCAG 2.2 AA, and that parts to which readers of the screen can jump have
// different names, and fails the test for each violation. The test goes on.
func (p *Page) Axe() {
	p.t.Helper()
	for _, broken := range p.Violations() {
		p.t.Error("accessibility: ", broken)
	}
}

// Violations returns what Axe fails for: rule, help, selector and element.
func (p *Page) Violations() []string {
	p.t.Helper()
	text, err := axe()
	p.check("load axe-core", err)
	p.must("wait until nothing moves", "still", nil, "")
	if !Eval[bool](p, "typeof axe === 'object'") {
		p.check("load axe-core", chromedp.Do(p.ctx, chromedp.Evaluate[chromedp.Void](text)))
	}
	var all []string
	for _, broken := range Eval[[]violation](p, runAxe) {
		for _, node := range broken.Nodes {
			all = append(all, fmt.Sprintf("%s: %s\n  at %v: %s\n  %s\n  %s",
				broken.ID, broken.Help, node.Target, node.HTML, node.FailureSummary, broken.HelpURL))
		}
	}
	return all
}

// No rule of these needs the style sheets that axe would load again, which fails for a page without a network.
const runAxe = `axe.run(document, {
	preload: false,
	runOnly: {type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
	rules: {"landmark-unique": {enabled: true}}, resultTypes: ["violations"],
}).then(result => result.violations)`
