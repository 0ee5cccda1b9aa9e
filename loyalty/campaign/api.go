package campaign

import (
	"errors"
	"strings"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/audit"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/picture"
)

// Endpoints returns the endpoints of docs/behaviour/campaigns.md#endpoints.
func (k *Catalogue) Endpoints(hooks Hooks) []api.Endpoint {
	viewer := access.AdministratorWith(access.RewardCampaigns, access.View)
	modify := access.AdministratorWith(access.RewardCampaigns, access.Modify)
	anyone, seller := access.Public(), access.Only(access.Seller)
	sortable := k.Types.Sortable()
	const all, one = "/api/{storeCode}/campaign", "/api/{storeCode}/campaign/{campaign}"
	return append(k.codeEndpoints(), []api.Endpoint{
		{Method: "POST", Path: all, Access: modify, Factor: api.Everyday, Handle: k.create,
			Summary: "Create a campaign", Form: k.Types.describe, Response: identity{},
			Audit: api.Audited("CreateCampaign", "campaign")},
		{Method: "GET", Path: all, Access: viewer, Handle: k.list,
			Summary: "List campaigns", Query: api.ListQuery(sortable, describeList), Response: viewList[Full]{}},
		{Method: "GET", Path: all + "/active", Access: viewer, Handle: listActive,
			Summary: "List the names of campaigns that are active", Query: describeFormat, Response: activeList{}},
		{Method: "GET", Path: all + "/public/available", Access: anyone, Handle: k.listPublic,
			Summary: "List public campaigns", Query: api.ListQuery(sortable, describeFilter, describeFormat),
			Response: viewList[public]{}},
		{Method: "GET", Path: all + "/reward_types", Access: viewer, Handle: k.listRewardTypes,
			Summary: "Describe the reward types", Response: rewardTypeList{}},
		{Method: "POST", Path: all + "/audience/preview", Access: modify, Factor: api.NoWrite,
			Handle: k.preview, Unkeyed: true,
			Summary: "Count the customers whom a campaign that is not saved reaches", Form: k.describePreview,
			Response: audiencePreview{}},
		{Method: "POST", Path: one + "/duplicate", Access: modify, Factor: api.Everyday, Handle: k.duplicate,
			Summary: "Copy a campaign", Response: identity{}, Audit: api.Audited("DuplicateCampaign", "campaign")},
		{Method: "PUT", Path: one, Access: modify, Factor: api.Everyday, Handle: k.replace,
			Summary: "Replace a campaign", Form: k.Types.describeUpdate, Response: identity{},
			Audit: api.Audited("UpdateCampaign", "campaign")},
		{Method: "GET", Path: one, Access: viewer, Handle: k.get,
			Summary: "Show a campaign", Query: describeOne, Response: Full{}},
		{Method: "GET", Path: one + "/customers/visible", Access: viewer, Handle: k.listCustomers(hooks),
			Summary: "List the customers who see a campaign", Query: api.ListQuery[string](nil),
			Response: customerList{}},
		{Method: "POST", Path: one + "/{active}", Access: modify, Factor: api.Everyday, Handle: k.activate,
			Audit:   api.Audited("ActivateCampaign", "campaign"),
			Summary: "Switch a campaign on or off, archive it, or restore it", Response: identity{}},
		{Method: "DELETE", Path: one + "/brand_icon", Access: modify, Factor: api.Everyday, Handle: k.deleteIcon,
			Summary: "Remove the brand icon", Response: api.NoContent{},
			Audit: api.Audited("DeleteCampaignBrandIcon", "campaign")},
		{Method: "GET", Path: one + "/brand_icon", Access: anyone, Handle: k.getIcon,
			Summary: "Send the brand icon", Response: api.Media("image/*")},
		{Method: "POST", Path: one + "/brand_icon", Access: modify, Factor: api.Everyday, Handle: k.postIcon,
			Summary: "Set the brand icon", Form: describeUpload("brand_icon"), Response: api.NoContent{},
			Audit: api.Audited("UpdateCampaignBrandIcon", "campaign"), NoDryRun: api.Uploads},
		{Method: "GET", Path: one + "/photo/{photoId}", Access: anyone, Handle: k.getPhoto,
			Summary: "Send a photo", Response: api.Media("image/*")},
		{Method: "DELETE", Path: one + "/photo/{photoId}", Access: modify, Factor: api.Everyday, Handle: k.deletePhoto,
			Audit:   api.Audited("DeleteCampaignPhoto", "campaign"),
			Summary: "Remove a photo", Response: api.NoContent{}},
		{Method: "POST", Path: one + "/photo", Access: modify, Factor: api.Everyday, Handle: k.postPhoto,
			Summary: "Add a photo", Form: describeUpload("photo"), Response: []string{},
			Audit: api.Audited("AddCampaignPhoto", "campaign"), NoDryRun: api.Uploads},
		{Method: "GET", Path: "/api/{storeCode}/seller/campaign", Access: seller.WithPIN(), Handle: k.listForSeller,
			Summary: "List campaigns", Response: viewList[Seller]{},
			Query: api.ListQuery(sortable, func(q *form.Group) { q.Checkbox("isPublic") }, describeOne)},
		{Method: "GET", Path: "/api/{storeCode}/seller/campaign/{campaign}", Access: seller.WithPIN(),
			Handle: k.getForSeller, Summary: "Show a campaign", Query: describeOne, Response: Seller{}},
	}...)
}

