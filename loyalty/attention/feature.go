package attention

import (
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/feature"
	"punchcard/loyalty/message"
)

// CopyAge returns the age of the oldest write that the copy off the machine lacks, and whether there is a copy.
type CopyAge func() (age time.Duration, exists bool)

// copyLag is how long a write may wait for the copy off the machine.
const copyLag = time.Minute

// Feature returns the list of what needs attention. jobs returns the names of the jobs. relayLag is how long events may
// wait for the message queue; 0 means for ever. See docs/behaviour/attention.md.
func Feature(catalogue *campaign.Catalogue, messages *message.Config, jobs func() []string,
	relayLag time.Duration, copyAge CopyAge) feature.Feature {
	return feature.Feature{
		Section:   feature.Section{Name: "Analytics"},
		Endpoints: endpoints(catalogue, messages, jobs, relayLag, copyAge),
		Limits: []feature.Limit{
			{Name: "attentionShown", Value: Shown, Unit: "items"},
			{Name: "attentionCampaigns", Value: campaign.WatchedLimit, Unit: "campaigns"},
			{Name: "attentionEarningRules", Value: earning.WatchedLimit, Unit: "earning rules"},
			{Name: "attentionDeliveries", Value: FailedLimit, Unit: "deliveries"},
			{Name: "attentionRefusedAddresses", Value: RefusedLeast, Unit: "addresses in an hour"},
			{Name: "attentionReceipts", Value: RecasedLimit, Unit: "receipts"},
			feature.Seconds("relayLag", relayLag, "--relay-lag-limit"),
			feature.Seconds("copyLag", copyLag, ""),
		},
	}
}
