package apikey

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"strings"

	"punchcard/core/store"
	"punchcard/platform/db"
)

const (
	// A prefix begins every secret, so that scanners recognize one in files and logs, and people see what it opens: a
	// test key opens sandbox stores only. Both have the same length.
	prefix     = "pck_live_"
	testPrefix = "pck_test_"
	// randomChars is the length of rand.Text, which has 130 random bits.
	randomChars = 26
	// secretChars is the length of a secret: prefix, random characters and checksum.
	secretChars = len(prefix) + randomChars + 7
	// shownChars is how many characters of a secret are stored and shown.
	shownChars = len(prefix) + 4
)

// newSecret returns a secret of a key that opens the stores; none means all.
func newSecret(tx *db.Tx, stores []int64) (string, error) {
	beginning := testPrefix
	if len(stores) == 0 {
		beginning = prefix
	}
	for _, key := range stores {
		s, found, err := store.ByKey(tx, key)
		if err != nil {
			return "", err
		}
		if !found || !s.Sandbox {
			beginning = prefix
		}
	}
	text := beginning + rand.Text()
	return text + checksum(text), nil
}

// checksum is the CRC-32 (IEEE) of a text in base32, by which scanners tell secrets from texts that look like one.
func checksum(text string) string {
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(text)))
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum)
}

// IsSecret reports whether a text is a well-formed secret, of a key that may not exist.
func IsSecret(text string) bool {
	if len(text) != secretChars || !strings.HasPrefix(text, prefix) && !strings.HasPrefix(text, testPrefix) {
		return false
	}
	return text[len(prefix)+randomChars:] == checksum(text[:len(prefix)+randomChars])
}

// hash returns the stored form of a secret. Secrets are random, so a fast hash is enough.
func hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
