package main

import (
	"context"
	"debug/elf"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// parts divide a binary by the beginnings of import paths. The first that fits counts.
var parts = []struct {
	name     string
	prefixes []string
}{
	{"Punchcard", []string{"punchcard/", "main."}},
	{"NATS", []string{"github.com/nats-io/"}},
	{"SQLite", []string{"modernc.org/", "zombiezen.com/"}},
	{"PostgreSQL", []string{"github.com/jackc/"}},
	{"spreadsheets", []string{"github.com/xuri/", "github.com/richardlehane/", "github.com/tiendc/"}},
	{"OpenTelemetry", []string{"go.opentelemetry.io/", "google.golang.org/", "github.com/grpc-ecosystem/"}},
	{"Prometheus", []string{"github.com/prometheus/"}},
	{"texts, pictures and other golang.org/x", []string{"golang.org/x/"}},
	{"other libraries", []string{
		"github.com/", "gopkg.in/", "go.uber.org/", "codeberg.org/", "filippo.io/", "go.yaml.in/",
	}},
}

// Parts of a binary that belong to no package.
const (
	standardLibrary = "Go and its standard library"
	functionTables  = "tables of functions, for stacks and errors"
	webApps         = "files of the web apps"
	otherData       = "types, texts and other files"
)

// partOf returns the part that a symbol of the linker belongs to.
func partOf(symbol string) string {
	symbol = strings.ReplaceAll(symbol, "%2e", ".")
	if strings.HasPrefix(symbol, "go:") || strings.HasPrefix(symbol, "type:") {
		return otherData
	}
	for _, part := range parts {
		for _, prefix := range part.prefixes {
			if strings.HasPrefix(symbol, prefix) {
				return part.name
			}
		}
	}
	return standardLibrary
}

// weigh builds the program for Linux with the names of its functions, and prints what its parts weigh.
func (r *release) weigh(ctx context.Context) error {
	named, t := filepath.Join(r.work, "named"), targets[0]
	_, err := output(ctx, t.environment(), "go", "build", "-trimpath", "-o", named, "./cmd/punchcard")
	if err != nil {
		return err
	}
	weights, err := weightsOf(named)
	if err != nil {
		return err
	}
	embedded, err := bytesIn("web/dist")
	if err != nil {
		return err
	}
	weights[webApps], weights[otherData] = embedded, weights[otherData]-embedded
	fmt.Printf("\nWhat weighs in the binary of %v:\n\n| part | MB |\n|---|---|\n", t)
	names := slices.SortedFunc(maps.Keys(weights), func(a, b string) int { return int(weights[b] - weights[a]) })
	for _, name := range names {
		fmt.Printf("| %s | %.1f |\n", name, float64(weights[name])/1e6)
	}
	fmt.Println()
	return nil
}

// weightsOf returns the bytes of each part of a program for Linux that are in its stripped file.
func weightsOf(program string) (map[string]int64, error) {
	file, err := elf.Open(program)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	symbols, err := file.Symbols()
	if err != nil {
		return nil, err
	}
	weights, divided := map[string]int64{}, map[elf.SectionIndex]bool{}
	for i, section := range file.Sections {
		if section.Flags&elf.SHF_ALLOC == 0 || section.Type == elf.SHT_NOBITS {
			continue
		}
		part := otherData // less what its symbols name
		if section.Name == ".gopclntab" {
			part = functionTables
		} else {
			divided[elf.SectionIndex(i)] = true
		}
		weights[part] += int64(section.FileSize)
	}
	for _, symbol := range symbols {
		kind := elf.ST_TYPE(symbol.Info)
		if divided[symbol.Section] && (kind == elf.STT_FUNC || kind == elf.STT_OBJECT) {
			weights[partOf(symbol.Name)] += int64(symbol.Size)
			weights[otherData] -= int64(symbol.Size)
		}
	}
	return weights, nil
}

// bytesIn returns the size of the files in a folder.
func bytesIn(folder string) (size int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}
