package dataimport

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"mime"
	"mime/multipart"
	"strings"
	"unicode/utf8"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/idempotency"
)

// fileField is the name of the form field with the file.
const fileField = "file[file]"

// importedFile reads the field with the file.
func importedFile(g *form.Group) *form.File { return g.File("file", form.NotBlank) }

// result is the response of an import that was carried out while the client waited:
// docs/behaviour/imports.md#response.
type result struct {
	Items     []item `json:"items"`
	Processed int    `json:"totalProcessed"`
	Succeeded int    `json:"totalSuccess"`
	Failed    int    `json:"totalFailed"`

	ImportedBefore *earlierView `json:"importedBefore,omitempty"`
}

type item struct {
	Status     string  `json:"status" enum:"success,error"`
	Identifier string  `json:"identifier"`
	Message    string  `json:"message,omitempty"`
	Result     *object `json:"processImportResult,omitempty"`
}

type object struct {
	Object any `json:"object"`
}

func (r *result) add(k *Kind, b batch, results []Result) {
	for n, one := range results {
		added := item{Status: "error", Identifier: b.records[n].Identifier(), Message: one.Message}
		if r.Processed++; one.Message != "" {
			r.Failed++
		} else {
			r.Succeeded++
			added.Status = "success"
		}
		if one.ID != "" {
			added.Result = &object{k.Object(one.ID)}
		}
		r.Items[b.places[n]-1] = added
	}
}

