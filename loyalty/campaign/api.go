package campaign

import (
	"errors"
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	pictures "punchcard/loyalty/photo"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/picture"
)

// Endpoints returns the endpoints of docs/behaviour/campaigns.md#endpoints.
func (k *Catalogue) Endpoints() []api.Endpoint {
	viewer := access.AdministratorWith(access.RewardCampaigns, access.View)
	modify := access.AdministratorWith(access.RewardCampaigns, access.Modify)
	anyone, seller := access.Public(), access.Only(access.Seller)
	sortable := k.Types.Sortable()
	const all, one = "/api/{storeCode}/campaign", "/api/{storeCode}/campaign/{campaign}"
	return append(k.codeEndpoints(), []api.Endpoint{
		{Method: "POST", Path: all, Access: modify, Factor: api.Everyday,
			Do:      api.Write(api.BodyInLanguages("campaign", k.Types.readForm), create),
			Summary: "Create a campaign", Audit: api.Audited("CreateCampaign", "campaign")},
		{Method: "GET", Path: all, Access: viewer, Summary: "List campaigns",
			Do: k.listing(api.ListQuery(sortable, describeList), toAdministrators, viewList[Full]{})},
		{Method: "GET", Path: all + "/active", Access: viewer,
			Do:      api.Read(api.InCall(describeFormat, (*api.Call).Locale), listActive),
			Summary: "List the names of campaigns that are active"},
		{Method: "GET", Path: all + "/public/available", Access: anyone, Summary: "List public campaigns",
			Do: k.listing(api.ListQuery(sortable, describeFilter, describeFormat), toEverybody, viewList[public]{})},
		{Method: "GET", Path: all + "/reward_types", Access: viewer, Do: api.Tell(k.listRewardTypes),
			Summary: "Describe the reward types"},
		{Method: "POST", Path: all + "/audience/preview", Access: modify, Factor: api.NoWrite,
			Do:      api.Read(api.BodyInStore("campaign", k.Types.readAudience), preview),
			Summary: "Count the customers whom a campaign that is not saved reaches", Unkeyed: true},
		{Method: "POST", Path: one + "/duplicate", Access: modify, Factor: api.Everyday, Do: api.Act(k.duplicate),
			Summary: "Copy a campaign", Audit: api.Audited("DuplicateCampaign", "campaign")},
		{Method: "PUT", Path: one, Access: modify, Factor: api.Everyday,
			Do:      api.WriteTo(k.findCampaign, api.BodyInCall("campaign", k.readUpdate, k.Types.describeUpdate), k.replace),
			Summary: "Replace a campaign", Audit: api.Audited("UpdateCampaign", "campaign")},
		{Method: "GET", Path: one, Access: viewer, Do: showing(k, (*Viewer).details), Summary: "Show a campaign"},
		{Method: "GET", Path: one + "/customers/visible", Access: viewer,
			Do:      api.Read(api.InList[string](nil), k.listCustomers()),
			Summary: "List the customers who see a campaign"},
		{Method: "POST", Path: one + "/{active}", Access: modify, Factor: api.Everyday, Do: api.Act(k.activate),
			Audit:   api.Audited("ActivateCampaign", "campaign"),
			Summary: "Switch a campaign on or off, archive it, or restore it"},
		{Method: "DELETE", Path: one + "/brand_icon", Access: modify, Factor: api.Everyday, Do: api.Act(k.removeIcon),
			Summary: "Remove the brand icon", Audit: api.Audited("DeleteCampaignBrandIcon", "campaign")},
		{Method: "GET", Path: one + "/brand_icon", Access: anyone,
			Do: api.Show(k.showIcon).DescribedAs(api.Media("image/*")), Summary: "Send the brand icon"},
		{Method: "POST", Path: one + "/brand_icon", Access: modify, Factor: api.Everyday,
			Do:      api.WriteTo(k.findCampaign, pictures.In("brand_icon"), k.setIcon),
			Summary: "Set the brand icon", Audit: api.Audited("UpdateCampaignBrandIcon", "campaign"), NoDryRun: api.Uploads},
		{Method: "GET", Path: one + "/photo/{photoId}", Access: anyone,
			Do: api.Show(k.showPhoto).DescribedAs(api.Media("image/*")), Summary: "Send a photo"},
		{Method: "DELETE", Path: one + "/photo/{photoId}", Access: modify, Factor: api.Everyday, Do: api.Act(k.removePhoto),
			Summary: "Remove a photo", Audit: api.Audited("DeleteCampaignPhoto", "campaign")},
		{Method: "POST", Path: one + "/photo", Access: modify, Factor: api.Everyday,
			Do:      api.WriteTo(k.findCampaign, pictures.In("photo"), k.addPhoto),
			Summary: "Add a photo", Audit: api.Audited("AddCampaignPhoto", "campaign"), NoDryRun: api.Uploads},
		{Method: "GET", Path: "/api/{storeCode}/seller/campaign", Access: seller.WithPIN(), Summary: "List campaigns",
			Do: k.listing(api.ListQuery(sortable, func(q *form.Group) { q.Checkbox("isPublic") }, describeOne), toSellers,
				viewList[Seller]{})},
		{Method: "GET", Path: "/api/{storeCode}/seller/campaign/{campaign}", Access: seller.WithPIN(),
			Do: showing(k, (*Viewer).Seller), Summary: "Show a campaign"},
	}...)
}

