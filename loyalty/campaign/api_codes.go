package campaign

import (
	"context"
	"regexp"
	"slices"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
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
		{Method: "GET", Path: path, Access: view,
			Do:      api.Respond(api.InCall(api.PageQuery[string](nil, describeCodeFilter), (*api.Call).Page), k.listCodes),
			Summary: "List the codes of a campaign"},
		{Method: "GET", Path: path + "/export/csv", Access: view,
			Do:      api.ExportPages("codes", exportedCodeColumns, k.exportCodes, describeCodeFilter),
			Summary: "Export the codes of a campaign"},
		{Method: "POST", Path: path, Access: modify, Factor: api.Everyday, Stepwise: true,
			Do:      api.Respond(api.Following(k.campaignOfPath, api.Body("", readUpload)), k.uploadCodes),
			Summary: "Add codes to a campaign", Audit: api.Audited("AddCampaignCodes", "campaign"), NoDryRun: api.Uploads},
		{Method: "DELETE", Path: path, Access: modify, Factor: api.Everyday, Do: api.Tell(k.deleteCodes), Stepwise: true,
			Summary: "Delete the codes of a campaign that are not sold", Audit: api.Audited("DeleteCampaignCodes", "campaign")},
		{Method: "POST", Path: path + "/generate", Access: modify, Factor: api.Everyday,
			Do:      api.WriteTo(k.findCampaign, api.Body("", readOrder), k.generateCodes),
			Summary: "Generate codes for a campaign", Audit: api.Audited("GenerateCampaignCodes", "campaign")},
		{Method: "GET", Path: path + "/batches", Access: view, Do: api.Read(api.InPages[string](nil), k.listBatches),
			Summary: "List the batches of codes of a campaign"},
		{Method: "GET", Path: path + "/batches/{batch}", Access: view, Do: api.Show(showBatch),
			Summary: "Show the progress of a batch of codes"},
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

func (k *Catalogue) listCodes(c *api.Call, page api.Page) (codePage, error) {
	counters, f, err := k.codesOfPath(c)
	if err != nil {
		return codePage{}, err
	}
	list := codePage{Left: max(0, counters.LastPosition-counters.NextPosition+1), Sold: counters.Sold}
	first, last := f.span(counters)
	list.Total = max(0, last-first+1)
	err = c.Read(func(tx *db.Tx) (err error) {
		if counters.Sold < counters.Purchases() { // some codes of cancelled purchases may have moved
			if list.Total, err = countCodes(tx, counters, first, last); err != nil {
				return err
			}
		}
		if f.code != "" {
			list.Codes, err = codeNamed(tx, counters, f)
			list.Total = int64(len(list.Codes))
			list.Codes = list.Codes[min(page.Offset, len(list.Codes)):]
		} else {
			list.Codes, err = codesAfter(tx, counters, f, 0, page.Limit, page.Offset)
		}
		return err
	})
	list.Codes = append([]codeEntry{}, list.Codes...)
	return list, err
}

var exportedCodeColumns = api.Titled("Code", "State")

// exportedAtOnce is the number of codes that the export reads at a time.
const exportedAtOnce = 1000

// exportCodes exports the codes in the order in which they are sold.
func (k *Catalogue) exportCodes(c *api.Call) (api.Pages, error) {
	counters, f, err := k.codesOfPath(c)
	var last codeEntry
	return func(tx *db.Tx) (rows [][]string, err error) {
		var found []codeEntry
		switch {
		case f.code == "":
			found, err = codesAfter(tx, counters, f, last.Position, exportedAtOnce, 0)
		case last.Code == "":
			found, err = codeNamed(tx, counters, f)
		}
		for _, last = range found {
			rows = append(rows, []string{last.Code, last.State})
		}
		return rows, err
	}, err
}

var errCSV = fault.New(fault.Fields, "not_a_csv_file", "This file is not valid.")

// readUpload reads codes that were pasted, or those of a CSV file.
func readUpload(body *form.Group) []string {
	g := body.Group("codes")
	codes := splitText(g.Verbatim("text"))
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
	return codes
}

// uploadCodes adds codes in steps, so that purchases go on. A repetition finds the codes in the campaign.
func (k *Catalogue) uploadCodes(c *api.Call, in api.Given[*Campaign, []string]) (report uploadReport, err error) {
	to := in.First
	if !to.HasCodes() {
		return report, ErrNoIndividualCodes
	}
	report.Reasons = []skipped{}
	for part := range slices.Chunk(report.usable(in.In), codesAtOnce) {
		var known map[string]bool
		err := c.Step(func(tx *db.Tx) (err error) {
			known, err = k.AddCodes(tx, c.Store.Key, to.ID, part)
			return err
		})
		if err != nil {
			return report, err
		}
		for _, code := range part {
			if known[code] {
				report.skip(alreadyInCampaign, code)
			}
		}
		report.Added += len(part) - len(known)
	}
	report.Left, err = codesLeft(c, to.ID)
	return report, err
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
func (k *Catalogue) deleteCodes(c *api.Call) (all deletedCodes, err error) {
	id, err := PathID(c)
	if err != nil {
		return all, err
	}
	for n := int64(1); n > 0; {
		err := c.Step(func(tx *db.Tx) (err error) {
			n, err = k.deleteFree(tx, c.Store.Key, id)
			return err
		})
		if err != nil {
			return all, err
		}
		all.Deleted += n
	}
	return all, nil
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

func (k *Catalogue) generateCodes(w *api.Writing, of *Campaign, order CodeBatch) (batchIdentity, error) {
	order.CampaignID = of.ID
	order, err := k.OrderCodes(w.Tx, w.Store.Key, order)
	w.Then(func() { k.fillNow(w.Call, order.ID) })
	return batchIdentity{order.ID}, err
}

// fillNow makes the codes of a batch, as many as there is time for.
func (k *Catalogue) fillNow(c *api.Call, batchID string) {
	ctx, stop := context.WithTimeout(c.Context(), generateTimeout)
	defer stop()
	if _, err := k.FillBatches(ctx, c.DB(), c.Store); err != nil && ctx.Err() == nil {
		c.Log().Warn("could not generate codes at once, the job will retry", "batch", batchID, "error", err)
	}
}

// batchView is the progress of a batch.
type batchView struct {
	BatchID    string  `json:"batchId"`
	State      string  `json:"state" enum:"running,finished,stopped"` // running, finished or stopped
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

func (k *Catalogue) listBatches(r *api.Reading, page api.Page) (batchList, error) {
	list := batchList{Batches: []batchView{}}
	id, err := PathID(r.Call)
	if err != nil {
		return list, err
	}
	if _, _, err := k.Find(r.Tx, r.Store.Key, id); err != nil {
		return list, err
	}
	found, total, err := batchPage(r.Tx, r.Store.Key, id, page.Limit, page.Offset)
	for i := range found {
		list.Batches = append(list.Batches, viewBatch(&found[i], r.Store.Zone))
	}
	list.Total = total
	return list, err
}

func showBatch(r *api.Reading) (batchView, error) {
	id, err := PathID(r.Call)
	if err != nil {
		return batchView{}, err
	}
	batchID := r.PathID("batch")
	if !form.IsUUID(batchID) {
		return batchView{}, fault.ErrNotFound
	}
	b, err := findBatch(r.Tx, r.Store.Key, id, batchID)
	return viewBatch(&b, r.Store.Zone), err
}
