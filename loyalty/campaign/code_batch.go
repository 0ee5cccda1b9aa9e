package campaign

import (
	"context"
	"crypto/rand"
	"time"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// Limits of generated codes.
const (
	GeneratedCodes   = 100_000 // codes of one batch
	codePrefixLimit  = 32      // characters
	codeLengthLeast  = 8       // random characters, so that a code cannot be guessed
	codeLengthLimit  = 32
	codeLengthNormal = 10
)

// codeAlphabet has the characters of generated codes: no 0 and O, no 1, I and L.
const codeAlphabet = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"

// The states of a batch of codes.
const (
	batchRunning  = "running"
	batchFinished = "finished"
	batchStopped  = "stopped" // the unsold codes were deleted, or the campaign has no individual codes any more
)

// CodeBatch is an order of random codes for a campaign, which is carried out in steps.
type CodeBatch struct {
	StoreKey   int64
	ID         string
	CampaignID string
	State      string
	Prefix     string
	Length     int64 // random characters of a code
	Requested  int64 // codes
	Added      int64 // codes so far
	CreatedAt  time.Time
	FinishedAt time.Time // zero while it is running
}

var batchTable = db.NewTable("campaign_code_batches", "store_id, campaign_id, batch_id", func(b *CodeBatch) db.Row {
	return db.Row{
		"store_id", &b.StoreKey, "batch_id", &b.ID, "campaign_id", &b.CampaignID, "state", &b.State, "prefix", &b.Prefix,
		"length", &b.Length, "requested", &b.Requested, "added", &b.Added, "created_at", db.Time(&b.CreatedAt),
		"finished_at", db.Time(&b.FinishedAt),
	}
})

// OrderCodes adds a batch. FillBatches carries it out.
func (k *Catalogue) OrderCodes(tx *db.Tx, storeKey int64, b CodeBatch) (CodeBatch, error) {
	c, _, err := k.lock(tx, storeKey, b.CampaignID)
	if err != nil {
		return b, err
	}
	if !c.HasCodes() {
		return b, ErrNoIndividualCodes
	}
	b.StoreKey, b.ID, b.State, b.CreatedAt = storeKey, tx.NewID(), batchRunning, tx.Now()
	return b, batchTable.Insert(tx, &b)
}

// FillBatches is the job that carries out the batches of a store, in steps that take turns with purchases. It returns
// the number of codes.
func (k *Catalogue) FillBatches(ctx context.Context, d *db.DB, s *store.Store) (done int64, err error) {
	var open []CodeBatch
	err = store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		open, err = batchTable.All(tx, `SELECT * FROM campaign_code_batches
			WHERE store_id = ? AND state = 'running' ORDER BY batch_id`, s.Key)
		return err
	})
	for i := range open {
		for running := true; running && err == nil && ctx.Err() == nil; {
			var b CodeBatch
			err = store.Write(ctx, d, s, func(tx *db.Tx) (err error) {
				b, err = k.fill(tx, &open[i])
				return err
			})
			done += b.Added - open[i].Added
			open[i], running = b, b.State == batchRunning
		}
	}
	return done, err
}

// fill adds some codes of a batch, and returns it as it is then. Concurrent calls wait for each other. A code that the
// store has already is left out; the next step makes another.
func (k *Catalogue) fill(tx *db.Tx, of *CodeBatch) (CodeBatch, error) {
	c, counters, err := k.lock(tx, of.StoreKey, of.CampaignID)
	if err != nil {
		return *of, err
	}
	b, err := findBatch(tx, of.StoreKey, of.CampaignID, of.ID)
	if err != nil || b.State != batchRunning {
		return b, err
	}
	if !c.HasCodes() {
		b.State, b.FinishedAt = batchStopped, tx.Now()
		return b, saveBatch(tx, &b)
	}
	var codes []string // in random order, so that a code says nothing about the next one
	drawn := map[string]bool{}
	for int64(len(codes)) < min(codesAtOnce, b.Requested-b.Added) {
		if code := b.Prefix + randomCode(b.Length); !drawn[code] {
			drawn[code] = true
			codes = append(codes, code)
		}
	}
	known, err := knownCodes(tx, b.StoreKey, codes, "")
	if err != nil {
		return b, err
	}
	codes = newCodes(codes, known)
	if b.Added += int64(len(codes)); b.Added == b.Requested {
		b.State, b.FinishedAt = batchFinished, tx.Now()
	}
	if err := appendCodes(tx, counters, codes); err != nil {
		return b, err
	}
	return b, saveBatch(tx, &b)
}

// randomCode returns characters of the alphabet, each with the same probability.
func randomCode(length int64) string {
	const fair = 256 - 256%len(codeAlphabet) // larger bytes would prefer the first characters
	code, bytes := make([]byte, 0, length), make([]byte, 2*length)
	for {
		_, _ = rand.Read(bytes) // never fails
		for _, b := range bytes {
			if int(b) >= fair {
				continue
			}
			if code = append(code, codeAlphabet[int(b)%len(codeAlphabet)]); int64(len(code)) == length {
				return string(code)
			}
		}
	}
}

func findBatch(tx *db.Tx, storeKey int64, campaignID, id string) (CodeBatch, error) {
	b, found, err := batchTable.One(tx, `SELECT * FROM campaign_code_batches
		WHERE store_id = ? AND campaign_id = ? AND batch_id = ?`, storeKey, campaignID, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return b, err
}

// batchPage returns batches of a campaign, newest first, and their number.
func batchPage(tx *db.Tx, storeKey int64, campaignID string, limit, offset int) (
	found []CodeBatch, total int64, err error) {
	const from = ` FROM campaign_code_batches WHERE store_id = ? AND campaign_id = ?`
	if total, err = db.Value[int64](tx, `SELECT COUNT(*)`+from, storeKey, campaignID); err != nil {
		return nil, 0, err
	}
	found, err = batchTable.All(tx, `SELECT *`+from+`
		ORDER BY batch_id DESC LIMIT ? OFFSET ?`, storeKey, campaignID, limit, offset)
	return found, total, err
}

func saveBatch(tx *db.Tx, b *CodeBatch) error {
	return batchTable.Update(tx, "state, added, finished_at", b)
}

// stopBatches ends the running batches of a campaign whose counters are locked.
func stopBatches(tx *db.Tx, storeKey int64, campaignID string) error {
	_, err := tx.Exec(`UPDATE campaign_code_batches SET state = 'stopped', finished_at = ?
		WHERE store_id = ? AND campaign_id = ? AND state = 'running'`, tx.Now().UnixMicro(), storeKey, campaignID)
	return err
}
