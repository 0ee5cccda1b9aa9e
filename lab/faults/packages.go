package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// packages are those of the repository by folder, from its root.
type packages struct {
	tested    map[string]bool     // whether a package has tests
	importers map[string][]string // the packages that import one, or whose tests do
}

// module is the path of the product's module.
const module = "punchcard"

// listed is a package as go list prints it.
type listed struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
	TestGoFiles, XTestGoFiles          []string
}

// readPackages lists the packages of the product and of lab.
func readPackages(ctx context.Context, root string) (*packages, error) {
	p := &packages{tested: map[string]bool{}, importers: map[string][]string{}}
	for _, folder := range []string{".", "lab"} {
		command := exec.CommandContext(ctx, "go", "list", "-json=ImportPath,Imports,TestImports,XTestImports,TestGoFiles,"+
			"XTestGoFiles", "./...")
		command.Dir = filepath.Join(root, folder)
		output, err := command.Output()
		if err != nil {
			return nil, fmt.Errorf("go list in %s: %w", folder, err)
		}
		for decoder := json.NewDecoder(strings.NewReader(string(output))); ; {
			var one listed
			if err := decoder.Decode(&one); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			p.add(one)
		}
	}
	return p, nil
}

func (p *packages) add(one listed) {
	name := folderOf(one.ImportPath)
	p.tested[name] = len(one.TestGoFiles)+len(one.XTestGoFiles) > 0
	for _, imported := range slices.Concat(one.Imports, one.TestImports, one.XTestImports) {
		if imported != one.ImportPath && strings.HasPrefix(imported, module+"/") {
			p.importers[folderOf(imported)] = append(p.importers[folderOf(imported)], name)
		}
	}
}

func folderOf(importPath string) string { return strings.TrimPrefix(importPath, module+"/") }

// last are folders whose tests run after all others, in this order: they start whole servers and browsers.
var last = []string{"app", "cmd", "web", "lab"}

// around returns the packages whose tests a change of a file may break: those that have the file, then those that
// import them, by their distance, and those of last.
func (p *packages) around(file string) (groups [][]string) {
	late := map[string][]string{}
	reached := map[string]bool{}
	for now := p.own(file); len(now) > 0; {
		var next, group []string
		for _, name := range now {
			top, _, _ := strings.Cut(name, "/")
			switch {
			case !p.tested[name]:
			case len(reached) > 0 && slices.Contains(last, top):
				late[top] = append(late[top], "./"+name)
			default:
				group = append(group, "./"+name)
			}
		}
		for _, name := range now {
			reached[name] = true
		}
		for _, name := range now {
			for _, importer := range p.importers[name] {
				if !reached[importer] && !slices.Contains(next, importer) {
					next = append(next, importer)
				}
			}
		}
		if len(group) > 0 {
			groups = append(groups, group)
		}
		now = next
	}
	for _, top := range last {
		if len(late[top]) > 0 {
			groups = append(groups, late[top])
		}
	}
	return groups
}

// own returns the packages that have a file: that of its folder, or of the next one above. The tests of web/bundle read
// the sources of the web apps.
func (p *packages) own(file string) []string {
	var own []string
	if strings.HasPrefix(file, "web/") && path.Ext(file) != ".go" {
		own = append(own, "web/bundle")
	}
	for folder := path.Dir(file); folder != "."; folder = path.Dir(folder) {
		if _, is := p.tested[folder]; is {
			return append(own, folder)
		}
	}
	return own
}
