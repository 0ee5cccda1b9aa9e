package bundle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/yuin/goldmark"
)

// helpPlugin serves the module help:languages, which loads the help pages of a language. Pages are Markdown in
// help/<language>/<name>.md, whose first line is the title; a module has titles and HTML by name.
func helpPlugin(root string) api.Plugin {
	const namespace = "help"
	return api.Plugin{Name: namespace, Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: "^help:"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: strings.TrimPrefix(a.Path, "help:"), Namespace: namespace}, nil
		})
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: namespace},
			func(a api.OnLoadArgs) (result api.OnLoadResult, err error) {
				var content []byte
				if result.Loader = api.LoaderJSON; a.Path != "languages" {
					content, err = helpOf(root, a.Path)
				} else {
					result.Loader = api.LoaderJS
					content, err = helpLoaders(root)
				}
				text := string(content)
				result.Contents = &text
				return result, err
			})
	}}
}

// helpLoaders returns a module whose default value has a function for each language that loads its help pages.
func helpLoaders(root string) ([]byte, error) {
	folders, err := filepath.Glob(filepath.Join(root, "help", "*"))
	if err != nil {
		return nil, err
	}
	var module bytes.Buffer
	module.WriteString("export default {\n")
	for _, folder := range folders {
		fmt.Fprintf(&module, "%[1]s: () => import('help:%[1]s'),\n", filepath.Base(folder))
	}
	module.WriteString("}\n")
	return module.Bytes(), nil
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
