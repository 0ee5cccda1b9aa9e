// Package replicatest runs the places that copies are kept at, for tests and drills.
package replicatest

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// Keys of S3, with which all requests are signed.
const (
	AccessKey = "test-access"
	SecretKey = "test-secret"
	region    = "test"
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
	objects := gofakes3.New(store).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isSigned(r) {
			http.Error(w, "<Error><Code>SignatureDoesNotMatch</Code></Error>", http.StatusForbidden)
			return
		}
		objects.ServeHTTP(w, r)
	}))
	return &S3{"s3://" + bucket + "/my%20shops?endpoint=" + server.URL + "&region=" + region, server}, nil
}

var signedHeaders = regexp.MustCompile(`SignedHeaders=([^,]*)`)

// isSigned reports whether the signer of AWS signs the request in the same way.
func isSigned(r *http.Request) bool {
	at, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
	signed := signedHeaders.FindStringSubmatch(r.Header.Get("Authorization"))
	if err != nil || signed == nil {
		return false
	}
	again := &http.Request{Method: r.Method, URL: r.URL, Host: r.Host, Header: http.Header{}}
	for name := range strings.SplitSeq(signed[1], ";") {
		if name != "host" {
			again.Header.Set(name, r.Header.Get(name))
		}
	}
	again.URL.Scheme, again.URL.Host = "http", r.Host
	keys := aws.Credentials{AccessKeyID: AccessKey, SecretAccessKey: SecretKey}
	err = v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping = true }).SignHTTP(r.Context(), keys, again,
		r.Header.Get("X-Amz-Content-Sha256"), "s3", region, at)
	return err == nil && again.Header.Get("Authorization") == r.Header.Get("Authorization")
}

// Stop ends the store.
func (s *S3) Stop() { s.server.Close() }
