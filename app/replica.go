package app

import (
	"errors"
	"time"

	"punchcard/core/api/health"
	"punchcard/platform/db"
	"punchcard/platform/replica"
)

// Access holds what the place of a copy asks for. The keys of S3 are not taken from the command line, which other users
// of the machine can read.
type Access struct {
	ReplicateKeyFile    string `placeholder:"FILE" help:"Key of age-keygen that encrypts the copy; empty: not encrypted."`
	ReplicateAccessKey  string `help:"Access key of S3; only by variable or file."`
	ReplicateSecretKey  string `help:"Secret key of S3; only by variable or file."`
	ReplicateSSHKey     string `name:"replicate-ssh-key" placeholder:"FILE" help:"Private key for SFTP."`
	ReplicateKnownHosts string `placeholder:"FILE" help:"Keys of SFTP servers, as in ~/.ssh/known_hosts."`
}

// Replication holds the settings of the copy off the machine.
type Replication struct {
	Replicate     string `placeholder:"URL" help:"Place of a copy: file:///…, s3://bucket/… or sftp://user@host/…"`
	ReplicateSync bool   `help:"Answer a write only after it is stored at that place as well."`

	ReplicateRetention time.Duration `default:"168h" help:"For how long each moment can be restored from the copy."`
	Access
}

var (
	errReplicateOtherwise = errors.New("--replicate is for SQLite; docs/backup.md describes how PostgreSQL is backed up")
	errReplicateNowhere   = errors.New("--replicate-sync needs --replicate")
)

// place returns where a copy is kept, and how it is encrypted.
func (a *Access) place(address string) (replica.Place, *replica.Seal, error) {
	seal, err := replica.ReadSeal(a.ReplicateKeyFile)
	if err != nil {
		return nil, nil, err
	}
	place, err := replica.Open(address, replica.Access{
		AccessKey: a.ReplicateAccessKey, SecretKey: a.ReplicateSecretKey,
		SSHKey: a.ReplicateSSHKey, KnownHosts: a.ReplicateKnownHosts,
	})
	return place, seal, err
}

// replicate starts to copy the database. It returns nil without a place.
func (c *Config) replicate(d *db.DB) (*replica.Replicator, error) {
	switch {
	case c.Replicate == "" && c.ReplicateSync:
		return nil, errReplicateNowhere
	case c.Replicate == "":
		return nil, nil
	case c.Database.Database != "":
		return nil, errReplicateOtherwise
	}
	place, seal, err := c.place(c.Replicate)
	if err != nil {
		return nil, err
	}
	return replica.Start(d, replica.Config{
		Place: place, Seal: seal, Retention: c.ReplicateRetention, Folder: c.Data,
	})
}

// copyAge returns how far the copy is behind, and whether there is one.
func (s *server) copyAge() (age time.Duration, exists bool) {
	if s.copied == nil {
		return 0, false
	}
	return s.copied.Lag().Age, true
}

// node is the state of the server that its readiness tells.
func (s *server) node() health.Node {
	return health.Node{Draining: s.draining, Copy: func() *health.Copy {
		if s.copied == nil {
			return nil
		}
		lag := s.copied.Lag()
		return &health.Copy{LagSeconds: lag.Age.Seconds(), LagBytes: lag.Bytes}
	}}
}
