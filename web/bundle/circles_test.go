package bundle_test

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// importPath matches what a source imports of its own app: at once, on demand, or as types.
var importPath = regexp.MustCompile(`(?m)(?:^(?:import|export)\b[^'"]*?|\bimport\s*\(\s*)['"](\.[^'"]*)['"]`)

// No source of the apps imports itself through others.
func TestNoImportGoesInACircle(t *testing.T) {
	sources := map[string]string{} // by name from the root
	for _, folder := range []string{"api", "ui", "i18n", "cockpit", "till", "me"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(name string, entry fs.DirEntry, err error) error {
			if err != nil || !strings.HasPrefix(filepath.Ext(name), ".ts") {
				return err
			}
			text, err := os.ReadFile(name)
			sources[strings.TrimPrefix(filepath.ToSlash(name), root+"/")] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	imports, count := map[string][]string{}, 0
	for name, text := range sources {
		for _, found := range importPath.FindAllStringSubmatch(text, -1) {
			for _, extension := range []string{".ts", ".tsx"} {
				imported := path.Join(path.Dir(name), found[1]) + extension
				if _, exists := sources[imported]; exists {
					imports[name] = append(imports[name], imported)
					count++
				}
			}
		}
	}
	if count < len(sources) {
		t.Errorf("found only %d imports in %d files", count, len(sources))
	}
	if circle := findCircle(imports); circle != nil {
		t.Errorf("imports go in a circle: %s", strings.Join(circle, " → "))
	}
}

// findCircle returns the nodes of a circle in a graph, the first again at the end; nil if there is none.
func findCircle(edges map[string][]string) []string {
	done := map[string]bool{}
	var way []string // to the present node
	var visit func(node string) []string
	visit = func(node string) []string {
		if at := slices.Index(way, node); at >= 0 {
			return append(slices.Clone(way[at:]), node)
		}
		if done[node] {
			return nil
		}
		done[node] = true
		way = append(way, node)
		for _, next := range edges[node] {
			if circle := visit(next); circle != nil {
				return circle
			}
		}
		way = way[:len(way)-1]
		return nil
	}
	for _, node := range slices.Sorted(maps.Keys(edges)) {
		if circle := visit(node); circle != nil {
			return circle
		}
	}
	return nil
}
