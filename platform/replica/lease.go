package replica

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"punchcard/platform/db"
)

const (
	// leaseTerm is after how long without a renewal another server may replicate to the place.
	leaseTerm  = 15 * time.Second
	leaseRenew = 5 * time.Second
	leaseName  = "lease.json"
	leaseBytes = 4096 // at most
)

// errHeld is the error while another server replicates to the place.
var errHeld = errors.New("another server replicates to this place")

// lease tells who replicates to a place. Two servers that begin at the same moment may both take it for the time of
// leaseRenew; they write into different generations.
type lease struct {
	place  Place
	db     *db.DB
	folder string // the id of the data folder
	holder string // this process
	held   bool   // at some time
}

type leaseContent struct {
	Folder, Holder string
	Renewed        time.Time
}

// renew takes the lease, or extends it. A process that starts takes it from the former one of the same data folder.
func (l *lease) renew(ctx context.Context) error {
	found, err := l.read(ctx)
	if err != nil {
		return err
	}
	if found.Holder != l.holder && l.db.Now().Sub(found.Renewed) < leaseTerm && (l.held || found.Folder != l.folder) {
		return errHeld
	}
	l.held = true
	return l.write(ctx, leaseContent{l.folder, l.holder, l.db.Now()})
}

// release lets another server take the lease at once.
func (l *lease) release(ctx context.Context) error {
	if found, err := l.read(ctx); err != nil || found.Holder != l.holder {
		return err
	}
	return l.place.Delete(ctx, leaseName)
}

func (l *lease) read(ctx context.Context) (found leaseContent, err error) {
	content, err := l.place.Get(ctx, leaseName)
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	if err != nil {
		return found, err
	}
	text, err := io.ReadAll(io.LimitReader(content, leaseBytes))
	if err := errors.Join(err, content.Close()); err != nil {
		return found, err
	}
	if err := json.Unmarshal(text, &found); err != nil {
		return found, fmt.Errorf("%s: %w", leaseName, err)
	}
	return found, nil
}

func (l *lease) write(ctx context.Context, content leaseContent) error {
	text, err := json.Marshal(content)
	if err != nil {
		return err
	}
	return l.place.Put(ctx, leaseName, bytes.NewReader(text), int64(len(text)))
}
