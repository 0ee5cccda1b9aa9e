package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"punchcard/app"
	"punchcard/app/apptest"
)

// maxExposure is ten times the exposure level that systemd may find in the service, of 100.
const maxExposure = 20

// runPackage installs, upgrades and removes the package for Debian in a minimal system, in which no systemd runs, and
// reads that for Red Hat systems.
func runPackage(ctx context.Context, folder string, out io.Writer) error {
	if err := need(ctx, map[string]string{
		"rpm": "rpm", "rpm2cpio": "rpm2cpio", "cpio": "cpio", "systemd-analyze": "systemd",
	}); err != nil {
		return err
	}
	program, err := apptest.Build(ctx, folder, []string{"CGO_ENABLED=0"}, "-trimpath", "-ldflags=-s -w")
	if err != nil {
		return err
	}
	var debs []string // of this version and of the next one
	for i := range 2 {
		name := filepath.Join(folder, fmt.Sprintf("punchcard_%s.deb", versionAfter(i)))
		if err := pack(ctx, program, versionAfter(i), name); err != nil {
			return err
		}
		debs = append(debs, name)
	}
	s := &system{root: filepath.Join(folder, "debian")}
	if err := debian(ctx, s.root, "systemd"); err != nil {
		return err
	}
	if err := s.install(ctx, debs, out); err != nil {
		return err
	}
	if err := s.judgeUnit(ctx, out); err != nil {
		return err
	}
	if err := s.remove(ctx, out); err != nil {
		return err
	}
	return readRPM(ctx, program, filepath.Join(folder, "punchcard.rpm"), debs[0], out)
}

// pack makes a package of the program, as make release does. The end of its name tells the kind.
func pack(ctx context.Context, program, version, name string) error {
	environment := shell{"ARCH=" + runtime.GOARCH, "VERSION=" + version, "BINARY=" + program}
	_, err := environment.do(ctx, "go", "tool", "-modfile=release.mod", "nfpm", "package", "--config",
		"packaging/nfpm.yaml", "--packager", strings.TrimPrefix(filepath.Ext(name), "."), "--target", name)
	return err
}

// system is a minimal Debian in a folder.
type system struct{ root string }

// do runs a program of the system.
func (s *system) do(ctx context.Context, arguments ...string) (string, error) {
	return shell{"DEBIAN_FRONTEND=noninteractive", "LC_ALL=C"}.do(ctx, "chroot", append([]string{s.root}, arguments...)...)
}

// The files that a package must leave as they are.
const (
	settingsFile = "/etc/punchcard/punchcard.env"
	dataFolder   = "/var/lib/punchcard"
)

// install installs the packages one after the other. Each time the service must run as its user, on the same data and
// with the settings that an operator has changed.
func (s *system) install(ctx context.Context, debs []string, out io.Writer) error {
	const changed = "PUNCHCARD_LOG=warn\n"
	for i, deb := range debs {
		if _, err := (shell{}).do(ctx, "cp", deb, filepath.Join(s.root, "punchcard.deb")); err != nil {
			return err
		}
		if _, err := s.do(ctx, "dpkg", "--install", "/punchcard.deb"); err != nil {
			return err
		}
		if i == 0 {
			if err := s.expect(ctx, "root:punchcard 640", "stat", "--format=%U:%G %a", settingsFile); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(s.root, settingsFile), []byte(changed), 0o640); err != nil {
				return err
			}
			if err := s.makeDataFolder(ctx); err != nil {
				return err
			}
		}
		if err := s.expect(ctx, versionAfter(i), "dpkg-query", "--show", "--showformat=${Version}", "punchcard"); err != nil {
			return err
		}
		if err := s.expect(ctx, strings.TrimSpace(changed), "cat", settingsFile); err != nil {
			return err
		}
		if err := s.serve(ctx); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%s is installed and upgraded to %s; it serves as its user, with the changed settings\n",
		app.Version, versionAfter(1))
	return nil
}

// expect runs a program of the system, which must print the text.
func (s *system) expect(ctx context.Context, want string, arguments ...string) error {
	got, err := s.do(ctx, arguments...)
	if err == nil && got != want {
		err = fmt.Errorf("%s: %q, want %q", strings.Join(arguments, " "), got, want)
	}
	return err
}

// makeDataFolder does what StateDirectory= of the unit does.
func (s *system) makeDataFolder(ctx context.Context) error {
	_, err := s.do(ctx, "install", "-d", "-o", "punchcard", "-g", "punchcard", "-m", "0700", dataFolder)
	return err
}

