package tidy

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// outside finds citations of documents that are not in this repository. The codes of the specification stand in one
// place, the column of docs/endpoints.md that is generated from app/servertest/endpoint_codes.go.
var outside = regexp.MustCompile(`(?i)reference-behaviour|program-api|platform-api\.md|\bdesign \d|\bendpoints? \d|` +
	`\bgoal \d|§ ?[A-Z0-9]`)

// notYetCited lists the folders that still cite documents outside the repository. The test fails for a folder
// that no longer needs its entry.
var notYetCited = map[string]bool{}

func TestNoCitationsOfOutsideDocuments(t *testing.T) {
	found := map[string][]string{} // by folder
	for _, p := range append(goProse(repository(t)), documentProse(t)...) {
		for i, line := range strings.Split(p.text, "\n") {
			if cited := outside.FindString(line); cited != "" {
				folder := path.Dir(p.file)
				found[folder] = append(found[folder], fmt.Sprintf("%s:%d: %q cites a document outside the repository: "+
					"say the rule, or cite a page of docs/behaviour", p.file, p.line+i, cited))
			}
		}
	}
	for folder, violations := range found {
		if !notYetCited[folder] {
			report(t, violations)
		}
	}
	for folder := range notYetCited {
		if len(found[folder]) == 0 {
			t.Errorf("notYetCited lists %s, which cites nothing outside", folder)
		}
	}
}

// citation finds references to a document from the repository's root, with or without an anchor.
var citation = regexp.MustCompile(`(?:^|[^/\w.])(docs/[a-z0-9/-]+\.(?:md|txt)(?:#[a-z0-9-]+)?)`)

// link finds the targets of Markdown links.
var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestCitations resolves every reference to a document in Go code, and every relative link of the documents.
func TestCitations(t *testing.T) {
	for _, f := range repository(t) {
		if f.folder() == "tidy" {
			continue
		}
		for i, line := range strings.Split(f.text, "\n") {
			for _, cited := range citation.FindAllStringSubmatch(line, -1) {
				if err := resolve(cited[1]); err != nil {
					t.Errorf("%s:%d: %v", f.path, i+1, err)
				}
			}
		}
	}
	for _, p := range documentProse(t) {
		if !strings.HasSuffix(p.file, ".md") || notYetCited[path.Dir(p.file)] {
			continue
		}
		for _, found := range link.FindAllStringSubmatch(p.text, -1) {
			target := found[1]
			switch {
			case strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:"):
				continue
			case strings.HasPrefix(target, "#"):
				target = p.file + target
			default:
				target = path.Join(path.Dir(p.file), target)
			}
			if err := resolve(target); err != nil {
				t.Errorf("%s: %v", p.file, err)
			}
		}
	}
}

// resolve checks that a file exists, and that it has a heading for the anchor.
func resolve(target string) error {
	name, anchor, hasAnchor := strings.Cut(target, "#")
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		info, statErr := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
		if statErr == nil && info.IsDir() && !hasAnchor {
			return nil
		}
		return fmt.Errorf("%s: no such document", target)
	}
	if !hasAnchor {
		return nil
	}
	for _, line := range strings.Split(withoutFences(string(text)), "\n") {
		if heading := strings.TrimLeft(line, "#"); heading != line && slug(heading) == anchor {
			return nil
		}
	}
	return fmt.Errorf("%s: no such heading", target)
}

// withoutFences blanks fenced blocks, and keeps inline code, which headings may hold.
func withoutFences(text string) string {
	fenced := false
	return eachLine(text, func(line string) string {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			return ""
		}
		if fenced {
			return ""
		}
		return line
	})
}

var notInSlug = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// slug is the anchor that Markdown viewers give a heading.
func slug(heading string) string {
	text := notInSlug.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), "")
	return strings.ReplaceAll(text, " ", "-")
}
