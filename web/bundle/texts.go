package bundle

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// shared lists the folders whose sources all apps contain.
var shared = []string{"api", "ui", "i18n"}

// textsPlugin serves the modules texts:<app>, which load the texts of an app by language. They have only the texts that
// the sources of the app use.
func textsPlugin(root string) api.Plugin {
	return modulesPlugin("texts", func(name string) ([]byte, api.Loader, error) {
		app, language, one := strings.Cut(name, "/")
		if one {
			content, err := textsOf(root, app, language)
			return content, api.LoaderJSON, err
		}
		content, err := loadersOf(root, "texts:"+app+"/")
		return content, api.LoaderJS, err
	})
}

// modulesPlugin serves modules that are made from other files. Their names begin with the namespace and a colon; load
// gets the rest.
func modulesPlugin(namespace string, load func(name string) ([]byte, api.Loader, error)) api.Plugin {
	return api.Plugin{Name: namespace, Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: "^" + namespace + ":"},
			func(a api.OnResolveArgs) (api.OnResolveResult, error) {
				name := strings.TrimPrefix(a.Path, namespace+":")
				return api.OnResolveResult{Path: name, Namespace: namespace}, nil
			})
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: namespace},
			func(a api.OnLoadArgs) (result api.OnLoadResult, err error) {
				content, loader, err := load(a.Path)
				text := string(content)
				result.Contents, result.Loader = &text, loader
				return result, err
			})
	}}
}

// loadersOf returns a module whose default value has a function for each language. It loads the module that is named by
// the prefix and the language.
func loadersOf(root, prefix string) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(root, "i18n", "*.json"))
	if err != nil {
		return nil, err
	}
	var module strings.Builder
	module.WriteString("export default {\n")
	for _, name := range files {
		language := strings.TrimSuffix(filepath.Base(name), ".json")
		fmt.Fprintf(&module, "%s: () => import('%s%s'),\n", language, prefix, language)
	}
	module.WriteString("}\n")
	return []byte(module.String()), nil
}

// textsOf returns the texts of a language that an app uses, as JSON.
func textsOf(root, app, language string) ([]byte, error) {
	content, err := os.ReadFile(filepath.Join(root, "i18n", language+".json"))
	if err != nil {
		return nil, err
	}
	texts := map[string]json.RawMessage{}
	if err := json.Unmarshal(content, &texts); err != nil {
		return nil, err
	}
	used, err := UsedTexts(root, append(slices.Clone(shared), app)...)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(texts, func(key string, _ json.RawMessage) bool { return !used.Has(key) })
	return json.Marshal(texts)
}

// TextKeys are the keys of texts that sources mention. A key that is made at run time begins with a prefix that stands
// in a template literal.
type TextKeys struct {
	keys     map[string]bool
	prefixes []string
}

// Has reports whether the sources may use the text.
func (k *TextKeys) Has(key string) bool {
	return k.keys[key] ||
		slices.ContainsFunc(k.prefixes, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
}

var (
	usedText   = regexp.MustCompile("\\bt\\(\\s*['\"`]([\\w.-]+)['\"`]")
	quotedText = regexp.MustCompile(`['"]([a-zA-Z][\w-]*(?:\.[\w-]+)+)['"]`)
	madeText   = regexp.MustCompile("`([a-zA-Z][\\w-]*\\.(?:[\\w-]+\\.)*)\\$\\{")
)

// UsedTexts returns the keys that the sources in folders of the web apps mention.
func UsedTexts(root string, folders ...string) (*TextKeys, error) {
	found := &TextKeys{keys: map[string]bool{}}
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".ts") && !strings.HasSuffix(name, ".tsx") {
				return err
			}
			content, err := os.ReadFile(name)
			for _, pattern := range []*regexp.Regexp{usedText, quotedText} {
				for _, match := range pattern.FindAllSubmatch(content, -1) {
					found.keys[string(match[1])] = true
				}
			}
			for _, match := range madeText.FindAllSubmatch(content, -1) {
				found.prefixes = append(found.prefixes, string(match[1]))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}
