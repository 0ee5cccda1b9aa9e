package replica

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/superfly/ltx"
)

// Levels of files, as those of Litestream.
const (
	changesLevel  = 0 // as they were read from the log
	minuteLevel   = 1 // those of some time, joined
	snapshotLevel = 9 // the whole database
)

// file is a file of the copy. A generation is a folder with a snapshot, which has the number 1, and all changes after
// it, whose numbers follow each other without a gap. A snapshot has the number of the changes that it contains.
type file struct {
	generation string // begins with the time when it began
	level      int
	min, max   ltx.TXID
	sealed     bool
	bytes      int64
	stored     time.Time
}

// name is generation/ltx/level/min-max.ltx, so that the folder of a generation is a replica of Litestream.
func (f *file) name() string {
	name := path.Join(f.generation, "ltx", strconv.Itoa(f.level), ltx.FormatFilename(f.min, f.max))
	if f.sealed {
		name += sealed
	}
	return name
}

// parse returns false for other files.
func parse(s Stored) (f file, ok bool) {
	parts := strings.Split(s.Name, "/")
	if len(parts) != 4 || parts[1] != "ltx" {
		return f, false
	}
	level, err := strconv.Atoi(parts[2])
	if err != nil {
		return f, false
	}
	last, isSealed := strings.CutSuffix(parts[3], sealed)
	f = file{generation: parts[0], level: level, sealed: isSealed, bytes: s.Bytes, stored: s.At}
	f.min, f.max, err = ltx.ParseFilename(last)
	return f, err == nil
}

// listGenerations returns the files of the generations, the oldest generation first.
func listGenerations(ctx context.Context, place Place) ([][]file, error) {
	stored, err := place.List(ctx)
	if err != nil {
		return nil, err
	}
	byGeneration := map[string][]file{}
	for _, s := range stored {
		if f, ok := parse(s); ok {
			byGeneration[f.generation] = append(byGeneration[f.generation], f)
		}
	}
	var all [][]file
	for _, files := range byGeneration {
		all = append(all, files)
	}
	slices.SortFunc(all, func(a, b []file) int { return cmp.Compare(a[0].generation, b[0].generation) })
	return all, nil
}

// open returns the content of a file, without encryption.
func open(ctx context.Context, place Place, seal *Seal, f *file) (io.ReadCloser, error) {
	content, err := place.Get(ctx, f.name())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name(), err)
	}
	if !f.sealed {
		return content, nil
	}
	plain, err := seal.decrypt(content)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", f.name(), err), content.Close())
	}
	return struct {
		io.Reader
		io.Closer
	}{plain, content}, nil
}

// write writes a file of pages in ascending order, which pages passes to its argument. Pages beyond the size of the
// database are left out, as is the one in which SQLite keeps its locks.
func write(to io.Writer, seal *Seal, header ltx.Header, pages func(add func(uint32, []byte) error) error) error {
	out, err := seal.encrypt(to)
	if err != nil {
		return err
	}
	encoder, err := ltx.NewEncoder(out)
	if err != nil {
		return err
	}
	header.Version, header.Flags = ltx.Version, ltx.HeaderFlagNoChecksum
	if err := encoder.EncodeHeader(header); err != nil {
		return err
	}
	locks := header.LockPgno()
	err = pages(func(number uint32, page []byte) error {
		if number == locks || number > header.Commit {
			return nil
		}
		return encoder.EncodePage(ltx.PageHeader{Pgno: number}, page)
	})
	if err == nil {
		err = encoder.Close()
	}
	return errors.Join(err, out.Close())
}
