package campaign

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// codeEndpoints returns the endpoints of docs/behaviour/campaign-codes.md#endpoints.
func (k *Catalogue) codeEndpoints() []api.Endpoint {
	view := access.AdministratorWith(access.RewardCampaigns, access.View)
	modify := access.AdministratorWith(access.RewardCampaigns, access.Modify)
	const path = "/api/{storeCode}/campaign/{campaign}/codes"
	return []api.Endpoint{
		{Method: "GET", Path: path, Access: view, Handle: k.listCodes,
			Summary: "List the codes of a campaign", Query: api.PageQuery[string](nil, describeCodeFilter),
			Response: codePage{}},
		{Method: "GET", Path: path + "/export/csv", Access: view, Handle: k.exportCodes,
			Summary: "Export the codes of a campaign", Query: api.TableQuery(exportedCodeColumns, describeCodeFilter),
			Response: api.Tables},
		{Method: "POST", Path: path, Access: modify, Factor: api.Everyday, Handle: k.uploadCodes, Stepwise: true,
			Summary: "Add codes to a campaign", Form: describeUploadOfCodes, Response: uploadReport{},
			Audit: api.Audited("AddCampaignCodes", "campaign"), NoDryRun: api.Uploads},
		{Method: "DELETE", Path: path, Access: modify, Factor: api.Everyday, Handle: k.deleteCodes, Stepwise: true,
			Summary: "Delete the codes of a campaign that are not sold", Response: deletedCodes{},
			Audit: api.Audited("DeleteCampaignCodes", "campaign")},
		{Method: "POST", Path: path + "/generate", Access: modify, Factor: api.Everyday, Handle: k.generateCodes,
			Summary: "Generate codes for a campaign", Form: api.Reads(readOrder), Response: batchIdentity{},
			Audit: api.Audited("GenerateCampaignCodes", "campaign")},
		{Method: "GET", Path: path + "/batches", Access: view, Handle: k.listBatches,
			Summary: "List the batches of codes of a campaign", Query: api.PageQuery[string](nil), Response: batchList{}},
		{Method: "GET", Path: path + "/batches/{batch}", Access: view, Handle: k.getBatch,
			Summary: "Show the progress of a batch of codes", Response: batchView{}},
	}
}

// codePage is a page of the codes of a campaign.
type codePage struct {
	Codes []codeEntry `json:"codes"`
	Total int64       `json:"total"` // of the state that was asked for
	Left  int64       `json:"left"`  // codes that can be sold
	Sold  int64       `json:"sold"`  // purchases
}

func describeCodeFilter(q *form.Group) {
	q.Choice("state", codeStates)
	q.Text("code")
}

// codesOfPath returns the counters of the campaign of the path, and the filter of the query.
func (k *Catalogue) codesOfPath(c *api.Call) (counters Counters, f codeFilter, err error) {
	id, err := PathID(c)
	if err != nil {
		return counters, f, err
	}
	query, err := c.Query()
	if err != nil {
		return counters, f, err
	}
	f = codeFilter{state: query.Child("state").Text(), code: query.Child("code").Key()}
	if f.state != "" && !slices.Contains(codeStates, f.state) {
		return counters, f, fault.ErrInvalid
	}
	err = c.Read(func(tx *db.Tx) error {
		found, err := CountersOf(tx, c.Store.Key, id)
		if _, exists := found[id]; err == nil && !exists {
			err = fault.ErrNotFound
		}
		counters = found[id]
		return err
	})
	return counters, f, err
}

func (k *Catalogue) listCodes(c *api.Call) error {
	page, err := c.Page()
	if err != nil {
		return err
	}
	counters, f, err := k.codesOfPath(c)
	if err != nil {
		return err
	}
	response := codePage{Left: max(0, counters.LastPosition-counters.NextPosition+1), Sold: counters.Sold}
	first, last := f.span(counters)
	response.Total = max(0, last-first+1)
	err = c.Read(func(tx *db.Tx) (err error) {
		if counters.Sold < counters.Purchases() { // some codes of cancelled purchases may have moved
			if response.Total, err = countCodes(tx, counters, first, last); err != nil {
				return err
			}
		}
		if f.code != "" {
			response.Codes, err = codeNamed(tx, counters, f)
			response.Total = int64(len(response.Codes))
			response.Codes = response.Codes[min(page.Offset, len(response.Codes)):]
		} else {
			response.Codes, err = codesAfter(tx, counters, f, 0, page.Limit, page.Offset)
		}
		return err
	})
	if err != nil {
		return err
	}
	response.Codes = append([]codeEntry{}, response.Codes...)
	return c.OK(response)
}

