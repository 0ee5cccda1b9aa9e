package apptest

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"sync"
)

var serves = regexp.MustCompile(`serves (https?://\S+)`)

// findAddress reads the output of a server until the line that names its address.
func findAddress(output io.Reader) (base string, err error) {
	var text []byte
	buffer := make([]byte, 4096)
	for {
		n, err := output.Read(buffer)
		text = append(text, buffer[:n]...)
		if found := serves.FindSubmatch(text); found != nil {
			return string(found[1]), nil
		}
		if err != nil {
			return "", fmt.Errorf("the server printed %q and ended: %w", text, err)
		}
	}
}

// Serve runs a server in this process and returns once it prints its address. stop ends it and
// returns its error; a second call does nothing but return the error again.
func Serve(serve func(ctx context.Context, output io.Writer) error) (base string, stop func() error, err error) {
	ctx, end := context.WithCancel(context.Background())
	reader, writer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := serve(ctx, writer)
		_ = writer.CloseWithError(err) // wakes the reader of a server that ended early
		ended <- err
	}()
	stop = sync.OnceValue(func() error {
		end()
		return <-ended
	})
	base, err = findAddress(reader)
	if err != nil {
		_ = stop() // the same error
		return "", nil, err
	}
	go func() { _, _ = io.Copy(io.Discard, reader) }()
	return base, stop, nil
}
