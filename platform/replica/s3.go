package replica

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7/pkg/s3utils"
	"github.com/minio/minio-go/v7/pkg/signer"
)

// objectLimit is the maximum of bytes that S3 stores at once. A snapshot that is larger is not stored.
const objectLimit = 5 << 30

// bucket is a place in S3-compatible storage.
type bucket struct {
	base   url.URL // of the bucket
	region string
	access Access
	prefix string // of all names
	client http.Client
}

// openS3 uses the endpoint of AWS if the URL has none.
func openS3(u *url.URL, access Access) (Place, error) {
	if u.Host == "" || access.AccessKey == "" || access.SecretKey == "" {
		return nil, errors.New("s3:// needs a bucket, an access key and a secret key")
	}
	query := u.Query()
	for name := range query {
		if name != "endpoint" && name != "region" {
			return nil, fmt.Errorf("s3:// has no parameter %q", name)
		}
	}
	b := &bucket{region: cmp.Or(query.Get("region"), "us-east-1"), access: access, prefix: strings.Trim(u.Path, "/")}
	if b.prefix != "" {
		b.prefix += "/"
	}
	b.base = url.URL{Scheme: "https", Host: u.Host + ".s3." + b.region + ".amazonaws.com", Path: "/"}
	if given := query.Get("endpoint"); given != "" {
		endpoint, err := url.Parse(given)
		if err != nil || endpoint.Host == "" || endpoint.Scheme != "https" && endpoint.Scheme != "http" {
			return nil, errors.New("the endpoint of s3:// is not like https://host:port")
		}
		b.base = url.URL{Scheme: endpoint.Scheme, Host: endpoint.Host, Path: "/" + u.Host + "/"}
	}
	return b, nil
}

// send signs and sends a request. Its response has a status of success.
func (b *bucket) send(ctx context.Context, method, key string, query url.Values, content io.ReadSeeker, size int64) (
	*http.Response, error) {
	sum := sha256.New()
	var body io.Reader
	if content != nil {
		if _, err := io.Copy(sum, content); err != nil {
			return nil, err
		}
		if _, err := content.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		body = io.NopCloser(content)
	}
	address := b.base
	address.Path += key
	address.RawPath = s3utils.EncodePath(address.Path) // as the signature has it
	address.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, method, address.String(), body)
	if err != nil {
		return nil, err
	}
	request.ContentLength = size
	request.Header.Set("X-Amz-Content-Sha256", hex.EncodeToString(sum.Sum(nil)))
	response, err := b.client.Do(signer.SignV4(*request, b.access.AccessKey, b.access.SecretKey, "", b.region))
	if err != nil || response.StatusCode/100 == 2 {
		return response, err
	}
	return nil, errors.Join(refusal(response), response.Body.Close())
}

// refusal returns the error of a response.
func refusal(response *http.Response) error {
	var refused struct{ Code, Message string }
	const limit = 64 << 10 // bytes
	if xml.NewDecoder(io.LimitReader(response.Body, limit)).Decode(&refused) != nil {
		refused.Message = response.Status
	}
	err := fmt.Errorf("S3: %s %s", refused.Code, refused.Message)
	if response.StatusCode == http.StatusNotFound && refused.Code == "NoSuchKey" {
		err = fs.ErrNotExist
	}
	return err
}

// finish reads the rest of a response, so that its connection serves the next request.
func finish(response *http.Response, err error) error {
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, response.Body)
	return errors.Join(err, response.Body.Close())
}

func (b *bucket) Put(ctx context.Context, name string, content io.ReadSeeker, size int64) error {
	if size > objectLimit {
		return fmt.Errorf("S3 stores at most %d bytes at once, %s has %d", int64(objectLimit), name, size)
	}
	return finish(b.send(ctx, http.MethodPut, b.prefix+name, nil, content, size))
}

func (b *bucket) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	response, err := b.send(ctx, http.MethodGet, b.prefix+name, nil, nil, 0)
	if err != nil {
		return nil, err
	}
	return response.Body, nil
}

func (b *bucket) List(ctx context.Context) (all []Stored, err error) {
	query := url.Values{"list-type": {"2"}, "prefix": {b.prefix}}
	for {
		response, err := b.send(ctx, http.MethodGet, "", query, nil, 0)
		if err != nil {
			return nil, err
		}
		var page struct {
			Contents []struct {
				Key          string
				Size         int64
				LastModified time.Time
			}
			NextContinuationToken string
		}
		err = xml.NewDecoder(response.Body).Decode(&page)
		if err := errors.Join(err, finish(response, nil)); err != nil {
			return nil, err
		}
		for _, object := range page.Contents {
			all = append(all, Stored{strings.TrimPrefix(object.Key, b.prefix), object.Size, object.LastModified})
		}
		if page.NextContinuationToken == "" {
			return all, nil
		}
		query.Set("continuation-token", page.NextContinuationToken)
	}
}

func (b *bucket) Delete(ctx context.Context, name string) error {
	err := finish(b.send(ctx, http.MethodDelete, b.prefix+name, nil, nil, 0))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (b *bucket) Close() error {
	b.client.CloseIdleConnections()
	return nil
}
