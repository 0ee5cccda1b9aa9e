package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"punchcard/app/apptest"
	"punchcard/platform/replica/replicatest"
)

// mayMiss is the age of the youngest acknowledged purchases that a machine may take with it.
const mayMiss = time.Second

// place is where a copy is kept during a case.
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

// loseMachine deletes the data folder and kills the server while customers buy, restores the copy into another folder,
// and compares what is there with what was acknowledged.
func loseMachine(kind string, inSync bool) func(ctx context.Context, d *drill) error {
	return func(ctx context.Context, d *drill) (err error) {
		p, err := openPlace(kind, d.folder)
		if err != nil {
			return err
		}
		defer p.stop()
		flags := append([]string{"--replicate", p.url}, p.flags...)
		if inSync {
			flags = append(flags, "--replicate-sync")
		}
		data := filepath.Join(d.folder, "data")
		server, err := d.serve(ctx, data, p, append(flags, "--demo")...)
		if err != nil {
			return err
		}
		b, err := openShop(server)
		if err != nil {
			return errors.Join(err, server.Kill())
		}
		if err := b.awaitCopy(ctx); err != nil {
			return errors.Join(err, server.Kill())
		}
		b.start()
		sleep(ctx, d.load)
		lost := time.Now()
		if err := errors.Join(os.RemoveAll(data), server.Kill()); err != nil {
			return err
		}
		if err := b.stop(); err != nil {
			return err
		}
		return d.compare(ctx, p, b, lost, inSync)
	}
}

// compare restores the copy and looks for the purchases that were acknowledged.
func (d *drill) compare(ctx context.Context, p *place, b *shop, lost time.Time, inSync bool) (err error) {
	elsewhere := filepath.Join(d.folder, "elsewhere")
	from := append([]string{"--from", p.url}, p.flags...)
	for _, arguments := range [][]string{
		append([]string{"restore", "--verify"}, from...),
		append([]string{"restore", "--data", elsewhere}, from...),
		{"check", "--data", elsewhere},
	} {
		command := apptest.Command(ctx, d.program, arguments...)
		command.Env = append(command.Env, p.variables...)
		output, err := command.Output()
		if err != nil {
			return fmt.Errorf("%v: %w: %s", arguments[:2], err, stderrOf(err))
		}
		fmt.Printf("%s: %s", arguments[0], output)
	}
	server, err := d.serve(ctx, elsewhere, p, "--demo")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	stored, err := b.bought(server)
	if err != nil {
		return err
	}
	missing, oldest := 0, time.Duration(0)
	for id, at := range b.acknowledged {
		if !stored[id] {
			missing++
			oldest = max(oldest, lost.Sub(at))
		}
	}
	fmt.Printf("%d purchases acknowledged, %d missing, the oldest from %v before the loss\n", len(b.acknowledged), missing,
		oldest.Round(time.Millisecond))
	switch {
	case len(b.acknowledged) == 0:
		return errors.New("nothing was bought")
	case inSync && missing > 0:
		return errors.New("acknowledged purchases are missing, in spite of --replicate-sync")
	case oldest > mayMiss:
		return fmt.Errorf("acknowledged purchases are missing from more than %v before the loss", mayMiss)
	}
	return nil
}

// serve starts the server.
func (d *drill) serve(ctx context.Context, data string, p *place, flags ...string) (*apptest.Process, error) {
	command := apptest.Command(ctx, d.program, append([]string{"serve", "--listen", "127.0.0.1:0", "--log", "warn",
		"--data", data, "--result-window", "1000000"}, flags...)...)
	command.Env = append(command.Env, p.variables...)
	return apptest.Start(command, &apptest.Log{})
}
