package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"punchcard/app"
)

// archive adds an archive with files, by their names in its folder. Equal files give equal archives.
func (r *release) archive(file, folder string, files map[string]string) (err error) {
	out, err := os.Create(filepath.Join(r.folder, file))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	r.files = append(r.files, file)
	return writeArchive(out, folder, files, r.at)
}

// addChart adds the chart for Kubernetes as Helm reads it.
func (r *release) addChart(from string) error {
	files := map[string]string{}
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(from, path)
		files[filepath.ToSlash(name)] = path
		return err
	})
	if err != nil {
		return err
	}
	return r.archive("punchcard-chart_"+app.Version+".tgz", "punchcard", files)
}

// writeArchive writes a compressed archive whose files belong to root and have the same time.
func writeArchive(to io.Writer, folder string, files map[string]string, at time.Time) error {
	packed := gzip.NewWriter(to)
	archive := tar.NewWriter(packed)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		content, err := os.ReadFile(files[name])
		if err != nil {
			return err
		}
		mode := int64(0o644)
		if strings.HasPrefix(name, "punchcard") {
			mode = 0o755
		}
		err = archive.WriteHeader(&tar.Header{
			Name: folder + "/" + name, Mode: mode, Size: int64(len(content)), ModTime: at, Format: tar.FormatUSTAR,
		})
		if err == nil {
			_, err = archive.Write(content)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), packed.Close())
}

// finish writes the checksums of all files, signs them with a key, and prints the files.
func (r *release) finish(ctx context.Context, key string) error {
	var sums strings.Builder
	for _, name := range r.files {
		content, err := os.ReadFile(filepath.Join(r.folder, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), name)
		fmt.Printf("%8.1f MB  %s\n", float64(len(content))/1e6, name)
	}
	list := filepath.Join(r.folder, "SHA256SUMS")
	if err := os.WriteFile(list, []byte(sums.String()), 0o644); err != nil {
		return err
	}
	if key == "" {
		fmt.Println("the checksums are not signed: -key names no key")
		return nil
	}
	_, err := output(ctx, nil, "ssh-keygen", "-q", "-Y", "sign", "-n", "punchcard-release", "-f", key, list)
	return err
}
