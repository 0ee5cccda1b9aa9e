package notification

import "punchcard/loyalty/message/template"

// campaignAvailable is about a campaign that became available. Its built-in text is the one
// that an administrator wrote for the campaign. Announcements make these notifications.
var campaignAvailable = &kind{
	name:  "campaign",
	event: template.CampaignAvailable,
	values: func(n *Notification) map[string]string {
		return map[string]string{"campaign_text": n.Details.Text, "campaign_name": n.Details.Name}
	},
	show: func(n *Notification, v *view) { v.CampaignID = n.SubjectID },
}
