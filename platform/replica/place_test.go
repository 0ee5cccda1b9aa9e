package replica_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"punchcard/platform/db/dbtest"
	"punchcard/platform/replica"
	"punchcard/platform/replica/replicatest"
)

var background = context.Background()

func TestMain(m *testing.M) { dbtest.Main(m) }

// kinds are the kinds of places.
var kinds = []string{"folder", "s3", "sftp"}

// site returns the address of an empty place, and how to open it.
func site(t *testing.T, kind string) (string, replica.Access) {
	t.Helper()
	switch kind {
	case "s3":
		s3, err := replicatest.StartS3()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s3.Stop)
		return s3.URL, replica.Access{AccessKey: replicatest.AccessKey, SecretKey: replicatest.SecretKey}
	case "sftp":
		server, err := replicatest.StartSSH(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(server.Stop)
		return server.URL, replica.Access{SSHKey: server.Key, KnownHosts: server.KnownHosts}
	}
	return "file://" + filepath.Join(t.TempDir(), "copies"), replica.Access{}
}

func open(t *testing.T, address string, access replica.Access) replica.Place {
	t.Helper()
	place, err := replica.Open(address, access)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := place.Close(); err != nil {
			t.Error(err)
		}
	})
	return place
}

// A place keeps files by name, replaces and deletes them, and lists what is there.
func TestPlaces(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			address, access := site(t, kind)
			place := open(t, address, access)
			if all, err := place.List(background); err != nil || len(all) > 0 {
				t.Fatalf("an empty place has %v, %v", all, err)
			}
			if _, err := place.Get(background, "a/b"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a missing file: %v", err)
			}
			for _, text := range []string{"first", "second, longer"} {
				for _, name := range []string{"a/b/c", "d"} {
					if err := place.Put(background, name, strings.NewReader(text), int64(len(text))); err != nil {
						t.Fatal(err)
					}
					if got := read(t, place, name); got != text {
						t.Errorf("%s holds %q, want %q", name, got, text)
					}
				}
			}
			large := strings.Repeat("0123456789", 1<<20)
			if err := place.Put(background, "a/b/c", strings.NewReader(large), int64(len(large))); err != nil {
				t.Fatal(err)
			}
			if got := read(t, place, "a/b/c"); got != large {
				t.Errorf("a large file has %d bytes, want %d", len(got), len(large))
			}
			all, err := place.List(background)
			if err != nil || len(all) != 2 || all[0].Name != "a/b/c" || all[0].Bytes != int64(len(large)) || all[1].Name != "d" {
				t.Errorf("the place has %v, %v", all, err)
			}
			for _, name := range []string{"a/b/c", "d", "d"} {
				if err := place.Delete(background, name); err != nil {
					t.Error(err)
				}
			}
			if all, err := place.List(background); err != nil || len(all) > 0 {
				t.Errorf("after all was deleted: %v, %v", all, err)
			}
		})
	}
}

func read(t *testing.T, place replica.Place, name string) string {
	t.Helper()
	content, err := place.Get(background, name)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := io.Copy(&text, content); err != nil {
		t.Fatal(err)
	}
	if err := content.Close(); err != nil {
		t.Error(err)
	}
	return text.String()
}

func TestAddressesAreChecked(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{
		"":                               "not at \"\"",
		"ftp://host/folder":              "not at \"ftp\"",
		"file://folder":                  "file:///path",
		"s3://bucket":                    "an access key",
		"s3://bucket?acl=public":         "an access key",
		"sftp://host/folder":             "a user",
		"sftp://user:secret@host/folder": "a password",
		"sftp://user@host/folder":        "a private key",
	} {
		_, err := replica.Open(address, replica.Access{})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret@") {
			t.Errorf("%q: %v", address, err)
		}
	}
	if _, err := replica.Open("s3://bucket?acl=public", replica.Access{AccessKey: "a", SecretKey: "b"}); err == nil {
		t.Error("an unknown parameter is accepted")
	}
	if _, err := replica.Open("sftp://user@host/folder", replica.Access{SSHKey: key, KnownHosts: key}); err == nil {
		t.Error("a file without a key is accepted")
	}
	if _, err := replica.ReadSeal(key); err == nil {
		t.Error("a key file without a key is accepted")
	}
}

// A server with another key than the known one gets nothing.
func TestUnknownHostIsRefused(t *testing.T) {
	address, access := site(t, "sftp")
	_, other := site(t, "sftp")
	access.KnownHosts = other.KnownHosts
	place := open(t, address, access)
	err := place.Put(background, "a", strings.NewReader("a"), 1)
	if err == nil || !strings.Contains(err.Error(), "knownhosts") {
		t.Errorf("an unknown host: %v", err)
	}
}

// A request that is signed with another key is refused, and the error tells why.
func TestWrongKeyOfS3(t *testing.T) {
	address, access := site(t, "s3")
	access.SecretKey += "?"
	place := open(t, address, access)
	if _, err := place.List(background); err == nil || !strings.Contains(err.Error(), "SignatureDoesNotMatch") {
		t.Errorf("listing: %v", err)
	}
}