type identity struct {
	CampaignID string `json:"campaignId"`
}

// create adds a campaign.
func (k *Catalogue) create(c *api.Call) error {
	group, draft, err := k.readBody(c)
	if err == nil {
		err = group.Err()
	}
	if err != nil {
		return err
	}
	var id string
	return c.Write(func(tx *db.Tx) (err error) {
		id, err = Create(tx, c.Store, draft)
		audit.Of(tx).SetEntity(id)
		return err
	}, func() error { return c.OK(identity{id}) })
}

func (k *Catalogue) readBody(c *api.Call) (*form.Group, Draft, error) {
	body, err := c.Body()
	if err != nil {
		return nil, Draft{}, err
	}
	languages, err := c.Stores().Languages(c.Context())
	if err != nil {
		return nil, Draft{}, err
	}
	group := form.Read(body, "campaign")
	return group, k.Types.readForm(group, languages, c.Store), nil
}

// replace replaces a campaign. An unknown campaign is reported before an invalid form.
func (k *Catalogue) replace(c *api.Call) error {
	found, err := k.campaignOfPath(c)
	if err != nil {
		return err
	}
	group, draft, err := k.readBody(c)
	if err == nil {
		err = group.Err()
	}
	if err != nil {
		return err
	}
	photos, err := readPhotos(c)
	if err != nil {
		return err
	}
	err = c.Write(func(tx *db.Tx) error { return k.Update(tx, c.Store, found.ID, draft, photos...) },
		func() error { return c.OK(identity{found.ID}) })
	if removed, refused := errors.AsType[RemovedCodes](err); refused {
		group.AddError("coupons", errRemovedCodes.With(strings.Join(removed, ", ")))
		return group.Err()
	}
	return err
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
func (k *Catalogue) activate(c *api.Call) error {
	change, known := map[string]struct {
		event string
		do    func(tx *db.Tx, id string) error
	}{
		"active":     {"ActivateCampaign", func(tx *db.Tx, id string) error { return k.SetActive(tx, c.Store, id, true) }},
		"inactive":   {"DeactivateCampaign", func(tx *db.Tx, id string) error { return k.SetActive(tx, c.Store, id, false) }},
		"archived":   {"ArchiveCampaign", func(tx *db.Tx, id string) error { return k.SetArchived(tx, c.Store, id, true) }},
		"unarchived": {"RestoreCampaign", func(tx *db.Tx, id string) error { return k.SetArchived(tx, c.Store, id, false) }},
	}[c.PathValue("active")]
	if !known {
		return fault.ErrNotFound
	}
	id, err := PathID(c)
	if err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error {
		audit.Of(tx).SetEvent(change.event)
		return change.do(tx, id)
	}, func() error { return c.OK(identity{id}) })
}

// duplicate adds a copy of a campaign that is switched off.
func (k *Catalogue) duplicate(c *api.Call) error {
	id, err := PathID(c)
	if err != nil {
		return err
	}
	var made string
	return c.Write(func(tx *db.Tx) (err error) {
		made, err = k.Duplicate(tx, c.Store, id)
		audit.Of(tx).SetCreated(made)
		return err
	}, func() error { return c.OK(identity{made}) })
}

// PathID returns the campaign's id in the path, or fault.ErrNotFound if it is not a UUID.
func PathID(c *api.Call) (string, error) {
	id := strings.ToLower(c.PathValue("campaign"))
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
