package campaign

import (
	"maps"
	"slices"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/level"
	"punchcard/platform/db"
	"punchcard/platform/db/batch"
	"punchcard/platform/fault"
	"punchcard/platform/web"
)

// Catalogue reads campaigns. It caches them by version, so that unchanged campaigns are not read and decoded again.
type Catalogue struct {
	Types Types

	cache cache
	one   *batch.Batch[oneRequest, *Shown]
}

// NewCatalogue returns a catalogue of the campaigns of d, which have the reward types of a table.
func NewCatalogue(d *db.DB, types Types) *Catalogue {
	k := &Catalogue{Types: types}
	k.one = store.NewReadBatch(d, func(r oneRequest) *store.Store { return r.store }, k.showEach)
	return k
}

// Shown holds campaigns with the data that their views need. Callers share it, and must not change it.
type Shown struct {
	*Viewer
	Campaigns map[string]*Campaign
	Counters  map[string]Counters
	codes     map[string][]string
	encoded   web.Encodings // by encodedKey
}

// encodedKey identifies one encoding of a campaign.
type encodedKey[View any] struct {
	id   string
	html bool
}

// Codes returns all codes of a campaign, and nil if the codes were not read.
func (s *Shown) Codes(id string) []string {
	if s.codes == nil {
		return nil
	}
	return append([]string{}, s.codes[id]...)
}

// Load returns the campaigns of the counters, in the version of the counters or a newer one. It counts in the counters
// what reservations hold.
func (k *Catalogue) Load(tx *db.Tx, s *store.Store, counters map[string]Counters) (map[string]*Campaign, error) {
	if err := countHolds(tx, s.Key, counters); err != nil {
		return nil, err
	}
	loaded := make(map[string]*Campaign, len(counters))
	var missing []string
	for id, of := range counters {
		if c := cached[*Campaign](&k.cache, campaignKey(id)); c != nil && c.Version == of.Version {
			loaded[id] = c
		} else {
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return loaded, countPeriods(tx, s, loaded, counters)
	}
	found, err := k.FindAll(tx, s.Key, missing...)
	if err != nil {
		return nil, err
	}
	for id, c := range found {
		loaded[id] = c
		if !tx.IsDry() {
			k.cache.put(campaignKey(id), c, c.bytes())
		}
	}
	return loaded, countPeriods(tx, s, loaded, counters)
}

// Show returns campaigns with the data that their views need. Ids must be distinct; unknown ones are missing.
func (k *Catalogue) Show(tx *db.Tx, s *store.Store, locale api.Locale, withCodes bool, ids ...string) (*Shown, error) {
	return k.readShown(tx, s, locale, withCodes, ids, func(counters map[string]Counters) (map[string]*Campaign, error) {
		return k.Load(tx, s, counters)
	})
}

// readShown reads the data that the views of distinct campaigns need. load finds the campaigns.
func (k *Catalogue) readShown(tx *db.Tx, s *store.Store, locale api.Locale, withCodes bool, ids []string,
	load func(map[string]Counters) (map[string]*Campaign, error)) (*Shown, error) {
	shown := &Shown{}
	var query db.Query
	shown.Counters, query = selectCounters(tx, ``, s.Key, ids)
	queries, countLevels := level.Counting(tx, s.Key)
	queries = append(queries, query)
	if withCodes && len(ids) > 0 {
		shown.codes, query = selectCodes(tx, s.Key, ids)
		queries = append(queries, query)
	}
	err := tx.Run(queries...)
	if err != nil {
		return nil, err
	}
	if err := countHolds(tx, s.Key, shown.Counters); err != nil {
		return nil, err
	}
	if shown.Campaigns, err = load(shown.Counters); err != nil {
		return nil, err
	}
	levels, err := countLevels()
	if err != nil {
		return nil, err
	}
	shown.Viewer, err = k.newViewer(tx, s, locale, levels, slices.Collect(maps.Values(shown.Campaigns))...)
	return shown, err
}

// ShowCounted is Show without codes, for campaigns and levels of the store that were read before: the campaigns of the
// counters.
func (k *Catalogue) ShowCounted(tx *db.Tx, s *store.Store, locale api.Locale, counters map[string]Counters,
	levels []level.Level) (*Shown, error) {
	campaigns, err := k.Load(tx, s, counters)
	if err != nil {
		return nil, err
	}
	viewer, err := k.newViewer(tx, s, locale, levels, slices.Collect(maps.Values(campaigns))...)
	return &Shown{Viewer: viewer, Campaigns: campaigns, Counters: counters}, err
}

// oneRequest is a request for one campaign.
type oneRequest struct {
	store  *store.Store
	locale api.Locale
	id     string
	codes  bool // with the codes of the campaign
}

// showEach answers requests of one store for one campaign each.
func (k *Catalogue) showEach(tx *db.Tx, s *store.Store, requests []oneRequest) ([]batch.Outcome[*Shown], error) {
	type kind struct {
		locale api.Locale
		codes  bool
	}
	outcomes, alike := make([]batch.Outcome[*Shown], len(requests)), map[kind][]int{}
	for i := range requests {
		of := kind{requests[i].locale, requests[i].codes}
		alike[of] = append(alike[of], i)
	}
	for of, members := range alike {
		ids := make([]string, len(members))
		for n, i := range members {
			ids[n] = requests[i].id
		}
		shown, err := k.Show(tx, s, of.locale, of.codes, db.Distinct(ids)...)
		if err != nil {
			return nil, err
		}
		for _, i := range members {
			if outcomes[i].Value = shown; shown.Campaigns[requests[i].id] == nil {
				outcomes[i].Err = fault.ErrNotFound
			}
		}
	}
	return outcomes, nil
}
