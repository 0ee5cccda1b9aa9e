// Package replicatest runs the places that copies are kept at, for tests and drills.
package replicatest

import (
	"net/http/httptest"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// Keys of S3 that the place does not check.
const (
	AccessKey = "test-access"
	SecretKey = "test-secret"
)

// S3 is an object store in memory.
type S3 struct {
	URL    string // of an empty bucket
	server *httptest.Server
}

// StartS3 starts an object store with a bucket.
func StartS3() (*S3, error) {
	const bucket = "copies"
	store := s3mem.New()
	if err := store.CreateBucket(bucket); err != nil {
		return nil, err
	}
	server := httptest.NewServer(gofakes3.New(store).Server())
	return &S3{"s3://" + bucket + "/shop?endpoint=" + server.URL + "&region=test", server}, nil
}

// Stop ends the store.
func (s *S3) Stop() { s.server.Close() }
