// Command release builds the files of a release: binaries in archives, packages for Debian and Red Hat systems, a list
// of the libraries in them (SBOM), and checksums. See docs/releases.md.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"punchcard/app"
)

// maxBinary is the most bytes of a binary.
const maxBinary = 65 << 20

// target is a system that binaries are built for.
type target struct{ system, arch string }

func (t target) String() string { return t.system + "_" + t.arch }

var targets = []target{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

// release is one run.
type release struct {
	folder string // of the files
	work   string // for what is not kept
	at     time.Time
	files  []string // names, in order
}

func main() {
	folder := flag.String("out", "dist", "folder of the files; it must not exist")
	key := flag.String("key", "", "SSH key that signs the checksums; empty: they are not signed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *folder, *key); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, folder, key string) (err error) {
	changed, err := output(ctx, nil, "git", "status", "--porcelain")
	if err == nil && changed != "" {
		err = errors.New("there are changes that are not committed:\n" + changed)
	}
	if err != nil {
		return err
	}
	text, err := output(ctx, nil, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return err
	}
	r := &release{at: time.Unix(seconds, 0).UTC()}
	if r.folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	if err := os.Mkdir(r.folder, 0o755); err != nil {
		return err
	}
	if r.work, err = os.MkdirTemp("", "punchcard-release-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(r.work)) }()
	// With the environment of a target, go tool would build it for that system.
	if _, err := output(ctx, nil, "go", "build", "-modfile=release.mod", "-o", r.lister(),
		"github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod"); err != nil {
		return err
	}
	for _, t := range targets {
		if err := r.add(ctx, t); err != nil {
			return fmt.Errorf("%v: %w", t, err)
		}
	}
	if err := r.addChart("packaging/chart"); err != nil {
		return err
	}
	if err := r.weigh(ctx); err != nil {
		return err
	}
	return r.finish(ctx, key)
}

// lister is the path of the program that lists the libraries of a build.
func (r *release) lister() string { return filepath.Join(r.work, "cyclonedx-gomod") }

// add builds the files of a target.
func (r *release) add(ctx context.Context, t target) error {
	binary, err := r.build(ctx, t)
	if err != nil {
		return err
	}
	name := "punchcard_" + app.Version + "_" + t.String()
	if err := r.archive(name+".tar.gz", name, map[string]string{
		t.program(): binary, "LICENSE": "LICENSE", "README.md": "README.md", "CHANGELOG.md": "CHANGELOG.md",
	}); err != nil {
		return err
	}
	sbom := filepath.Join(r.folder, name+".sbom.json")
	if _, err := output(ctx, t.environment(), r.lister(), "app", "-json", "-noserial", "-notimestamp",
		"-main", "cmd/punchcard", "-output", sbom, "."); err != nil {
		return err
	}
	r.files = append(r.files, filepath.Base(sbom))
	if t.system != "linux" {
		return nil
	}
	for _, packager := range []string{"deb", "rpm"} {
		file := name + "." + packager
		_, err := output(ctx, []string{
			"ARCH=" + t.arch, "VERSION=" + app.Version, "BINARY=" + binary,
			"SOURCE_DATE_EPOCH=" + strconv.FormatInt(r.at.Unix(), 10),
		}, "go", "tool", "-modfile=release.mod", "nfpm", "package", "--config", "packaging/nfpm.yaml",
			"--packager", packager, "--target", filepath.Join(r.folder, file))
		if err != nil {
			return err
		}
		r.files = append(r.files, file)
	}
	return nil
}

// vetted returns the packages that are vetted for the target. Tests of the others do not compile for Windows.
func (t target) vetted() []string {
	if t.system == "windows" {
		return []string{"./platform/disk", "./platform/filelock"}
	}
	return []string{"./cmd/punchcard", "./app", "./platform/..."}
}

// program is the name of the binary.
func (t target) program() string {
	if t.system == "windows" {
		return "punchcard.exe"
	}
	return "punchcard"
}

func (t target) environment() []string {
	return []string{"GOOS=" + t.system, "GOARCH=" + t.arch, "CGO_ENABLED=0", "GOFLAGS="}
}

// build builds the binary twice, the second time in another folder and without what was compiled before, and returns
// its path. Both must have the same bytes.
func (r *release) build(ctx context.Context, t target) (path string, err error) {
	if _, err := output(ctx, t.environment(), append([]string{"go", "vet"}, t.vetted()...)...); err != nil {
		return "", err
	}
	path = filepath.Join(r.work, t.String(), t.program())
	arguments := []string{"go", "build", "-buildvcs=true", "-trimpath", "-ldflags=-s -w", "-o"}
	if _, err := output(ctx, t.environment(), append(arguments, path, "./cmd/punchcard")...); err != nil {
		return "", err
	}
	copied, again := filepath.Join(r.work, "checkout"), filepath.Join(r.work, t.String(), "again")
	if _, err := output(ctx, nil, "git", "clone", "-q", "--no-hardlinks", ".", copied); err != nil {
		return "", err
	}
	environment := append(t.environment(), "GOCACHE="+filepath.Join(r.work, "cache"))
	arguments = append(append([]string{"go", "-C", copied}, arguments[1:]...), again, "./cmd/punchcard")
	if _, err := output(ctx, environment, arguments...); err != nil {
		return "", err
	}
	if err := os.RemoveAll(copied); err != nil {
		return "", err
	}
	first, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	second, err := os.ReadFile(again)
	switch {
	case err != nil:
	case !bytes.Equal(first, second):
		err = errors.New("two builds differ")
	case len(first) > maxBinary:
		err = fmt.Errorf("the binary has %d bytes, more than %d", len(first), maxBinary)
	default:
		fmt.Printf("%-14v %5.1f MB, twice the same\n", t, float64(len(first))/1e6)
	}
	return path, err
}

// output runs a command with further variables, and returns what it prints without the line break at the end.
func output(ctx context.Context, environment []string, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, arguments[0], arguments[1:]...)
	command.Env = append(os.Environ(), environment...)
	var problems bytes.Buffer
	command.Stderr = &problems
	text, err := command.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", strings.Join(arguments, " "), err, &problems)
	}
	return strings.TrimSpace(string(text)), err
}
