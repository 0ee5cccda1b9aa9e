// Package bundle builds the web apps with esbuild, and writes the types of the API for them. The server does not
// contain it: it embeds what was built.
package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// app is one of the web apps: its entry point is <folder>/main.tsx, and its page dist/<folder>.html.
type app struct {
	folder string
	title  string
	worker bool // it has a service worker, <folder>/worker.ts, which is served as worker.js below the app's path
}

var apps = []app{
	{folder: "cockpit", title: "Punchcard"},
	{folder: "till", title: "Punchcard till", worker: true},
	{folder: "me", title: "Rewards", worker: true},
	{folder: "embed", title: "Rewards"},
}

// Output are the files of dist by their names.
type Output map[string][]byte

// Build builds the apps from the sources in a folder. Names of scripts and style sheets contain a hash of their
// content, so that they can be cached for ever. Two builds of the same sources are equal byte for byte.
func Build(folder string) (Output, error) {
	root, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	var entries []api.EntryPoint
	for _, a := range apps {
		entries = append(entries, api.EntryPoint{InputPath: filepath.Join(root, a.folder, "main.tsx"), OutputPath: a.folder})
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: root, EntryPointsAdvanced: entries, Outdir: filepath.Join(root, "dist", "assets"),
		Tsconfig: filepath.Join(root, "tsconfig.json"),
		Bundle:   true, Splitting: true, Format: api.FormatESModule, Target: api.ES2022,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
		EntryNames: "[name]-[hash]", ChunkNames: "chunk-[hash]", AssetNames: "[name]-[hash]",
		// Its package names the module only for resolvers of node_modules, which the build does not need.
		Alias:   map[string]string{"lean-qr": "./vendor/lean-qr/index.mjs"},
		Loader:  map[string]api.Loader{".svg": api.LoaderFile, ".png": api.LoaderFile},
		Plugins: []api.Plugin{textsPlugin(root), helpPlugin(root)},
		Write:   false, PublicPath: "/assets/", LogLevel: api.LogLevelSilent, Charset: api.CharsetUTF8,
	})
	if len(result.Errors) > 0 {
		messages := api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage})
		return nil, errors.New(strings.Join(messages, "\n"))
	}
	files := Output{}
	for _, f := range result.OutputFiles {
		files["assets/"+path.Base(filepath.ToSlash(f.Path))] = f.Contents
	}
	for _, a := range apps {
		if files[a.folder+".html"], err = files.page(a); err != nil {
			return nil, err
		}
	}
	for _, a := range apps {
		if a.worker {
			if files[a.folder+"-worker.js"], err = files.worker(root, a); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// worker builds the service worker of an app. It keeps all files of the app, so that screens that were not opened yet
// work offline, too.
func (files Output) worker(root string, a app) ([]byte, error) {
	version := sha256.New()
	addresses, used := []string{}, files.usedBy(a.folder)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if used[name] && strings.HasPrefix(name, "assets/") {
			addresses = append(addresses, "/"+name)
			version.Write([]byte(name))
		}
	}
	version.Write(files[a.folder+".html"])
	list, err := json.Marshal(addresses)
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: root, EntryPoints: []string{filepath.Join(root, a.folder, "worker.ts")},
		Tsconfig: filepath.Join(root, "tsconfig.json"), Bundle: true, Format: api.FormatIIFE, Target: api.ES2022,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
		Define: map[string]string{
			"ASSETS": string(list), "VERSION": fmt.Sprintf("%q", hex.EncodeToString(version.Sum(nil)[:8])),
		},
		Write: false, Outfile: "worker.js", LogLevel: api.LogLevelSilent,
	})
	if len(result.Errors) > 0 {
		return nil, errors.New(result.Errors[0].Text)
	}
	return result.OutputFiles[0].Contents, nil
}

// usedBy returns the files that an app loads, at once or when they are needed.
func (files Output) usedBy(app string) map[string]bool {
	used := map[string]bool{}
	var visit func(file string)
	visit = func(file string) {
		if used[file] {
			return
		}
		used[file] = true
		for _, mentioned := range assets.FindAllSubmatch(files[file], -1) {
			visit("assets/" + string(mentioned[1]))
		}
	}
	visit(app + ".html")
	return used
}

// assets matches the address of an asset, in a page, script or style sheet.
var assets = regexp.MustCompile(`/assets/([\w.-]+)`)

// page returns the HTML page of an app, which loads its script and style sheet.
func (files Output) page(a app) ([]byte, error) {
	script, style := files.find(a.folder, ".js"), files.find(a.folder, ".css")
	if script == "" || style == "" {
		return nil, fmt.Errorf("%s has no script or no style sheet", a.folder)
	}
	head := ""
	if a.folder == "me" {
		head = "<meta name=\"mobile-web-app-capable\" content=\"yes\">\n"
	}
	return fmt.Appendf(nil, `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="same-origin">
%s<title>%s</title>
<link rel="icon" href="/assets/%s">
<link rel="stylesheet" href="/%s">
<script type="module" src="/%s"></script>
<div id="app"></div>
<noscript>This page needs JavaScript.</noscript>
</html>
`, head, a.title, path.Base(files.find("icon", ".svg")), style, script), nil
}

// find returns the name of the output that was made of the named source, or an empty text.
func (files Output) find(name, extension string) string {
	for file := range files {
		if strings.HasPrefix(file, "assets/"+name+"-") && path.Ext(file) == extension {
			return file
		}
	}
	return ""
}

// FirstLoad returns the bytes that a browser loads before it shows an app: the page, its style sheet, its script with
// all scripts that it imports at once, and the texts of the language that has most of them. Screens that are loaded
// when needed do not count.
func (files Output) FirstLoad(app string) [][]byte {
	loaded := map[string]bool{}
	var all [][]byte
	var load func(name string)
	load = func(name string) {
		if loaded[name] || files[name] == nil {
			return
		}
		loaded[name] = true
		all = append(all, files[name])
		for _, imported := range imports.FindAllSubmatch(files[name], -1) {
			load("assets/" + string(imported[1]))
		}
	}
	load(app + ".html")
	load(files.find(app, ".css"))
	load(files.find(app, ".js"))
	return append(all, files.largestLanguage(app))
}

// largestLanguage returns the largest script with texts of an app.
func (files Output) largestLanguage(app string) (largest []byte) {
	for name := range files.usedBy(app) {
		isTexts := path.Ext(name) == ".js" && bytes.Contains(files[name], []byte(`"signIn.submit":`))
		if isTexts && len(files[name]) > len(largest) {
			largest = files[name]
		}
	}
	return largest
}

// imports matches an import that is not on demand, in what esbuild writes.
var imports = regexp.MustCompile(`(?:from|import)"/assets/([\w.-]+)"`)
