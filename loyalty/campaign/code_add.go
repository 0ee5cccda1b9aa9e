package campaign

import (
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// codesAtOnce is how many codes one transaction adds or deletes, few enough not to delay buyers.
const codesAtOnce = 500

// numberOfAdded is added to the positions of codes that were added one by one, as their place in the list: it comes
// after the places of all codes that were sent as a whole list.
const numberOfAdded = 1 << 32

// ErrNoIndividualCodes is returned when codes are added to a campaign that sells none of its own.
var ErrNoIndividualCodes = fault.New(fault.Refused, "no_individual_codes", "The campaign has no individual codes.")

// AddCodes appends codes to the end of a campaign's list, and returns those that it had already. The codes must be
// distinct. Its lock makes purchases of the campaign wait.
func (k *Catalogue) AddCodes(tx *db.Tx, storeKey int64, id string, codes []string) (known map[string]bool, err error) {
	c, counters, err := k.lock(tx, storeKey, id)
	if err != nil {
		return nil, err
	}
	if !c.HasCodes() {
		return nil, ErrNoIndividualCodes
	}
	if known, err = knownCodes(tx, storeKey, codes, id); err != nil {
		return nil, err
	}
	return known, appendCodes(tx, counters, newCodes(codes, known))
}

// knownCodes returns which of the codes a campaign has, or any campaign of the store if the id is empty.
func knownCodes(tx *db.Tx, storeKey int64, codes []string, campaignID string) (map[string]bool, error) {
	known := map[string]bool{}
	return known, codeTable.Each(tx, func(c storedCode) {
		if campaignID == "" || campaignID == c.campaignID {
			known[c.code] = true
		}
	}, `SELECT c.code, c.campaign_id FROM ? AS v (store, key)
		CROSS JOIN campaign_codes c WHERE c.store_id = v.store AND c.code = v.key AND c.position > 0`,
		tx.Among(storeKey, codes...))
}

// newCodes returns the codes that are not known.
func newCodes(codes []string, known map[string]bool) (unknown []string) {
	for _, code := range codes {
		if !known[code] {
			unknown = append(unknown, code)
		}
	}
	return unknown
}

// appendCodes adds codes after those that a campaign with locked counters can sell.
func appendCodes(tx *db.Tx, k Counters, codes []string) error {
	if len(codes) == 0 {
		return nil
	}
	k.LastPosition = max(k.LastPosition, k.NextPosition-1)
	rows := make([]*storedCode, len(codes))
	for i, code := range codes {
		k.LastPosition++
		rows[i] = &storedCode{k.StoreKey, k.CampaignID, listed{k.LastPosition, numberOfAdded + k.LastPosition, code}}
	}
	if err := codeTable.Insert(tx, rows...); err != nil {
		return err
	}
	return redefine(tx, k)
}

// deleteFree deletes some of the codes that a campaign can still sell, the last ones first. It returns how many.
func (k *Catalogue) deleteFree(tx *db.Tx, storeKey int64, id string) (deleted int64, err error) {
	c, counters, err := k.lock(tx, storeKey, id)
	if err != nil {
		return 0, err
	}
	if !c.HasCodes() {
		return 0, ErrNoIndividualCodes
	}
	if err := stopBatches(tx, storeKey, id); err != nil {
		return 0, err
	}
	last := max(counters.NextPosition-1, counters.LastPosition-codesAtOnce)
	deleted, err = tx.Exec(`DELETE FROM campaign_codes WHERE store_id = ? AND campaign_id = ? AND position > ?`,
		storeKey, id, last)
	if err != nil || deleted == 0 {
		return 0, err
	}
	counters.LastPosition = last
	return deleted, redefine(tx, counters)
}
