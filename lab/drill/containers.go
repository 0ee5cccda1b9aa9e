package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"

	"punchcard/app/apptest"
)

// containers runs buildah and podman with storage and settings of its own.
type containers struct {
	shell
	folder string
}

// limits are below those of podman, which a sandbox may not raise. runc runs with either version of control groups.
const limits = `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
`

func newContainers(ctx context.Context, folder string) (*containers, error) {
	err := need(ctx, map[string]string{"buildah": "buildah", "podman": "podman", "runc": "runc"})
	if err != nil {
		return nil, err
	}
	settings, storage := filepath.Join(folder, "containers.conf"), filepath.Join(folder, "storage.conf")
	text := fmt.Sprintf("[storage]\ndriver = \"overlay\"\ngraphroot = %q\nrunroot = %q\n",
		filepath.Join(folder, "storage"), filepath.Join(folder, "running"))
	if err := os.WriteFile(storage, []byte(text), 0o600); err != nil {
		return nil, err
	}
	return &containers{
		shell:  shell{"CONTAINERS_CONF=" + settings, "CONTAINERS_STORAGE_CONF=" + storage},
		folder: folder,
	}, os.WriteFile(settings, []byte(limits), 0o600)
}

// context is the folder that the image is built from.
func (c *containers) context() string { return filepath.Join(c.folder, "context") }

// fillContext builds the program and copies what the Dockerfile takes.
func (c *containers) fillContext(ctx context.Context) error {
	err := copyFiles(c.context(), "Dockerfile", ".dockerignore", "LICENSE", "packaging/image/data/.keep")
	if err == nil {
		_, err = apptest.Build(ctx, filepath.Join(c.context(), "bin"), []string{"CGO_ENABLED=0"}, "-trimpath",
			"-ldflags=-s -w")
	}
	return err
}

// buildFromContext builds the image of the product from the Dockerfile, as docs/install.md does.
func (c *containers) buildFromContext(ctx context.Context) error {
	_, err := c.do(ctx, "buildah", "build", "--format", "docker", "--layers", "--tag", "punchcard", c.context())
	return err
}

// buildImage builds the program and its image.
func (c *containers) buildImage(ctx context.Context) error {
	if err := c.fillContext(ctx); err != nil {
		return err
	}
	return c.buildFromContext(ctx)
}

// copyFiles copies files of the repository into a folder, with their paths.
func copyFiles(folder string, names ...string) error {
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		to := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// runImage runs the image as compose.yaml does, and starts it again on its volume.
func runImage(ctx context.Context, folder string, out io.Writer) (err error) {
	c, err := newContainers(ctx, folder)
	if err != nil {
		return err
	}
	if err := c.buildImage(ctx); err != nil {
		return err
	}
	size, err := c.do(ctx, "podman", "image", "inspect", "--format", "{{.Size}} bytes, user {{.User}}", "punchcard")
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "the image has", size)
	address, err := freeAddress()
	if err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	// A drill has no systemd that would run the health check in intervals, so the drill runs it.
	_, err = c.do(ctx, "podman", "run", "--detach", "--name", "punchcard", "--read-only", "--cap-drop=ALL",
		"--security-opt=no-new-privileges", "--health-interval=disable", "--publish=127.0.0.1:"+port+":8080",
		"--volume=punchcard-data:/data", "--env=PUNCHCARD_ADMIN_PASSWORD="+adminPassword, "punchcard")
	if err != nil {
		return err
	}
	defer c.remove(ctx, out)
	token := ""
	for _, turn := range []string{"first", "second"} {
		if err := await(ctx, func() error { return expect(ctx, 200, "http://"+address+"/readyz", "") }); err != nil {
			return err
		}
		if token == "" {
			if token, err = logIn(ctx, "http://"+address); err != nil {
				return err
			}
		}
		// The key that signed the token of the first turn is in the volume.
		if err := expect(ctx, 200, "http://"+address+"/api/limits", token); err != nil {
			return err
		}
		if err := c.judge(ctx); err != nil {
			return err
		}
		fmt.Fprintf(out, "the %s start serves, is healthy, and ends with status 0\n", turn)
		if turn == "first" {
			if _, err := c.do(ctx, "podman", "start", "punchcard"); err != nil {
				return err
			}
		}
	}
	return nil
}

// judge looks at a running container, and stops it.
func (c *containers) judge(ctx context.Context) error {
	if _, err := c.do(ctx, "podman", "healthcheck", "run", "punchcard"); err != nil {
		return err
	}
	if _, err := c.do(ctx, "podman", "exec", "punchcard", "/punchcard", "health", "--ready"); err != nil {
		return err
	}
	id, err := c.do(ctx, "podman", "inspect", "--format", "{{.State.Pid}}", "punchcard")
	if err != nil {
		return err
	}
	status, err := os.ReadFile(filepath.Join("/proc", id, "status"))
	if err != nil {
		return err
	}
	for _, line := range []string{"Uid:\t65532\t65532", "CapEff:\t0000000000000000", "NoNewPrivs:\t1"} {
		if !strings.Contains(string(status), line) {
			return fmt.Errorf("the process has no %q: %s", line, status)
		}
	}
	mounts, err := os.ReadFile(filepath.Join("/proc", id, "mounts"))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(mounts)) {
		if fields := strings.Fields(line); fields[1] == "/" && !strings.HasPrefix(fields[3], "ro") {
			return fmt.Errorf("the root can be written: %s", line)
		}
	}
	if _, err := c.do(ctx, "podman", "stop", "--time=30", "punchcard"); err != nil {
		return err
	}
	code, err := c.do(ctx, "podman", "inspect", "--format", "{{.State.ExitCode}}", "punchcard")
	if err == nil && code != "0" {
		err = fmt.Errorf("the container ended with status %s", code)
	}
	return err
}

// remove removes what the folder of the case does not hold, or holds mounted.
func (c *containers) remove(ctx context.Context, out io.Writer) {
	ctx = context.WithoutCancel(ctx)
	for _, command := range [][]string{
		{"rm", "--all", "--force", "--volumes", "--time=5"}, {"network", "prune", "--force"},
	} {
		if _, err := c.do(ctx, "podman", command...); err != nil {
			fmt.Fprintln(out, "something is left:", err)
		}
	}
}