// service returns the command of the service, as its user.
func (s *system) service(ctx context.Context) *exec.Cmd {
	return apptest.Command(ctx, "chroot", "--userspec=punchcard:punchcard", s.root, "/usr/bin/punchcard", "serve",
		"--data", dataFolder)
}

// serve runs the program as the user of the service, until it serves.
func (s *system) serve(ctx context.Context) error {
	var log apptest.Log
	command := s.service(ctx)
	command.Args = append(command.Args, "--listen=127.0.0.1:0", "--admin-password="+adminPassword)
	process, err := apptest.Start(command, &log)
	if err != nil {
		return err
	}
	_, err = logIn(ctx, process.Base)
	return errors.Join(err, process.Stop())
}

// judgeUnit lets systemd read the units and judge how little the service may do.
func (s *system) judgeUnit(ctx context.Context, out io.Writer) error {
	_, err := (shell{}).do(ctx, "systemd-analyze", "--root="+s.root, "--man=no", "--recursive-errors=no", "verify",
		"punchcard.service", "punchcard.socket")
	if err != nil {
		return err
	}
	report, err := (shell{"SYSTEMD_EMOJI=0", "LC_ALL=C.UTF-8"}).do(ctx, "systemd-analyze", "--root="+s.root,
		"--offline=true", "--no-pager", fmt.Sprint("--threshold=", maxExposure), "security", "punchcard.service")
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(report), "\n")
	fmt.Fprintln(out, "systemd:", strings.TrimLeft(lines[len(lines)-1], "→ "))
	return nil
}

// remove removes the package with its settings. The data stays.
func (s *system) remove(ctx context.Context, out io.Writer) error {
	for _, step := range []struct{ option, left, gone string }{
		{"--remove", settingsFile, "/usr/bin/punchcard"}, {"--purge", dataFolder + "/punchcard.db", settingsFile},
	} {
		if _, err := s.do(ctx, "dpkg", step.option, "punchcard"); err != nil {
			return err
		}
		if _, err := os.Stat(filepath.Join(s.root, step.left)); err != nil {
			return fmt.Errorf("dpkg %s: %w", step.option, err)
		}
		if _, err := os.Stat(filepath.Join(s.root, step.gone)); !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("dpkg %s leaves %s: %w", step.option, step.gone, err)
		}
	}
	fmt.Fprintln(out, "it is removed and purged; the data stays")
	return nil
}

// readRPM requires that the package for Red Hat systems is whole and has the files and scripts of that for Debian.
// There is no such system to install it in.
func readRPM(ctx context.Context, program, name, deb string, out io.Writer) error {
	if err := pack(ctx, program, app.Version, name); err != nil {
		return err
	}
	plain := shell{"LC_ALL=C"}
	state, err := plain.do(ctx, "rpm", "--checksig", "--nosignature", name)
	if err == nil && !strings.HasSuffix(state, "digests OK") {
		err = errors.New(state)
	}
	if err != nil {
		return err
	}
	got, err := plain.do(ctx, "sh", "-c", `rpm2cpio "$0" | cpio --list --quiet`, name)
	if err != nil {
		return err
	}
	want, err := plain.do(ctx, "sh", "-c", `dpkg-deb --fsys-tarfile "$0" | tar --list`, deb)
	if err != nil {
		return err
	}
	if got, want := fileNames(got), fileNames(want); !slices.Equal(got, want) || len(got) == 0 {
		return fmt.Errorf("the RPM has the files %q, want %q", got, want)
	}
	scripts, err := plain.do(ctx, "rpm", "--query", "--package", "--scripts", name)
	if err == nil && (!strings.Contains(scripts, "systemd-sysusers") || !strings.Contains(scripts, "disable --now")) {
		err = fmt.Errorf("the RPM has the scripts %q", scripts)
	}
	if err == nil {
		fmt.Fprintln(out, "the RPM is whole, and has the files of the package for Debian")
	}
	return err
}

// fileNames returns the files of a list in order, without folders.
func fileNames(list string) []string {
	var names []string
	for line := range strings.Lines(list) {
		if name := strings.TrimSpace(line); !strings.HasSuffix(name, "/") {
			names = append(names, strings.TrimPrefix(strings.TrimPrefix(name, "."), "/"))
		}
	}
	slices.Sort(names)
	return names
}
