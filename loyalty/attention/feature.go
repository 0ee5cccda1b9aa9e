package attention

import (
	"time"

	"punchcard/core/feature"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/message"
	"punchcard/platform/event"
)

// Lags measures events and copies that are late.
type Lags struct {
	Events     event.Backlog // for the message queue
	EventLimit time.Duration // how long events may wait; 0 means for ever
	// Copy returns the age of the oldest write that the copy off the machine lacks, and whether there is a copy.
	Copy func() (age time.Duration, exists bool)
}

// copyLag is how long a write may wait for the copy off the machine.
const copyLag = time.Minute

// Feature returns the list of what needs attention. jobs returns the names of the jobs.
// See docs/behaviour/attention.md.
func Feature(catalogue *campaign.Catalogue, messages *message.Config, jobs func() []string,
	lags Lags) feature.Feature {
	return feature.Feature{
		Section:   feature.Section{Name: "Analytics"},
		Endpoints: endpoints(catalogue, messages, jobs, lags),
		Limits: []feature.Limit{
			{Name: "attentionShown", Value: Shown, Unit: "items"},
			{Name: "attentionCampaigns", Value: campaign.WatchedLimit, Unit: "campaigns"},
			{Name: "attentionEarningRules", Value: earning.WatchedLimit, Unit: "earning rules"},
			{Name: "attentionDeliveries", Value: FailedLimit, Unit: "deliveries"},
			{Name: "attentionRefusedAddresses", Value: RefusedLeast, Unit: "addresses in an hour"},
			{Name: "attentionReceipts", Value: RecasedLimit, Unit: "receipts"},
			feature.Seconds("relayLag", lags.EventLimit, "--relay-lag-limit"),
			feature.Seconds("copyLag", copyLag, ""),
		},
	}
}
