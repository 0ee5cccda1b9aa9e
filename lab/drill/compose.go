package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// compose runs podman-compose in the folder of the image.
func (c *containers) compose(ctx context.Context, address string, files []string, arguments ...string) error {
	environment := append(shell{"PUNCHCARD_PUBLISH=" + address, "POSTGRES_PASSWORD=drill"}, c.shell...)
	all := []string{"--project-name", "drill"}
	for _, file := range files {
		all = append(all, "--file", filepath.Join(c.context(), file))
	}
	_, err := environment.do(ctx, "podman-compose", append(all, arguments...)...)
	return err
}

// runCompose runs both compositions. Images of other programs cannot be downloaded in a drill, so those of the second
// one come from Debian and from the Go module of NATS.
func runCompose(ctx context.Context, folder string, out io.Writer) error {
	c, err := newContainers(ctx, folder)
	if err != nil {
		return err
	}
	if err := need(ctx, map[string]string{"podman-compose": "podman-compose", "dnsmasq": "dnsmasq-base"}); err != nil {
		return err
	}
	if err := needFile(ctx, "/usr/lib/cni/dnsname", "golang-github-containernetworking-plugin-dnsname"); err != nil {
		return err
	}
	if err := c.buildImage(ctx); err != nil {
		return err
	}
	err = copyFiles(c.context(), "compose.yaml", "compose.scaled.yaml",
		"packaging/compose/Caddyfile", "lab/drill/compose.override.yaml")
	if err != nil {
		return err
	}
	defer c.remove(ctx, out)
	if err := c.single(ctx, out); err != nil {
		return fmt.Errorf("compose.yaml: %w", err)
	}
	if err := c.scaled(ctx, out); err != nil {
		return fmt.Errorf("compose.scaled.yaml: %w", err)
	}
	return nil
}

// needFile installs a Debian package whose file is missing.
func needFile(ctx context.Context, file, name string) error {
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	return need(ctx, map[string]string{file: name})
}

func (c *containers) single(ctx context.Context, out io.Writer) error {
	address, err := freeAddress()
	if err != nil {
		return err
	}
	began, files := time.Now(), []string{"compose.yaml"}
	if err := c.compose(ctx, address, files, "up", "--detach"); err != nil {
		return err
	}
	if err := await(ctx, func() error { return expect(ctx, 200, "http://"+address+"/readyz", "") }); err != nil {
		return err
	}
	fmt.Fprintf(out, "compose.yaml serves %.1f s after its start\n", time.Since(began).Seconds())
	return c.compose(ctx, address, files, "down", "--volumes")
}

// debian makes a folder with a minimal Debian system.
func debian(ctx context.Context, folder, packages string) error {
	if err := need(ctx, map[string]string{"debootstrap": "debootstrap"}); err != nil {
		return err
	}
	arguments := []string{"--variant=minbase"}
	if packages != "" {
		arguments = append(arguments, "--include="+packages)
	}
	_, err := shell{}.do(ctx, "debootstrap", append(arguments, "stable", folder)...)
	return err
}

// otherImages builds those that lab/drill/compose.override.yaml names.
func (c *containers) otherImages(ctx context.Context) error {
	root := filepath.Join(c.folder, "others")
	if err := debian(ctx, filepath.Join(root, "debian"), "postgresql,caddy"); err != nil {
		return err
	}
	static := shell{"CGO_ENABLED=0"}
	_, err := static.do(ctx, "go", "build", "-o", filepath.Join(root, "nats-server"), "github.com/nats-io/nats-server/v2")
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		"drill-debian": "FROM scratch\nCOPY debian/ /\n",
		"drill-nats":   "FROM scratch\nCOPY nats-server /nats-server\nENTRYPOINT [\"/nats-server\"]\n",
	} {
		file := filepath.Join(root, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
		if _, err := c.do(ctx, "buildah", "build", "--file", file, "--tag", name, root); err != nil {
			return err
		}
	}
	return nil
}

// scaled restarts both nodes while the proxy gets requests, of which none may fail.
func (c *containers) scaled(ctx context.Context, out io.Writer) error {
	if err := c.otherImages(ctx); err != nil {
		return err
	}
	address, err := freeAddress()
	if err != nil {
		return err
	}
	files := []string{"compose.scaled.yaml", "lab/drill/compose.override.yaml"}
	if err := c.compose(ctx, address, files, "up", "--detach"); err != nil {
		return err
	}
	base := "http://" + address
	if err := await(ctx, func() error { return expect(ctx, 200, base+"/readyz", "") }); err != nil {
		return err
	}
	if err := expect(ctx, 204, base+"/api/healthcheck", ""); err != nil {
		return err
	}
	requests, restarted := 0, make(chan error, 1)
	go func() { restarted <- c.restartNodes(ctx) }()
	for {
		if err := expect(ctx, 204, base+"/api/healthcheck", ""); err != nil {
			return fmt.Errorf("after %d requests: %w", requests, err)
		}
		requests++
		select {
		case err := <-restarted:
			fmt.Fprintf(out, "both nodes restarted, %d requests, none failed\n", requests)
			return err
		default:
		}
	}
}

// restartNodes stops and starts one node after the other, and waits until each is ready.
func (c *containers) restartNodes(ctx context.Context) error {
	for _, node := range []string{"drill_node1_1", "drill_node2_1"} {
		for _, command := range [][]string{{"stop", "--time=30", node}, {"start", node}} {
			if _, err := c.do(ctx, "podman", command...); err != nil {
				return err
			}
		}
		if err := await(ctx, func() error {
			_, err := c.do(ctx, "podman", "exec", node, "/punchcard", "health", "--ready")
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}
