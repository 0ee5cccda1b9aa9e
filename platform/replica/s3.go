package replica

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// bucket is a place in S3-compatible storage.
type bucket struct {
	client       *minio.Client
	name, prefix string
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
	endpoint := &url.URL{Scheme: "https", Host: "s3.amazonaws.com"}
	options := &minio.Options{Creds: credentials.NewStaticV4(access.AccessKey, access.SecretKey, ""),
		Region: query.Get("region")}
	if given := query.Get("endpoint"); given != "" {
		var err error
		if endpoint, err = url.Parse(given); err != nil || endpoint.Host == "" {
			return nil, errors.New("the endpoint of s3:// is not like https://host:port")
		}
		options.BucketLookup = minio.BucketLookupPath
	}
	options.Secure = endpoint.Scheme != "http"
	client, err := minio.New(endpoint.Host, options)
	if err != nil {
		return nil, err
	}
	prefix := strings.Trim(u.Path, "/")
	if prefix != "" {
		prefix += "/"
	}
	return &bucket{client, u.Host, prefix}, nil
}

func (b *bucket) Put(ctx context.Context, name string, content io.ReadSeeker, size int64) error {
	_, err := b.client.PutObject(ctx, b.name, b.prefix+name, content, size, minio.PutObjectOptions{})
	return err
}

func (b *bucket) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	object, err := b.client.GetObject(ctx, b.name, b.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return nil, err
	}
	if _, err := object.Stat(); err != nil { // the request is sent now
		if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
			err = fs.ErrNotExist
		}
		return nil, errors.Join(err, object.Close())
	}
	return object, nil
}

func (b *bucket) List(ctx context.Context) (all []Stored, err error) {
	options := minio.ListObjectsOptions{Prefix: b.prefix, Recursive: true}
	for object := range b.client.ListObjectsIter(ctx, b.name, options) {
		if object.Err != nil {
			return nil, object.Err
		}
		all = append(all, Stored{strings.TrimPrefix(object.Key, b.prefix), object.Size, object.LastModified})
	}
	return all, ctx.Err()
}

func (b *bucket) Delete(ctx context.Context, name string) error {
	return b.client.RemoveObject(ctx, b.name, b.prefix+name, minio.RemoveObjectOptions{})
}

func (*bucket) Close() error { return nil }
