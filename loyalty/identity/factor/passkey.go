package factor

import (
	"encoding/base64"
	"errors"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/protocol/webauthncose"
	"github.com/go-webauthn/webauthn/webauthn"

	"punchcard/platform/db"
)

// Passkey is a key pair of a device or a password manager, of which the public part is stored.
type Passkey struct {
	Account
	ID             string
	Name           string
	credentialID   string // base64url
	rpID           string
	publicKey      string // base64url
	signCount      int64  // of uses, if the device counts
	backupEligible bool   // can be copied to other devices
	CreatedAt      time.Time
	LastUsedAt     time.Time // zero if never
}

// Site is the web site of a page that uses passkeys.
type Site struct {
	RPID   string // host name, to which passkeys belong
	Origin string // such as https://loyalty.example
}

// CredentialID is the name of the passkey at its device.
func (p *Passkey) CredentialID() string { return p.credentialID }

// BelongsTo reports whether the passkey was made for a site.
func (p *Passkey) BelongsTo(s Site) bool { return p.rpID == s.RPID }

// Handle is the user as devices store them.
func (a Account) Handle() string { return base64.RawURLEncoding.EncodeToString([]byte(a.ID)) }

// Algorithms are those of passkeys that are accepted: ES256, EdDSA and RS256, by their COSE numbers.
var Algorithms = []int64{-7, -8, -257}

// owner is an account as the library sees it.
type owner struct {
	Account
	credentials []webauthn.Credential
}

func (o owner) WebAuthnID() []byte                         { return []byte(o.ID) }
func (o owner) WebAuthnName() string                       { return o.ID }
func (o owner) WebAuthnDisplayName() string                { return o.ID }
func (o owner) WebAuthnCredentials() []webauthn.Credential { return o.credentials }

func (s Site) party() (*webauthn.WebAuthn, error) {
	return webauthn.New(&webauthn.Config{RPID: s.RPID, RPDisplayName: s.RPID, RPOrigins: []string{s.Origin}})
}

// refuse returns ErrWrong with the reason for the log, which has no secrets.
func refuse(reason error) error {
	if details, is := errors.AsType[*protocol.Error](reason); is {
		reason = errors.New(details.Details)
	}
	return ErrWrong.WithCause(reason)
}

// Created is the message of a browser that made a passkey.
type Created struct {
	parsed *protocol.ParsedCredentialCreationData
}

// ReadCreated reads the JSON of a new passkey.
func ReadCreated(text string) (Created, error) {
	parsed, err := protocol.ParseCredentialCreationResponseBytes([]byte(text))
	if err != nil {
		return Created{}, refuse(err)
	}
	return Created{parsed}, nil
}

// Challenge is the text of the challenge that was answered.
func (c Created) Challenge() string { return c.parsed.Response.CollectedClientData.Challenge }

// Enroll adds the passkey to the account that took the challenge. It checks the origin, the site, and that the user was
// there. Makers of devices are not checked.
func Enroll(tx *db.Tx, s Site, taken Challenge, c Created, name string) (Passkey, error) {
	party, err := s.party()
	if err != nil {
		return Passkey{}, err
	}
	session := webauthn.SessionData{
		Challenge: c.Challenge(), RelyingPartyID: s.RPID, UserID: []byte(taken.ID),
		UserVerification: protocol.VerificationPreferred,
	}
	for _, algorithm := range Algorithms {
		session.CredParams = append(session.CredParams, protocol.CredentialParameter{
			Type: protocol.PublicKeyCredentialType, Algorithm: webauthncose.COSEAlgorithmIdentifier(algorithm),
		})
	}
	made, err := party.CreateCredential(owner{Account: taken.Account}, session, c.parsed)
	if err != nil {
		return Passkey{}, refuse(err)
	}
	known, err := Passkeys(tx, taken.Account)
	if err != nil {
		return Passkey{}, err
	}
	if len(known) >= MaxPasskeys {
		return Passkey{}, ErrTooManyPasskeys
	}
	p := Passkey{
		Account: taken.Account, ID: tx.NewID(), Name: name, rpID: s.RPID, CreatedAt: tx.ServerNow(),
		credentialID:   base64.RawURLEncoding.EncodeToString(made.ID),
		publicKey:      base64.RawURLEncoding.EncodeToString(made.PublicKey),
		signCount:      int64(made.Authenticator.SignCount),
		backupEligible: made.Flags.BackupEligible,
	}
	inserted, err := insertPasskey(tx, &p)
	if err == nil && !inserted {
		err = ErrPasskeyExists
	}
	return p, err
}

// Answer is the message of a browser that used a passkey.
type Answer struct {
	parsed *protocol.ParsedCredentialAssertionData
}

// ReadAnswer reads the JSON of a passkey's answer.
func ReadAnswer(text string) (Answer, error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(text))
	if err != nil {
		return Answer{}, refuse(err)
	}
	return Answer{parsed}, nil
}

// Challenge is the text of the challenge that was answered.
func (a Answer) Challenge() string { return a.parsed.Response.CollectedClientData.Challenge }

var (
	errUnknown = errors.New("the account has no such passkey for this site")
	errCloned  = errors.New("the counter of the passkey went back: it may be a copy")
)

// UsePasskey accepts the answer to a challenge that was taken, and returns the passkey. A log-in with a passkey alone
// needs the user to be verified by the device.
func UsePasskey(tx *db.Tx, s Site, taken Challenge, a Answer) (Passkey, error) {
	p, found, err := lockPasskey(tx, base64.RawURLEncoding.EncodeToString(a.parsed.RawID))
	if err != nil {
		return p, err
	}
	alone := taken.Purpose == ToEnter
	if !found || !p.BelongsTo(s) || !alone && p.Account != taken.Account ||
		alone && len(a.parsed.Response.UserHandle) == 0 {
		return p, refuse(errUnknown)
	}
	party, err := s.party()
	if err != nil {
		return p, err
	}
	credential, err := p.credential()
	if err != nil {
		return p, err
	}
	session := webauthn.SessionData{
		Challenge: a.Challenge(), RelyingPartyID: s.RPID, UserID: []byte(p.Account.ID),
		UserVerification: protocol.VerificationPreferred,
	}
	if alone {
		session.UserVerification = protocol.VerificationRequired
	}
	used, err := party.ValidateLogin(owner{p.Account, []webauthn.Credential{credential}}, session, a.parsed)
	if err != nil {
		return p, refuse(err)
	}
	if used.Authenticator.CloneWarning {
		return p, refuse(errCloned)
	}
	p.signCount = int64(used.Authenticator.SignCount)
	return p, notePasskey(tx, &p)
}

func (p *Passkey) credential() (webauthn.Credential, error) {
	id, err := base64.RawURLEncoding.DecodeString(p.credentialID)
	if err != nil {
		return webauthn.Credential{}, err
	}
	key, err := base64.RawURLEncoding.DecodeString(p.publicKey)
	return webauthn.Credential{
		ID: id, PublicKey: key, Flags: webauthn.CredentialFlags{BackupEligible: p.backupEligible},
		Authenticator: webauthn.Authenticator{SignCount: uint32(p.signCount)},
	}, err
}
