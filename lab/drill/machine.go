package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"punchcard/app/apptest"
	"punchcard/platform/replica/replicatest"
)

const (
	// maxMissing is the age of the oldest acknowledged write that may be missing without --replicate-sync.
	maxMissing = time.Second
	// copied is the number of writes that are acknowledged before the machine is lost.
	copied = 2_000
)

// runCopy loses a machine for each kind of place, with and without --replicate-sync.
func runCopy(ctx context.Context, folder string, out io.Writer) error {
	program, err := apptest.Build(ctx, folder, []string{"CGO_ENABLED=0"})
	if err != nil {
		return err
	}
	for _, kind := range []string{"folder", "s3", "sftp"} {
		for _, inSync := range []bool{false, true} {
			name := kind // of the folder, too
			if inSync {
				name += "-sync"
			}
			fmt.Fprintf(out, "%s: ", name)
			err := loseMachine(ctx, program, filepath.Join(folder, name), kind, inSync, copied, maxMissing, out)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// place is where a copy is kept.
type place struct {
	url       string
	flags     []string
	variables []string
	stop      func()
}

func openPlace(kind, folder string) (*place, error) {
	switch kind {
	case "s3":
		s3, err := replicatest.StartS3()
		if err != nil {
			return nil, err
		}
		return &place{url: s3.URL, stop: s3.Stop, variables: []string{
			"PUNCHCARD_REPLICATE_ACCESS_KEY=" + replicatest.AccessKey,
			"PUNCHCARD_REPLICATE_SECRET_KEY=" + replicatest.SecretKey,
		}}, nil
	case "sftp":
		ssh, err := replicatest.StartSSH(folder)
		if err != nil {
			return nil, err
		}
		return &place{url: ssh.URL, stop: ssh.Stop, flags: []string{
			"--replicate-ssh-key", ssh.Key, "--replicate-known-hosts", ssh.KnownHosts,
		}}, nil
	}
	return &place{url: "file://" + filepath.Join(folder, "copies"), stop: func() {}}, nil
}

// loseMachine deletes the data folder and kills the server under load, restores the copy into another folder, and
// compares what is there with what was acknowledged.
// Without --replicate-sync, acknowledged writes may be missing that are no older than mayMiss.
func loseMachine(ctx context.Context, program, folder, kind string, inSync bool, writes int, mayMiss time.Duration,
	out io.Writer) (err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	p, err := openPlace(kind, folder)
	if err != nil {
		return err
	}
	defer p.stop()
	data := filepath.Join(folder, "data")
	flags := append([]string{"--replicate", p.url}, p.flags...)
	if inSync {
		flags = append(flags, "--replicate-sync")
	}
	server, err := p.serve(ctx, program, data, flags...)
	if err != nil {
		return err
	}
	if err := awaitCopy(ctx, server.Base); err != nil {
		return errors.Join(err, server.Kill())
	}
	l, err := startLoad(ctx, server.Base)
	if err != nil {
		return errors.Join(err, server.Kill())
	}
	defer l.stop()
	if err := l.more(ctx, writes); err != nil {
		return errors.Join(err, server.Kill())
	}
	began := time.Now()
	l.lost.Store(true)
	l.stop()
	if err := errors.Join(os.RemoveAll(data), server.Kill()); err != nil {
		return err
	}
	l.ended.Wait()
	if len(l.wrong) > 0 {
		return errors.Join(l.wrong...)
	}
	elsewhere := filepath.Join(folder, "elsewhere")
	if err := p.restore(ctx, program, elsewhere); err != nil {
		return err
	}
	return l.missing(ctx, p, program, elsewhere, began, inSync, mayMiss, out)
}

// awaitCopy waits until the copy has everything.
func awaitCopy(ctx context.Context, base string) error {
	return await(ctx, func() error {
		_, body, err := call(ctx, http.MethodGet, base+"/readyz", "", nil)
		if err != nil {
			return err
		}
		var ready struct {
			Copy *struct{ LagBytes *int64 }
		}
		if err := json.Unmarshal(body, &ready); err != nil || ready.Copy == nil || *ready.Copy.LagBytes > 0 {
			return fmt.Errorf("/readyz: %s", body)
		}
		return nil
	})
}

// restore verifies the copy, restores it into a folder, and checks what is there.
func (p *place) restore(ctx context.Context, program, folder string) error {
	from := append([]string{"--from", p.url}, p.flags...)
	for _, arguments := range [][]string{
		append([]string{"restore", "--verify"}, from...),
		append([]string{"restore", "--data", folder}, from...),
		{"check", "--data", folder},
	} {
		command := apptest.Command(ctx, program, arguments...)
		command.Env = append(command.Env, p.variables...)
		if output, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w: %s", arguments[:2], err, output)
		}
	}
	return nil
}

// missing compares the acknowledged writes with those in a restored folder.
func (l *load) missing(ctx context.Context, p *place, program, folder string, lost time.Time, inSync bool,
	mayMiss time.Duration, out io.Writer) (err error) {
	server, err := p.serve(ctx, program, folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	token, err := logIn(ctx, server.Base)
	if err != nil {
		return err
	}
	stored, err := storedCustomers(ctx, server.Base, token)
	if err != nil {
		return err
	}
	missing, oldest := 0, time.Duration(0)
	for email, got := range l.acknowledged {
		if stored[email] == 0 {
			missing++
			oldest = max(oldest, lost.Sub(got.at))
		}
	}
	fmt.Fprintf(out, "%d writes acknowledged, %d missing, the oldest from %v before the loss\n", len(l.acknowledged),
		missing, oldest.Round(time.Millisecond))
	switch {
	case inSync && missing > 0:
		return errors.New("acknowledged writes are missing, in spite of --replicate-sync")
	case oldest > mayMiss:
		return fmt.Errorf("acknowledged writes are missing from more than %v before the loss", mayMiss)
	}
	return nil
}

// serve starts a server.
func (p *place) serve(ctx context.Context, program, data string, flags ...string) (*apptest.Process, error) {
	command := apptest.Command(ctx, program, append([]string{"serve", "--listen=127.0.0.1:0", "--log=warn",
		"--data", data, "--admin-password=" + adminPassword, "--result-window=1000000"}, flags...)...)
	command.Env = append(command.Env, p.variables...)
	return apptest.Start(command, &apptest.Log{})
}
