// Package password hashes, verifies and generates passwords, and has the rules for new ones.
package password

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/alexedwards/argon2id"
	"golang.org/x/crypto/argon2"

	"punchcard/platform/fault"
)

const (
	// MaxBytes is the longest password.
	MaxBytes = 1024
	// WaitLimit is the longest wait for a free core. After it the response is a 503.
	WaitLimit = 10 * time.Second

	generatedBytes = 15 // of randomness; 20 characters
)

// cost is about 27 ms of one core and 19 MiB for each hash.
var cost = &argon2id.Params{Memory: 19 << 10, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// dummyHash is compared when the user is unknown, so that the answer takes as long. No password matches it.
var dummyHash = newDummyHash(cost)

func newDummyHash(cost *argon2id.Params) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s",
		argon2.Version, cost.Memory, cost.Iterations, cost.Parallelism,
		base64.RawStdEncoding.EncodeToString(make([]byte, cost.SaltLength)),
		base64.RawStdEncoding.EncodeToString(make([]byte, cost.KeyLength)))
}

// Cheapen makes hashes cheap and insecure, for tests of other packages.
func Cheapen() {
	cost = &argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}
	dummyHash = newDummyHash(cost)
}

var computed atomic.Int64

// Computed returns how many hashes this process has computed, of right and wrong passwords and of unknown users.
func Computed() int64 { return computed.Load() }

var errTooLong = fault.New(fault.Invalid, "password_too_long", "").
	WithCause(errors.New("password: longer than MaxBytes"))

// Hash returns the hash of a password to store. It may wait for a free core, until ctx ends or WaitLimit has passed.
func Hash(ctx context.Context, plain string) (string, error) {
	if len(plain) > MaxBytes {
		return "", errTooLong
	}
	if err := cores.enter(ctx); err != nil {
		return "", err
	}
	defer cores.leave()
	computed.Add(1)
	return argon2id.CreateHash(plain, cost)
}

// Verify reports whether the password matches the hash. For an empty hash it returns false after the same work, so that
// the time does not reveal which accounts exist. It may wait like Hash.
func Verify(ctx context.Context, plain, hash string) (bool, error) {
	known := hash != "" && len(plain) <= MaxBytes
	generated := strings.HasPrefix(hash, generatedPrefix)
	isGenerated := generated && subtle.ConstantTimeCompare([]byte(HashGenerated(plain)), []byte(hash)) == 1
	if !known || generated {
		plain, hash = "", dummyHash
	}
	if err := cores.enter(ctx); err != nil {
		return false, err
	}
	defer cores.leave()
	computed.Add(1)
	match, err := argon2id.ComparePasswordAndHash(plain, hash)
	return known && (isGenerated || match && !generated), err
}

// generatedPrefix begins the hashes of generated passwords.
const generatedPrefix = "$sha256$"

// HashGenerated returns the hash of a password that Generate returned. Its 120 random bits need no slow hash, so an
// operation may make one.
func HashGenerated(plain string) string {
	sum := sha256.Sum256([]byte(plain))
	return generatedPrefix + base64.RawStdEncoding.EncodeToString(sum[:])
}

// Generate returns a random password that satisfies both rules.
func Generate() string {
	random := make([]byte, generatedBytes)
	for {
		_, _ = rand.Read(random) // never returns an error: it ends the process instead
		plain := base64.RawURLEncoding.EncodeToString(random)
		if len(Problems(plain, false)) == 0 {
			return plain
		}
	}
}