type identity struct {
	CampaignID string `json:"campaignId"`
}

func create(w *api.Writing, draft Draft) (identity, error) {
	id, err := Create(w.Tx, w.Store, draft)
	w.Entry().SetEntity(id)
	return identity{id}, err
}

func (k *Catalogue) findCampaign(w *api.Writing) (*Campaign, error) {
	id, err := PathID(w.Call)
	if err != nil {
		return nil, err
	}
	found, _, err := k.Find(w.Tx, w.Store.Key, id)
	return found, err
}

// update is the form of an update.
type update struct {
	Draft
	photos []picture.Picture
}

// readUpdate reads a draft, and photos if the draft has no errors.
func (k *Catalogue) readUpdate(c *api.Call, g *form.Group) (u update, err error) {
	languages, err := c.Stores().Languages(c.Context())
	if err != nil {
		return u, err
	}
	u.Draft = k.Types.readForm(g, languages, c.Store)
	if err := g.Err(); err != nil {
		return u, err
	}
	u.photos, err = readPhotos(c)
	return u, err
}

func (k *Catalogue) replace(w *api.Writing, old *Campaign, u update) (identity, error) {
	err := k.Update(w.Tx, w.Store, old.ID, u.Draft, u.photos...)
	if removed, refused := errors.AsType[RemovedCodes](err); refused {
		err = w.Refuse("coupons", errRemovedCodes.With(strings.Join(removed, ", ")))
	}
	return identity{old.ID}, err
}

// readPhotos reads the optional photos of an update. Files that are not pictures are ignored.
func readPhotos(c *api.Call) (photos []picture.Picture, err error) {
	body, err := c.Body()
	if err != nil {
		return nil, err
	}
	for _, part := range body.Child("campaign").Child("photos").Children() {
		if part.File() == nil {
			continue
		}
		photo, _, err := picture.Check(c.Context(), part.File())
		if err != nil {
			return nil, err
		}
		if photo != nil {
			photos = append(photos, *photo)
		}
	}
	return photos, nil
}

// activate activates, deactivates, archives or restores a campaign.
func (k *Catalogue) activate(w *api.Writing) (identity, error) {
	change, known := map[string]struct {
		event string
		set   func(tx *db.Tx, s *store.Store, id string, on bool) error
		on    bool
	}{
		"active":     {"ActivateCampaign", k.SetActive, true},
		"inactive":   {"DeactivateCampaign", k.SetActive, false},
		"archived":   {"ArchiveCampaign", k.SetArchived, true},
		"unarchived": {"RestoreCampaign", k.SetArchived, false},
	}[w.PathValue("active")]
	if !known {
		return identity{}, fault.ErrNotFound
	}
	id, err := PathID(w.Call)
	if err != nil {
		return identity{}, err
	}
	w.Entry().SetEvent(change.event)
	return identity{id}, change.set(w.Tx, w.Store, id, change.on)
}

// duplicate adds a copy of a campaign that is switched off.
func (k *Catalogue) duplicate(w *api.Writing) (identity, error) {
	id, err := PathID(w.Call)
	if err != nil {
		return identity{}, err
	}
	made, err := k.Duplicate(w.Tx, w.Store, id)
	w.Entry().SetCreated(made)
	return identity{made}, err
}

// PathID returns the campaign's id in the path, or fault.ErrNotFound if it is not a UUID.
func PathID(c *api.Call) (string, error) {
	id := c.PathID("campaign")
	if !form.IsUUID(id) {
		return "", fault.ErrNotFound
	}
	return id, nil
}

// campaignOfPath returns the campaign of the path.
func (k *Catalogue) campaignOfPath(c *api.Call) (found *Campaign, err error) {
	id, err := PathID(c)
	if err != nil {
		return nil, err
	}
	err = c.Read(func(tx *db.Tx) (err error) {
		found, _, err = k.Find(tx, c.Store.Key, id)
		return err
	})
	return found, err
}
