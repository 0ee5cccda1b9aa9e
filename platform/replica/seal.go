package replica

import (
	"errors"
	"fmt"
	"io"
	"os"

	"filippo.io/age"
)

// Seal encrypts files, with a key that age-keygen made. A nil Seal stores them as they are.
type Seal struct{ identity *age.X25519Identity }

// sealed ends the names of encrypted files.
const sealed = ".age"

// ReadSeal reads the key from a file. Without a name there is none.
func ReadSeal(name string) (*Seal, error) {
	if name == "" {
		return nil, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	all, err := age.ParseIdentities(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("%s is no key file of age: %w", name, err)
	}
	identity, is := all[0].(*age.X25519Identity)
	if !is || len(all) > 1 {
		return nil, fmt.Errorf("%s must hold one key that age-keygen made", name)
	}
	return &Seal{identity}, nil
}

// encrypt returns a writer that must be closed.
func (s *Seal) encrypt(to io.Writer) (io.WriteCloser, error) {
	if s == nil {
		return unsealed{to}, nil
	}
	return age.Encrypt(to, s.identity.Recipient())
}

func (s *Seal) decrypt(from io.Reader) (io.Reader, error) {
	if s == nil {
		return nil, errors.New("the copy is encrypted, and there is no key file")
	}
	return age.Decrypt(from, s.identity)
}

type unsealed struct{ io.Writer }

func (unsealed) Close() error { return nil }
