package bundle

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/yuin/goldmark"
)

// helpPlugin serves the module help:languages, which loads the help pages of a language. Pages are Markdown in
// help/<language>/<name>.md, whose first line is the title; a module has titles and HTML by name.
func helpPlugin(root string) api.Plugin {
	return modulesPlugin("help", func(name string) ([]byte, api.Loader, error) {
		if name != "languages" {
			content, err := helpOf(root, name)
			return content, api.LoaderJSON, err
		}
		content, err := loadersOf(root, "help:")
		return content, api.LoaderJS, err
	})
}

// helpOf returns the help pages of a language as JSON: titles and HTML by name.
func helpOf(root, language string) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(root, "help", language, "*.md"))
	if err != nil {
		return nil, err
	}
	type helpPage struct {
		Title string `json:"title"`
		HTML  string `json:"html"`
	}
	pages := map[string]helpPage{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		title, text, _ := bytes.Cut(content, []byte("\n"))
		var html bytes.Buffer
		if err := goldmark.Convert(text, &html); err != nil {
			return nil, err
		}
		pages[strings.TrimSuffix(filepath.Base(file), ".md")] = helpPage{
			Title: strings.TrimPrefix(string(title), "# "), HTML: html.String(),
		}
	}
	return json.Marshal(pages)
}