var exportedCodeColumns = api.Titled("Code", "State")

// exportCodes serves the codes as CSV, in the order in which they are sold.
func (k *Catalogue) exportCodes(c *api.Call) error {
	counters, f, err := k.codesOfPath(c)
	if err != nil {
		return err
	}
	table, err := c.Table("codes", exportedCodeColumns)
	if err != nil {
		return err
	}
	const page = 1000
	for after, more := int64(0), true; more; {
		var found []codeEntry
		err := c.Read(func(tx *db.Tx) (err error) {
			if f.code != "" {
				found, err = codeNamed(tx, counters, f)
				return err
			}
			found, err = codesAfter(tx, counters, f, after, page, 0)
			return err
		})
		for i := 0; i < len(found) && err == nil; i++ {
			err = table.Row(found[i].Code, found[i].State)
			after = found[i].Position
		}
		if err != nil {
			return err
		}
		more = len(found) == page && f.code == ""
	}
	return table.Close()
}

var errCSV = fault.New(fault.Fields, "not_a_csv_file", "This file is not valid.")

func describeUploadOfCodes(g *form.Group) { readUpload(g) }

// readUpload reads codes that were pasted, or those of a CSV file.
func readUpload(body *form.Group) (group *form.Group, codes []string) {
	g := body.Group("codes")
	codes = splitText(g.Verbatim("text"))
	if file := g.File("file"); file != nil {
		fromFile, err := splitCSV(file.Bytes)
		if err != nil {
			g.AddError("file", errCSV)
		}
		codes = append(codes, fromFile...)
	}
	switch {
	case len(codes) == 0 && !g.Failed("file"):
		g.AddError("text", form.Blank)
	case len(codes) > UploadedCodes:
		g.AddError("text", form.TooMany.With(UploadedCodes))
	}
	return g, codes
}

// uploadCodes adds codes in steps, so that purchases go on. A repetition finds the codes in the campaign.
func (k *Catalogue) uploadCodes(c *api.Call) error {
	found, err := k.campaignOfPath(c)
	if err != nil {
		return err
	}
	body, err := c.Body()
	if err != nil {
		return err
	}
	group, codes := readUpload(form.Read(body))
	if err := group.Err(); err != nil {
		return err
	}
	if !found.HasCodes() {
		return ErrNoIndividualCodes
	}
	report := uploadReport{Reasons: []skipped{}}
	for part := range slices.Chunk(report.usable(codes), codesAtOnce) {
		var known map[string]bool
		err := c.Step(func(tx *db.Tx) (err error) {
			known, err = k.AddCodes(tx, c.Store.Key, found.ID, part)
			return err
		})
		if err != nil {
			return err
		}
		for _, code := range part {
			if known[code] {
				report.skip(alreadyInCampaign, code)
			}
		}
		report.Added += len(part) - len(known)
	}
	report.Left, err = codesLeft(c, found.ID)
	if err != nil {
		return err
	}
	return c.OK(report)
}

// codesLeft returns how many codes a campaign can sell.
func codesLeft(c *api.Call, id string) (left int64, err error) {
	err = c.Read(func(tx *db.Tx) error {
		counters, err := CountersOf(tx, c.Store.Key, id)
		left = max(0, counters[id].LastPosition-counters[id].NextPosition+1)
		return err
	})
	return left, err
}

type deletedCodes struct {
	Deleted int64 `json:"deleted"`
}

// deleteCodes deletes in steps, so that purchases go on.
func (k *Catalogue) deleteCodes(c *api.Call) error {
	id, err := PathID(c)
	if err != nil {
		return err
	}
	var response deletedCodes
	for n := int64(1); n > 0; {
		err := c.Step(func(tx *db.Tx) (err error) {
			n, err = k.deleteFree(tx, c.Store.Key, id)
			return err
		})
		if err != nil {
			return err
		}
		response.Deleted += n
	}
	return c.OK(response)
}

