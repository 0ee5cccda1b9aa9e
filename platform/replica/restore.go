package replica

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/superfly/ltx"
)

// Restored is a result of Restore.
type Restored struct {
	Generation string
	// Last is when the last changes were read from the log: their commits are older, by about shipEvery at most.
	Last  time.Time
	Files int
}

// Restore writes the database as it was at a moment, or as it was last for the zero time, into a new file. It fails if
// changes before that moment are missing or damaged. progress is called after each file.
func Restore(ctx context.Context, place Place, seal *Seal, at time.Time, to *os.File,
	progress func(files int)) (Restored, error) {
	generations, err := listGenerations(ctx, place)
	if err != nil {
		return Restored{}, err
	}
	s := &restoring{place: place, seal: seal, at: at, to: to, progress: progress}
	for _, files := range slices.Backward(generations) {
		snapshot, err := s.findSnapshot(ctx, files)
		if err != nil {
			return Restored{}, err
		}
		if snapshot == nil {
			continue
		}
		s.done.Generation = snapshot.generation
		if err := s.follow(ctx, snapshot, files); err != nil {
			return Restored{}, err
		}
		return s.done, errors.Join(to.Truncate(s.size), to.Sync())
	}
	if at.IsZero() {
		return Restored{}, errors.New("there is no copy at this place")
	}
	return Restored{}, fmt.Errorf("the copy has no snapshot from before %s", at.Format(time.RFC3339))
}

// readBytes is how much of a file is read at once.
const readBytes = 256 << 10

type restoring struct {
	place    Place
	seal     *Seal
	at       time.Time
	to       *os.File
	progress func(files int)
	size     int64
	done     Restored
}

// early reports whether the changes of a header belong to the moment.
func (s *restoring) early(h ltx.Header) bool {
	return s.at.IsZero() || !time.UnixMilli(h.Timestamp).After(s.at)
}

// findSnapshot returns the last snapshot of a generation at the moment, or nil.
func (s *restoring) findSnapshot(ctx context.Context, files []file) (*file, error) {
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(b.max, a.max) })
	found := false
	for i, f := range files {
		if f.level != snapshotLevel {
			continue
		}
		found = true
		header, err := s.header(ctx, &f)
		if err != nil {
			return nil, err
		}
		if s.early(header) {
			return &files[i], nil
		}
	}
	if !found {
		return nil, fmt.Errorf("the copy is incomplete: generation %s has no snapshot", files[0].generation)
	}
	return nil, nil
}

func (s *restoring) header(ctx context.Context, f *file) (ltx.Header, error) {
	content, err := open(ctx, s.place, s.seal, f)
	if err != nil {
		return ltx.Header{}, err
	}
	header, _, err := ltx.PeekHeader(content)
	if err := errors.Join(err, content.Close()); err != nil {
		return header, fmt.Errorf("%s: %w", f.name(), err)
	}
	return header, nil
}

// follow applies a snapshot, and then the changes after it.
func (s *restoring) follow(ctx context.Context, snapshot *file, files []file) error {
	if applied, err := s.apply(ctx, snapshot); err != nil || !applied {
		return errors.Join(err, ctx.Err())
	}
	last := snapshot.max
	after := map[ltx.TXID]bool{} // the ends of files that were tried and are after the moment
	for {
		// The files are in descending order of their ends.
		i := slices.IndexFunc(files, func(f file) bool {
			return f.level != snapshotLevel && f.min <= last+1 && f.max > last && !after[f.max]
		})
		if i < 0 {
			return s.missing(ctx, last, files)
		}
		applied, err := s.apply(ctx, &files[i])
		if err != nil {
			return err
		}
		if applied {
			last = files[i].max
		} else {
			after[files[i].max] = true
		}
	}
}

// missing returns an error if there are changes at the moment that do not follow those that were applied.
func (s *restoring) missing(ctx context.Context, last ltx.TXID, files []file) error {
	for _, f := range slices.Backward(files) {
		if f.min <= last+1 {
			continue
		}
		header, err := s.header(ctx, &f)
		if err != nil {
			return err
		}
		if s.early(header) {
			return fmt.Errorf("the copy is incomplete: generation %s has %s, but not the changes %s to %s before it",
				f.generation, f.name(), last+1, f.min-1)
		}
		return nil
	}
	return nil
}

// apply writes the pages of a file. It returns false if the file is after the moment.
func (s *restoring) apply(ctx context.Context, f *file) (bool, error) {
	content, err := open(ctx, s.place, s.seal, f)
	if err != nil {
		return false, err
	}
	applied, err := s.applyPages(ctx, content)
	if err := errors.Join(err, content.Close()); err != nil {
		return false, fmt.Errorf("the copy is damaged: %s: %w", f.name(), err)
	}
	if applied {
		s.done.Files++
		s.progress(s.done.Files)
	}
	return applied, nil
}

func (s *restoring) applyPages(ctx context.Context, content io.Reader) (bool, error) {
	decoder := ltx.NewDecoder(bufio.NewReaderSize(content, readBytes))
	decoder.SetRetainPageIndex(false)
	if err := decoder.DecodeHeader(); err != nil {
		return false, err
	}
	header := decoder.Header()
	if !s.early(header) {
		return false, nil
	}
	page := make([]byte, header.PageSize)
	for {
		var p ltx.PageHeader
		err := decoder.DecodePage(&p, page)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			_, err = s.to.WriteAt(page, int64(p.Pgno-1)*int64(header.PageSize))
		}
		if err := errors.Join(err, ctx.Err()); err != nil {
			return false, err
		}
	}
	s.size, s.done.Last = int64(header.Commit)*int64(header.PageSize), time.UnixMilli(header.Timestamp).UTC()
	return true, decoder.Close()
}