// upload takes a file. A small one is carried out while the client waits, unless the client asks not to wait.
func (svc *Service) upload(k *Kind) func(c *api.Call) error {
	return func(c *api.Call) error {
		if c.IsUpload() {
			return svc.uploadLarge(c, k)
		}
		i, err := newImport(c, k)
		if err != nil {
			return err
		}
		file, records, err := readFile(c, k, i.Options.Layout)
		if err != nil {
			return err
		}
		i.setFileName(file.Name)
		i.Bytes, i.Format, i.Options.Layout = int64(len(file.Bytes)), records.format, records.layout
		i.hash = hexadecimal(sha256.Sum256(file.Bytes))
		whole := len(records.all) <= RecordLimit
		if whole {
			i.Records = int64(len(records.all))
		}
		if k.Points != nil && !i.DryRun {
			moved := int64(api.AllPoints)
			if whole {
				moved = k.Points(records.all)
			}
			if err := c.StepUpPoints(moved); err != nil {
				return err
			}
		}
		waits := whole && c.Preference("respond-async") == ""
		key := c.DelegateKey()
		err = c.Step(func(tx *db.Tx) error {
			if waits {
				i.take(tx)
			} else {
				i.State = Waiting
			}
			if err := begin(tx, c, i, key, insertImport); err != nil {
				return err
			}
			for n := 0; n*partBytes < len(records.text); n++ {
				part := records.text[n*partBytes : min((n+1)*partBytes, len(records.text))]
				if err := insertPart(tx, i, int64(n), part); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if !waits {
			return svc.accept(c, i)
		}
		return svc.carryOutNow(c, k, i, records, key)
	}
}

// carryOutNow carries out a small import. If the request ends before it has finished, it goes on in the background.
func (svc *Service) carryOutNow(c *api.Call, k *Kind, i *Import, records *readRecords, key *idempotency.Request) error {
	response := &result{
		Items: make([]item, len(records.all)), ImportedBefore: earlierViewOf(i.before, c.Store.Zone),
	}
	r := &run{db: c.DB(), store: c.Store, kind: k, of: i, survey: surveyed(records.all, records.format),
		done: func(b batch, results []Result) { response.add(k, b, results) }}
	err := r.carryOut(c.Context(), func() (decoder, error) {
		again := *records
		return &again, nil
	})
	switch {
	case err == nil:
	case errors.Is(err, errStopped), c.Context().Err() != nil, fault.KindOf(err) == fault.Unavailable:
		return svc.accept(c, i)
	default:
		return err
	}
	err = store.Write(context.WithoutCancel(c.Context()), c.DB(), c.Store, func(tx *db.Tx) error {
		return idempotency.Replace(tx, key, api.StoredOK(response))
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// begin stores an import together with the response to its Idempotency-Key, so that a request that is repeated after a
// crash finds the import that goes on. It refuses a file that was imported before if the client asks for it.
func begin(tx *db.Tx, c *api.Call, i *Import, key *idempotency.Request, write func(*db.Tx, *Import) error) (err error) {
	var stored *idempotency.Batch
	if key != nil {
		if stored, err = idempotency.Claim(tx, key); err == nil {
			err = stored.Check(key)
		}
		if err != nil {
			return err
		}
	}
	if i.before, err = earlier(tx, i); err != nil {
		return err
	}
	if i.before != nil && i.onlyNew && !i.DryRun {
		return fieldError(errBefore.With(api.Timestamp(i.before.CreatedAt, c.Store.Zone)))
	}
	if err := remember(tx, i); err != nil {
		return err
	}
	if key != nil {
		response := api.StoredOK(identityOf(c, i))
		response.Status, response.Location = accepted, location(c, i)
		stored.Add(key, response)
		if err := stored.Save(tx); err != nil {
			return err
		}
	}
	return write(tx, i)
}

const accepted = 202

func location(c *api.Call, i *Import) string { return "/api/" + c.Store.Code + "/admin/import/" + i.ID }

// accept responds that the import goes on in the background.
func (svc *Service) accept(c *api.Call, i *Import) error {
	svc.wakeups.Wake(c.Store)
	c.ResponseHeader().Set("Location", location(c, i))
	return c.JSON(accepted, identityOf(c, i))
}

type identity struct {
	ImportID       string       `json:"importId"`
	ImportedBefore *earlierView `json:"importedBefore,omitempty"`
}

func identityOf(c *api.Call, i *Import) identity {
	return identity{i.ID, earlierViewOf(i.before, c.Store.Zone)}
}

func hexadecimal(sum [sha256.Size]byte) string { return hex.EncodeToString(sum[:]) }

// newImport returns the import of a file that the caller sends.
func newImport(c *api.Call, k *Kind) (*Import, error) {
	query, err := c.Query()
	if err != nil {
		return nil, err
	}
	g := form.Read(query)
	options := k.readOptions(g)
	if err := g.Err(); err != nil {
		return nil, err
	}
	on := func(name string) bool { return form.IsTrue(query.Child(name).Text()) }
	options.WithoutMessages, options.WithoutPoints = on("withoutMessages"), on("withoutPoints")
	options.WithoutWelcome = on("withoutWelcome")
	options.Layout.money, options.LaterFirst = c.Store.MoneyDigits(), true
	return &Import{
		StoreKey: c.Store.Key, ID: db.NewID(), Kind: k.Name, State: Uploading,
		DryRun: on("dryRun"), onlyNew: on("onlyNew"),
		Options:   options,
		CreatedAt: c.DB().Now(),
		CreatedBy: Actor{ID: c.Caller.ID, Name: c.Caller.Username, Permanent: c.Caller.Permanent},
	}, nil
}

// setFileName takes over the name of a file, if it can be stored.
func (i *Import) setFileName(name string) {
	if utf8.ValidString(name) && strings.IndexByte(name, 0) < 0 && len(name) <= 255 {
		i.FileName = name
	}
}

// uploadLarge stores a file while it arrives. It is carried out in the background.
func (svc *Service) uploadLarge(c *api.Call, k *Kind) error {
	media, parameters, _ := mime.ParseMediaType(c.Header.Get("Content-Type"))
	if media != "multipart/form-data" || parameters["boundary"] == "" {
		return form.ErrTooLarge // only files may be large
	}
	body := c.Upload()
	parts := multipart.NewReader(body, parameters["boundary"])
	var i *Import
	for i == nil {
		part, err := parts.NextPart()
		if err == io.EOF {
			g := form.Read(nil, "file")
			importedFile(g)
			return g.Err()
		}
		if err != nil {
			return uploadError(err)
		}
		if part.FormName() != fileField || part.FileName() == "" {
			continue
		}
		if i, err = newImport(c, k); err != nil {
			return err
		}
		if k.Points != nil && !i.DryRun {
			if err := c.StepUpPoints(api.AllPoints); err != nil {
				return err
			}
		}
		i.setFileName(part.FileName())
		if err = svc.receive(c, i, k, part, body); err != nil {
			return c.Replay(errors.Join(err, removeImport(context.WithoutCancel(c.Context()), c.DB(), c.Store, i)))
		}
	}
	return svc.accept(c, i)
}

// receive stores the file of an import part by part.
func (svc *Service) receive(c *api.Call, i *Import, k *Kind, file, body io.Reader) error {
	err := c.Step(func(tx *db.Tx) error { return insertImport(tx, i) })
	if err != nil {
		return err
	}
	content, sum := make([]byte, partBytes), &counted{Hash: sha256.New()}
	text, encoding, err := toUTF8(io.TeeReader(file, sum), i.Options.Layout.Encoding)
	if err != nil {
		return fieldError(err)
	}
	i.Options.Layout.Encoding = encoding
	for number := int64(0); ; number++ {
		n, readErr := io.ReadFull(text, content)
		if n > 0 {
			if number == 0 {
				_, i.Format, i.Options.Layout, err = k.open(bytes.NewReader(content[:n]), i.Options.Layout)
				if err != nil {
					return fieldError(err)
				}
			}
			err := c.Step(func(tx *db.Tx) error { return insertPart(tx, i, number, content[:n]) })
			if err != nil {
				return err
			}
		}
		if readErr == io.EOF || readErr == io.ErrUnexpectedEOF {
			break
		}
		if readErr != nil {
			return uploadError(readErr)
		}
	}
	if _, err := io.Copy(io.Discard, body); err != nil { // the hash of the body needs all of it
		return uploadError(err)
	}
	key, err := c.UploadKey()
	if err != nil {
		return err
	}
	i.State, i.Bytes, i.hash = Waiting, sum.bytes, hex.EncodeToString(sum.Sum(nil))
	return c.Step(func(tx *db.Tx) error { return begin(tx, c, i, key, save) })
}

// counted is a hash that counts its bytes.
type counted struct {
	hash.Hash
	bytes int64
}

// Write implements io.Writer.
func (c *counted) Write(part []byte) (int, error) {
	c.bytes += int64(len(part))
	return c.Hash.Write(part)
}

// fieldError returns an error of the file as one of the field.
func fieldError(err error) error {
	refused, is := errors.AsType[*fault.Error](err)
	if !is {
		return err
	}
	g := form.Read(nil, "file")
	g.AddError("file", refused)
	return g.Err()
}

// uploadError returns the error of a body that cannot be read.
func uploadError(err error) error {
	if known, is := errors.AsType[*fault.Error](err); is {
		return known
	}
	return form.ErrMalformed.WithCause(errors.New("the upload broke off or is malformed"))
}