type batchIdentity struct {
	BatchID string `json:"batchId"`
}

// codePrefix matches prefixes of generated codes.
var codePrefix = regexp.MustCompile(`^[A-Za-z0-9_-]*$`)

// readOrder reads the number and the form of the codes to generate.
func readOrder(body *form.Group) (b CodeBatch) {
	g := body.Group("codes")
	b.Requested = g.Integer("count", form.NotBlank, form.AtLeast(1), form.LessThan(GeneratedCodes+1))
	b.Prefix = g.Key("prefix", form.MaxLength(codePrefixLimit),
		form.Matches(form.Invalid("not_a_code_prefix"), codePrefix.MatchString))
	b.Length = g.Integer("length", form.AtLeast(codeLengthLeast), form.LessThan(codeLengthLimit+1))
	if b.Length == 0 {
		b.Length = codeLengthNormal
	}
	return b
}

// generateTimeout is how long a response waits for the codes. The job makes those that take longer.
const generateTimeout = 2 * time.Second

func (k *Catalogue) generateCodes(c *api.Call) error {
	found, err := k.campaignOfPath(c)
	if err != nil {
		return err
	}
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body)
	order := readOrder(group)
	if err := group.Err(); err != nil {
		return err
	}
	order.CampaignID = found.ID
	err = c.Write(func(tx *db.Tx) (err error) {
		order, err = k.OrderCodes(tx, c.Store.Key, order)
		return err
	}, func() error { return c.OK(batchIdentity{order.ID}) })
	if err != nil || db.IsDry(c.Context()) { // others would wait for all codes
		return err
	}
	ctx, stop := context.WithTimeout(c.Context(), generateTimeout)
	defer stop()
	if _, err := k.FillBatches(ctx, c.DB(), c.Store); err != nil && ctx.Err() == nil {
		c.Log().Warn("could not generate codes at once, the job will retry", "batch", order.ID, "error", err)
	}
	return nil
}

// batchView is the progress of a batch.
type batchView struct {
	BatchID    string  `json:"batchId"`
	State      string  `json:"state"` // running, finished or stopped
	Requested  int64   `json:"requested"`
	Added      int64   `json:"added"`
	Prefix     string  `json:"prefix,omitempty"`
	Length     int64   `json:"length"` // random characters of a code
	CreatedAt  string  `json:"createdAt"`
	FinishedAt *string `json:"finishedAt,omitempty"`
}

type batchList struct {
	Batches []batchView `json:"batches"`
	Total   int64       `json:"total"`
}

func viewBatch(b *CodeBatch, zone *time.Location) batchView {
	return batchView{
		BatchID: b.ID, State: b.State, Requested: b.Requested, Added: b.Added, Prefix: b.Prefix, Length: b.Length,
		CreatedAt: api.Timestamp(b.CreatedAt, zone), FinishedAt: api.OptionalTimestamp(b.FinishedAt, zone),
	}
}

func (k *Catalogue) listBatches(c *api.Call) error {
	page, err := c.Page()
	if err != nil {
		return err
	}
	campaign, err := k.campaignOfPath(c)
	if err != nil {
		return err
	}
	response := batchList{Batches: []batchView{}}
	err = c.Read(func(tx *db.Tx) error {
		found, total, err := batchPage(tx, c.Store.Key, campaign.ID, page.Limit, page.Offset)
		for i := range found {
			response.Batches = append(response.Batches, viewBatch(&found[i], c.Store.Zone))
		}
		response.Total = total
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func (k *Catalogue) getBatch(c *api.Call) error {
	id, err := PathID(c)
	if err != nil {
		return err
	}
	batchID := strings.ToLower(c.PathValue("batch"))
	if !form.IsUUID(batchID) {
		return fault.ErrNotFound
	}
	var b CodeBatch
	err = c.Read(func(tx *db.Tx) (err error) {
		b, err = findBatch(tx, c.Store.Key, id, batchID)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(viewBatch(&b, c.Store.Zone))
}
