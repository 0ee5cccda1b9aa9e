package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"punchcard/app"
	"punchcard/app/apptest"
)

// runInstall times the four ways of docs/install.md from the downloaded files until the first administrator has logged
// in. People need longer than the drill, which fills the form of the set-up at once.
func runInstall(ctx context.Context, folder string, out io.Writer) error {
	c, err := newContainers(ctx, folder)
	if err != nil {
		return err
	}
	if err := need(ctx, map[string]string{"podman-compose": "podman-compose", "debootstrap": "debootstrap"}); err != nil {
		return err
	}
	if err := c.fillContext(ctx); err != nil {
		return err
	}
	if err := copyFiles(c.context(), "compose.yaml"); err != nil {
		return err
	}
	defer c.remove(ctx, out)
	for _, way := range []struct {
		name, commands string
		run            func(context.Context) (time.Duration, error)
	}{
		{"binary", "tar, punchcard serve", c.installBinary},
		{"package", "apt install, systemctl enable --now, journalctl", c.installPackage},
		{"image", "docker build, docker run", c.installImage},
		{"compose", "docker compose up, docker compose logs", c.installCompose},
	} {
		took, err := way.run(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		fmt.Fprintf(out, "| %s | %d: %s | %.1f |\n", way.name, strings.Count(way.commands, ",")+1, way.commands,
			took.Seconds())
	}
	return nil
}

// installBinary unpacks an archive and serves.
func (c *containers) installBinary(ctx context.Context) (took time.Duration, err error) {
	name, archive := "punchcard_"+app.Version, filepath.Join(c.folder, "download.tar.gz")
	_, err = c.do(ctx, "tar", "-C", filepath.Join(c.context(), "bin"), "--transform=s,^,"+name+"/,", "-czf", archive,
		"punchcard")
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if _, err := c.do(ctx, "tar", "-C", c.folder, "-xzf", archive); err != nil {
		return 0, err
	}
	return serveFirst(ctx, began, apptest.Command(ctx, filepath.Join(c.folder, name, "punchcard"), "serve",
		"--data", filepath.Join(c.folder, "data")))
}

// installPackage installs the package in a minimal Debian. No systemd runs there, so the drill starts the service.
func (c *containers) installPackage(ctx context.Context) (time.Duration, error) {
	s := &system{root: filepath.Join(c.folder, "debian")}
	if err := debian(ctx, s.root, ""); err != nil {
		return 0, err
	}
	deb := filepath.Join(s.root, "punchcard.deb")
	if err := pack(ctx, filepath.Join(c.context(), "bin/punchcard"), app.Version, deb); err != nil {
		return 0, err
	}
	began := time.Now()
	if _, err := s.do(ctx, "apt-get", "install", "--no-install-recommends", "-y", "/punchcard.deb"); err != nil {
		return 0, err
	}
	if err := s.makeDataFolder(ctx); err != nil {
		return 0, err
	}
	return serveFirst(ctx, began, s.service(ctx))
}

// serveFirst starts a server whose address the command does not say, and times the first log-in.
func serveFirst(ctx context.Context, began time.Time, command *exec.Cmd) (took time.Duration, err error) {
	address, err := freeAddress()
	if err != nil {
		return 0, err
	}
	var printed synchronized
	command.Args = append(command.Args, "--listen", address)
	command.Stdout = &printed
	if err := command.Start(); err != nil {
		return 0, err
	}
	defer func() {
		err = errors.Join(err, command.Process.Signal(syscall.SIGTERM), command.Wait())
	}()
	return firstLogIn(ctx, began, address, func() (string, error) { return printed.String(), nil })
}

// synchronized collects the output of a running program.
type synchronized struct {
	mutex sync.Mutex
	text  strings.Builder
}

func (s *synchronized) Write(text []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.text.Write(text)
}

func (s *synchronized) String() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.text.String()
}

// installImage builds the image and runs it.
func (c *containers) installImage(ctx context.Context) (time.Duration, error) {
	address, err := freeAddress()
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if err := c.buildFromContext(ctx); err != nil {
		return 0, err
	}
	_, err = c.do(ctx, "podman", "run", "--detach", "--name", "punchcard", "--read-only", "--cap-drop=ALL",
		"--health-interval=disable", "--publish="+address+":8080", "--volume=punchcard-data:/data", "punchcard")
	if err != nil {
		return 0, err
	}
	return firstLogIn(ctx, began, address, func() (string, error) { return c.do(ctx, "podman", "logs", "punchcard") })
}

// installCompose starts compose.yaml with the image of the way before.
func (c *containers) installCompose(ctx context.Context) (time.Duration, error) {
	address, err := freeAddress()
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if err := c.compose(ctx, address, []string{"compose.yaml"}, "up", "--detach"); err != nil {
		return 0, err
	}
	return firstLogIn(ctx, began, address, func() (string, error) {
		return c.do(ctx, "podman", "logs", "drill_punchcard_1")
	})
}

// setUpLink finds the token in the link to the set-up.
var setUpLink = regexp.MustCompile(`/setup#(\S+)`)

// firstLogIn waits for the link to the set-up, sets the store up, logs the administrator in, and returns the time since
// the beginning.
func firstLogIn(ctx context.Context, began time.Time, address string, printed func() (string, error)) (time.Duration,
	error) {
	base, token := "http://"+address, ""
	if err := await(ctx, func() error {
		text, err := printed()
		if found := setUpLink.FindStringSubmatch(text); found != nil {
			token = found[1]
			return expect(ctx, http.StatusOK, base+"/readyz", "")
		}
		return errors.Join(err, fmt.Errorf("no link in %q", text))
	}); err != nil {
		return 0, err
	}
	status, body, err := call(ctx, http.MethodPost, base+"/api/setup", "", url.Values{
		"setup[token]": {token}, "setup[plainPassword]": {adminPassword}, "setup[name]": {"Corner Coffee"},
		"setup[currency]": {"eur"}, "setup[timezone]": {"Europe/Warsaw"},
	})
	if err == nil && status/100 != 2 {
		err = fmt.Errorf("set-up: status %d: %s", status, body)
	}
	if err == nil {
		_, err = logIn(ctx, base)
	}
	return time.Since(began), err
}
