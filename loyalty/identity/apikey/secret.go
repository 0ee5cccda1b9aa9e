package apikey

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"strings"
)

const (
	// prefix begins every secret, so that scanners recognize one in files and logs.
	prefix = "pck_live_"
	// randomChars is the length of rand.Text, which has 130 random bits.
	randomChars = 26
	// secretChars is the length of a secret: prefix, random characters and checksum.
	secretChars = len(prefix) + randomChars + 7
	// shownChars is how many characters of a secret are stored and shown.
	shownChars = len(prefix) + 4
)

func newSecret() string {
	text := prefix + rand.Text()
	return text + checksum(text)
}

// checksum is the CRC-32 (IEEE) of a text in base32, by which scanners tell secrets from texts that look like one.
func checksum(text string) string {
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(text)))
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum)
}

// IsSecret reports whether a text is a well-formed secret, of a key that may not exist.
func IsSecret(text string) bool {
	if len(text) != secretChars || !strings.HasPrefix(text, prefix) {
		return false
	}
	return text[len(prefix)+randomChars:] == checksum(text[:len(prefix)+randomChars])
}

// hash returns the stored form of a secret. Secrets are random, so a fast hash is enough.
func hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
