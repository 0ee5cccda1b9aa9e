package auth_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"punchcard/core/store"
	"punchcard/loyalty/identity/auth"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// rotate adds a signing key, and returns a node that started after that, which signs with it.
func (s *site) rotate(revoke bool) *site {
	s.t.Helper()
	err := s.db.Write(context.Background(), func(tx *db.Tx) error {
		return auth.RotateKey(tx, time.Hour, revoke)
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return &site{node: s.start(s.t, auth.Config{}), store: s.store, people: s.people}
}

// accepts returns whether the node accepts the customer's token.
func (n *node) accepts(token string) bool {
	n.t.Helper()
	got := n.who(token)
	if got.status != 200 && got.body != invalidToken {
		n.t.Errorf("got %d %s", got.status, got.body)
	}
	return got.status == 200
}

func TestNodesThatStartAtOnceAgreeOnOneKey(t *testing.T) {
	dbtest.Both(t)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			config := dbtest.Config(t, engine)
			var nodes [4]*db.DB
			for i := range nodes {
				nodes[i] = dbtest.Open(t, config, time.Now)
			}
			var all sync.WaitGroup
			for _, d := range nodes {
				all.Go(func() {
					if _, err := auth.New(t.Context(), auth.Config{DB: d, Stores: store.NewDirectory(d)}); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if keys := (&node{t: t, db: nodes[0]}).number(`SELECT COUNT(*) FROM signing_keys`); keys != 1 {
				t.Errorf("%d keys were made", keys)
			}
		})
	}
}

func TestRotatedKeysAreKnownToAllNodes(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		other := s.start(t, auth.Config{})
		before := s.customerToken()
		first, _ := s.key()
		s.clock.Advance(time.Second)
		late := s.rotate(false)
		second, secret := s.key()
		if first == second {
			t.Fatal("no newer key was made")
		}
		after := late.customerToken()
		if got, err := jwt.Parse(after, func(*jwt.Token) (any, error) { return secret, nil },
			jwt.WithTimeFunc(s.clock.Now)); err != nil || got.Header["kid"] != second {
			t.Errorf("the newest key does not sign: %v", err)
		}
		for _, token := range []string{before, after} {
			if !s.accepts(token) || !other.accepts(token) {
				t.Error("a node does not accept a token of one of the two keys")
			}
		}
	})
}

// Anybody can send a token with an unknown key. It causes a read of the table once a second at most.
func TestUnknownKeysReadTheTableOnceASecond(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		other := s.start(t, auth.Config{})
		s.clock.Advance(time.Second)
		if other.accepts(s.forge(jwt.SigningMethodHS256, "unknown", []byte("secret"), nil)) {
			t.Fatal("a forged token is accepted")
		}
		token := s.rotate(false).customerToken()
		s.clock.Advance(time.Second - time.Microsecond)
		if other.accepts(token) {
			t.Error("the table was read twice in a second")
		}
		s.clock.Advance(time.Microsecond)
		if !other.accepts(token) {
			t.Error("the table was not read again after a second")
		}
	})
}

func TestOtherNodesSignWithTheNewestKeyAfterAMinute(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		other := &site{node: s.start(t, auth.Config{}), store: s.store, people: s.people}
		s.rotate(false)
		newest, _ := s.key()
		signs := func() any {
			token, _, err := jwt.NewParser().ParseUnverified(other.customerToken(), jwt.MapClaims{})
			if err != nil {
				t.Fatal(err)
			}
			return token.Header["kid"]
		}
		if signs() == newest {
			t.Error("every signature reads the table")
		}
		s.clock.Advance(time.Minute)
		if got := signs(); got != newest {
			t.Errorf("key %v signs, want %s", got, newest)
		}
	})
}

func TestSupersededKeysEndWithTheirLastToken(t *testing.T) {
	eachWith(t, auth.Config{TokenLife: time.Hour}, func(t *testing.T, s *site) {
		old, secret := s.key()
		forged := func(id string) string {
			late := s.clock.Now().Add(48 * time.Hour).Unix()
			return s.forge(jwt.SigningMethodHS256, old, secret, jwt.MapClaims{"jti": id, "exp": late})
		}
		s.clock.Advance(24 * time.Hour)
		s.rotate(false)
		s.clock.Advance(time.Hour + time.Minute - time.Microsecond)
		if !s.accepts(forged("a")) {
			t.Error("the old key ended before its last token")
		}
		s.rotate(false)
		s.customerToken() // a node that signs reads the keys once a minute
		s.clock.Advance(time.Microsecond)
		if s.accepts(forged("b")) {
			t.Error("the old key outlived its last token")
		}
		if keys := s.number(`SELECT COUNT(*) FROM signing_keys`); keys != 3 {
			t.Errorf("%d keys, want 3", keys)
		}
		s.rotate(false)
		if keys := s.number(`SELECT COUNT(*) FROM signing_keys WHERE kid = $1`, old); keys != 0 {
			t.Error("a key that is of no use is still stored")
		}
		if keys := s.number(`SELECT COUNT(*) FROM signing_keys`); keys != 3 {
			t.Errorf("%d keys, want 3", keys)
		}
	})
}

// A revoked key is refused by a node that starts, and by one that has read the keys since.
func TestRevokedKeys(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		unused := s.customerToken()
		s.clock.Advance(time.Second) // tokens of the same second are equal
		before := s.customerToken()
		if !s.accepts(before) {
			t.Fatal("a new token is refused")
		}
		late := s.rotate(true)
		if late.accepts(before) {
			t.Error("a node that started accepts a token of a revoked key")
		}
		if keys := s.number(`SELECT COUNT(*) FROM signing_keys`); keys != 1 {
			t.Errorf("%d keys are left, want 1", keys)
		}
		s.clock.Advance(time.Minute)
		if after := s.customerToken(); s.accepts(unused) || !s.accepts(after) || !late.accepts(after) {
			t.Error("the revoked key still counts, or the new one does not")
		}
	})
}
