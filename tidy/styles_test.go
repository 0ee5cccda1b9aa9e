package tidy

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// physical matches a side of the screen where a style can name the beginning or the end of a line.
var physical = regexp.MustCompile(`\b(?:margin|padding|border)-(?:left|right)\b|[{;\s](?:left|right)\s*:|` +
	`text-align:\s*(?:left|right)|\bfloat:\s*(?:left|right)`)

// fourSides matches the four values of a margin or padding.
var fourSides = regexp.MustCompile(`\b(?:margin|padding):` + strings.Repeat(` ((?:\([^)]*\)|[^\s;}()])+)`, 4))

// Styles name sides by the direction of the text: inset-inline-start, margin-inline-end, text-align: start.
func TestStylesFollowTheDirectionOfTheText(t *testing.T) {
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "dist" || entry.Name() == "vendor"):
			return fs.SkipDir
		case filepath.Ext(path) != ".css":
			return nil
		}
		text, err := os.ReadFile(path)
		for i, line := range strings.Split(string(text), "\n") {
			found := physical.FindString(line)
			if sides := fourSides.FindStringSubmatch(line); found == "" && sides != nil && sides[2] != sides[4] {
				found = sides[0]
			}
			if found != "" {
				t.Errorf("%s:%d: %q names a side of the screen", path, i+1, strings.TrimSpace(found))
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
