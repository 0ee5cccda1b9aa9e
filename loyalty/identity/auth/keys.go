package auth

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"punchcard/platform/db"
)

const (
	secretBytes = 32
	// firstKeyID is the same on all nodes, so that nodes that start together agree on the first key. It sorts
	// before all other ids.
	firstKeyID = "0"
	// unknownKeyPause is the time between two reads of the table for unknown keys. Anybody can send tokens with
	// unknown keys.
	unknownKeyPause = time.Second
	// signingKeyAge is how often a node that signs tokens looks for a new key.
	signingKeyAge = time.Minute
)

// signingKey is a secret that all nodes share. The header of a token names it.
type signingKey struct {
	id        string
	secret    []byte
	createdAt time.Time
	until     time.Time // when the last token of the key has expired; zero for the newest key
}

var errNoKeys = errors.New("auth: the table of signing keys is empty")

func newSigningKey(tx *db.Tx, id string) *signingKey {
	k := &signingKey{id: id, secret: make([]byte, secretBytes), createdAt: tx.ServerNow()}
	_, _ = rand.Read(k.secret) // never returns an error
	return k
}

// keyring caches the signing keys, which the nodes share through the database.
type keyring struct {
	db       *db.DB
	lifetime time.Duration // of access tokens
	reading  sync.Mutex
	known    atomic.Pointer[keys]
}

// keys are all keys at one moment. The value is never modified and has at least one key.
type keys struct {
	readAt time.Time
	byID   map[string]*signingKey
	newest *signingKey
}

func openKeyring(ctx context.Context, d *db.DB, lifetime time.Duration) (*keyring, error) {
	k := &keyring{db: d, lifetime: lifetime}
	err := d.Write(ctx, func(tx *db.Tx) error {
		all, err := allKeys(tx)
		if err != nil || len(all) > 0 {
			return err
		}
		return insertKey(tx, newSigningKey(tx, firstKeyID))
	})
	if err != nil {
		return nil, err
	}
	_, err = k.read(ctx)
	return k, err
}

// verifying finds the secret of a key. It returns false if all tokens of the key have expired.
func (k *keyring) verifying(ctx context.Context, id string) (secret []byte, found bool, err error) {
	key := k.known.Load().byID[id]
	if key == nil {
		known, err := k.atMost(ctx, unknownKeyPause)
		if err != nil {
			return nil, false, err
		}
		if key = known.byID[id]; key == nil {
			return nil, false, nil
		}
	}
	return key.secret, key.until.IsZero() || k.db.Now().Before(key.until), nil
}

// signing returns the newest key.
func (k *keyring) signing(ctx context.Context) (*signingKey, error) {
	known, err := k.atMost(ctx, signingKeyAge)
	if err != nil {
		return nil, err
	}
	return known.newest, nil
}

// atMost returns the keys, read less than age ago.
func (k *keyring) atMost(ctx context.Context, age time.Duration) (*keys, error) {
	if known := k.known.Load(); k.younger(known, age) {
		return known, nil
	}
	k.reading.Lock()
	defer k.reading.Unlock()
	if known := k.known.Load(); k.younger(known, age) {
		return known, nil
	}
	return k.read(ctx)
}

func (k *keyring) younger(known *keys, age time.Duration) bool {
	return k.db.Now().Sub(known.readAt).Abs() < age
}

func (k *keyring) read(ctx context.Context) (*keys, error) {
	known := &keys{readAt: k.db.Now(), byID: map[string]*signingKey{}}
	err := k.db.Read(ctx, func(tx *db.Tx) error {
		all, err := allKeys(tx)
		for i := range all {
			known.byID[all[i].id] = &all[i]
			if known.newest != nil {
				known.newest.until = lastUse(&all[i], k.lifetime)
			}
			known.newest = &all[i]
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if known.newest == nil {
		return nil, errNoKeys
	}
	k.known.Store(known)
	return known, nil
}

// lastUse is when the last token of the key before successor expires: other nodes sign with that key for up to
// signingKeyAge longer.
func lastUse(successor *signingKey, tokenLife time.Duration) time.Time {
	return successor.createdAt.Add(signingKeyAge + tokenLife)
}

// RotateKey adds a signing key, which nodes sign with within a minute. Older keys are deleted if revoke is set or if
// all their tokens, which are valid for tokenLife, have expired. Nodes that are running may accept tokens of a
// revoked key until they restart.
func RotateKey(tx *db.Tx, tokenLife time.Duration, revoke bool) error {
	all, err := allKeys(tx)
	if err != nil {
		return err
	}
	for i := range all {
		superseded := i+1 < len(all) && !lastUse(&all[i+1], tokenLife).After(tx.ServerNow())
		if revoke || superseded {
			if err := deleteKey(tx, all[i].id); err != nil {
				return err
			}
		}
	}
	return insertKey(tx, newSigningKey(tx, tx.NewID()))
}
